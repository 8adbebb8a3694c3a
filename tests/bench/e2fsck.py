#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Our e2fsck beside stock e2fsck on filesystems that the kernel filled.

BENCH_NAMES six-digit names (1,000,000) in one directory of a 4 GB filesystem
with one inode a KiB, and BENCH_FILES small files (400,000) in 16,000
directories.  Ours with one and with two threads, and stock, in turns,
BENCH_RUNS times (10) after one run that does not count, each on a fresh copy
where it writes.
"""
import os

import lab
from table import Table, ratio, runs

NAMES = int(os.environ.get("BENCH_NAMES", "1000000"))
FILES = int(os.environ.get("BENCH_FILES", "400000"))
DIRECTORIES = 16000
PROGRAMS = (("e2dx, 2 threads", (lab.E2FSCK, "-E", "threads=2")),
            ("e2dx, 1 thread", (lab.E2FSCK, "-E", "threads=1")),
            ("stock", (lab.SBIN + "e2fsck",)))


def fill_one(at):
    os.mkdir(at + "/d")
    for i in range(NAMES):
        os.close(os.open(f"{at}/d/{i:06}", os.O_CREAT | os.O_WRONLY))


def fill_many(at):
    each = FILES // DIRECTORIES
    for d in range(DIRECTORIES):
        path = f"{at}/{d % 100}/{d // 100}"
        os.makedirs(path)
        for i in range(each):
            with open(f"{path}/file{i:04}.txt", "w") as f:
                f.write("x")


SCENES = (
    (f"{NAMES:,} names in one directory", f"{NAMES // 1000}k names", fill_one, "1024", ("-fn", "-fyD")),
    (f"{FILES:,} small files in {DIRECTORIES:,} directories",
     f"{FILES // 1000}k files", fill_many, "4096", ("-fn",)),
)


def measure(image, option, work):
    used = {name: [] for name, _ in PROGRAMS}
    for i in range(runs() + 1):
        for name, command in PROGRAMS:
            target = image if option == "-fn" else lab.copy(image, work)
            u = lab.timed(*command, option, target, ok=(0, 1))
            if i:
                used[name].append(u)
    return used


def pick(used, what):
    return [getattr(u, what) for u in used]


def rows(t, used):
    stock = pick(used["stock"], "real")
    for name, u in used.items():
        t.row(name, pick(u, "real"), pick(u, "cpu"), pick(u, "memory"),
              "" if name == "stock" else ratio(stock, pick(u, "real")))


def scene(t, plot, tmp, title, short, fill, per_inode, options):
    image = tmp + "/img"
    lab.filesystem(image, "4G", "-i", per_inode)
    with lab.mounted(image) as at:
        fill(at)
    lab.warm(image)
    for option in options:
        used = measure(image, option, tmp + "/work")
        t.section(f"e2fsck {option}, {title}")
        rows(t, used)
        plot.append((f"{option}, {short}",
                     {n: pick(u, "real") for n, u in used.items()}))
    os.unlink(image)


def main():
    if not lab.have_loop():
        lab.skip("needs root and loop mounts to fill an image")
    t = Table("e2fsck", "e2fsck on filesystems that the kernel filled")
    t.note("4 GB filesystems made with -i 1024 and -i 4096, filled by the "
           f"running kernel; page cache warm, whole processes, {runs()} runs in "
           "turns; mean and sample standard deviation. Both check all of it.")
    t.columns("", "seconds", "CPU seconds", "MiB at most", "stock : e2dx")
    plot = []
    with lab.scratch() as tmp:
        for s in SCENES:
            scene(t, plot, tmp, *s)
    t.bars("e2fsck, whole process", "seconds", [p[0] for p in plot],
           [(n, [p[1][n] for p in plot]) for n, _ in PROGRAMS])
    t.write()


main()
