#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How well hashes scatter names: equal major hashes, and how evenly they fall
into buckets, beside what chance would give.  BENCH_QUALITY: numbers of names
("1000000 3000000")."""
import os

import lab
from table import Table

NUMBERS = os.environ.get("BENCH_QUALITY", "1000000 3000000").split()


def measure():
    """{(number, kind, example): {hash: figures}}"""
    found = {}
    for line in lab.run(lab.helper("quality"), *NUMBERS).splitlines():
        number, kind, example, name, *figures = line.split("\t")
        found.setdefault((int(number), kind, example), {})[name] = figures
    return found


def main():
    t = Table("quality", "How well hashes scatter names")
    t.note("Equal: names that have the major hash (31 bits) of one before. Most: "
           "names of one hash. 2^k: chi-square over as many buckets of the "
           "upper bits, in standard deviations from chance: within about 3 is as "
           "good as random, far below more even than random. The names are the "
           "same in each run, so there is nothing to average.")
    t.columns("", "equal", "most", "2^8", "2^12", "2^16")
    found = measure()
    for (number, kind, example), hashes in found.items():
        t.section(f'{number:,} {kind} ("{example}")')
        for name, figures in hashes.items():
            t.row(name, *figures[:2], *figures[2:])
    most = max(n for n, _, _ in found)
    groups = [k for k in found if k[0] == most]
    # 0 has no bar on a logarithmic axis.
    t.bars(f"Equal major hashes among {most:,} names", "names",
           [kind for _, kind, _ in groups],
           [(h, [int(found[k][h][0]) or None for k in groups])
            for h in found[groups[0]]], log=True)
    t.write()


main()
