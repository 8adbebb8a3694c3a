#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Random writes by size, each on the device before the next: what is the best
length for one write of a directory's blocks?

BENCH_DEVICE: a device, whose contents are lost.  BENCH_FILE: a file that is
made (1 GiB) and removed; without both, in the build directory, which must not be
in memory.  BENCH_SAMPLES (8192).
"""
import os

import lab
from table import Table

SIZES = [k << 10 for k in (4, 8, 16, 32, 64, 128, 256)]
SAMPLES = int(os.environ.get("BENCH_SAMPLES") or 8192)
LENGTH = 1 << 30


def label(size):
    return f"{size >> 10}k"


def place():
    device = os.environ.get("BENCH_DEVICE")
    if device:
        return device, False
    path = os.environ.get("BENCH_FILE") or os.path.join(lab.BUILD,
                                                        "bench-writes.tmp")
    if os.path.exists(path):
        lab.skip(f"{path} is there already")
    # Written, so that no write is the first one of its place.
    with open(path, "wb") as f:
        for _ in range(LENGTH >> 20):
            f.write(os.urandom(1 << 20))
        f.flush()
        os.fsync(f.fileno())
    return path, True


def filesystem_of(path):
    return lab.run("stat", "-f", "-c", "%T", path).strip()


def measure(t, target, way):
    means = []
    for size in SIZES:
        out = lab.run(lab.helper("write"), target, str(size), str(SAMPLES), way)
        least, most, mean, deviation = (float(v) for v in out.split())
        means.append((size >> 10, mean))
        t.row(label(size), least, most, f"{mean:,.0f} ± {deviation:,.0f}",
              mean / (size >> 12), size / mean)
    return means


def main():
    target, ours = place()
    try:
        t = Table("writes", "Random writes by size")
        t.note(f"On {'a file' if ours else 'the device ' + target} "
               f"({filesystem_of(target)}); {SAMPLES} samples of each size at "
               "random multiples of it. Microseconds of wall time until "
               "fdatasync has returned: nothing else says that a write is on the "
               "device. 'direct' (O_DIRECT) leaves out the kernel's cache and "
               "shows the device; 'sync' (pwrite, fdatasync) is what e2dx does.")
        t.columns("", "min µs", "max µs", "average µs", "µs per 4 KiB", "MB/s")
        series = []
        for way in ("direct", "sync"):
            t.section(way)
            series.append((way, measure(t, target, way)))
    finally:
        if ours:
            os.unlink(target)
    t.lines("A random write until it is on the device", "KiB", "µs, average",
            series, log="xy")
    t.write()


main()
