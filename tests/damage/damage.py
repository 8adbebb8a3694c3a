#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Set a field of a structure of a healthy image to something else.

  damage.py --case N IMAGE OUT       make case N of IMAGE, and say what it is
  damage.py --from A --to B IMAGE    only say what the cases are

The same case of the same image is always the same.  In half of the cases the
structure's checksum is made right afterwards ("sealed").  As a module:
Damage(bytes).case(n) returns (description, structure.field, changed bytes).
"""
import argparse
import collections
import os
import pathlib
import random
import re
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import layout                                                   # noqa: E402
from image import EA_INODE, EA_MAGIC, EXTENTS, INDEX, INLINE, Image  # noqa: E402

ODD = [0, 1, 2, 3, 5, 7, 8, 10, 11, 12, 0x7f, 0x80, 0xff, 0x7fff, 0x8000,
       0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff]


def kind_of(field):
    """Without the numbers that only say which one of many."""
    return re.sub(r"(byte|entry) \d+|\[\d+\]", r"\1", field.split(" of ")[0])


class Target:
    """Fields at a place, and how they are sealed."""

    def __init__(self, structure, object_, at, fields, seal, big=False):
        self.structure, self.object, self.at = structure, object_, at
        self.fields, self.seal, self.big = fields, seal, big


class Damage:
    def __init__(self, data):
        self.whole = Image(data)
        self.targets = collections.defaultdict(list)
        self.survey()

    def add(self, structure, object_, at, fields, seal, big=False):
        self.targets[structure].append(
            Target(structure, object_, at, fields, seal, big))

    # ---- what there is

    def survey(self):
        i = self.whole
        self.add("super", "superblock", 1024, layout.SUPER,
                 lambda d: d.seal_super())
        for g in range(i.groups):
            self.group(g)
        if i.mmp_block:
            self.add("mmp", f"MMP block {i.mmp_block}", i.mmp_block * i.bs,
                     layout.MMP, lambda d: d.seal_mmp())
        self.ea_blocks = set()
        for ino in i.used():
            if i.kind(ino):
                self.one_inode(ino)

    def group(self, g):
        i = self.whole
        f = layout.DESCRIPTOR + (layout.DESCRIPTOR_64 if i.dsize >= 64 else [])
        self.add("descriptor", f"group {g}", i.descriptor(g), f,
                 lambda d: d.seal_descriptor(g))
        uninit = i.u16(i.descriptor(g) + 18) if i.csum or i.gdt_csum else 0
        if g and i.has_super(g) and not uninit & 2:
            at = (g * i.bpg + i.first) * i.bs
            self.add("backup", f"superblock of group {g}", at, layout.SUPER,
                     lambda d: d.seal_super(at))
        for which, bits, unused in (("block", i.cpg, 2), ("inode", i.ipg, 1)):
            if uninit & unused:
                continue
            # Where things change is near the start, and the padding.
            f = [(f"byte {o}", o, 1, "f") for o in sorted({
                *range(0, min(bits // 8, 40), 3), bits // 8 - 1, bits // 16,
                min(bits // 8, i.bs - 1), i.bs - 1})]
            self.add(f"{which} bitmap", f"{which} bitmap of group {g}",
                     i.bitmap(g, which == "inode"), f,
                     lambda d, w=which: d.seal_bitmap(g, w == "inode"))

    def one_inode(self, ino):
        i = self.whole
        o = i.inode(ino)
        mode, flags = i.u16(o) >> 12, i.u32(o + 32)
        extra = i.u16(o + 128) if i.isize > 128 else 0
        f = layout.INODE + [x for x in layout.INODE_EXTRA
                            if extra and x[1] + x[2] <= 128 + extra]
        what = ("special" if ino < 11 and ino != 2 else "ea" if flags &
                EA_INODE else "inline" if flags & INLINE else
                {4: "directory", 8: "file", 10: "link"}.get(mode, "device"))
        nodes, data = i.maps(ino)
        if len(nodes) > 1:
            what += "-mapped"
        self.add(f"inode ({what})", f"inode {ino}", o, f,
                 lambda d: d.seal_inode(ino))
        for n in nodes:
            self.node(n, flags)
        if mode == 4:
            self.directory(ino, data, flags)
        if flags & INLINE:
            self.add("inline data", f"inode {ino}", o + 40, [
                (f"i_block byte {b}", b, 1, "n") for b in range(0, 60, 5)],
                lambda d: d.seal_inode(ino))
        self.attributes(ino, o, extra)
        self.special(ino, data)
        if mode == 10 and data:
            self.add("symlink", f"target of inode {ino}", data[0][1] * i.bs, [
                (f"byte {b}", b, 1, "n") for b in (0, 1, i.u32(o + 4) - 1,
                                                   i.u32(o + 4))], None)

    def node(self, n, flags):
        def seal(d):
            d.seal_node(n)
        i = self.whole
        name = f"extent node of inode {n.ino}" if flags & EXTENTS else \
            f"indirect block of inode {n.ino}"
        if n.block:
            name += f" in block {n.block}"
        if not flags & EXTENTS:
            used = [k for k, x in enumerate(struct.unpack_from(
                f"<{i.bs // 4}I", i.d, n.at)) if x]
            some = used[:2] + used[-1:] + [0, i.bs // 4 - 1]
            self.add("indirect", name, n.at, [
                (f"entry {k}", 4 * k, 4, "b") for k in some], seal)
            return
        f = list(layout.EXTENT_HEADER)
        count = i.u16(n.at + 2)
        for k in sorted({0, 1, count // 2, count - 1} & set(range(count))):
            f += [(f"{x[0]} of {k}", 12 + 12 * k + x[1], *x[2:]) for x in (
                layout.EXTENT_INDEX if n.depth else layout.EXTENT)]
        if n.block:
            f.append(("et_checksum", 12 + 12 * i.u16(n.at + 4), 4, "n"))
        self.add("extent root" if not n.block else "extent block", name, n.at,
                 f, seal)

    # ---- directories

    def directory(self, ino, data, flags):
        i = self.whole
        if flags & INLINE:
            at = i.inode(ino) + 40
            self.add("inline dir", f"inline directory {ino}", at, [
                ("parent", 0, 4, "i")], lambda d: d.seal_inode(ino))
            self.records(ino, at + 4, 56, "inline dir",
                         lambda d: d.seal_inode(ino))
        for logical, b in data[:400]:
            table = i.dx_table(ino, b, logical)
            name = f"directory {ino} block {logical}"

            def seal(d, b=b, logical=logical):
                d.seal_dir(ino, b, logical)
            if table:
                self.index(name, b * i.bs, table, logical, seal)
                continue
            self.records(ino, b * i.bs, i.bs - (12 if i.csum else 0), name,
                         seal)
            if i.csum:
                self.add("dir tail", name, (b + 1) * i.bs - 12,
                         layout.DIR_TAIL, seal)

    def records(self, ino, at, length, name, seal):
        i, o = self.whole, 0
        while o + 8 <= length:
            rec = i.u16(at + o + 4)
            rec = 65536 if i.bs == 65536 and rec in (0, 65535) else rec
            if rec < 8:
                return
            self.add("dot entry" if o < 24 and i.d[at + o + 8] == 46 else
                     "entry", f"{name} offset {o}", at + o, layout.DIRENT,
                     seal)
            o += rec

    def index(self, name, at, table, logical, seal):
        i = self.whole
        f = [] if logical else list(layout.DX_ROOT)
        f += [(x[0], table - at + x[1], *x[2:]) for x in layout.DX_TABLE]
        count = i.u16(table + 2)
        for k in sorted({1, 2, count - 1} & set(range(1, count))):
            f += [(f"{x[0]} of {k}", table - at + 8 * k + x[1], *x[2:])
                  for x in layout.DX_ENTRY]
        if i.csum:
            f.append(("dt_checksum", table - at + 8 * i.u16(table) + 4, 4,
                      "n"))
        self.add("index", name, at, f, seal)

    # ---- attributes

    def attributes(self, ino, o, extra):
        i = self.whole
        if extra and 128 + extra + 4 <= i.isize and \
           i.u32(o + 128 + extra) == EA_MAGIC:
            at = o + 128 + extra
            self.add("ea in inode", f"inode {ino}", at, [
                ("h_magic", 0, 4, "n")], lambda d: d.seal_inode(ino))
            self.entries(at + 4, at + 4, o + i.isize, "ea in inode",
                         f"inode {ino}", lambda d: d.seal_inode(ino))
        b = i.u32(o + 104)
        if not b or b in self.ea_blocks:
            return
        self.ea_blocks.add(b)
        at = b * i.bs
        self.add("ea block", f"EA block {b}", at, layout.EA_HEADER,
                 lambda d: d.seal_ea_block(b))
        self.entries(at + 32, at, at + i.bs, "ea block", f"EA block {b}",
                     lambda d: d.seal_ea_block(b))

    def entries(self, at, base, end, structure, name, seal):
        i = self.whole
        while at + 16 <= end and i.u32(at):
            self.add(structure, f"{name} entry {at - base}", at,
                     layout.EA_ENTRY, seal)
            offs, size = i.u16(at + 2), i.u32(at + 8)
            if size and not i.u32(at + 4):
                f = [("value[0]", 0, 1, "n"), ("value[last]", size - 1, 1,
                                               "n")]
                index = i.d[at + 1]
                if index in (2, 3) and size >= 12:
                    f = layout.ACL + [("e_tag of last", size - 4, 2, "f")]
                self.add("acl" if index in (2, 3) else "ea value",
                         f"{name} value of entry {at - base}", base + offs, f,
                         seal)
            at += 16 + (i.d[at] + 3 & ~3)

    # ---- journal, orphan file, quota

    def special(self, ino, data):
        i = self.whole
        if ino == i.journal_ino and data:
            at = data[0][1] * i.bs
            self.add("journal", "journal superblock", at, layout.JOURNAL,
                     lambda d: d.seal_journal(at), True)
            for logical, b in data[1:4]:
                self.add("journal block", f"journal block {logical}",
                         b * i.bs, [("h_magic", 0, 4, "n"),
                                    ("h_blocktype", 4, 4, "n")], None, True)
        if ino == i.orphan_ino:
            for logical, b in data[:3]:
                def seal(d, b=b):
                    d.seal_orphan(b)
                f = [("entry 0", 0, 4, "i"), ("entry 7", 28, 4, "i")] + [
                    (x[0], i.bs - 8 + x[1], *x[2:]) for x in
                    layout.ORPHAN_TAIL]
                self.add("orphan file", f"orphan file block {logical}",
                         b * i.bs, f, seal)
        if ino in i.quota_inos:
            self.quota(ino, data)

    def quota(self, ino, data):
        """Blocks of 1 KiB: header, then the tree, then entries."""
        i = self.whole
        for logical, b in data:
            for k in range(0, i.bs, 1024):
                n, at = (logical * i.bs + k) // 1024, b * i.bs + k
                name = f"quota file {ino} block {n}"
                if n == 0:
                    self.add("quota", name, at, layout.QUOTA_HEADER, None)
                elif n <= 4:
                    self.add("quota", name, at, [(
                        f"tree entry {t}", 4 * t, 4, "s") for t in (0, 1, 3)],
                        None)
                elif i.u16(at + 8):
                    self.add("quota", name, at, layout.QUOTA_BLOCK, None)
                    for e in range(min(4, i.u16(at + 8))):
                        self.add("quota", f"{name} entry {e}",
                                 at + 16 + 72 * e, layout.QUOTA_ENTRY, None)

    # ---- one case

    def value(self, r, old, size, kind):
        i, mask = self.whole, (1 << 8 * size) - 1
        choices = [lambda: old ^ 1 << r.randrange(8 * size),
                   lambda: r.choice(ODD),
                   lambda: old + r.choice((-1, 1, 2, 4, -4)),
                   lambda: r.randrange(mask + 1)]
        if kind == "f":
            choices = choices[:1] * 4 + choices[1:2]
        elif kind == "b":
            choices += [lambda: r.randrange(i.blocks)] * 3 + [
                lambda: i.blocks + r.randrange(3)]
        elif kind == "i":
            choices += [lambda: r.randrange(i.inodes + 2)] * 2 + [
                lambda: r.randrange(13)]
        elif kind == "s":
            choices += [choices[2]] * 3
        for _ in range(50):
            new = r.choice(choices)() & mask
            if new != old:
                return new
        return old ^ 1

    def case(self, n, name=""):
        """(description, kind of damage, bytes of the image)."""
        r = random.Random(f"{name}:{n}")
        target = r.choice(self.targets[r.choice(sorted(self.targets))])
        field, offset, size, kind = r.choice(target.fields)
        d = Image.__new__(Image)
        d.__dict__.update(self.whole.__dict__)
        d.d = bytearray(self.whole.d)
        at = target.at + offset
        order = "big" if target.big else "little"
        old = int.from_bytes(d.d[at:at + size], order)
        new = self.value(r, old, size, kind)
        d.d[at:at + size] = new.to_bytes(size, order)
        sealed = ""
        if r.randrange(2) and target.seal and "checksum" not in field:
            try:
                target.seal(d)
                sealed = ", sealed"
            except (struct.error, OverflowError, IndexError):
                pass            # the place of the checksum is what changed
        del d.d[len(self.whole.d):]
        return (f"{target.object} {field} {old:#x} -> {new:#x}{sealed}",
                f"{target.structure}.{kind_of(field)}", d.d)


__all__ = ["Damage", "INDEX"]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.
                                RawDescriptionHelpFormatter)
    p.add_argument("--case", type=int)
    p.add_argument("--from", type=int, default=0, dest="first")
    p.add_argument("--to", type=int, default=10)
    p.add_argument("image", type=pathlib.Path)
    p.add_argument("out", type=pathlib.Path, nargs="?")
    a = p.parse_args()
    damage = Damage(a.image.read_bytes())
    cases = [a.case] if a.case is not None else range(a.first, a.to)
    for n in cases:
        text, _, data = damage.case(n, a.image.name)
        print(f"case {n}: {text}")
        if a.out:
            a.out.write_bytes(data)
            os.truncate(a.out, a.image.stat().st_size)


if __name__ == "__main__":
    main()
