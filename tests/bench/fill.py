#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Fill: how many bytes of a leaf are in use, by hash and order of names.

BENCH_FILL_NAMES names (200,000); BENCH_FILL_RUNS (3) filesystems of each kind,
each with another seed.
"""
import os
import re

import lab
from table import Table, mean, number

NAMES = os.environ.get("BENCH_FILL_NAMES", "200000")
RUNS = int(os.environ.get("BENCH_FILL_RUNS", "3"))
HASHES = {"legacy": 0, "half_md4": 1, "tea": 2, "siphash": 6}
ORDERS = {"sequential": (), "random": ("-r",)}
STEPS = ("created", "after -D", "half, kept", "half, shrunk")
BLOCK = 4096


def fill(image):
    """Bytes in use of an average leaf."""
    said = lab.run(lab.DEBUGFS, "-R", "htree_stats /d", image)
    return float(re.search(r"leaf: +([0-9.]+) of", said)[1])


def fill_in_memory(said):
    """After each action."""
    return [int(used) / int(leaves) for _, leaves, used in re.findall(
        r"^leaves\t(\d+)\t(\d+)\t(\d+)$", said, re.M)]


def new_image(tmp, hash_name):
    image = lab.filesystem(tmp + "/img", "1G", "-N", str(int(NAMES) + 1000))
    lab.run(lab.TUNE2FS, "-E", f"hash_alg={hash_name}", image)
    return image


def kernel(image, order, action):
    with lab.mounted(image) as at:
        os.makedirs(at + "/d", exist_ok=True)
        lab.run(lab.helper("names"), "-n", NAMES, *order, "-k", at + "/d",
                action)


def engine(image, order, action):
    lab.run(lab.helper("names"), "-n", NAMES, *order, "-l", image, action,
            env=dict(os.environ, LD_PRELOAD=lab.LIBRARY))


def rebuilt(image):
    work = lab.copy(image, image + ".work")
    # All names lead to one file, whose links no count can hold: that is left.
    lab.run(lab.E2FSCK, "-fyD", work, ok=(0, 1, 5))
    bytes_used = fill(work)
    os.unlink(work)
    return bytes_used


def steps(tmp, hash_name, order, change):
    """Bytes of a leaf: created, rebuilt, half of the names removed."""
    image = new_image(tmp, hash_name)
    change(image, order, "create")
    found = [fill(image), rebuilt(image)]
    change(image, order, "half")
    return found + [fill(image)]


def shrunk(hash_name, order, seed):
    return fill_in_memory(lab.run(
        lab.helper("names"), "-n", NAMES, *order, "-s", "-x", str(seed), "-m",
        str(HASHES[hash_name]), "create", "half"))[1]


def show(value):
    return f"{number(mean(value), 0)} {100 * mean(value) / BLOCK:.0f}%"


def measure(tmp, hash_name, order, change):
    """{step: samples}"""
    found = {s: [] for s in STEPS}
    for seed in range(RUNS):
        for step, value in zip(STEPS, steps(tmp, hash_name, order, change)):
            found[step].append(value)
        if change is engine:
            found[STEPS[3]].append(shrunk(hash_name, order, seed))
    return found


def group(t, tmp, who, change, hashes):
    found = {}
    for order, options in ORDERS.items():
        t.section(f"{who}, names in {order} order")
        for h in hashes:
            f = found[h, order] = measure(tmp, h, options, change)
            t.row(h, *[show(f[s]) if f[s] else None for s in STEPS])
    return found


def plot(t, who, found):
    hashes = [h for h in HASHES if (h, "random") in found]
    cells = [found[h, "random"] for h in hashes]
    t.bars(f"{who}, {int(NAMES):,} names in random order",
           "bytes used of a leaf", hashes,
           [(s, [c[s] or None for c in cells]) for s in STEPS
            if any(c[s] for c in cells)])


def main():
    if not os.path.exists(lab.LIBRARY):
        lab.skip("no shared library was built")
    t = Table("fill", f"How full leaves are after {int(NAMES):,} creates")
    t.note(f"Bytes in use of an average leaf of {BLOCK} bytes, and percent, in one "
           f"directory of {int(NAMES):,} six-digit names; mean of {RUNS} filesystems "
           "with seeds of their own. After -D: rebuilt by our e2fsck -fyD. Half: half "
           "of the names removed at random from what was created; the kernel and "
           "ext2fs_unlink() keep every block, htree_remove() merges leaves that fit "
           "in one at 70%.")
    t.note("Published elsewhere for the kernel: half_md4 2,872 bytes, 70%; legacy "
           "2,853 bytes, 69%.")
    t.columns("", *STEPS)
    with lab.scratch() as tmp:
        if lab.have_loop():
            found = group(t, tmp, "the running kernel", kernel,
                          [h for h in HASHES if h != "siphash"])
            plot(t, "The running kernel", found)
        else:
            t.remark("The kernel was not measured: it needs root and loop mounts.")
        plot(t, "e2dx", group(t, tmp, "e2dx (ext2fs_link() of libext2dx)",
                              engine, HASHES))
    t.write()


main()
