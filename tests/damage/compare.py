#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Damaged images, beside stock e2fsck: do both find something?

  compare.py [--cases FROM:TO] [--tsv FILE] [--keep DIR] [--missed FILE]
             [--known FILE] [--stock /sbin/e2fsck] E2FSCK IMAGE ...

Case n damages image n modulo their number (damage.py) and runs both with -fn
on it.  Verdicts:

  agree    both clean, both bit 4, or stock bit 8 alone and E2FSCK either
  missed   stock finds something, E2FSCK exits 0
  extra    E2FSCK finds something, stock exits 0
  differs  stock exits with bit 4, E2FSCK with 8 only
  varies   E2FSCK says other things with 2 or 8 threads than with 1 (looked at
           in every tenth case)
  died     E2FSCK ended by a signal, took 20 seconds, or changed the image

TSV: case, image, kind, description, stock's status, ours, verdict.  --keep
holds both outputs of every case that does not agree; --missed gets those of
them grouped by kind, the most frequent first.  --known FILE lists what is
explained: lines "VERDICT KIND<tab>why", a shell pattern before the tab.  Exit 1 where a case does not agree without an explanation.
"""
import argparse
import collections
import fnmatch
import mmap
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from damage import Damage                                       # noqa: E402

LIMIT = 20
ENV = dict(os.environ, E2FSPROGS_FAKE_TIME="1700000000", LC_ALL="C.UTF-8",
           E2FSCK_CONFIG="/dev/null")
NOISE = re.compile(r"^(e2fsck 1\.|Pass \d|\s*$|.*WARNING: Filesystem still|"
                   r".*: \d+/\d+ files|Fix\? no|.*are you sure)")


class Run:
    def __init__(self, program, img, *more):
        try:
            p = subprocess.run([program, "-fn", *more, img], env=ENV, timeout=LIMIT,
                               stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
            self.rc, out = p.returncode, p.stdout
        except subprocess.TimeoutExpired as e:
            self.rc, out = -99, e.stdout or b""
        self.out = out.decode("utf-8", "replace").replace(str(img), "IMG")

    def first(self):
        """The first line that is about a fault."""
        for line in self.out.splitlines():
            if not NOISE.match(line):
                return re.sub(r"\d+", "N", line)[:100]
        return ""


def verdict(stock, ours):
    if ours.rc < 0 or ours.rc > 127:
        return "died"
    if stock.rc < 0 or stock.rc > 127:
        return "agree" if ours.rc & 12 else "missed"
    if stock.rc & 12 == 0:
        return "extra" if ours.rc & 12 else "agree"
    if ours.rc & 12 == 0:
        return "missed"
    return "agree" if ours.rc & 4 or not stock.rc & 4 else "differs"


class Subject:
    """An image, damaged in place and made whole again."""

    def __init__(self, path, work):
        self.name = path.name
        self.damage = Damage(path.read_bytes())
        self.whole = bytes(self.damage.whole.d)
        self.work = work / "damaged"

    def run(self, n, a):
        text, kind, data = self.damage.case(n, self.name)
        self.work.write_bytes(data)
        stock = Run(a.stock, self.work)
        if stock.rc < 0:        # what it may have done while it died
            self.work.write_bytes(data)
        ours = Run(a.e2fsck, self.work)
        v = verdict(stock, ours)
        with open(self.work, "rb") as f, \
             mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ) as m:
            changed = m[:] != bytes(data)
        if changed:
            v = "died"
            ours.out += "\n(the image was changed)"
        elif n % 10 == 0 and len({
                (r.rc, r.out) for r in self.by_threads(a)}) > 1:
            v = "varies"
        return text, kind, stock, ours, v

    def by_threads(self, a):
        for n in (1, 2, 8):
            yield Run(a.e2fsck, self.work, "-E", f"threads={n}")


def keep(folder, n, name, text, stock, ours, v):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{n:05}.txt").write_text(
        f"case {n} of {name}: {text}\n{v}: stock {stock.rc}, ours {ours.rc}\n"
        f"---- stock\n{stock.out[:4000]}\n---- ours\n{ours.out[:4000]}\n")


def write_groups(path, groups, totals):
    with open(path, "w") as f:
        print(*(f"{k} {n}" for k, n in totals.items()), sep=", ", file=f)
        for (v, kind), cases in sorted(groups.items(), key=lambda g: (
                g[0][0], -len(g[1]), g[0][1])):
            print(f"{v}\t{len(cases)}\t{kind}", file=f)
            seen = set()
            for n, name, text, stock, ours in cases:
                said = (stock.rc, ours.rc, stock.first() or ours.first())
                if said in seen and v != "died":
                    continue
                seen.add(said)
                print(f"\t{n}\t{name}\t{text}\n\t\tstock {stock.rc} ours "
                      f"{ours.rc}: {stock.first()}", file=f)
                if v in ("extra", "differs"):
                    print(f"\t\tours: {ours.first()}", file=f)


def explained(known, v, kind):
    return any(fnmatch.fnmatchcase(f"{v} {kind}", k) for k in known)


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.
                                RawDescriptionHelpFormatter)
    p.add_argument("--cases", default="0:100")
    p.add_argument("--stock", default="/sbin/e2fsck")
    for name in ("tsv", "keep", "missed", "known"):
        p.add_argument(f"--{name}", type=pathlib.Path)
    p.add_argument("e2fsck")
    p.add_argument("images", nargs="+", type=pathlib.Path)
    return p.parse_args()


def main():
    a = arguments()
    known = []
    if a.known:
        known = [line.split("\t")[0] for line in
                 a.known.read_text().splitlines()
                 if line and not line.startswith("#")]
    first, last = (int(x) for x in a.cases.split(":"))
    groups, totals = collections.defaultdict(list), collections.Counter()
    tsv = open(a.tsv, "w") if a.tsv else None
    bad = 0
    # All cases of an image together, since taking it apart takes time.
    with tempfile.TemporaryDirectory(prefix="damage.") as tmp:
        for k, path in enumerate(a.images):
            cases = [n for n in range(first, last) if n % len(a.images) == k]
            if not cases:
                continue
            subject = Subject(path, pathlib.Path(tmp))
            for n in cases:
                text, kind, stock, ours, v = subject.run(n, a)
                totals[v] += 1
                if tsv:
                    print(n, path.name, kind, text, stock.rc, ours.rc, v,
                          sep="\t", file=tsv)
                if v == "agree":
                    continue
                ok = v not in ("died", "varies") and explained(known, v, kind)
                bad += not ok
                groups[v if not ok else v + " (known)", kind].append(
                    (n, path.name, text, stock, ours))
                if a.keep:
                    keep(a.keep, n, path.name, text, stock, ours, v)
                if not a.missed and not ok:
                    print(f"case {n}, {path.name}: {text}: {v}: stock "
                          f"{stock.rc} ({stock.first()}), ours {ours.rc} "
                          f"({ours.first()})")
            if a.missed:
                write_groups(a.missed, groups, totals)
    print(", ".join(f"{v} {n}" for v, n in sorted(totals.items())))
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
