#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Create and remove: what a million names in one directory cost by each hash.

BENCH_NAMES six-digit names (1,000,000) by 100 interleaved writers on a 4 GB
filesystem with one inode a KiB; BENCH_RUNS (10) runs, BENCH_KERNEL_RUNS (3) by
the kernel; BENCH_STOCK_NAMES (10,000) by stock libext2fs.
"""
import os

import lab
from table import Table, ratio, runs

NAMES = int(os.environ.get("BENCH_NAMES", "1000000"))
STOCK_NAMES = int(os.environ.get("BENCH_STOCK_NAMES", "10000"))
KERNEL_RUNS = int(os.environ.get("BENCH_KERNEL_RUNS", "3"))
WRITERS = "100"
HASHES = {"legacy": 0, "half_md4": 1, "tea": 2, "siphash": 6}
KERNEL = ("legacy", "half_md4", "tea")
CLOCKS = ("real", "user", "sys")
ACTIONS = ("create", "remove")


class Times:
    """Samples of each action and clock."""

    def __init__(self):
        self.of = {(a, c): [] for a in ACTIONS for c in CLOCKS}

    def add(self, output):
        for line in output.splitlines():
            action, *clocks = line.split("\t")
            if action in ACTIONS:
                for clock, value in zip(CLOCKS, clocks):
                    self.of[action, clock].append(float(value))

    def cells(self):
        return [self.of[a, c] for a in ACTIONS for c in CLOCKS]


def image(path, hash_name):
    lab.filesystem(path, "4G", "-i", "1024")
    lab.run(lab.TUNE2FS, "-E", f"hash_alg={hash_name}", path)
    lab.warm(path)
    return path


def names(where, what, count, preload=None):
    env = dict(os.environ)
    if preload:
        env["LD_PRELOAD"] = preload
    return lab.run(lab.helper("names"), "-n", str(count), "-w", WRITERS,
                   where, what, *ACTIONS, env=env)


def by_memory(tmp, hash_name):
    return names("-m", str(HASHES[hash_name]), NAMES)


def by_library(tmp, hash_name, count=NAMES):
    return names("-l", image(tmp + "/img", hash_name), count, lab.LIBRARY)


def by_stock(tmp, hash_name, count=STOCK_NAMES):
    return names("-l", image(tmp + "/img", hash_name), count)


def by_kernel(tmp, hash_name):
    path = image(tmp + "/img", hash_name)
    with lab.mounted(path) as at:
        os.mkdir(at + "/d")
        return names("-k", at + "/d", NAMES)


def measure(way, hashes, count, tmp):
    """In turns, so that what else the machine does falls on all alike."""
    times = {h: Times() for h in hashes}
    for _ in range(count):
        for h in hashes:
            times[h].add(way(tmp, h))
    return times


def rows(t, what, times):
    t.section(what)
    for h, samples in times.items():
        t.row(h, *samples.cells())


def notes(t, kernel_runs):
    t.note(f"{NAMES:,} six-digit names in one directory of a 4 GB filesystem made "
           f"with -i 1024 (in memory), by {WRITERS} writers with a range of their "
           "own each, one name of each in turn; then removed in the same order. "
           "Seconds; mean and sample standard deviation.")
    t.note("'in memory': htree_insert() and htree_remove() on blocks in memory, "
           "the engine alone. 'libext2dx': ext2fs_link() and ext2fs_unlink() of "
           "the library on the image, through libext2fs' cache of eight blocks: "
           "all entries are links to one file. 'kernel': open(O_CREAT) and "
           "unlink() on a loop mount, which also make inodes and write a "
           "journal.")
    t.note(f"{runs()} runs; {kernel_runs} by the kernel, which takes the longest "
           "(BENCH_KERNEL_RUNS sets it). The kernel mounts no filesystem whose hash "
           "is siphash.")


def compare(t, tmp):
    """Stock's links and unlinks take time quadratic in the names."""
    def ours(tmp, h):
        return by_library(tmp, h, STOCK_NAMES)
    times = {"stock": Times(), "libext2dx": Times()}
    for _ in range(runs()):
        times["stock"].add(by_stock(tmp, "half_md4"))
        times["libext2dx"].add(ours(tmp, "half_md4"))
    t.section(f"stock ext2fs_link() and ext2fs_unlink() beside those of libext2dx, "
              f"{STOCK_NAMES:,} names (stock takes time quadratic in the names, and "
              "makes no index)")
    for name, samples in times.items():
        t.row(name, *samples.cells())
    return times


def main():
    if not os.path.exists(lab.LIBRARY):
        lab.skip("no shared library was built")
    loop = lab.have_loop()
    t = Table("create", f"Create and remove {NAMES:,} names in one directory")
    notes(t, KERNEL_RUNS)
    t.columns("", *[f"{a}: {c}" if c == "real" else c
                    for a in ACTIONS for c in CLOCKS])
    with lab.scratch() as tmp:
        ways = {"in memory": measure(by_memory, HASHES, runs(), tmp),
                "libext2dx": measure(by_library, HASHES, runs(), tmp)}
        if loop:
            ways["kernel"] = measure(by_kernel, KERNEL, KERNEL_RUNS, tmp)
        for what, times in ways.items():
            rows(t, what, times)
        if not loop:
            t.remark("The kernel was not measured: it needs root and loop mounts.")
        stock = compare(t, tmp)
    t.remark(f"stock : libext2dx at {STOCK_NAMES:,} names, CPU: " + ", ".join(
        f"{a} {ratio(cpu(stock['stock'], a), cpu(stock['libext2dx'], a))}"
        for a in ACTIONS))
    for action in ACTIONS:
        t.bars(f"{action.capitalize()} {NAMES:,} names", "CPU seconds",
               list(HASHES),
               [(what, [cpu(times[h], action) if h in times else None
                        for h in HASHES]) for what, times in ways.items()])
    t.write()


def cpu(times, action):
    return [u + s for u, s in zip(times.of[action, "user"],
                                  times.of[action, "sys"])]


main()
