#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Names found and added, beside stock libext2fs: the tables "functions", a
process each in turns, and "lookup", by 1, 2 and 4 threads.

BENCH_RUNS (10); BENCH_NAMES, in the large directory (1000000).  All in /dev/shm
where there is room: what is compared is not the disk.
"""
import os

import lab
from table import Table, mean, number, runs

LARGE = int(os.environ.get("BENCH_NAMES") or 1000000)
MIDDLE = 60000
ADDED = 10000
WINDOW = 100		# ms of each turn of the threads
THREADS = (1, 2, 4)


def libext2fs(*args, ours):
    """(CPU ns, wall ns) an operation, in a process of its own."""
    env = dict(os.environ)
    if ours:
        env["LD_PRELOAD"] = lab.LIBRARY
    out = lab.run(lab.helper("libext2fs"), *map(str, args), env=env)
    return [float(v) for v in out.split()]


def fill(path, names, size):
    lab.filesystem(path, size, "-b", "4096")
    env = dict(os.environ, LD_PRELOAD=lab.LIBRARY)
    lab.run(lab.helper("libext2fs"), "fill", path, str(names), env=env)
    lab.run(lab.SBIN + "e2fsck", "-fy", path, ok=(0, 1))
    return path


def pairs(measure):
    """Ours and stock in turns: ([CPU ns], [CPU ns])."""
    ours, stock = [], []
    for i in range(runs()):
        order = ((True, ours), (False, stock))
        for which, samples in order if i % 2 else reversed(order):
            samples.append(measure(which)[0])
    return ours, stock


def pairwise(ours, stock):
    r = sorted(s / o for o, s in zip(ours, stock))
    return f"{number(mean(stock) / mean(ours))} ({number(r[0])} to {number(r[-1])})"


def exported(t, middle):
    def link(ours):
        work = lab.copy(middle, middle + ".work")
        return libext2fs("link", work, MIDDLE, ADDED, ours=ours)

    def find(ours):
        return libext2fs("lookup", middle, MIDDLE, 100000 if ours else 200,
                         ours=ours)

    def path(ours):
        return libext2fs("path", middle, 20000, ours=ours)

    def large(ours):
        return libext2fs("lookup", middle.replace("middle", "large"), LARGE,
                         100000 if ours else 30, ours=ours)

    found = {}
    for name, measure in (
            (f"ext2fs_lookup, {MIDDLE:,} names", find),
            (f"ext2fs_lookup, {LARGE:,} names", large),
            ("ext2fs_namei, ./file", path),
            (f"ext2fs_link, {ADDED:,} into {MIDDLE:,}", link)):
        ours, stock = pairs(measure)
        found[name] = (ours, stock)
        t.row(name, ours, stock, pairwise(ours, stock))
    return found


def threads(image):
    """{(kind, threads): ([CPU ns], [wall ns])}"""
    found = {}
    out = lab.run(lab.helper("threads"), image, str(LARGE), str(runs()),
                  str(WINDOW))
    for line in out.splitlines():
        kind, n, cpu, wall = line.split()
        cells = found.setdefault((kind, int(n)), ([], []))
        cells[0].append(float(cpu))
        cells[1].append(float(wall))
    return found


def stock_threads(image):
    """The same for stock, each thread with a filesystem handle of its own."""
    found = {}
    for _ in range(runs()):
        for n in THREADS:
            cpu, wall = libext2fs("lookup", image, LARGE, 20, n, ours=False)
            cells = found.setdefault(("stock", n), ([], []))
            cells[0].append(cpu)
            cells[1].append(wall * n)
    return found


def scaled(found, kind, n):
    """Percent of n times (or of so many processors times) the speed of one."""
    most = min(n, os.cpu_count() or 1)
    speed = n * mean(found[kind, 1][1]) / mean(found[kind, n][1])
    return f"{100 * speed / most:.0f}%"


NAMES = {
    "control": "control: 300 multiplications, no memory",
    "held": "look-up, directory held in memory",
    "path": "./file, directory held",
    "names": "look-up, blocks from the kernel's cache",
    "stock": "stock ext2fs_lookup, a handle each",
}


NOTE = ("12 random letters and digits a name, 4 KiB blocks, half_md4, "
        "metadata_csum; the image in memory. Mean and sample standard deviation "
        f"of {runs()} runs.")


def functions(middle):
    t = Table("functions", "libext2fs' functions on names, replaced and stock")
    t.note(NOTE)
    t.note("One program, linked with libext2fs, in a process of its own each time: "
           "with libext2dx.so in LD_PRELOAD and without, in turns. ns of CPU time "
           "a call, the kernel's part included.")
    t.columns("", "e2dx", "stock", "stock / e2dx (pair by pair)")
    calls = exported(t, middle)
    t.bars("A name, through libext2fs' functions", "ns of CPU time",
           ["find (60k)", "find (1M)", "./file", "add (60k)"],
           [("e2dx", [v[0] for v in calls.values()]),
            ("stock", [v[1] for v in calls.values()])], log=True)
    t.write()


def times(found, kind, clock):
    one, two = (mean(found[kind, n][clock]) for n in (1, 2))
    return f"{2 * one / two:.2f}"


def together(large):
    t = Table("lookup", f"Look-ups by threads in a directory of {LARGE:,} names")
    t.note(NOTE)
    t.note("One open filesystem and one open directory for all threads (stock "
           "ext2fs_lookup: a handle each, since it cannot share one). 100%: the "
           f"speed of min(threads, {os.cpu_count()} processors) lone threads. The "
           "control says what the machine itself gave meanwhile.")
    t.columns("", *["1 thread" if n == 1 else f"{n} threads" for n in THREADS])
    found = threads(large)
    found.update(stock_threads(large))
    t.section("ns of wall time that a look-up takes a thread")
    for kind, name in NAMES.items():
        t.row(name, *[found[kind, n][1] for n in THREADS])
        t.row("   scaling", "", *[scaled(found, kind, n) for n in THREADS[1:]])
    t.section("ns of CPU time a look-up: what sharing costs shows here too, "
              "whatever else runs")
    for kind, name in NAMES.items():
        t.row(name, *[found[kind, n][0] for n in THREADS])
    t.remark(f"Two threads, directory held: {times(found, 'held', 1)} times the "
             f"speed of one by wall time, {times(found, 'held', 0)} by CPU time; "
             f"the control {times(found, 'control', 1)} by wall time.")
    t.bars("A look-up by threads", "ns of wall time a thread",
           ["1 thread" if n == 1 else f"{n} threads" for n in THREADS],
           [(name, [found[k, n][1] for n in THREADS])
            for k, name in (("held", "held"), ("names", "kernel's cache"),
                            ("path", "./file"), ("control", "control"))])
    t.write()


def main():
    with lab.scratch() as place:
        middle = fill(os.path.join(place, "middle"), MIDDLE, "1G")
        large = fill(os.path.join(place, "large"), LARGE, "2G")
        functions(middle)
        together(large)


main()
