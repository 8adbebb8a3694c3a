#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Population: mke2fs -d of one directory of empty files, with libext2dx.so
preloaded and without.

BENCH_FILES: how many ("10000 25000 50000 100000"); without the library up to
BENCH_STOCK_FILES (50,000), of which the greatest runs once (about a minute).
BENCH_RUNS (10).
"""
import os

import lab
from table import Table, mean, ratio, runs

FILES = [int(n) for n in os.environ.get(
    "BENCH_FILES", "10000 25000 50000 100000").split()]
STOCK_FILES = int(os.environ.get("BENCH_STOCK_FILES", "50000"))
ONCE = 20000	# from so many on stock runs once
INODES = 2000


def make_tree(tmp, count):
    path = f"{tmp}/tree{count}"
    os.makedirs(path + "/d")
    for i in range(count):
        os.close(os.open(f"{path}/d/file-{i:06}", os.O_CREAT | os.O_WRONLY))
    return path


def populate(tmp, tree, count, preload):
    image = tmp + "/img"
    if os.path.exists(image):
        os.unlink(image)
    return lab.timed(lab.SBIN + "mke2fs", "-qFt", "ext4", "-N",
                     str(count + INODES), "-d", tree, image, "1G",
                     preload=preload)


def judge(tmp, count):
    """What was measured is a directory with an index, and every name in it."""
    image = tmp + "/img"
    said = lab.run(lab.SBIN + "debugfs", "-R", "stat /d", image)
    if "Flags: 0x81000" not in said:
        raise SystemExit(f"population: no index: {said}")
    lab.run(lab.SBIN + "e2fsck", "-fn", image)
    if lab.have_loop():
        with lab.mounted(image, "loop,ro") as at:
            found = sum(os.path.lexists(f"{at}/d/file-{i:06}")
                        for i in range(count))
            if found != count or len(os.listdir(at + "/d")) != count:
                raise SystemExit(f"population: the kernel finds {found} names")


def measure(tmp):
    with_library = {n: [] for n in FILES}
    without = {n: [] for n in FILES if n <= STOCK_FILES}
    trees = {n: make_tree(tmp, n) for n in FILES}
    for i in range(runs()):
        for n in FILES:
            with_library[n].append(populate(tmp, trees[n], n, lab.LIBRARY))
            if i == 0:
                judge(tmp, n)
            if n in without and (i == 0 or n < ONCE):
                without[n].append(populate(tmp, trees[n], n, None))
    return with_library, without


def clock(used, which):
    return [getattr(u, which) for u in used]


def main():
    if not os.path.exists(lab.LIBRARY):
        lab.skip("no shared library was built")
    t = Table("population", "mke2fs -d of one directory of empty files")
    t.note("Debian's own mke2fs, with libext2dx.so in LD_PRELOAD and without; a new "
           f"1 GB image in memory each time. Seconds; {runs()} runs in turns, mean "
           f"and sample standard deviation; without the library one run from {ONCE:,} "
           f"files on, since it takes a minute for 50,000, and none above "
           f"{STOCK_FILES:,}. After the first run of each with the library the "
           "directory has an index, stock e2fsck -fn exits 0, and the mounted "
           "kernel finds every name.")
    t.columns("files", "with: real", "user", "sys", "CPU", "without: real",
              "CPU", "without : with, CPU")
    with lab.scratch() as tmp:
        ours, stock = measure(tmp)
    for n in FILES:
        s = stock.get(n)
        t.row(f"{n:,}", *[clock(ours[n], c)
                          for c in ("real", "user", "sys", "cpu")],
              *([clock(s, "real"), clock(s, "cpu"),
                 ratio(clock(s, "cpu"), clock(ours[n], "cpu"))]
                if s else [None, None, None]))
    if 25000 in ours and 100000 in ours:
        growth = mean(clock(ours[100000], "cpu")) / \
            mean(clock(ours[25000], "cpu"))
        t.remark(f"With the library, 100,000 files take {growth:.2f} times the CPU "
                 "time of 25,000.")
    t.lines("mke2fs -d of one directory of empty files", "files", "CPU seconds",
            [("with libext2dx", [(n, clock(u, "cpu")) for n, u in ours.items()]),
             ("without", [(n, clock(u, "cpu")) for n, u in stock.items()])],
            log="xy")
    t.write()


main()
