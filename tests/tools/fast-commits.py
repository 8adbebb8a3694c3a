#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Make fast commits: change a mounted filesystem and fsync after each change.

  fast-commits.py MOUNT_POINT SET IMAGE COPY

SET is a word below; when it is done IMAGE is copied to COPY at once, while it
is mounted.  A file "base" and a directory "d" with 300 names are there.
"""
import os
import subprocess
import sys

top = sys.argv[1] + "/"


def sync(name):
    fd = os.open(top + name, os.O_RDONLY)
    os.fsync(fd)
    os.close(fd)


def write(name, data, at=0):
    fd = os.open(top + name, os.O_CREAT | os.O_WRONLY, 0o644)
    os.pwrite(fd, data, at)
    os.fsync(fd)
    os.close(fd)


def files():
    for i in range(20):
        write(f"new{i}", b"%d" % i * 3000)
    os.link(top + "base", top + "base2")
    sync("base")
    os.unlink(top + "new3")
    write("new4", b"again", 100000)
    os.truncate(top + "new5", 10)
    sync("new5")


def holes():
    for i in range(40):
        write("sparse", b"x" * 512, i * 50000)
    fd = os.open(top + "room", os.O_CREAT | os.O_RDWR)
    os.posix_fallocate(fd, 0, 900000)
    os.fsync(fd)
    os.pwrite(fd, b"y" * 5000, 300000)
    os.fsync(fd)
    os.close(fd)
    os.truncate(top + "sparse", 777777)
    sync("sparse")


def renames():
    write("one", b"1" * 9000)
    write("two", b"2" * 9000)
    os.rename(top + "one", top + "d/three")
    sync("d/three")
    os.rename(top + "two", top + "base")
    sync("base")
    os.rename(top + "d/name_7", top + "seven")
    sync("seven")


def names():
    for i in range(60):
        write(f"d/a-name-that-is-rather-long-{i:040}", b"n")
    for i in range(0, 60, 3):
        os.unlink(top + f"d/a-name-that-is-rather-long-{i:040}")
    write("last", b"l")


def directories():
    for i in range(5):
        os.mkdir(top + f"dir{i}")
        write(f"dir{i}/file", b"f" * i * 1000)
    os.mkdir(top + "dir0/sub")
    write("dir0/sub/file", b"s")


def open_deleted():
    write("gone", b"g" * 20000)
    fd = os.open(top + "gone", os.O_RDWR)
    os.unlink(top + "gone")
    os.pwrite(fd, b"h" * 10, 50000)
    os.fsync(fd)
    write("stays", b"s")
    return fd


globals()[sys.argv[2]]()
subprocess.run(["cp", "--sparse=always", sys.argv[3], sys.argv[4]], check=True)
