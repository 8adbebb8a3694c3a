#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Fill, list and find names on a mounted filesystem.

  names.py fill DIR           100,000 names in big, 12,000 in half of which
                              every second one is removed, 500 in each small*,
                              raw bytes in bytes; some files have contents
  names.py list DIR           every path with inode, mode, size and CRC-32 of
                              its data, sorted (paths as repr)
  names.py find DIR LISTING   stat every path of a listing: the kernel looks
                              each up through the index; 1 where one is missed
  names.py create DIR         create and remove 50 names in every directory
"""
import os
import stat
import sys
import zlib


def touch(path, data=b""):
    fd = os.open(path, os.O_CREAT | os.O_WRONLY, 0o644)
    if data:
        os.write(fd, data)
    os.close(fd)


def fill(top, big=100000, half=12000):
    for d in (b"big", b"half", b"bytes"):
        os.mkdir(os.path.join(top, d))
    for i in range(big):
        touch(b"%s/big/%06d-file" % (top, i), b"%d" % i if i % 97 == 0 else b"")
    for i in range(half):
        touch(b"%s/half/entry%d" % (top, i))
    for i in range(0, half, 2):
        os.unlink(b"%s/half/entry%d" % (top, i))
    for i in range(500):
        d = b"%s/small%03d" % (top, i)
        os.mkdir(d)
        for j in range(i % 40):
            touch(b"%s/%s-%d" % (d, b"xyz"[j % 3:], j))
    words = "Straße Été naïve Ünïcödé Ωμέγα Жизнь 漢字 ñandú".encode().split()
    for i in range(3000):
        touch(b"%s/bytes/%s-%d" % (top, words[i % len(words)], i))
    for i in range(2000):
        name = bytes(1 + (i * 7 + k * 31) % 255 for k in range(1 + i % 240))
        touch(b"%s/bytes/%d%s" % (top, i, name.replace(b"/", b"~")))


def walk(top):
    yield b"."
    for d, subdirs, files in os.walk(top):
        for name in subdirs + files:
            yield os.path.relpath(os.path.join(d, name), top)


def listing(top):
    for path in sorted(walk(top)):
        full = os.path.join(top, path)
        st = os.lstat(full)
        crc = 0
        if stat.S_ISREG(st.st_mode) and st.st_size:
            with open(full, "rb") as f:
                crc = zlib.crc32(f.read())
        size = 0 if stat.S_ISDIR(st.st_mode) else st.st_size
        print(repr(path), st.st_ino, oct(st.st_mode), st.st_nlink, size, crc)


def find(top, list_file):
    missed = count = 0
    for line in open(list_file):
        text, rest = line.rsplit("' ", 1) if "' " in line else line.rsplit('" ', 1)
        path = eval(text + line[len(text)])  # a bytes literal of our own
        count += 1
        try:
            if os.lstat(os.path.join(top, path)).st_ino != int(rest.split()[0]):
                raise OSError("another inode")
        except OSError as e:
            missed += 1
            if missed < 5:
                print(path, e)
    print(f"{count} looked up, {missed} missed")
    return 1 if missed or not count else 0


def create(top):
    for d, _, _ in list(os.walk(top)):
        names = [os.path.join(d, b"new-name-%d" % i) for i in range(50)]
        for n in names:
            touch(n)
        for n in names:
            os.unlink(n)


def main():
    verb, top = sys.argv[1], os.fsencode(sys.argv[2])
    if verb == "fill":
        return fill(top, *map(int, sys.argv[3:]))
    if verb == "list":
        return listing(top)
    if verb == "find":
        return find(top, sys.argv[3])
    if verb == "create":
        return create(top)
    return 2


sys.exit(main())
