#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Filesystems as a power cut leaves them: copied while mounted and busy.

  busy.py [--only REGEX] [--list] DIR

Each row is made, mounted, and written by several processes; some of them hold
files open that have no name any more.  Then NAME.img is copied while it is
mounted, and NAME.shut.img is what stays after the filesystem was shut down
without writing more.  A copy is only kept if the next copy is the same, so it
is what the device held at one moment.  Exit 1 where one cannot be made.
"""
import argparse
import fcntl
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import fill                                                     # noqa: E402
import healthy                                                  # noqa: E402
import mounted                                                  # noqa: E402
from table import EXT2, EXT3, EXT4, o                           # noqa: E402

SHUTDOWN = 0x8004587d
NO_LOG_FLUSH = struct.pack("I", 2)
NOCSUM = EXT4.replace(",metadata_csum", "")
# name, MiB, options of mke2fs, options of mount
ROWS = [
    ("ext2-1k", 12, ["-b1024", "-I128", *o(EXT2)], ""),
    ("ext2-4k", 16, ["-b4096", "-I256", *o(EXT2)], ""),
    ("ext3-1k", 16, ["-b1024", "-I128", *o(EXT3)], ""),
    ("ext3-4k", 32, ["-b4096", "-I256", *o(EXT3)], ""),
    ("ext3-journal", 24, ["-b1024", "-I256", *o(EXT3)], "data=journal"),
    ("ext3-writeback", 24, ["-b1024", "-I256", *o(EXT3)], "data=writeback"),
    ("ext4-1k", 16, ["-b1024", *o(EXT4)], ""),
    ("ext4-2k", 24, ["-b2048", *o(EXT4)], ""),
    ("ext4-4k", 32, ["-b4096", *o(EXT4)], ""),
    ("ext4-journal", 24, ["-b1024", *o(EXT4)], "data=journal"),
    ("ext4-journal-4k", 48, ["-b4096", *o(EXT4)], "data=journal"),
    ("ext4-commit", 16, ["-b1024", *o(EXT4)], "commit=1"),
    ("no-csum", 16, ["-b1024", *o(NOCSUM)], ""),
    ("no-csum-no-64bit", 16, ["-b1024", *o(NOCSUM, without="64bit")], ""),
    ("checksum-v1", 16, ["-b1024", *o(NOCSUM)], "journal_checksum"),
    ("async-commit", 16, ["-b1024", *o(NOCSUM)],
     "data=writeback,journal_async_commit"),
    ("async-commit-csum", 16, ["-b1024", *o(EXT4)],
     "data=writeback,journal_async_commit"),
    ("no-64bit", 16, ["-b1024", *o(EXT4, without="64bit")], ""),
    ("no-extent", 16, ["-b1024", *o(EXT4, without="extent,64bit")], ""),
    ("no-journal", 16, ["-b1024", *o(EXT4, without="has_journal")], ""),
    ("small-journal", 24, ["-b1024", "-J", "size=1", *o(EXT4)], ""),
    ("uninit_bg", 24, ["-b1024", "-g4096", *o(NOCSUM, "uninit_bg")], ""),
    ("bigalloc", 32, ["-b1024", "-C4096", *o(
        EXT4, "bigalloc", without="resize_inode")], ""),
    ("inline_data", 16, ["-b1024", *o(EXT4, "inline_data")], ""),
    ("ea_inode", 16, ["-b1024", *o(EXT4, "ea_inode")], ""),
    ("orphan_file", 16, ["-b1024", *o(EXT4, "orphan_file")], ""),
    ("orphan_file-4k", 32, ["-b4096", *o(EXT4, "orphan_file")], ""),
    ("fast_commit", 16, ["-b1024", *o(EXT4, "fast_commit")], ""),
    ("fast_commit-4k", 48, ["-b4096", *o(EXT4, "fast_commit")], ""),
    ("meta_bg", 24, ["-b1024", "-g1024", *o(
        EXT4, "meta_bg", without="resize_inode,flex_bg")], ""),
    ("lazy", 48, ["-b1024", "-E", "lazy_itable_init=1,nodiscard",
                  *o(EXT4)], ""),
    ("inode-1024", 32, ["-b4096", "-I1024", *o(EXT4)], ""),
]
# A block that begins like one of the journal's own is escaped there.
MAGIC = bytes.fromhex("c03b3998") + b"escaped"


def one_step(r, top, k):
    """Something that changes metadata, now and then synced."""
    name = f"{top}/{r.randrange(200)}"
    what = r.randrange(10)
    if what < 4:
        with open(name, "ab") as f:
            f.write((MAGIC if r.randrange(3) == 0 else b"data") *
                    r.randrange(1, 900))
            if r.randrange(12) == 0:
                os.fsync(f.fileno())
    elif what == 4:
        os.rename(name, f"{top}/{r.randrange(200)}")
    elif what == 5:
        os.unlink(name)
    elif what == 6:
        os.truncate(name, r.randrange(3000))
    elif what == 7:
        os.mkdir(f"{top}/d{k}")
        os.link(name, f"{top}/d{k}/link")
    elif what == 8:
        os.setxattr(name, "user.busy", bytes(r.randrange(1, 600)))
    else:
        os.symlink("t" * r.randrange(1, 200), f"{top}/s{k}")


def worker(mnt, seed):
    """Until it is killed, or the filesystem is full or shut down."""
    r = random.Random(seed)
    top = f"{mnt}/busy-{seed}"
    os.mkdir(top)
    for k in range(100000):
        try:
            one_step(r, top, k)
        except (FileNotFoundError, FileExistsError, NotADirectoryError,
                IsADirectoryError):
            pass
        except OSError:
            return


def start(mnt, count):
    pids = []
    for seed in range(count):
        pid = os.fork()
        if pid == 0:
            try:
                worker(mnt, seed)
            finally:
                os._exit(0)
        pids.append(pid)
    return pids


def open_and_unlinked(mnt):
    """Files that only their openers have: orphans on disk."""
    fds = []
    for i in range(40):
        path = f"{mnt}/open-{i}"
        fd = os.open(path, os.O_RDWR | os.O_CREAT)
        os.pwrite(fd, b"orphan" * (i * 300), i * 5000)
        if i % 4 == 0:
            fill.attempt(os.setxattr, path, "user.o", b"o" * (i * 15 + 300))
        if i % 5 == 0:
            os.link(path, f"{path}-kept")
        os.unlink(path)
        fds.append(fd)
    for i in range(3):
        path = f"{mnt}/open-dir-{i}"
        os.mkdir(path)
        fds.append(os.open(path, os.O_RDONLY))
        os.rmdir(path)
    return fds


def signal_all(pids, number):
    for p in pids:
        try:
            os.kill(p, number)
        except ProcessLookupError:
            pass


def sparse_copy(source, to):
    healthy.run("cp", "--sparse=always", source, to)


def same(a, b):
    return a.read_bytes() == b.read_bytes()


def copy_at_one_moment(img, to):
    again = to.with_suffix(".again")
    try:
        for _ in range(20):
            sparse_copy(img, to)
            sparse_copy(img, again)
            if same(to, again):
                return
            time.sleep(.1)
    finally:
        again.unlink(missing_ok=True)
    raise healthy.CannotMake("no two copies were the same")


def make(row, out, tmp):
    name, mib, options, mount = row
    img, result = tmp / "busy.img", out / f"{name}.img"
    maker = healthy.Maker.__new__(healthy.Maker)
    maker.tmp = tmp
    maker.mkfs(img, mib, ["-N2048", *options], ["tree"])
    with mounted.mounted(img, "loop" + (f",{mount}" if mount else "")) as mnt:
        fds = open_and_unlinked(mnt)
        pids = start(mnt, 3)
        try:
            time.sleep(.35)
            signal_all(pids, signal.SIGSTOP)
            # What is only in the journal by now is what replaying is about.
            root = os.open(mnt, os.O_RDONLY)
            mounted.libc.syncfs(root)
            copy_at_one_moment(img, result)
            signal_all(pids, signal.SIGCONT)
            time.sleep(.25)
            if "has_journal" in " ".join(options):
                fcntl.ioctl(root, SHUTDOWN, NO_LOG_FLUSH)
                shut = out / f"{name}.shut.img"
            os.close(root)
        finally:
            signal_all(pids, signal.SIGKILL)
            signal_all(pids, signal.SIGCONT)
            for p in pids:
                os.waitpid(p, 0)
            for fd in fds:
                os.close(fd)
    if "has_journal" in " ".join(options):
        sparse_copy(img, shut)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.
                                RawDescriptionHelpFormatter)
    p.add_argument("--only", default="")
    p.add_argument("--list", action="store_true")
    p.add_argument("dir", type=pathlib.Path)
    a = p.parse_args()
    rows = [r for r in ROWS if re.search(a.only, r[0])]
    if a.list:
        print(*(r[0] for r in rows), sep="\n")
        return 0
    a.dir.mkdir(parents=True, exist_ok=True)
    bad = 0
    tmp = a.dir / "tmp"
    tmp.mkdir()
    try:
        fill.tree(f"{tmp}/tree", 60)
        for row in rows:
            try:
                make(row, a.dir, tmp)
            except (healthy.CannotMake, OSError) as e:
                print(f"{row[0]}: cannot make: {e}")
                bad += 1
    finally:
        shutil.rmtree(tmp)
    print(f"{len(rows)} filesystems, {bad} faults")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
