# SPDX-License-Identifier: GPL-2.0-or-later
"""Filled by the running kernel, through a loop mount (root)."""
import contextlib
import ctypes
import errno
import fcntl
import os
import pathlib
import struct
import subprocess
import tempfile

import fill as content

libc = ctypes.CDLL(None, use_errno=True)
FALLOC_KEEP_SIZE, FALLOC_PUNCH_HOLE = 1, 2
FS_IOC_GETFLAGS, FS_IOC_SETFLAGS = 0x80086601, 0x40086602
FS_IOC_FSGETXATTR, FS_IOC_FSSETXATTR = 0x801c581f, 0x401c5820
FS_IOC_SET_ENCRYPTION_POLICY = 0x800c6613
FS_IOC_ADD_ENCRYPTION_KEY = 0xc0506617
APPEND, IMMUTABLE = 0x20, 0x10


class CannotMount(OSError):
    pass


def run(*cmd):
    p = subprocess.run([str(c) for c in cmd], stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, errors="replace", text=True)
    if p.returncode:
        raise CannotMount(errno.EIO, f"{cmd[0]}: {p.stdout[-300:]}")
    return p.stdout.strip()


@contextlib.contextmanager
def mounted(img, options="loop"):
    with tempfile.TemporaryDirectory(prefix="mnt.", dir=img.parent) as mnt:
        run("mount", "-t", "ext4", "-o", options, img, mnt)
        try:
            yield mnt
        finally:
            run("umount", mnt)


@contextlib.contextmanager
def opened(path, flags=os.O_RDWR):
    fd = os.open(path, flags)
    try:
        yield fd
    finally:
        os.close(fd)


def fallocate(fd, mode, offset, length):
    if libc.fallocate(fd, mode, ctypes.c_long(offset), ctypes.c_long(length)):
        e = ctypes.get_errno()
        raise OSError(e, os.strerror(e))


def extents(mnt):
    """Fragmented, unwritten, past the end."""
    block = os.statvfs(mnt).f_bsize
    with opened(f"{mnt}/fragments", os.O_RDWR | os.O_CREAT) as fd:
        for i in range(0, 700, 2):
            os.pwrite(fd, b"%d" % i, i * block)
    with opened(f"{mnt}/punched", os.O_RDWR | os.O_CREAT) as fd:
        os.pwrite(fd, b"p" * 300 * block, 0)
        for i in range(3, 290, 3):
            content.attempt(fallocate, fd, FALLOC_PUNCH_HOLE |
                            FALLOC_KEEP_SIZE, i * block, block)
    with opened(f"{mnt}/unwritten", os.O_RDWR | os.O_CREAT) as fd:
        content.attempt(fallocate, fd, 0, 0, 64 * block)
        os.pwrite(fd, b"w" * block, 20 * block)
    with opened(f"{mnt}/past-end", os.O_RDWR | os.O_CREAT) as fd:
        os.pwrite(fd, b"short", 0)
        content.attempt(fallocate, fd, FALLOC_KEEP_SIZE, 0, 40 * block)
    with opened(f"{mnt}/only-past-end", os.O_RDWR | os.O_CREAT) as fd:
        content.attempt(fallocate, fd, FALLOC_KEEP_SIZE, 8 * block, block)
    content.chunks(f"{mnt}/holes", [0, 20 << 10, 400 << 10, 80 << 20,
                                    5 << 30], 1024)
    os.truncate(f"{mnt}/past-end", 3 * block + 1)


def set_flags(path, flags):
    with opened(path, os.O_RDONLY) as fd:
        b = bytearray(8)
        fcntl.ioctl(fd, FS_IOC_GETFLAGS, b)
        old = struct.unpack("<Q", b)[0]
        fcntl.ioctl(fd, FS_IOC_SETFLAGS, struct.pack("<Q", old | flags))


def set_project(path, number):
    with opened(path, os.O_RDONLY) as fd:
        b = bytearray(28)
        fcntl.ioctl(fd, FS_IOC_FSGETXATTR, b)
        f = list(struct.unpack("<5I8x", b))
        f[3] = number
        f[0] |= 0x200           # children inherit it
        fcntl.ioctl(fd, FS_IOC_FSSETXATTR, struct.pack("<5I8x", *f))


def flags(mnt):
    for name, bits in (("append", APPEND), ("immutable", IMMUTABLE),
                       ("nodump-noatime-sync", 0x40 | 0x80 | 8),
                       ("no-extents", 0), ("topdir", 0)):
        if name == "topdir":
            os.mkdir(f"{mnt}/{name}")
            bits = 0x20000
        else:
            content.write(f"{mnt}/{name}", b"flags\n")
        content.attempt(set_flags, f"{mnt}/{name}", bits)
    os.mkdir(f"{mnt}/project")
    if content.attempt(set_project, f"{mnt}/project", 77):
        content.write(f"{mnt}/project/child", b"c")


def holes_in_directories(mnt):
    d = f"{mnt}/deleted"
    os.mkdir(d)
    for i in range(1200):
        content.write(f"{d}/some-name-{i:06}", b"")
    for i in range(1200):
        if i % 4:
            os.unlink(f"{d}/some-name-{i:06}")
    os.mkdir(f"{mnt}/emptied")
    for i in range(300):
        os.symlink("x", f"{mnt}/emptied/{i}")
    for i in range(300):
        os.unlink(f"{mnt}/emptied/{i}")


def large_attributes(mnt):
    """Shared blocks of attributes, values in inodes where there are such."""
    for i in range(6):
        content.write(f"{mnt}/shared-ea-{i}", b"s")
        content.attempt(os.setxattr, f"{mnt}/shared-ea-{i}", "user.big",
                        b"B" * 700)
    for n in (900, 3000, 5000, 20000, 60000):
        content.write(f"{mnt}/ea-{n}", b"")
        content.attempt(os.setxattr, f"{mnt}/ea-{n}", "user.v", b"V" * n)
        content.write(f"{mnt}/ea-too-{n}", b"")
        content.attempt(os.setxattr, f"{mnt}/ea-too-{n}", "user.v", b"W" * n)
    for i in range(40):
        content.attempt(os.setxattr, f"{mnt}/ea-900", f"user.{i}", b"v" * i)
    for i in range(0, 40, 3):
        content.attempt(os.removexattr, f"{mnt}/ea-900", f"user.{i}")


def inline_growth(mnt):
    """Files and directories of every small size, some grown, some shrunk."""
    os.mkdir(f"{mnt}/inline")
    for n in list(range(0, 200, 7)) + [300, 500]:
        content.write(f"{mnt}/inline/file-{n}", b"i" * n)
        d = f"{mnt}/inline/dir-{n}"
        os.mkdir(d)
        for i in range(n // 25):
            content.write(f"{d}/entry-{i}", b"")
    os.truncate(f"{mnt}/inline/file-98", 10)
    os.truncate(f"{mnt}/inline/file-98", 50)
    content.attempt(os.setxattr, f"{mnt}/inline/file-49", "user.e", b"e" * 90)


def everything(mnt):
    content.tree(f"{mnt}/tree", 900)
    extents(mnt)
    flags(mnt)
    holes_in_directories(mnt)
    large_attributes(mnt)
    inline_growth(mnt)


def subdirs(mnt):
    """More than i_links_count can count."""
    os.mkdir(f"{mnt}/subdirs")
    fd = os.open(f"{mnt}/subdirs", os.O_RDONLY)
    for i in range(65100):
        os.mkdir(f"{i:x}", dir_fd=fd)
    os.close(fd)


def encrypted(mnt):
    key = bytes(range(64))
    arg = struct.pack("<I36xII32x", 2, len(key), 0) + key
    buf = bytearray(arg)
    with opened(mnt, os.O_RDONLY) as fd:
        fcntl.ioctl(fd, FS_IOC_ADD_ENCRYPTION_KEY, buf)
    identifier = bytes(buf[8:24])
    os.mkdir(f"{mnt}/secret")
    with opened(f"{mnt}/secret", os.O_RDONLY) as fd:
        fcntl.ioctl(fd, FS_IOC_SET_ENCRYPTION_POLICY, struct.pack(
            "<BBBBB3x16s", 2, 1, 4, 0, 0, identifier))
    for i in range(300):
        content.write(f"{mnt}/secret/name-{i}", b"s" * (i * 40))
    os.mkdir(f"{mnt}/secret/sub")
    for n in (1, 40, 200, 900):
        os.symlink("t" * n, f"{mnt}/secret/sub/link-{n}")


FILLERS = {"kernel": everything, "subdirs": subdirs, "encrypted": encrypted}


def fill(img, fillers):
    journal = img.with_suffix(".jnl")
    with contextlib.ExitStack() as stack:
        options = "loop"
        if journal.exists():
            dev = run("losetup", "-f", "--show", journal)
            stack.callback(run, "losetup", "-d", dev)
            options += f",journal_path={dev}"
        mnt = stack.enter_context(mounted(img, options))
        for f in fillers:
            FILLERS[f](mnt)


def external_journal(img, mib, options):
    """A filesystem whose journal is NAME.jnl beside it."""
    journal = img.with_suffix(".jnl")
    env = dict(os.environ, MKE2FS_CONFIG="/dev/null")
    for path, size in ((journal, 4), (img, mib)):
        path.write_bytes(b"")
        os.truncate(path, size << 20)
    block = options[0]
    subprocess.run(["mke2fs", "-qF", block, "-O", "journal_dev", journal],
                   env=env, check=True, stderr=subprocess.DEVNULL)
    dev = run("losetup", "-f", "--show", journal)
    try:
        subprocess.run(["mke2fs", "-qF", *options, "-J", f"device={dev}", img],
                       env=env, check=True, stderr=subprocess.DEVNULL)
    finally:
        run("losetup", "-d", dev)


__all__ = ["fill", "external_journal", "mounted", "pathlib"]
