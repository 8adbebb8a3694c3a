# SPDX-License-Identifier: GPL-2.0-or-later
"""A healthy image as bytes: where its structures are, and their checksums."""
import ctypes
import struct

lib = ctypes.CDLL("libext2fs.so.2")
for f in (lib.ext2fs_crc32c_le, lib.ext2fs_crc16):
    f.argtypes = [ctypes.c_uint32, ctypes.c_char_p, ctypes.c_size_t]
    f.restype = ctypes.c_uint32
lib.ext2fs_crc16.argtypes[0] = ctypes.c_uint16
lib.ext2fs_crc16.restype = ctypes.c_uint16

EXTENTS, INLINE, INDEX, EA_INODE = 0x80000, 0x10000000, 0x1000, 0x200000
EA_MAGIC = 0xea020000


def crc32c(seed, *parts):
    for p in parts:
        seed = lib.ext2fs_crc32c_le(seed, bytes(p), len(p))
    return seed


def crc16(seed, *parts):
    for p in parts:
        seed = lib.ext2fs_crc16(seed, bytes(p), len(p))
    return seed


class Node:
    """A mapping block or an inode's root: where, its inode, its depth."""

    def __init__(self, at, size, ino, block, depth):
        self.at, self.size, self.ino = at, size, ino
        self.block, self.depth = block, depth   # block 0: in the inode


class Image:
    def __init__(self, data):
        self.d = bytearray(data)
        self.bs = 1024 << self.u32(1024 + 24)
        s = 1024
        self.first = self.u32(s + 20)
        self.compat, self.incompat, self.ro = (
            self.u32(s + 92), self.u32(s + 96), self.u32(s + 100))
        if not self.u32(s + 76):
            self.compat = self.incompat = self.ro = 0
        self.blocks = self.u32(s + 4)
        self.inodes = self.u32(s)
        self.bpg, self.cpg, self.ipg = (self.u32(s + 32), self.u32(s + 36),
                                        self.u32(s + 40))
        self.isize = self.u16(s + 88) if self.u32(s + 76) else 128
        self.dsize = self.u16(s + 254) if self.incompat & 0x80 else 32
        self.groups = -(-(self.blocks - self.first) // self.bpg)
        self.csum = bool(self.ro & 0x400)
        self.gdt_csum = bool(self.ro & 0x10)
        self.uuid = bytes(self.d[s + 0x68:s + 0x78])
        self.seed = (self.u32(s + 0x270) if self.incompat & 0x2000 else
                     crc32c(0xffffffff, self.uuid))
        self.journal_ino = self.u32(s + 224) if self.compat & 4 else 0
        self.orphan_ino = self.u32(s + 640) if self.compat & 0x1000 else 0
        self.mmp_block = self.u32(s + 360) if self.incompat & 0x100 else 0
        self.quota_inos = [self.u32(s + o) for o in (576, 580, 620)] \
            if self.ro & 0x100 else []

    def u16(self, o):
        return int.from_bytes(self.d[o:o + 2], "little")

    def u32(self, o):
        return int.from_bytes(self.d[o:o + 4], "little")

    def put(self, at, value, size):
        self.d[at:at + size] = value.to_bytes(size, "little")

    # ---- places

    def has_super(self, g):
        if g == 0:
            return True
        if self.compat & 0x200:
            return g in (self.u32(1024 + 588), self.u32(1024 + 592))
        if not self.ro & 1 or g == 1:
            return True
        for b in (3, 5, 7):
            n = b
            while n < g:
                n *= b
            if n == g:
                return True
        return False

    def descriptor(self, g):
        per = self.bs // self.dsize
        # Bigalloc counts blocks of 1 KiB from 0, not from the superblock.
        block = 1024 // self.bs + 1 + g // per
        if self.incompat & 0x10 and g // per >= self.u32(1024 + 0x104):
            head = g // per * per
            block = head * self.bpg + self.first + self.has_super(head)
        return block * self.bs + g % per * self.dsize

    def bitmap(self, g, inodes):
        return self.u32(self.descriptor(g) + (4 if inodes else 0)) * self.bs

    def inode(self, ino):
        g, i = divmod(ino - 1, self.ipg)
        return self.u32(self.descriptor(g) + 8) * self.bs + i * self.isize

    def used(self):
        for g in range(self.groups):
            if (self.csum or self.gdt_csum) and \
               self.u16(self.descriptor(g) + 18) & 1:
                continue
            at = self.bitmap(g, True)
            for i in range(self.ipg):
                if self.d[at + i // 8] >> i % 8 & 1:
                    yield g * self.ipg + i + 1

    # ---- what an inode maps

    def kind(self, ino):
        o = self.inode(ino)
        if not self.u16(o) and ino not in (1, 7, 8):
            return None
        flags = self.u32(o + 32)
        mode = self.u16(o) >> 12
        if flags & INLINE or mode in (1, 2, 6, 12):
            return "none"
        if mode == 10 and not flags & EXTENTS and self.u32(o + 4) < 60:
            return "none"
        return "extents" if flags & EXTENTS else "indirect"

    def maps(self, ino):
        """Nodes of the map, and (logical, block) of data."""
        nodes, data = [], []
        o, kind = self.inode(ino), self.kind(ino)
        if kind == "extents":
            self.extents(Node(o + 40, 60, ino, 0, self.u16(o + 46)), nodes,
                         data)
        elif kind == "indirect":
            for i in range(12):
                if self.u32(o + 40 + 4 * i):
                    data.append((i, self.u32(o + 40 + 4 * i)))
            logical = 12
            for level in range(3):
                self.indirect(self.u32(o + 88 + 4 * level), level, logical,
                              ino, nodes, data)
                logical += (self.bs // 4) ** (level + 1)
        return nodes, data

    def extents(self, node, nodes, data):
        nodes.append(node)
        for i in range(self.u16(node.at + 2)):
            e = node.at + 12 + 12 * i
            if node.depth:
                b = self.u32(e + 4)
                self.extents(Node(b * self.bs, self.bs, node.ino, b,
                                  node.depth - 1), nodes, data)
                continue
            n = self.u16(e + 4)
            for k in range(min(n & 0x7fff if n != 0x8000 else n, 64)):
                data.append((self.u32(e) + k, self.u32(e + 8) + k))

    def indirect(self, b, level, logical, ino, nodes, data):
        if not b:
            return
        nodes.append(Node(b * self.bs, self.bs, ino, b, level))
        per = (self.bs // 4) ** level
        words = struct.unpack_from(f"<{self.bs // 4}I", self.d, b * self.bs)
        for i, x in enumerate(words):
            if x and level:
                self.indirect(x, level - 1, logical + i * per, ino, nodes,
                              data)
            elif x:
                data.append((logical + i, x))

    # ---- checksums made right

    def seal_super(self, at=1024):
        if self.csum:
            self.put(at + 0x3fc,
                     crc32c(0xffffffff, self.d[at:at + 0x3fc]), 4)

    def seal_descriptor(self, g):
        o = self.descriptor(g)
        raw = self.d[o:o + self.dsize]
        n = struct.pack("<I", g)
        if self.csum:
            raw[0x1e:0x20] = bytes(2)
            self.put(o + 0x1e, crc32c(self.seed, n, raw) & 0xffff, 2)
        elif self.gdt_csum:
            self.put(o + 0x1e, crc16(0xffff, self.uuid, n, raw[:0x1e],
                                     raw[0x20:]), 2)

    def seal_bitmap(self, g, inodes):
        if not self.csum:
            return
        o, b = self.descriptor(g), self.bitmap(g, inodes)
        c = crc32c(self.seed, self.d[b:b + (self.ipg if inodes else
                                            self.cpg) // 8])
        self.put(o + (0x1a if inodes else 0x18), c & 0xffff, 2)
        if self.dsize >= 64:
            self.put(o + (0x3a if inodes else 0x38), c >> 16, 2)
        self.seal_descriptor(g)

    def inode_seed(self, ino):
        o = self.inode(ino)
        return crc32c(self.seed, struct.pack("<I", ino),
                      self.d[o + 100:o + 104])

    def seal_inode(self, ino):
        if not self.csum:
            return
        o = self.inode(ino)
        raw = self.d[o:o + self.isize]
        wide = self.isize > 128 and struct.unpack_from("<H", raw, 128)[0] >= 4
        raw[0x7c:0x7e] = b"\0\0"
        if wide:
            raw[0x82:0x84] = b"\0\0"
        c = crc32c(self.inode_seed(ino), raw)
        self.put(o + 0x7c, c & 0xffff, 2)
        if wide:
            self.put(o + 0x82, c >> 16, 2)

    def seal_node(self, node):
        if not node.block:
            self.seal_inode(node.ino)
        elif self.csum and self.u32(self.inode(node.ino) + 32) & EXTENTS:
            n = 12 + self.u16(node.at + 4) * 12
            if n + 4 <= self.bs:
                self.put(node.at + n, crc32c(self.inode_seed(node.ino),
                                             self.d[node.at:node.at + n]), 4)

    def dx_table(self, ino, b, logical):
        """Offset of the table of an index block; 0 of a leaf."""
        o = b * self.bs
        if not self.u32(self.inode(ino) + 32) & INDEX:
            return 0
        if logical == 0:
            return o + 32
        if self.u32(o) == 0 and self.u16(o + 4) in (
                self.bs & 0xffff, 65535) and \
           self.d[o + 6] == 0:
            return o + 8
        return 0

    def seal_dir(self, ino, b, logical):
        if not self.csum:
            return
        o, table = b * self.bs, self.dx_table(ino, b, logical)
        seed = self.inode_seed(ino)
        if not table:
            self.put(o + self.bs - 4, crc32c(
                seed, self.d[o:o + self.bs - 12]), 4)
            return
        limit, count = self.u16(table), self.u16(table + 2)
        tail, end = table + limit * 8, table + count * 8
        if tail + 8 <= o + self.bs and end <= o + self.bs:
            self.put(tail + 4, crc32c(seed, self.d[o:end],
                                      self.d[tail:tail + 4], bytes(4)), 4)

    def seal_ea_block(self, b):
        if self.csum:
            o = b * self.bs
            raw = self.d[o:o + self.bs]
            raw[16:20] = bytes(4)
            self.put(o + 16, crc32c(self.seed, struct.pack("<Q", b), raw), 4)

    def seal_journal(self, at):
        if struct.unpack_from(">I", self.d, at + 40)[0] & 0x18:
            raw = self.d[at:at + 1024]
            raw[252:256] = bytes(4)
            self.d[at + 252:at + 256] = crc32c(0xffffffff, raw).to_bytes(
                4, "big")

    def seal_orphan(self, b):
        if self.csum:
            o = b * self.bs
            self.put(o + self.bs - 4, crc32c(
                self.inode_seed(self.orphan_ino), struct.pack("<Q", b),
                self.d[o:o + self.bs - 8]), 4)

    def seal_mmp(self):
        if self.csum:
            o = self.mmp_block * self.bs
            self.put(o + 1020, crc32c(self.seed, self.d[o:o + 1020]), 4)
