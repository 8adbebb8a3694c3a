#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The hashes that the entries of a directory store, read without e2dx.

  stored-hashes.py IMAGE DIR

Stock debugfs says which blocks the directory has; their bytes are read here.
Line: major hash, minor hash (8 hex digits each) of every entry of a directory
that is encrypted and casefolded, in the order of the blocks.
"""
import struct
import subprocess
import sys


def debugfs(image, request):
    return subprocess.run(["/sbin/debugfs", "-R", request, image], check=True,
                          capture_output=True, text=True).stdout


def records(block):
    at = 0
    while at + 8 <= len(block):
        ino, rec_len, name_len, kind = struct.unpack_from("<IHBB", block, at)
        if rec_len < 8:
            raise SystemExit("a damaged record")
        yield at, ino, name_len
        at += rec_len


def main():
    image, directory = sys.argv[1:]
    size = int(next(line.split(":")[1] for line in
                    debugfs(image, "stats -h").splitlines()
                    if line.startswith("Block size:")))
    numbers = debugfs(image, f"blocks {directory}").split()
    with open(image, "rb") as f:
        for number in numbers:
            f.seek(int(number) * size)
            block = f.read(size)
            for at, ino, name_len in records(block):
                name = block[at + 8:at + 8 + name_len]
                if not ino or name in (b".", b".."):
                    continue
                pair = struct.unpack_from("<II", block,
                                          at + (8 + name_len + 3) // 4 * 4)
                print("%08x %08x" % pair)


main()
