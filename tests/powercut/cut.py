#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Cut the power in the middle of a command that rewrites an image.

  cut.py --record record.so --listing LISTING [--prefix N] [--reorder N]
         [--torn] [--gone FILE] [--names FILE] [--first E2FSCK] [--fsck E2FSCK]
         IMAGE -- COMMAND... {} ...

COMMAND runs once on a copy of IMAGE (named where {} stands), recorded by
record.so.  Then the images are made that a power cut may leave: the writes up
to one of them (--prefix: so many points, 0 for every one), or, as disks
reorder, everything before the last sync and an arbitrary choice of the writes
after it (--reorder: so many); with --torn the last of these is cut at a
sector.  Each is repaired by E2FSCK -fy, must then be clean, and must still
hold every name of IMAGE (--names: of that image) with its inode, but for the
paths that --gone lists, one a line.  --first runs another E2FSCK -p before.
Exit status 1 where one does not.
"""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

SECTOR = 512


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("image")
    p.add_argument("--record", required=True)
    p.add_argument("--listing", required=True)
    p.add_argument("--fsck", default="/sbin/e2fsck")
    p.add_argument("--prefix", type=int, default=0)
    p.add_argument("--reorder", type=int, default=0)
    p.add_argument("--torn", action="store_true")
    p.add_argument("--gone")
    p.add_argument("--names")
    p.add_argument("--first")
    at = sys.argv.index("--")
    return p.parse_args(sys.argv[1:at]), sys.argv[at + 1:]


def read_notes(path):
    notes = []
    with open(path, "rb") as f:
        while line := f.readline():
            what, *numbers = line.split()
            if what == b"write":
                at, length = map(int, numbers)
                notes.append(("write", at, f.read(length)))
            elif what == b"size":
                notes.append(("size", int(numbers[0]), b""))
            else:
                notes.append(("sync", 0, b""))
    return notes


class Judge:
    def __init__(self, options, folder):
        self.o = options
        self.cut = os.path.join(folder, "cut")
        self.names = (self.list(options.names or options.image) -
                      self.gone(options))
        self.failures = 0
        self.cases = 0

    def gone(self, options):
        if not options.gone:
            return set()
        with open(options.gone, "rb") as f:
            paths = set(f.read().splitlines())
        return {name for name in self.list(options.image)
                if name.split(b"\t", 1)[1] in paths}

    def list(self, image):
        return set(subprocess.run([self.o.listing, image],
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL,
                                  check=False).stdout.splitlines())

    def fsck(self, how, program=None):
        return subprocess.run([program or self.o.fsck, how, self.cut],
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)

    def make(self, notes, torn):
        shutil.copyfile(self.o.image, self.cut)
        with open(self.cut, "r+b") as f:
            for i, (what, at, data) in enumerate(notes):
                if what == "write":
                    if i == len(notes) - 1 and torn:
                        data = data[:torn]
                    f.seek(at)
                    f.write(data)
                elif what == "size":
                    f.truncate(at)

    def try_case(self, label, notes, torn=0):
        self.cases += 1
        self.make(notes, torn)
        if self.o.first:
            self.fsck("-p", self.o.first)
        repair = self.fsck("-fy")
        clean = self.fsck("-fn").returncode == 0
        lost = self.names - self.list(self.cut)
        if clean and not lost:
            return
        self.failures += 1
        print(f"{label}: {len(lost)} names lost, "
              f"repair exit {repair.returncode}, clean after it: {clean}")
        for name in sorted(lost)[:3]:
            print("   ", name.decode())


def main():
    o, command = arguments()
    rng = random.Random(20)
    with tempfile.TemporaryDirectory(prefix="cut.") as folder:
        work = os.path.join(folder, "work")
        log = os.path.join(folder, "log")
        shutil.copyfile(o.image, work)
        env = dict(os.environ, CUT_FILE=work, CUT_LOG=log,
                   LD_PRELOAD=os.path.abspath(o.record))
        if os.environ.get("CUT_SANITIZED"):
            env["ASAN_OPTIONS"] = "verify_asan_link_order=0"
        run = subprocess.run([work if c == "{}" else c for c in command],
                             env=env, stdout=subprocess.DEVNULL, check=False)
        if run.returncode not in (0, 1) or not os.path.exists(log):
            sys.exit(f"the command failed ({run.returncode}) or wrote nothing")
        notes = read_notes(log)
        judge = Judge(o, folder)
        writes = [i for i, n in enumerate(notes) if n[0] == "write"]
        ends = [0] + [i + 1 for i in writes]
        if o.prefix and o.prefix < len(ends):
            ends = sorted(rng.sample(ends[:-1], o.prefix - 1)) + ends[-1:]
        for end in ends:
            torn = 0
            if o.torn and end and len(notes[end - 1][2]) > SECTOR:
                torn = SECTOR * rng.randrange(
                    1, -(-len(notes[end - 1][2]) // SECTOR))
            judge.try_case(f"cut after {end} notes", notes[:end], torn)
        for _ in range(o.reorder):
            end = rng.randrange(len(notes) + 1)
            synced = max((i for i in range(end) if notes[i][0] == "sync"),
                         default=-1) + 1
            chosen = [n for n in notes[synced:end] if rng.random() < .5]
            judge.try_case(f"reordered in {synced}..{end}",
                           notes[:synced] + chosen)
        print(f"{len(writes)} writes, {len(notes) - len(writes)} syncs, "
              f"{judge.cases} cuts, {judge.failures} failures")
        sys.exit(1 if judge.failures else 0)


main()
