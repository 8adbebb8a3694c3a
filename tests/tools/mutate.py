#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Damage structures of ext2/3/4 images and see what our programs make of it.

  mutate.py [--seeds FROM:TO] [--seconds S] [--keep DIR] [--asan BUILD]
            BUILD IMAGE ...

Each seed takes an image, changes one to three fields in structures chosen at
random (checksums made right again in half of the cases), and runs e2fsck -fn,
-fp, -fy, -fyD and tune2fs on copies.  Told are: signals, sanitizer reports,
more than 10 seconds, an image that -fn changed, control characters in the
output, names that were there before, were not themselves overwritten and are
gone, a second run that finds something, and what stock e2fsck finds in
directories afterwards and did not find before.  Exit 1 where anything is told.
"""
import argparse, collections, ctypes, os, pathlib, random, re, struct
import subprocess, sys, tempfile, time

lib = ctypes.CDLL("libext2fs.so.2")
lib.ext2fs_crc32c_le.restype = ctypes.c_uint32
lib.ext2fs_crc32c_le.argtypes = [ctypes.c_uint32, ctypes.c_char_p, ctypes.c_size_t]
STOCK = "/sbin/e2fsck"
TIME_LIMIT = 10


def crc(seed, *parts):
    for p in parts:
        seed = lib.ext2fs_crc32c_le(seed, bytes(p), len(p))
    return seed


def u16(b, o):
    return struct.unpack_from("<H", b, o)[0]


def u32(b, o):
    return struct.unpack_from("<I", b, o)[0]


class Image:
    """As much of the format as is needed to find things and to read names."""

    def __init__(self, data, like=None):
        """`like`: an image whose superblock says where things are."""
        self.d = d = bytearray(data)
        s = self.sb = (like.d if like else d)[1024:2048]
        self.bs = 1024 << u32(s, 24)
        self.first = u32(s, 20)
        self.blocks = min(u32(s, 4), len(d) // self.bs)
        self.bpg, self.ipg = u32(s, 32), u32(s, 40)
        self.compat, self.incompat, self.ro = u32(s, 92), u32(s, 96), u32(s, 100)
        self.isize = u16(s, 88) if u32(s, 76) else 128
        self.inodes = u32(s, 0)
        self.dsize = u16(s, 254) if self.incompat & 0x80 else 32
        self.groups = -(-(u32(s, 4) - self.first) // self.bpg)
        self.csum = bool(self.ro & 0x400)
        self.seed = (u32(s, 0x270) if self.incompat & 0x2000 else
                     crc(0xffffffff, s[0x68:0x78]))

    def descriptor(self, g):
        per = self.bs // self.dsize
        block = self.first + 1 + g // per
        if self.incompat & 0x10 and g // per >= u32(self.sb, 0x104):
            block = (g // per * per) * self.bpg + self.first + 1
        return block * self.bs + g % per * self.dsize

    def inode(self, ino):
        g, i = divmod(ino - 1, self.ipg)
        table = u32(self.d, self.descriptor(g) + 8)
        return table * self.bs + i * self.isize

    def used_inodes(self):
        for ino in range(1, self.inodes + 1):
            o = self.inode(ino)
            if o + 128 <= len(self.d) and u16(self.d, o + 26) and \
               u16(self.d, o):
                yield ino

    def extents(self, node, depth=0):
        """(logical, physical, count) and the tree's own blocks"""
        out, own = [], []
        if u16(node, 0) != 0xf30a or depth > 3:
            return out, own
        n = min(u16(node, 2), (len(node) - 12) // 12)
        for i in range(n):
            o = 12 + 12 * i
            if u16(node, 6) == 0:
                out.append((u32(node, o), u32(node, o + 8), u16(node, o + 4)))
            elif u32(node, o + 4) < self.blocks:
                b = u32(node, o + 4)
                own.append(b)
                more = self.extents(self.block(b), depth + 1)
                out += more[0]
                own += more[1]
        return out, own

    def block(self, b):
        return self.d[b * self.bs:(b + 1) * self.bs]

    def mapped(self, ino):
        """Data blocks in order, and mapping blocks."""
        o = self.inode(ino)
        root = self.d[o + 40:o + 100]
        flags = u32(self.d, o + 32)
        size = u32(self.d, o + 4)
        n = min(-(-size // self.bs), len(self.d) // self.bs)
        if flags & 0x10000000:
            return [], []
        if flags & 0x80000:
            ext, own = self.extents(root)
            blocks = {}
            for l, p, c in ext:
                for i in range(min(c & 0x7fff, n)):
                    blocks[l + i] = p + i
            return [blocks.get(i, 0) for i in range(n)], own
        out, own = [], []

        def indirect(b, level):
            if not b or b >= self.blocks or len(out) >= n or \
               len(own) > 1000:
                return
            own.append(b)
            for i in range(self.bs // 4):
                x = u32(self.d, b * self.bs + 4 * i)
                if level:
                    indirect(x, level - 1)
                else:
                    out.append(x)
        for i in range(12):
            out.append(u32(root, 4 * i))
        for i in range(3):
            if len(own) < 1000:
                indirect(u32(root, 48 + 4 * i), i)
        return out[:n], own

    def records(self, base, length):
        o = 0
        while o + 8 <= length:
            at = base + o
            rec = u16(self.d, at + 4)
            if self.bs == 65536 and rec in (0, 65535):
                rec = 65536
            if rec < 8 or rec % 4 or o + rec > length:
                return
            nl = self.d[at + 6]
            if u32(self.d, at) and nl and 8 + nl <= rec:
                yield (at, rec, u32(self.d, at),
                       bytes(self.d[at + 8:at + 8 + nl]))
            o += rec

    def dir_names(self, ino):
        """(record offset, name, inode)"""
        o = self.inode(ino)
        if u32(self.d, o + 32) & 0x10000000:
            for at, rec, i, name in self.records(o + 44, 56):
                yield at, name, i
            return
        for b in self.mapped(ino)[0]:
            if 0 < b < self.blocks:
                for at, rec, i, name in self.records(b * self.bs, self.bs):
                    yield at, name, i

    def dirs(self):
        return [i for i in self.used_inodes()
                if u16(self.d, self.inode(i)) >> 12 == 4]

    def names(self):
        out = {}
        for d in self.dirs():
            for at, name, i in self.dir_names(d):
                if name not in (b".", b".."):
                    out.setdefault((d, name, i), at)
        return out

    # ---- checksums made right

    def fix_super(self, at=1024):
        if self.csum:
            struct.pack_into("<I", self.d, at + 0x3fc,
                             crc(0xffffffff, self.d[at:at + 0x3fc]))

    def inode_seed(self, ino):
        o = self.inode(ino)
        return crc(self.seed, struct.pack("<I", ino), self.d[o + 100:o + 104])

    def fix_inode(self, ino):
        if not self.csum:
            return
        o = self.inode(ino)
        raw = bytearray(self.d[o:o + self.isize])
        hi = self.isize > 128 and u16(raw, 128) >= 4
        struct.pack_into("<H", raw, 0x7c, 0)
        if hi:
            struct.pack_into("<H", raw, 0x82, 0)
        c = crc(self.inode_seed(ino), raw)
        struct.pack_into("<H", self.d, o + 0x7c, c & 0xffff)
        if hi:
            struct.pack_into("<H", self.d, o + 0x82, c >> 16)

    def fix_descriptor(self, g):
        o = self.descriptor(g)
        raw = bytearray(self.d[o:o + self.dsize])
        struct.pack_into("<H", raw, 0x1e, 0)
        if self.csum:
            c = crc(self.seed, struct.pack("<I", g), raw) & 0xffff
            struct.pack_into("<H", self.d, o + 0x1e, c)

    def fix_bitmap(self, g, inode_map):
        o = self.descriptor(g)
        if not self.csum:
            return
        n = (self.ipg if inode_map else u32(self.sb, 36)) // 8
        b = u32(self.d, o + (4 if inode_map else 0)) * self.bs
        c = crc(self.seed, self.d[b:b + n])
        struct.pack_into("<H", self.d, o + (0x1a if inode_map else 0x18),
                         c & 0xffff)
        if self.dsize >= 64:
            struct.pack_into("<H", self.d, o + (0x3a if inode_map else 0x38),
                             c >> 16)
        self.fix_descriptor(g)

    def fix_extent_block(self, ino, b):
        if self.csum:
            o = b * self.bs
            n = 12 + u16(self.d, o + 4) * 12
            if n + 4 <= self.bs:
                struct.pack_into("<I", self.d, o + n, crc(
                    self.inode_seed(ino), self.d[o:o + n]))

    def node_table(self, ino, b, logical):
        """Offset of the table where the block is an index block."""
        o = b * self.bs
        if not u32(self.d, self.inode(ino) + 32) & 0x1000:
            return 0
        if logical == 0:
            return o + 24 + self.d[o + 29]
        if u32(self.d, o) == 0 and u16(self.d, o + 4) in (self.bs, 65535) and \
           self.d[o + 6] == 0:
            return o + 8
        return 0

    def fix_dir_block(self, ino, b, logical):
        if not self.csum:
            return
        o, table = b * self.bs, self.node_table(ino, b, logical)
        if not table:
            struct.pack_into("<I", self.d, o + self.bs - 4, crc(
                self.inode_seed(ino), self.d[o:o + self.bs - 12]))
            return
        limit, count = u16(self.d, table), u16(self.d, table + 2)
        tail = table + limit * 8
        end = min(table + count * 8, o + self.bs)
        if tail + 8 <= o + self.bs:
            c = crc(self.inode_seed(ino), self.d[o:end],
                    self.d[tail:tail + 4], b"\0\0\0\0")
            struct.pack_into("<I", self.d, tail + 4, c)


ODD = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0x7f, 0x80, 0xff]
ODD32 = [0, 1, 2, 3, 5, 10, 11, 12, 0x7fff, 0x8000, 0xffff, 0x10000, 0xfffffff,
         0x10000000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff]


class Mutator:
    def __init__(self, image, rng):
        self.i, self.r = image, rng
        self.touched = []       # [from, to) in bytes
        self.log = []
        self.blocks_only = True # nothing but directories' blocks

    def put(self, at, raw):
        raw = bytes(raw)[:max(0, len(self.i.d) - at)]
        self.i.d[at:at + len(raw)] = raw
        self.touched.append((at, at + len(raw)))

    def value(self, old, size, bound):
        r, m = self.r, (1 << 8 * size) - 1
        how = r.randrange(7)
        if how == 0:
            return old ^ 1 << r.randrange(8 * size)
        if how == 1:
            return r.choice(ODD) & m
        if how == 2:
            return r.choice(ODD32) & m
        if how == 3:
            return old + r.choice((-1, 1, 4, -4, 8, 12)) & m
        if how == 4:
            return r.randrange(bound + 2) & m
        if how == 5:
            return r.randrange(m + 1)
        return m - r.choice(ODD) & m

    def field(self, at, size, what, bound=64):
        old = int.from_bytes(self.i.d[at:at + size], "little")
        new = self.value(old, size, bound)
        self.put(at, new.to_bytes(size, "little"))
        self.log.append(f"{what}@{at:#x}: {old:#x} -> {new:#x}")

    def superblock(self, fix):
        fields = ([(o, 4) for o in range(0, 56, 4)] +
                  [(0x38, 2), (0x3a, 2), (0x3c, 2), (0x4c, 4), (0x54, 4),
                   (0x58, 2), (0x5a, 2), (0x5c, 4), (0x60, 4), (0x64, 4),
                   (0xcd, 1), (0xe0, 4), (0xe8, 4), (0xfc, 1), (0xfd, 1),
                   (0xfe, 2), (0x104, 4), (0x150, 4), (0x154, 4), (0x160, 4),
                   (0x174, 1), (0x175, 1), (0x27c, 2), (0x27e, 2), (0x270, 4),
                   (0x24c, 4), (0x240, 4), (0xec, 4), (0xf0, 4)])
        o, n = self.r.choice(fields)
        self.field(1024 + o, n, f"super+{o:#x}", self.i.blocks)
        if fix:
            self.i.fix_super()

    def descriptors(self, fix):
        g = self.r.randrange(self.i.groups)
        o, n = self.r.choice([(0, 4), (4, 4), (8, 4), (12, 2), (14, 2), (16, 2),
                              (18, 2), (0x1c, 2), (0x1e, 2), (0x18, 2)])
        self.field(self.i.descriptor(g) + o, n, f"group {g}+{o:#x}",
                   self.i.blocks)
        if fix:
            self.i.fix_descriptor(g)

    def bitmap(self, fix):
        g, which = self.r.randrange(self.i.groups), self.r.randrange(2)
        b = u32(self.i.d, self.i.descriptor(g) + 4 * which) * self.i.bs
        n = (self.i.ipg if which else self.i.bpg) // 8
        self.field(b + self.r.randrange(n), 1, f"bitmap {which} of {g}")
        if fix:
            self.i.fix_bitmap(g, which)

    def some_dir(self):
        dirs = self.i.dirs()
        big = [d for d in dirs if u32(self.i.d, self.i.inode(d) + 32) & 0x1000]
        return self.r.choice(big if big and self.r.random() < .7 else dirs)

    def an_inode(self, fix):
        ino = self.some_dir() if self.r.random() < .8 else \
            self.r.choice(list(self.i.used_inodes()))
        fields = [(0, 2), (4, 4), (0x1a, 2), (0x1c, 4), (0x20, 4), (0x14, 4),
                  (0x64, 4), (0x68, 4), (0x6c, 4), (0x76, 2), (0x7c, 2),
                  (0x80, 2)]
        fields += [(0x28 + 4 * k, 4) for k in range(15)]
        fields += [(0x28 + 2 * k, 2) for k in range(12)] * 2
        if self.i.isize > 128:
            fields += [(160 + 4 * k, 4) for k in range(8)]
        o, n = self.r.choice(fields)
        self.field(self.i.inode(ino) + o, n, f"inode {ino}+{o:#x}",
                   self.i.blocks)
        if fix:
            self.i.fix_inode(ino)

    def a_mapping(self, fix):
        own = [(d, b) for d in self.i.dirs() for b in self.i.mapped(d)[1]]
        if not own:
            return self.an_inode(fix)
        ino, b = self.r.choice(own)
        o = self.r.randrange(0, min(self.i.bs, 400), 2)
        self.field(b * self.i.bs + o, self.r.choice((2, 4)),
                   f"mapping block {b} of {ino}+{o:#x}", self.i.blocks)
        if fix:
            self.i.fix_extent_block(ino, b)

    def an_index(self, fix):
        places = []
        for d in self.i.dirs():
            for l, b in enumerate(self.i.mapped(d)[0]):
                t = self.i.node_table(d, b, l) if 0 < b < self.i.blocks else 0
                if t and t + 8 < (b + 1) * self.i.bs:
                    places.append((d, l, b, t))
        if not places:
            return self.a_dir_block(fix)
        d, l, b, t = self.r.choice(places)
        n = max(1, min(u16(self.i.d, t + 2), (self.i.bs - 64) // 8))
        kind = self.r.randrange(6)
        if kind == 0 and l == 0:
            o, s = self.r.choice([(0, 4), (4, 2), (6, 1), (8, 1), (12, 4),
                                  (16, 2), (18, 1), (20, 2), (24, 4), (28, 1),
                                  (29, 1), (30, 1), (31, 1)])
            at = b * self.i.bs + o
        elif kind <= 2:
            at, s = self.r.choice([(t, 2), (t + 2, 2)])
        elif kind == 3:
            at, s = t + 8 * self.r.randrange(n) + 4, 4
        elif kind == 4 and n > 2:
            x, y = (self.r.randrange(n) for _ in range(2))
            p = self.i.d[t + 8 * x + 4:t + 8 * x + 8]
            q = self.i.d[t + 8 * y + 4:t + 8 * y + 8]
            self.put(t + 8 * x + 4, q)
            self.put(t + 8 * y + 4, p)
            self.log.append(f"index of {d} block {l}: {x} <-> {y}")
            at = None
        else:
            at, s = t + 8 * self.r.randrange(n), 4
        if at is not None:
            self.field(at, s, f"index of {d} block {l}+{at - b * self.i.bs:#x}",
                       len(self.i.mapped(d)[0]))
        if fix:
            self.i.fix_dir_block(d, b, l)

    def a_dir_block(self, fix):
        d = self.some_dir()
        o = self.i.inode(d)
        if u32(self.i.d, o + 32) & 0x10000000:
            k = self.r.randrange(40, 100)
            self.field(o + k, self.r.choice((1, 2, 4)), f"inline {d}+{k:#x}",
                       self.i.inodes)
            if fix:
                self.i.fix_inode(d)
            return
        blocks = self.i.mapped(d)[0]
        l = self.r.randrange(len(blocks)) if blocks else 0
        if not blocks or not 0 < blocks[l] < self.i.blocks:
            return
        b = blocks[l]
        recs = list(self.i.records(b * self.i.bs, self.i.bs))
        kind = self.r.randrange(10)
        if recs and kind < 7:
            at, rec, ino, name = self.r.choice(recs)
            o, s = self.r.choice([(0, 4), (4, 2), (4, 2), (6, 1), (7, 1),
                                  (8, 1), (8 + len(name) - 1, 1)])
            self.field(at + o, s, f"dir {d} block {l} record {name!r}+{o}",
                       self.i.inodes)
        elif recs and kind == 7:
            (p, _, _, n1), (q, _, _, n2) = (self.r.choice(recs)
                                            for _ in range(2))
            k = min(len(n1), len(n2))
            self.put(q + 8, self.i.d[p + 8:p + 8 + k])
            self.log.append(f"dir {d} block {l}: {n2!r} begins like {n1!r}")
        elif kind == 8:
            at = self.i.bs - 12 + self.r.choice((0, 4, 6, 7, 8))
            self.field(b * self.i.bs + at, 1, f"dir {d} block {l} tail")
        else:
            at = self.r.randrange(self.i.bs - 4)
            n = self.r.choice((4, 16, 64, 512))
            n = min(n, self.i.bs - at)
            raw = bytes(n) if self.r.random() < .5 else self.r.randbytes(n)
            self.put(b * self.i.bs + at, raw)
            self.log.append(f"dir {d} block {l}+{at:#x}: {n} bytes over")
        if fix:
            self.i.fix_dir_block(d, b, l)

    def an_xattr(self, fix):
        with_block = [i for i in self.i.used_inodes()
                      if 0 < u32(self.i.d, self.i.inode(i) + 0x68)
                      < self.i.blocks]
        if not with_block:
            return self.an_inode(fix)
        ino = self.r.choice(with_block)
        b = u32(self.i.d, self.i.inode(ino) + 0x68)
        o = self.r.randrange(0, 96, 2)
        self.field(b * self.i.bs + o, self.r.choice((1, 2, 4)),
                   f"xattr of {ino}+{o:#x}")

    def run(self):
        n = self.r.choice((1, 1, 1, 1, 2, 2, 3))
        for _ in range(n):
            what = self.r.choices(
                (self.superblock, self.descriptors, self.bitmap, self.an_inode,
                 self.a_mapping, self.an_index, self.a_dir_block,
                 self.an_xattr), (1, 1, 1, 3, 2, 7, 9, .3))[0]
            if what not in (self.an_index, self.a_dir_block, self.an_xattr):
                self.blocks_only = False
            try:
                what(self.r.random() < .6)
            except (IndexError, ValueError, ArithmeticError, struct.error):
                pass    # nothing of the kind is left to be damaged


class Run:
    def __init__(self, rc, out, seconds):
        self.rc, self.out, self.seconds = rc, out, seconds


def run(*cmd, limit=TIME_LIMIT, env=None):
    start = time.time()
    try:
        p = subprocess.run([str(c) for c in cmd], stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           timeout=limit, env=env)
        return Run(p.returncode, p.stdout, time.time() - start)
    except subprocess.TimeoutExpired as e:
        return Run("timeout", e.stdout or b"", limit)


CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
# What stock finds that has nothing to do with directories' contents, or that
# e2fsck here does not check.
QUIET = re.compile(rb"^Pass |bitmap differences|count wrong|\*\*\* |WARNING"
                   rb"|^e2fsck|^Fix\?|^Clear\?|^Padding|^ [-+(]|i_blocks"
                   rb"|^\s*$|FIXED|files .*blocks|[Rr]ef.count|Unattached"
                   rb"|Connect to|CREATED|RECREATED|Optimiz|Unconnected"
                   rb"|<The NULL inode>|incorrect filetype|INODE_UNINIT"
                   rb"|^Entry '\.\.' in")
LOST = re.compile(rb"Entry|entry|[Dd]irectory|HTREE|htree|dup|'\.")


class Case:
    def __init__(self, a, image, seed, tmp):
        self.a, self.image, self.seed, self.tmp = a, image, seed, tmp
        self.faults = []

    def tell(self, text):
        self.faults.append(text)

    def sane(self, what, r):
        if r.rc == "timeout" or r.rc < 0 or r.rc > 63 or \
           b"Sanitizer" in r.out or b"runtime error" in r.out:
            self.tell(f"{what}: died ({r.rc}) {r.out[-3000:].decode('latin-1')}")
            return False
        if CONTROL.search(r.out):
            self.tell(f"{what}: control characters")
        return True

    def copy(self, data):
        p = self.tmp / "copy"
        p.write_bytes(data)
        return p

    def go(self):
        rng = random.Random(f"{self.image.name}:{self.seed}")
        self.before = Image(self.image.read_bytes())
        m = Mutator(Image(self.before.d, self.before), rng)
        m.run()
        self.log, self.touched = m.log, m.touched
        self.blocks_only = m.blocks_only
        self.damaged = bytes(m.i.d)
        p = self.copy(self.damaged)
        self.stock_before = run(STOCK, "-fn", p)
        n = run(self.a.build / "e2fsck/e2fsck", "-fn", p)
        self.sane("-fn", n)
        if p.read_bytes() != self.damaged:
            self.tell("-fn changed the image")
        self.asan(p, rng)
        for options in ("-fp", "-fy", "-fyD"):
            self.repair(options, n)
        if rng.random() < .5:
            self.tune(rng)
        if rng.random() < .3:
            self.debugfs(p)
        return self.faults

    def asan(self, p, rng):
        if not self.a.asan:
            return
        env = dict(os.environ, ASAN_OPTIONS="detect_leaks=0",
                   UBSAN_OPTIONS="print_stacktrace=1")
        p.write_bytes(self.damaged)
        self.sane("asan -fn", run(self.a.asan / "e2fsck/e2fsck", "-fn", p,
                                  limit=30, env=env))
        opt = rng.choice(("-fy", "-fyD", "-fp"))
        self.sane("asan " + opt, run(self.a.asan / "e2fsck/e2fsck", opt, p,
                                     limit=30, env=env))
        p.write_bytes(self.damaged)

    def live_names(self, data):
        try:
            return Image(data, self.before).names()
        except (struct.error, ArithmeticError, IndexError):
            return None

    def lost(self, what, data, r):
        """Names of the damaged image that are not there any more."""
        was = self.live_names(self.damaged)
        now = self.live_names(data)
        if was is None or now is None:
            return
        gone = [k for k in was if k not in now]
        renamed = collections.Counter((d, i) for d, n, i in now)
        for d, name, ino in gone:
            if renamed[(d, ino)]:
                continue
            img = Image(self.damaged, self.before)
            if not 0 < ino <= img.inodes:
                continue
            at = was[(d, name, ino)]
            o = img.inode(ino)
            links, mode = u16(img.d, o + 26), u16(img.d, o)
            if not links or not mode or (ino < 11 and ino != 2):
                continue
            if mode >> 12 == 4 and at % self.before.bs < 32:
                continue    # what is left of a damaged "." or ".."
            self.tell(f"{what} ({r.rc}): name lost: dir {d} {name!r} inode {ino}")
            break
        # And those of the undamaged one that nothing was written over.
        base = self.before.names()
        for (d, name, ino), at in base.items():
            if (d, name, ino) in now or renamed[(d, ino)]:
                continue
            end = at + 8 + len(name)
            if any(f < end and t > at for f, t in self.touched):
                continue
            # Where maps or inodes are damaged, blocks may be out of reach.
            if (d, name, ino) not in was and r.rc in (0, 1) and \
               self.blocks_only and "-f" in what and not self.swallowed(at):
                self.tell(f"{what} ({r.rc}): not salvaged: dir {d} {name!r} "
                          f"inode {ino}")
                break

    def swallowed(self, at):
        """Does a record before it claim its place, and look sound?"""
        for f, t in self.touched:
            if f // self.before.bs == at // self.before.bs and f < at and \
               t - f <= 2 and f % 4 == 0 and at < f - 4 + \
               u16(self.damaged, f) and u16(self.damaged, f) % 4 == 0:
                return True
        return False

    def stock_after(self, what, p, r):
        after = run(STOCK, "-fn", p)
        # Stock has no hash for names that the encoding does not have, and
        # takes another limit for nodes of encrypted, casefolded directories.
        if "encrypt" in self.image.name or "casefold" in self.image.name:
            return
        if self.stock_before.rc == 0 and after.rc != 0:
            self.tell(f"{what} ({r.rc}): stock was content before: " +
                      after.out.decode("latin-1")[:600])
            return
        if r.rc in (0, 1):
            old = set(self.stock_before.out.splitlines())
            if "siphash" in self.image.name or "encrypt" in self.image.name:
                return      # which stock does not know
            new = [l for l in after.out.splitlines() if l not in old and
                   not QUIET.search(l) and LOST.search(l)]
            if new:
                self.tell(f"{what} ({r.rc}): stock says: " +
                          b"\n".join(new[:6]).decode("latin-1"))

    def repair(self, options, n):
        p = self.copy(self.damaged)
        fsck = self.a.build / "e2fsck/e2fsck"
        r = run(fsck, options, p)
        if not self.sane(options, r):
            return
        data = p.read_bytes()
        if n.rc & 4 == 0 and r.rc & 4 and options != "-fyD":
            self.tell(f"{options}: exit {r.rc} after -fn {n.rc}")
        if n.rc & 4 and r.rc == 0:
            self.tell(f"{options}: exit 0 after -fn {n.rc}")
        if r.rc & 1 == 0 and not r.rc & 4 and data != self.damaged:
            self.tell(f"{options}: exit {r.rc} and the image changed")
        if options != "-fp" and r.rc & 4 and "-D" not in options and \
           data != self.damaged and not r.rc & 1:
            self.tell(f"{options}: exit {r.rc} and the image changed")
        self.lost(options, data, r)
        if data != self.damaged:
            self.stock_after(options, p, r)
        if r.rc in (0, 1):
            again = run(fsck, "-fn", p)
            if again.rc != 0:
                self.tell(f"{options} ({r.rc}): then -fn exits {again.rc}: " +
                          again.out.decode("latin-1")[:600])

    def tune(self, rng):
        p = self.copy(self.damaged)
        opts = rng.choice((["-E", "hash_alg=tea,rehash"],
                           ["-E", "hash_seed=random"], ["-O", "^dir_index"],
                           ["-U", "random"], ["-E", "hash_alg=siphash,rehash"],
                           ["-E", "hash_alg=legacy,hash_seed=random,rehash"]))
        r = run(self.a.build / "misc/tune2fs", *opts, p)
        what = "tune2fs " + " ".join(opts)
        if not self.sane(what, r):
            return
        data = p.read_bytes()
        if data == self.damaged:
            return
        self.lost(what, data, r)
        if "siphash" not in what:
            self.stock_after(what, p, r)

    def debugfs(self, p):
        p = self.copy(self.damaged)
        script = self.tmp / "script"
        cmds = []
        for d in ("/", "/dir", "/small", "<2>", "<12>", "<11>", "<13>"):
            for c in ("htree_dump", "htree_check", "htree_stats", "ls -l",
                      "stat", "blocks", "ncheck", "htree_stats -j"):
                cmds.append(f"{c} {d}" if c != "ncheck" else "ncheck 12 13 2")
        cmds += ["show_super_stats", "features", "icheck 1 2 3 100 200",
                 "bmap <12> 0", "bmap <12> 1", "imap <12>", "testi <12>",
                 "testb 100 5", "dirsearch / lost+found", "cat <12>",
                 "dx_hash foo", "dx_hash -d /dir foo"]
        script.write_text("\n".join(cmds) + "\n")
        for b, lim in ((self.a.build, 20), (self.a.asan, 90)):
            if b:
                env = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
                r = run(b / "debugfs/debugfs", "-f", script, p, limit=lim,
                        env=env)
                self.dbg_sane(r, b)
        if p.read_bytes() != self.damaged:
            self.tell("debugfs changed the image")

    def dbg_sane(self, r, b):
        # `cat` shows files as they are.
        out = re.sub(rb"debugfs: cat .*?\ndebugfs:", b"debugfs:", r.out,
                     flags=re.S)
        self.sane(f"debugfs of {b}", Run(r.rc, out, r.seconds))


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("build", type=pathlib.Path)
    p.add_argument("images", nargs="+", type=pathlib.Path)
    p.add_argument("--seeds", default="0:100")
    p.add_argument("--seconds", type=float, default=1e9)
    p.add_argument("--asan", type=pathlib.Path)
    p.add_argument("--keep", type=pathlib.Path)
    a = p.parse_args()
    first, last = (int(x) for x in a.seeds.split(":"))
    end = time.time() + a.seconds
    cases = told = 0
    with tempfile.TemporaryDirectory(prefix="mutate.") as tmp:
        for seed in range(first, last):
            for image in a.images:
                if time.time() > end:
                    break
                c = Case(a, image, seed, pathlib.Path(tmp))
                faults = c.go()
                cases += 1
                if not faults:
                    continue
                told += 1
                print(f"== {image.name} seed {seed}: {'; '.join(c.log)}")
                for f in faults:
                    print("   " + f.replace("\n", "\n     "))
                sys.stdout.flush()
                if a.keep:
                    (a.keep / f"{image.stem}-{seed}.img").write_bytes(c.damaged)
    print(f"{cases} cases, {told} told")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
