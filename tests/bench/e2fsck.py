#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Our e2fsck beside stock e2fsck on one directory that the kernel filled.

BENCH_NAMES six-digit names (1,000,000) on a 4 GB filesystem with one inode a
KiB.  -fn and -fyD, the two programs in turn, BENCH_RUNS times (10) after one
run that does not count, each on a fresh copy where it writes.
"""
import os

import lab
from table import Table, ratio, runs

NAMES = int(os.environ.get("BENCH_NAMES", "1000000"))
PROGRAMS = (("e2dx", lab.E2FSCK), ("stock", lab.SBIN + "e2fsck"))


def fill(image):
    lab.filesystem(image, "4G", "-i", "1024")
    with lab.mounted(image) as at:
        os.mkdir(at + "/d")
        for i in range(NAMES):
            os.close(os.open(f"{at}/d/{i:06}", os.O_CREAT | os.O_WRONLY))


def measure(image, options, work):
    used = {name: [] for name, _ in PROGRAMS}
    for i in range(runs() + 1):
        for name, program in PROGRAMS:
            target = image if options == "-fn" else lab.copy(image, work)
            u = lab.timed(program, options, target, ok=(0, 1))
            if i:
                used[name].append(u)
    return used


def pick(used, what):
    return [getattr(u, what) for u in used]


def main():
    if not lab.have_loop():
        lab.skip("needs root and loop mounts to fill an image")
    t = Table("e2fsck", f"e2fsck on one directory of {NAMES:,} names")
    t.note(f"A 4 GB filesystem made with -i 1024, filled by the running kernel; "
           f"page cache warm, whole processes, {runs()} runs in turns; mean and "
           "sample standard deviation. Both check all of it.")
    t.columns("", "seconds", "CPU seconds", "MiB at most", "stock : e2dx")
    reals = {}
    with lab.scratch() as tmp:
        image = tmp + "/img"
        fill(image)
        lab.warm(image)
        for options in ("-fn", "-fyD"):
            used = measure(image, options, tmp + "/work")
            reals[options] = {n: pick(u, "real") for n, u in used.items()}
            t.section(f"e2fsck {options}")
            for name, _ in PROGRAMS:
                t.row(name, reals[options][name], pick(used[name], "cpu"),
                      pick(used[name], "memory"),
                      ratio(reals[options]["stock"], reals[options]["e2dx"])
                      if name == "e2dx" else "")
    t.bars(f"e2fsck on one directory of {NAMES:,} names", "seconds",
           list(reals), [(n, [reals[o][n] for o in reals])
                         for n, _ in PROGRAMS])
    t.write()


main()
