# SPDX-License-Identifier: GPL-2.0-or-later
"""What stands in the healthy filesystems: trees and debugfs scripts."""
import os
import socket
import struct

MODE_DIR = 0o40000


def acl(*entries):
    """The attribute's text that Linux makes an ACL of (version 2)."""
    return struct.pack("<I", 2) + b"".join(
        struct.pack("<HHI", *e) for e in entries)


NOBODY = 0xffffffff
FILE_ACL = acl((1, 6, NOBODY), (2, 4, 1000), (4, 4, NOBODY), (8, 5, 2000),
               (16, 7, NOBODY), (32, 4, NOBODY))
DIR_ACL = acl((1, 7, NOBODY), (2, 7, 1000), (4, 5, NOBODY), (16, 7, NOBODY),
              (32, 0, NOBODY))


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)


def chunks(path, places, size=4096):
    """A file of pieces with holes between them."""
    with open(path, "wb") as f:
        for i in places:
            f.seek(i)
            f.write(bytes([i // 4096 % 255 + 1]) * size)


def attempt(what, *args):
    """Do it where this filesystem and this user can."""
    try:
        what(*args)
    except OSError:
        return False
    return True


def special_files(top):
    os.mkfifo(f"{top}/fifo")
    s = socket.socket(socket.AF_UNIX)
    here = os.open(".", os.O_RDONLY)
    os.chdir(top)               # the path of a socket must be short
    s.bind("socket")
    os.fchdir(here)
    os.close(here)
    s.close()
    for name, mode, dev in (("char", 0o20644, os.makedev(1, 3)),
                            ("block", 0o60644, os.makedev(7, 9)),
                            ("wide", 0o20600, os.makedev(300, 70000))):
        attempt(os.mknod, f"{top}/{name}", mode, dev)


def attributes(top):
    for i in range(5):
        write(f"{top}/with-ea-{i}", b"x" * i)
        attempt(os.setxattr, f"{top}/with-ea-{i}", "user.short", b"v" * i)
        attempt(os.setxattr, f"{top}/with-ea-{i}", "user.long", b"L" * 600)
        attempt(os.setxattr, f"{top}/with-ea-{i}", "trusted.t", b"\x80\xff")
    for i in range(8):
        attempt(os.setxattr, f"{top}/with-ea-1", f"user.m{i:03}\xe9", b"m" * i)
    attempt(os.setxattr, f"{top}/with-ea-2", "system.posix_acl_access",
            FILE_ACL)
    os.mkdir(f"{top}/acl")
    attempt(os.setxattr, f"{top}/acl", "system.posix_acl_access", DIR_ACL)
    attempt(os.setxattr, f"{top}/acl", "system.posix_acl_default", DIR_ACL)
    write(f"{top}/acl/child", b"")


def links(top):
    write(f"{top}/one", b"one\n")
    os.mkdir(f"{top}/links")
    for i in range(6):
        os.link(f"{top}/one", f"{top}/links/hard-{i}")
    for n in (1, 5, 58, 59, 60, 61, 100, 155, 200, 254, 600, 1000):
        os.symlink("t" * n, f"{top}/links/soft-{n}")


def directories(top, names):
    os.mkdir(f"{top}/many")
    for i in range(names):
        write(f"{top}/many/a-name-of-some-length-{i:05}", b"")
    os.mkdir(f"{top}/words")
    for w in ("Straße", "Été", "żółć", "\x01\x7f", "n" * 255, " ", "-"):
        write(f"{top}/words/{w}", b"w")
    d = f"{top}/deep"
    os.mkdir(d)
    for i in range(12):
        d += f"/d{i}"
        os.mkdir(d)


def tree(top, names=260):
    """For mke2fs -d."""
    os.mkdir(top)
    os.chmod(top, 0o755)
    directories(top, names)
    links(top)
    special_files(top)
    attributes(top)
    write(f"{top}/empty", b"")
    for n in (1, 60, 100, 156, 160, 200, 900, 1024, 5000, 70000):
        write(f"{top}/of-{n}", bytes(i * 7 & 255 for i in range(n)))
    chunks(f"{top}/pieces", [i * 8192 for i in range(90)])
    chunks(f"{top}/far", [0, 3 << 20, 70 << 20], 512)
    os.truncate(f"{top}/empty", 1 << 20)
    if os.getuid() == 0:
        for i, n in enumerate(("one", "of-900", "many", "links/soft-600")):
            os.chown(f"{top}/{n}", 1000 + i, 2000 + i, follow_symlinks=False)


# ---- debugfs

def entries(tmp):
    yield from ("mkdir /dbg", "cd /dbg", "mkdir sub", "mkdir sub/sub2",
                "symlink short target", "symlink long " + "u" * 90,
                "mknod p p", "mknod c c 5 1", "mknod b b 8 300",
                "mknod wide c 260 300", f"write {tmp}/text text",
                "ln text sub/hard", "sif text links_count 2")
    for i in range(60):
        yield f"write /dev/null temp-{i:040}"
    for i in range(0, 60, 3):
        yield f"rm temp-{i:040}"
    yield "rmdir sub/sub2"


def sparse(tmp):
    yield f"write {tmp}/sparse /sparse"


def punch(tmp):
    yield f"write {tmp}/solid /solid"
    for i in range(2, 120, 2):
        yield f"punch /solid {i} {i}"
    yield f"write {tmp}/text /unwritten"
    yield "fallocate /unwritten 1 30"
    yield "sif /unwritten size 20000"
    yield f"write {tmp}/text /past-end"
    yield "fallocate /past-end 8 20"


def eas(tmp):
    yield f"write {tmp}/text /ea-file"
    for i in range(12):
        yield f"ea_set /ea-file user.name{i} {'v' * (i + 1)}"
    yield f"ea_set -f {tmp}/ea-value /ea-file user.block"
    yield f"write {tmp}/text /ea-high"
    yield f"ea_set -f {tmp}/ea-bytes /ea-high user.\xe9t\xe9"


def large_eas(tmp):
    yield f"write {tmp}/text /ea-large"
    yield f"ea_set -f {tmp}/ea-5000 /ea-large user.large"
    yield f"ea_set -f {tmp}/ea-60000 /ea-large user.larger"
    yield f"write {tmp}/text /ea-large-too"
    yield f"ea_set -f {tmp}/ea-5000 /ea-large-too user.large"


def casefold(tmp):
    for d, n in (("/fold", 200), ("/fold-small", 4)):
        yield from (f"mkdir {d}", f"sif {d} flags 0x40080000", f"cd {d}")
        for i in range(n):
            yield f"write /dev/null MiXed-Case-And-Length-{i:05}"
        yield "mkdir Straße-Dir"
        yield "cd /"


def projects(tmp):
    for i, n in enumerate(("one", "of-900", "of-5000", "many")):
        yield f"sif /{n} projid {100 + i % 2}"


def verity(tmp):
    """A file of 60000 bytes whose tree and descriptor stand behind it."""
    yield f"write {tmp}/solid /verity"
    yield "sif /verity size 60000"
    yield "sif /verity flags 0x180000"


def huge(tmp):
    """i_blocks in filesystem blocks."""
    yield "sif /of-70000 flags 0xc0000"
    yield "sif /of-70000 blocks 69"


def shared(tmp):
    yield "feature shared_blocks"
    yield f"write {tmp}/solid /a"
    yield f"write {tmp}/solid /b"


SCRIPTS = {f.__name__.replace("_", "-"): f for f in (
    entries, sparse, punch, eas, large_eas, casefold, projects, verity, huge,
    shared)}


def sources(tmp):
    """The files that the scripts name."""
    write(f"{tmp}/text", b"some text\n" * 300)
    write(f"{tmp}/solid", bytes(i >> 8 & 255 | 1 for i in range(128 << 10)))
    chunks(f"{tmp}/sparse", [0, 20 << 10, 400 << 10, 80 << 20], 1024)
    write(f"{tmp}/ea-value", b"V" * 300)
    write(f"{tmp}/ea-bytes", bytes(range(128, 200)))
    write(f"{tmp}/ea-5000", b"five" * 1250)
    write(f"{tmp}/ea-60000", b"sixty" * 12000)
