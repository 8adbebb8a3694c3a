#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What names chosen to collide cost a directory, for each hash.

BENCH_RUNS (10); BENCH_FLOOD, names that collide in half_md4 and tea (32; each
takes seconds of all CPUs to find).
"""
import os
import random
import secrets

import lab
from table import Table, mean, number, runs

FLOOD = int(os.environ.get("BENCH_FLOOD") or 32)
LONG = 256		# of legacy's, which are computed, in half a second each at most
LENGTH = 240


def collide(version, path, names, seed=()):
    rounds = max(1, 3000 // names)
    out = lab.run(lab.helper("collide"), version, path, str(rounds), *seed)
    return [float(v) for v in out.split()]


def flood(place, version, names):
    """Colliding names in a file; how many were searched."""
    *found, last = lab.run(lab.helper("flood"), version,
                           str(names)).splitlines()
    path = os.path.join(place, f"{version}.{names}")
    with open(path, "w", encoding="ascii") as f:
        f.writelines(n + "\n" for n in found)
    return path, int(last.split()[1])


def randomly(place, names):
    """As many names of that length; the same each time."""
    r = random.Random(names)
    path = os.path.join(place, f"random.{names}")
    with open(path, "w", encoding="ascii") as f:
        for _ in range(names):
            end = "".join(r.choices("abcdefghijklmnop", k=16))
            f.write("x" * (LENGTH - 16) + end + "\n")
    return path


def measure(cases):
    """In turns: [[insert ns], [look-up ns], blocks] for each case."""
    found = [[[], [], 0] for _ in cases]
    for _ in range(runs()):
        for cells, case in zip(found, cases):
            insert, lookup, blocks = collide(*case)
            cells[0].append(insert)
            cells[1].append(lookup)
            cells[2] = int(blocks)
    return found


def rows(t, place, version, names):
    path, searched = flood(place, version, names)
    other = randomly(place, names)
    secret = (secrets.token_hex(16),)
    chosen, plain, safe, safe_plain = measure([
        (version, path, names), (version, other, names),
        ("siphash", path, names, secret), ("siphash", other, names, secret)])
    t.section(f"{names:,} names that collide in {version} "
              f"({number(searched)} names tried)")
    for what, cells in ((f"{version}, colliding", chosen),
                        (f"{version}, random", plain),
                        ("siphash, secret seed, the same names", safe),
                        ("siphash, secret seed, random", safe_plain)):
        t.row("  " + what, *cells)
    t.row("  colliding / random", mean(chosen[0]) / mean(plain[0]),
          mean(chosen[1]) / mean(plain[1]), "")
    return [chosen, plain, safe]


def main():
    t = Table("flood", "Names chosen to collide")
    t.note(f"Names of {LENGTH} bytes into a directory of 1 KiB blocks in memory, then "
           "each looked up; ns of CPU time a name. The attacker knows the hash and "
           "the default seed: legacy's names are computed, those of half_md4 and tea "
           "found by trying. Nobody who does not know siphash's seed can do that.")
    t.columns("", "ns to insert", "ns to find", "blocks")
    groups, series = [], [[], [], []]
    with lab.scratch() as place:
        for version, names in (("legacy", FLOOD), ("legacy", LONG),
                               ("half_md4", FLOOD), ("tea", FLOOD)):
            groups.append(f"{version} ({names:,})")
            for cells, found in zip(series, rows(t, place, version, names)):
                cells.append(found[1])
    t.bars("Finding a name", "ns of CPU time", groups,
           list(zip(("colliding", "random", "the same in siphash"), series)),
           log=True)
    t.write()


main()
