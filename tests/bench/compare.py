#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Our e2fsck beside stock e2fsck on one image, in one run.

  compare.py OURS STOCK IMAGE [RUNS]

For -fn and -fyD: the two in turn, RUNS times after one run that does not
count, each on a fresh copy where it writes.  Prints median wall and CPU
seconds, peak memory, and the ratio stock/ours pair by pair.
"""
import os
import shutil
import statistics
import subprocess
import sys
import time


def once(command):
    start = time.monotonic()
    p = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(p.pid, 0)
    wall = time.monotonic() - start
    p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit status {p.returncode}")
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def copy(image):
    work = image + ".work"
    subprocess.run(["cp", "--sparse=always", image, work], check=True)
    # Warm, and nothing of the copy left to be written back meanwhile.
    os.sync()
    with open(work, "rb") as f:
        while f.read(1 << 22):
            pass
    return work


def show(name, runs):
    wall, cpu, memory = (statistics.median(c) for c in zip(*runs))
    print(f"  {name:6} {wall:8.3f} s  {cpu:8.3f} s CPU  {memory:7.1f} MiB")


def main():
    ours, stock, image = sys.argv[1:4]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    for options in ("-fn", "-fyD"):
        a, b = [], []
        for i in range(count + 1):
            for program, runs in ((ours, a), (stock, b)):
                target = copy(image) if options != "-fn" else image
                result = once([program, options, target])
                if i:
                    runs.append(result)
        print(f"e2fsck {options}, median of {count}:")
        show("ours", a)
        show("stock", b)
        ratios = [y[0] / x[0] for x, y in zip(a, b)]
        print(f"  stock/ours {min(ratios):.1f} {statistics.median(ratios):.1f} "
              f"{max(ratios):.1f} (least, median, most)")
    if os.path.exists(image + ".work"):
        os.unlink(image + ".work")
    return 0


sys.exit(main())
