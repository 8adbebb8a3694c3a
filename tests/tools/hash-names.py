#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""hash-names.py DIR: fill a directory with names for the hash tests.

21,000 links to one file: ASCII, UTF-8 and raw bytes, of every length from 1
to 255, the same ones every time, and the names whose hash Linux moves away
from 0xfffffffe (seed aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee).
"""
import os
import random
import sys

COUNT = 21000
COOKIES = [b"5fqexqba", b"ejl1rrba", b"34r313ba", b"qoxyqdca"]
LETTERS = "abcXYZ019._- ßéÉñΩжЖ漢字😀"
RAW = bytes(b for b in range(1, 256) if b != ord("/"))


def utf8_name(rng, length):
    """Whole characters; filled up with ASCII to the length."""
    name = b""
    while len(name) < length:
        c = rng.choice(LETTERS).encode()
        name += c if len(name) + len(c) <= length else b"x"
    return name


def make(rng, kind, length):
    if kind == 0:
        return bytes(rng.choice(RAW[:126]) for _ in range(length))
    if kind == 1:
        return utf8_name(rng, length)
    return bytes(rng.choice(RAW) for _ in range(length))


def main():
    rng = random.Random(1)
    names = set(COOKIES)
    for i in range(4 * COUNT):
        if len(names) == COUNT:
            break
        names.add(make(rng, i % 3, 1 + i // 3 % 255))
    names -= {b".", b".."}
    os.chdir(os.fsencode(sys.argv[1]))
    first = COOKIES[0]
    os.close(os.open(first, os.O_CREAT | os.O_WRONLY, 0o644))
    for name in sorted(names - {first}):
        os.link(first, name)


main()
