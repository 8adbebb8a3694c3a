#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a hash costs: ns a name, and MB/s on 4 KiB; one at a time and many at
once, beside other hashes.  BENCH_RUNS (10)."""
import lab
from table import Table, ratio, runs

COLUMNS = ("6", "16", "40", "255", "6-40", "MB/s")
NAMES = COLUMNS[:-1]


def measure():
    """{(way, hash): {column: samples}}, and the code that many at once runs."""
    found, variants = {}, {}
    for line in lab.run(lab.helper("hash"), str(runs())).splitlines():
        way, name, column, value = line.split("\t")
        if way == "variant":
            variants[name] = value
        else:
            found.setdefault((way, name), {}).setdefault(
                column, []).append(float(value))
    return found, variants


def compare(t, what, a, b):
    t.row(what, *[ratio(a[c], b[c]) for c in NAMES], "")


def main():
    t = Table("hash", "What hashing a name costs")
    t.note(f"ns a name for names of so many bytes (6-40: mixed lengths), MB/s on "
           f"blocks of 4 KiB. CPU time, {runs()} runs, every cell once in each; "
           "mean and sample standard deviation. 'Many at once' has the code that "
           "was fastest here.")
    t.columns("", *[c + (" bytes" if c in NAMES else "") for c in COLUMNS])
    found, variants = measure()
    t.section("ns a name, one at a time")
    for (way, name), cells in found.items():
        if way == "one":
            t.row(name, *[cells.get(c) for c in COLUMNS])
    t.section("ns a name, many at once")
    for (way, name), cells in found.items():
        if way == "many":
            t.row(f"{name} ({variants[name]})",
                  *[cells.get(c) for c in COLUMNS])
    t.section("ratios")
    compare(t, "siphash : half_md4, one at a time", found["one", "siphash"],
            found["one", "half_md4"])
    for name in ("siphash", "half_md4", "tea"):
        compare(t, f"{name}, one : many", found["one", name],
                found["many", name])
    t.row("crc32c, ours : one stream", *[""] * len(NAMES), ratio(
        found["one", "crc32c"]["MB/s"],
        found["one", "crc32c, 1 stream"]["MB/s"]))
    names = [n for w, n in found if w == "one"]
    t.bars("A name, one at a time", "ns a name",
           [c + " bytes" for c in NAMES[:4]],
           [(n, [found["one", n][c] for c in NAMES[:4]]) for n in names
            if "," not in n], log=True)
    t.bars("A name, one at a time and many at once", "ns a name",
           [f"{c} bytes" for c in NAMES[:3]],
           [(f"{n}, {w}", [found[w, n][c] for c in NAMES[:3]])
            for n in ("half_md4", "tea", "siphash") for w in ("one", "many")])
    t.write()


main()
