#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Small images for fuzz_e2fsck, and where their structures are.

  fuzz_images.py DIR

Makes healthy images there (tests/images) and beside each NAME.img a NAME.map,
lines of decimal numbers:

  r AT LENGTH                   a region worth changing
  c BIG SEED N (FROM TO)*N M (AT BYTES SHIFT)*M
                                a checksum: CRC-32C from SEED over N ranges (a
                                range with FROM > TO: FROM - TO zeros), stored
                                in M places; BIG: big-endian

In DIR/seeds: inputs of a few changes each, to begin with.
"""
import pathlib
import random
import struct
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "damage"))
from damage import Damage                                       # noqa: E402
from image import EXTENTS, crc32c                               # noqa: E402

NAMES = ("small-1k|inline_data|ea_inode|bigalloc|quota|casefold|ext2-1k|"
         "fast_commit|orphan_file|no-csum|short-group")


class Map:
    def __init__(self, damage, out):
        self.damage, self.i, self.out = damage, damage.whole, out

    def region(self, at, length):
        print("r", at, length, file=self.out)

    def checksum(self, seed, ranges, places, big=0):
        print("c", big, seed, len(ranges), *(x for r in ranges for x in r),
              len(places), *(x for p in places for x in p), file=self.out)

    def hole(self, at, end, *zeros):
        """Ranges of [at, end) where some (offset, bytes) count as zero."""
        ranges = []
        for z, n in zeros:
            ranges += [(at, z), (n, 0)]
            at = z + n
        return ranges + [(at, end)] if end > at else ranges

    def everything(self):
        for targets in self.damage.targets.values():
            for t in targets:
                self.region(t.at, max(o + n for _, o, n, _ in t.fields))
        if not self.i.csum:
            return
        for g in range(self.i.groups):
            self.bitmaps(g)
        for g in range(self.i.groups):
            self.descriptor(g)
        self.blocks()
        for ino in self.i.used():
            self.inode(ino)
        for at in {1024, *(t.at for t in self.damage.targets["backup"])}:
            self.checksum(0xffffffff, [(at, at + 0x3fc)], [(at + 0x3fc, 4, 0)])

    def bitmaps(self, g):
        i, o = self.i, self.i.descriptor(g)
        for inodes, bits, lo, hi in ((False, i.cpg, 0x18, 0x38),
                                     (True, i.ipg, 0x1a, 0x3a)):
            at = i.bitmap(g, inodes)
            places = [(o + lo, 2, 0)]
            if i.dsize >= 64:
                places.append((o + hi, 2, 16))
            self.checksum(i.seed, [(at, at + bits // 8)], places)

    def descriptor(self, g):
        i, o = self.i, self.i.descriptor(g)
        self.checksum(crc32c(i.seed, struct.pack("<I", g)), self.hole(
            o, o + i.dsize, (o + 0x1e, 2)), [(o + 0x1e, 2, 0)])

    def inode(self, ino):
        i, o = self.i, self.i.inode(ino)
        wide = i.isize > 128 and i.u16(o + 128) >= 4
        zeros, places = [(o + 0x7c, 2)], [(o + 0x7c, 2, 0)]
        if wide:
            zeros.append((o + 0x82, 2))
            places.append((o + 0x82, 2, 16))
        self.checksum(i.inode_seed(ino), self.hole(o, o + i.isize, *zeros),
                      places)

    def blocks(self):
        i = self.i
        for ino in i.used():
            if not i.kind(ino):
                continue
            nodes, data = i.maps(ino)
            seed = i.inode_seed(ino)
            for n in nodes:
                if n.block and i.u32(i.inode(ino) + 32) & EXTENTS:
                    end = n.at + 12 + 12 * i.u16(n.at + 4)
                    self.checksum(seed, [(n.at, end)], [(end, 4, 0)])
            if i.u16(i.inode(ino)) >> 12 == 4:
                for logical, b in data:
                    self.dir_block(ino, seed, b, logical)
            if ino == i.orphan_ino:
                for _, b in data:
                    o = b * i.bs
                    self.checksum(crc32c(seed, struct.pack("<Q", b)), [
                        (o, o + i.bs - 8)], [(o + i.bs - 4, 4, 0)])
        for b in self.damage.ea_blocks:
            o = b * i.bs
            self.checksum(crc32c(i.seed, struct.pack("<Q", b)), self.hole(
                o, o + i.bs, (o + 16, 4)), [(o + 16, 4, 0)])
        for t in self.damage.targets.get("journal", []):
            if struct.unpack_from(">I", i.d, t.at + 40)[0] & 0x18:
                self.checksum(0xffffffff, self.hole(
                    t.at, t.at + 1024, (t.at + 252, 4)),
                    [(t.at + 252, 4, 0)], 1)

    def dir_block(self, ino, seed, b, logical):
        i = self.i
        o, table = b * i.bs, i.dx_table(ino, b, logical)
        if not table:
            self.checksum(seed, [(o, o + i.bs - 12)], [(o + i.bs - 4, 4, 0)])
            return
        tail = table + i.u16(table) * 8
        end = table + i.u16(table + 2) * 8
        self.checksum(seed, [(o, end), (tail, tail + 4), (4, 0)],
                      [(tail + 4, 4, 0)])


def seeds(folder, images):
    folder.mkdir(exist_ok=True)
    r = random.Random("seeds")
    for n in range(40 * images):
        (folder / f"{n:04}").write_bytes(
            bytes([n % images, r.randrange(4) & 2 | (n % 8 == 0)]) +
            r.randbytes(10 * r.randrange(1, 5)))


def main():
    folder = pathlib.Path(sys.argv[1])
    subprocess.run([sys.executable, TESTS / "images/healthy.py", "--only",
                    f"^({NAMES})$", folder], check=True)
    made = sorted(folder.glob("*.img"))
    seeds(folder / "seeds", len(made))
    for img in made:
        with open(img.with_suffix(".map"), "w") as f:
            Map(Damage(img.read_bytes()), f).everything()


main()
