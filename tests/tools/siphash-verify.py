#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Find every name of every indexed SipHash directory through its index.

  siphash-verify.py IMAGE

An independent judge: it shares no code with the C sources.  It reads the
image from the format's facts (doc/format.md), hashes each name with a
SipHash-2-4 of its own, and looks whether the leaf that holds the name is the
one, or follows by continuation bits the one, that the index gives for that
hash.  Directories whose entries store their hashes are checked by those.
Prints one line for each directory and each name that an index lookup would
miss.  Exit status: 0 all found, 1 names missed, 2 not readable.
"""
import struct
import sys

MASK = (1 << 64) - 1


def siphash24(key, data):
    k0, k1 = struct.unpack("<QQ", key)
    v0, v1 = k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D
    v2, v3 = k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573
    tail = len(data) & 7
    words = [w[0] for w in struct.iter_unpack("<Q", data[: len(data) - tail])]
    words.append(int.from_bytes(data[len(data) - tail:], "little")
                 | (len(data) & 0xFF) << 56)
    for m, rounds in [(w, 2) for w in words] + [(None, 4)]:
        if m is None:
            v2 ^= 0xFF
        else:
            v3 ^= m
        for _ in range(rounds):
            v0 = (v0 + v1) & MASK
            v1 = ((v1 << 13 | v1 >> 51) & MASK) ^ v0
            v0 = (v0 << 32 | v0 >> 32) & MASK
            v2 = (v2 + v3) & MASK
            v3 = ((v3 << 16 | v3 >> 48) & MASK) ^ v2
            v0 = (v0 + v3) & MASK
            v3 = ((v3 << 21 | v3 >> 43) & MASK) ^ v0
            v2 = (v2 + v1) & MASK
            v1 = ((v1 << 17 | v1 >> 47) & MASK) ^ v2
            v2 = (v2 << 32 | v2 >> 32) & MASK
        if m is not None:
            v0 ^= m
    return v0 ^ v1 ^ v2 ^ v3


def major_hash(key, name):
    h = siphash24(key, name) >> 32 & 0xFFFFFFFE
    return 0xFFFFFFFC if h == 0xFFFFFFFE else h


class Image:
    def __init__(self, path):
        self.f = open(path, "rb")
        self.f.seek(1024)
        sb = self.f.read(1024)
        if sb[56:58] != b"\x53\xef":
            raise ValueError("no ext superblock")
        g = lambda off, fmt="<I": struct.unpack_from(fmt, sb, off)[0]
        self.bs = 1024 << g(24)
        self.first_block = g(20)
        self.per_group = g(40)
        self.inodes = g(0)
        self.blocks = g(4)
        self.inode_size = g(88, "<H") if g(76) else 128
        incompat = g(96)
        self.desc_size = g(254, "<H") if incompat & 0x80 else 32
        self.desc_size = self.desc_size or 32
        self.meta_bg = incompat & 0x10
        self.first_meta_bg = g(260)
        self.csum = g(100) & 0x400
        self.default = sb[252]
        seed = sb[236:252]
        self.seed = seed if any(seed) else bytes.fromhex(
            "0123456789abcdeffedcba9876543210")

    def block(self, n):
        self.f.seek(n * self.bs)
        return self.f.read(self.bs)

    def descriptor(self, group):
        per = self.bs // self.desc_size
        table = group // per
        if self.meta_bg and table >= self.first_meta_bg:
            raise ValueError("meta_bg tables are not read here")
        at = (self.first_block + 1 + table) * self.bs
        if self.bs == 1024:
            at = (2 + table) * self.bs
        self.f.seek(at + group % per * self.desc_size)
        return self.f.read(self.desc_size)

    def inode(self, ino):
        group, index = divmod(ino - 1, self.per_group)
        d = self.descriptor(group)
        table = struct.unpack_from("<I", d, 8)[0]
        if self.desc_size >= 64:
            table |= struct.unpack_from("<I", d, 40)[0] << 32
        self.f.seek(table * self.bs + index * self.inode_size)
        return self.f.read(self.inode_size)

    def extents(self, node, out):
        magic, count, _, depth = struct.unpack_from("<4H", node)
        if magic != 0xF30A:
            raise ValueError("no extent node")
        for i in range(count):
            e = node[12 + 12 * i: 24 + 12 * i]
            if depth:
                low, high = struct.unpack_from("<IH", e, 4)
                self.extents(self.block(high << 32 | low), out)
            else:
                logical, n, high, low = struct.unpack("<IHHI", e)
                for j in range(n):
                    out[logical + j] = (high << 32 | low) + j

    def indirect(self, block, level, logical, out):
        if not block:
            return
        if level == 0:
            out[logical] = block
            return
        step = (self.bs // 4) ** (level - 1)
        for i, (b,) in enumerate(struct.iter_unpack("<I", self.block(block))):
            self.indirect(b, level - 1, logical + i * step, out)

    def directory_blocks(self, inode):
        """The blocks of a directory in logical order."""
        out = {}
        flags = struct.unpack_from("<I", inode, 32)[0]
        if flags & 0x10000000:
            return None
        if flags & 0x80000:
            self.extents(inode[40:100], out)
        else:
            ptr = struct.unpack_from("<15I", inode, 40)
            per = self.bs // 4
            for i in range(12):
                self.indirect(ptr[i], 0, i, out)
            self.indirect(ptr[12], 1, 12, out)
            self.indirect(ptr[13], 2, 12 + per, out)
            self.indirect(ptr[14], 3, 12 + per + per * per, out)
        size = struct.unpack_from("<I", inode, 4)[0] // self.bs
        return [self.block(out[i]) for i in range(size)]


def entries(block, end):
    at = 0
    while at < end:
        ino, rec_len, name_len = struct.unpack_from("<IHB", block, at)
        if rec_len in (0, 65535):
            rec_len = 65536
        if rec_len < 8:
            raise ValueError("bad record")
        if ino:
            stored = at + (8 + name_len + 3 & ~3)
            yield ino, block[at + 8: at + 8 + name_len], block[stored:stored + 4]
        at += rec_len


def leaves(blocks, node, level, lo, hi):
    """(block, lower bound, upper bound, upper bound's continuation)."""
    at = 32 if node == 0 else 8
    block = blocks[node]
    count = struct.unpack_from("<H", block, at + 2)[0]
    table = [struct.unpack_from("<II", block, at + 8 * i) for i in range(count)]
    table[0] = (lo, table[0][1])
    for i, (h, child) in enumerate(table):
        top = table[i + 1][0] if i + 1 < count else hi
        if level:
            yield from leaves(blocks, child & 0x0FFFFFFF, level - 1, h, top)
        else:
            yield child & 0x0FFFFFFF, h, top


def check(img, ino, inode):
    """Returns names, missed names of one directory's index; subdirectories."""
    blocks = img.directory_blocks(inode)
    if blocks is None:
        return 0, [], []
    flags = struct.unpack_from("<I", inode, 32)[0]
    stored = flags & 0x800 and flags & 0x40000000
    subdirs, names, missed = [], 0, []
    end = img.bs - (12 if img.csum else 0)
    if not flags & 0x1000:
        for b in blocks:
            subdirs += [e[0] for e in entries(b, end) if e[1] not in (b".", b"..")]
        return 0, [], subdirs
    version, levels = blocks[0][28], blocks[0][30]
    if version != 6:
        if img.default == 6:
            missed.append(f"inode {ino}: hash version {version}")
        return 0, missed, []
    for leaf, lo, hi in leaves(blocks, 0, levels, 0, 1 << 32):
        for child, name, word in entries(blocks[leaf], end):
            names += 1
            subdirs.append(child)
            h = (struct.unpack("<I", word)[0] if stored
                 else major_hash(img.seed, name))
            if not (lo & ~1) <= h or not (h < hi or h == hi - 1 and hi & 1):
                missed.append(f"inode {ino}: {name!r} {h:08x} is in block "
                              f"{leaf}, {lo:08x}..{hi:08x}")
    return names, missed, subdirs


def main():
    img = Image(sys.argv[1])
    todo, seen, total, bad = [2], {2}, 0, 0
    while todo:
        ino = todo.pop()
        inode = img.inode(ino)
        if struct.unpack_from("<H", inode)[0] & 0xF000 != 0x4000:
            continue
        names, missed, subdirs = check(img, ino, inode)
        if names:
            print(f"inode {ino}: {names} names in their leaves")
        for line in missed:
            print(line)
        total += names
        bad += len(missed)
        for s in subdirs:
            if 0 < s <= img.inodes and s not in seen:
                seen.add(s)
                todo.append(s)
    print(f"{total} names found through an index, {bad} missed")
    return 1 if bad or not total else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ValueError, KeyError, IndexError, struct.error) as e:
        print(f"siphash-verify: {sys.argv[1]}: {e}", file=sys.stderr)
        sys.exit(2)
