#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Make healthy filesystems of every kind.

  healthy.py [--kernel] [--only REGEX] [--list] DIR

One image NAME.img for each row of table.py.  Without --kernel those that
mke2fs and debugfs can make, without root; with it those that the running
kernel fills too.  What stock e2fsck -fn does not call clean is a fault of the
recipe: it is named, and the exit status is 1, as where a row cannot be made.
Rows that the running kernel does not mount are named with "not mounted" only.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import fill                                                     # noqa: E402
import mounted                                                  # noqa: E402
import table                                                    # noqa: E402

ENV = dict(os.environ, MKE2FS_CONFIG="/dev/null",
           PATH=os.environ.get("PATH", "") + ":/sbin:/usr/sbin",
           E2FSPROGS_FAKE_TIME="1700000000", LC_ALL="C.UTF-8")
UUID = "e2d0e2d0-1111-4222-8333-444455556666"
SEED = "11111111-2222-3333-4444-555555555555"


class CannotMake(Exception):
    pass


def run(*cmd, ok=(0,), stdin=None):
    p = subprocess.run([str(c) for c in cmd], env=ENV, input=stdin,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       errors="replace", text=True)
    if p.returncode not in ok:
        raise CannotMake(f"{cmd[0]}: {p.returncode}: {p.stdout[-300:]}")
    return p.stdout


class Maker:
    def __init__(self, out, tmp):
        self.out, self.tmp = out, tmp
        fill.tree(f"{tmp}/tree")
        fill.sources(tmp)

    def mkfs(self, img, mib, options, fillers):
        size = []
        if "@" in options:
            at = options.index("@")
            options, size = options[:at], options[at + 1:]
        if "dirt" in fillers:   # what stood in the tables before
            img.write_bytes(bytes(range(1, 256)) * 4112 * mib)
        else:
            img.write_bytes(b"")
        os.truncate(img, mib << 20)
        if "tree" in fillers:
            options = options + ["-d", f"{self.tmp}/tree"]
        seed = ["-E", f"hash_seed={SEED}"]
        if "-E" in options:
            at = options.index("-E")
            seed = ["-E", f"{options[at + 1]},hash_seed={SEED}"]
            options = options[:at] + options[at + 2:]
        run("mke2fs", "-qF", "-U", UUID, "-I256", *seed, *options, img, *size)

    def script(self, img, lines):
        text = "".join(line + "\n" for line in lines)
        # -f - would stop at the first error of some versions; errors show
        # as an image that is not what the recipe says.
        out = run("debugfs", "-w", "-f", "-", img, stdin=text)
        for line in out.splitlines():
            if re.search(r"(?i)(no such|not found|unknown|error|invalid|no fre"
                         r"e|could not|can't)", line) and \
               not line.startswith("debugfs: "):
                raise CannotMake(f"debugfs: {line}")

    def special(self, img, what):
        if what == "index":
            run("e2fsck", "-fyD", img, ok=(0, 1))
        elif what == "new-uuid":
            run("tune2fs", "-U", "aaaaaaaa-1111-4222-8333-444455556666", img)
        elif what == "bad":
            (self.tmp / "bad").write_text("3000\n3001\n3500\n")
            run("e2fsck", "-fy", "-l", self.tmp / "bad", img, ok=(0, 1))
        else:
            return False
        return True

    def share(self, img):
        """Give /b the blocks of /a, as images without duplicates have it."""
        first = run("debugfs", "-R", "ex /a", img).splitlines()[-1]
        first = int(re.findall(r"\d+", first)[6])
        own = int(re.findall(r"\d+", run(
            "debugfs", "-R", "ex /b", img).splitlines()[-1])[6])
        self.script(img, [f"sif /b block[5] {first}",
                          *(f"freeb {own + i}" for i in range(128))])

    def make(self, row):
        name, mib, options, fillers = row
        img = self.out / f"{name}.img"
        kernel = [f for f in fillers if f in (
            "kernel", "subdirs", "encrypted")]
        if "external" in fillers:
            mounted.external_journal(img, mib, options + ["-N4096"])
        else:
            more = ["-N4096"] if "kernel" in fillers else []
            self.mkfs(img, mib, more + options, fillers)
        for f in fillers:
            if f in fill.SCRIPTS:
                self.script(img, fill.SCRIPTS[f](self.tmp))
            if f == "shared":
                self.share(img)
            if f in ("projects", "shared"):
                run("e2fsck", "-fy", img, ok=(0, 1))
            self.special(img, f)
        if kernel:
            mounted.fill(img, kernel)
        return img


def clean(img):
    journal = img.with_suffix(".jnl")
    with_journal = ["-j", journal] if journal.exists() else []
    p = subprocess.run(["e2fsck", "-fn", *with_journal, img], env=ENV,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if p.returncode:
        print(f"{img.name}: stock e2fsck -fn: {p.returncode}")
        print(p.stdout.decode("utf-8", "replace")[:1000])
    return p.returncode == 0


def rows(a):
    for row in table.QUICK + (table.KERNEL if a.kernel else []):
        if re.search(a.only, row[0]):
            yield row


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.
                                RawDescriptionHelpFormatter)
    p.add_argument("--kernel", action="store_true")
    p.add_argument("--only", default="")
    p.add_argument("--list", action="store_true")
    p.add_argument("dir", type=pathlib.Path)
    a = p.parse_args()
    if a.list:
        print(*(r[0] for r in rows(a)), sep="\n")
        return 0
    a.dir.mkdir(parents=True, exist_ok=True)
    bad = made = 0
    with tempfile.TemporaryDirectory(prefix="healthy.", dir=a.dir) as tmp:
        maker = Maker(a.dir, pathlib.Path(tmp))
        for row in rows(a):
            try:
                img = maker.make(row)
            except mounted.CannotMount as e:
                print(f"{row[0]}: not mounted: {e}")
                (a.dir / f"{row[0]}.img").unlink(missing_ok=True)
                continue
            except (CannotMake, OSError) as e:
                print(f"{row[0]}: cannot make: {e}")
                (a.dir / f"{row[0]}.img").unlink(missing_ok=True)
                bad += 1
                continue
            made += 1
            bad += not clean(img)
    print(f"{made} filesystems made, {bad} faults")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
