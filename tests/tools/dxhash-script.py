#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compare the kernel's hashes with those of debugfs.

  dxhash-script.py DIR <KERNEL >SCRIPT      commands for debugfs -f that hash
                                            every name of a kernelhash listing
  dxhash-script.py --compare KERNEL <OUT    their output against the listing
"""
import re
import sys


def names(lines):
    for line in lines:
        major, minor, name = line.split("\t")
        yield int(major, 16), int(minor, 16), bytes.fromhex(name.strip())


def quote(name):
    """As debugfs reads it: \\xHH for what is not plain, in double quotes."""
    plain = b"".join(bytes([c]) if chr(c).isalnum() and c < 128 or c in b"-_."
                     else b"\\x%02x" % c for c in name)
    return '"%s"' % plain.decode()


def main():
    if sys.argv[1] != "--compare":
        batch = []
        for _, _, name in names(sys.stdin):
            batch.append(quote(name))
            if len(batch) == 20:
                print("dx_hash -d", sys.argv[1], *batch)
                batch = []
        if batch:
            print("dx_hash -d", sys.argv[1], *batch)
        return 0
    ours = re.findall(rb"is (0x[0-9a-f]+) \(minor (0x[0-9a-f]+)\)",
                      sys.stdin.buffer.read())
    kernel = list(names(open(sys.argv[2])))
    wrong = sum((int(a, 16), int(b, 16)) != k[:2]
                for (a, b), k in zip(ours, kernel))
    print(f"{len(kernel)} names of the kernel, {len(ours)} hashed, {wrong} differ")
    return int(wrong > 0 or len(ours) != len(kernel) or not kernel)


sys.exit(main())
