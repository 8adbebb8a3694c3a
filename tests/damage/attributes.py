#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Attributes and quota files, one thing wrong in each: what is said of it?

  attributes.py E2FSCK FOLDER [--stock /sbin/e2fsck] [--only WORD]

Makes small images in FOLDER (mke2fs and debugfs, no root), changes each as the
table below says, with checksums made right, and runs both with -fn.  A case
holds where E2FSCK reports just the codes that the table has for it (those of
attributes, quota and encryption policies; none: exit status 0), and stock's
exit status is that of the table.  Prints PASS: or FAIL: for each.
"""
import argparse
import os
import pathlib
import re
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from image import Image                                         # noqa: E402

ENV = dict(os.environ, LC_ALL="C.UTF-8", E2FSCK_CONFIG="/dev/null")
MAGIC = 0xea020000
OURS = re.compile(r"\[(08..|0b..|041[01]|061a)\]")
A, B, DIR, FREE = "a", "b", "dir", "free"


def rotate(h, n):
    return (h << n | h >> (32 - n)) & 0xffffffff


def words(value):
    value = bytes(value) + bytes(-len(value) % 4)
    return struct.unpack(f"<{len(value) // 4}I", value)


def entry_hash(name, value, signed=False):
    h = 0
    for c in name:
        h = rotate(h, 5) ^ (c | 0xffffff00 if signed and c > 127 else c)
    for w in words(value):
        h = rotate(h, 16) ^ w
    return h


class Area:
    """Attributes of an inode: entries' places, and what they say."""

    def __init__(self, x, ino, block):
        self.x, self.ino, self.block = x, ino, block
        o = x.inode(ino)
        if block:
            self.base = x.u32(o + 104) * x.bs
            self.first, self.end = self.base + 32, self.base + x.bs
        else:
            self.base = self.first = o + 128 + x.u16(o + 128) + 4
            self.end = o + x.isize

    def at(self, n):
        at = self.first
        for _ in range(n):
            at += 16 + self.x.d[at] + 3 & ~3
        return at

    def put(self, n, offset, value, size):
        self.x.put(self.at(n) + offset, value, size)

    def value(self, n):
        at = self.at(n)
        start = self.base + self.x.u16(at + 2)
        return slice(start, start + self.x.u32(at + 8))

    def hash(self, n, signed=False):
        at = self.at(n)
        self.put(n, 12, entry_hash(self.x.d[at + 16:at + 16 + self.x.d[at]],
                                   self.x.d[self.value(n)], signed), 4)

    def fill(self, *entries):
        """entries: (name, index, value offset, size, hash)."""
        raw = b"".join(
            struct.pack("<BBHIII", len(name), index, offset, 0, size, h) +
            name + bytes(-len(name) % 4)
            for name, index, offset, size, h in entries)
        self.x.d[self.first:self.end] = raw + bytes(
            self.end - self.first - len(raw))


class Subject(Image):
    def __init__(self, path, inodes):
        super().__init__(path.read_bytes())
        self.names = inodes

    def ino(self, name):
        return self.names.get(name, name)

    def field(self, name, offset, value, size):
        self.put(self.inode(self.ino(name)) + offset, value, size)

    def area(self, name, block=False):
        return Area(self, self.ino(name), block)

    def acl(self, name):
        return self.u32(self.inode(self.ino(name)) + 104)

    def quota(self, block):
        for logical, b in self.maps(3)[1]:
            if logical == block:
                return b * self.bs
        raise KeyError(block)

    def seal(self):
        for ino in self.used():
            self.seal_inode(ino)
            b = self.u32(self.inode(ino) + 104)
            if 0 < b < self.blocks and self.u32(b * self.bs) == MAGIC:
                self.seal_ea_block(b)
        self.seal_super()


# ---- images

def run(*command, ok=(0,)):
    p = subprocess.run([str(c) for c in command], env=ENV, text=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT)
    if p.returncode not in ok:
        sys.exit(f"{command}: {p.returncode}\n{p.stdout}")
    return p.stdout


def make(folder, name, features, requests, *options):
    path = folder / f"{name}.img"
    run("mke2fs", "-qFt", "ext4", "-b1024", "-I256", "-N64", *options, "-O",
        f"^has_journal,metadata_csum,{features}", path, "2M")
    script = folder / "requests"
    script.write_text("".join(f"{r}\n" for r in requests))
    run("debugfs", "-w", "-f", script, path)
    inodes = {}
    for f in (A, B, DIR, FREE):
        m = re.search(r"Inode: (\d+)", run("debugfs", "-R", f"stat {f}", path))
        if m:
            inodes[f] = int(m.group(1))
    return path, inodes


def make_all(folder, stock):
    files = [(folder / "x").write_bytes(b"x"), *(
        (folder / f).write_bytes(v) for f, v in (
            ("long", b"v" * 600), ("short", b"w" * 100),
            ("large", b"V" * 1024), ("acl", ACL), ("context", CONTEXT)))]
    assert all(files)
    write = [f"write {folder}/x {f}" for f in (A, B, FREE)] + [f"mkdir {DIR}"]
    images = {
        "plain": make(folder, "plain", "64bit", write + [
            "ea_set a user.one 1234567", "ea_set a user.second xy",
            f"ea_set -f {folder}/long b user.long",
            f"ea_set -f {folder}/short b user.short",
            f"ea_set -f {folder}/acl dir user.ACL"]),
        "values": make(folder, "values", "ea_inode", write + [
            f"ea_set -f {folder}/large a user.v",
            "sif a blocks 4", "sif b blocks 2"]),
        "encrypted": make(folder, "encrypted", "encrypt", [
            f"mkdir {DIR}", f"cd {DIR}",
            f"write {folder}/x ciphertext_of_a_na",
            "cd /", f"ln {DIR}/ciphertext_of_a_na a", "sif a links_count 2",
            f"write {folder}/x b",
            f"ea_set -f {folder}/context dir user.c",
            f"ea_set -f {folder}/context a user.c"]),
        "inline": make(folder, "inline", "inline_data", write),
        "quota": make(folder, "quota", "quota,project", write, "-E",
                      "quotatype=usrquota:grpquota:prjquota"),
    }
    for name, prepare in PREPARE.items():
        path, inodes = images[name]
        x = Subject(path, inodes)
        prepare(x)
        x.seal()
        path.write_bytes(x.d)
    run(stock, "-fy", images["quota"][0], ok=(0, 1))
    return images


ACL = struct.pack("<IHHHHIHHHHHH", 1, 1, 7, 2, 7, 77, 4, 5, 16, 7, 32, 5)
CONTEXT = bytes([2, 1, 4, 2, 0, 0, 0, 0]) + b"abcdefghijklmnop" + bytes(16)


def share(x):
    """A second inode names b's block; and the ACL gets its prefix."""
    b = x.acl(B)
    x.field(FREE, 104, b, 4)
    x.field(FREE, 28, x.u32(x.inode(x.ino(FREE)) + 28) + 2, 4)
    x.put(b * x.bs + 4, 2, 4)
    e = x.area(DIR)
    value = bytes(x.d[e.value(0)])
    e.fill((b"", 2, e.end - e.base - len(value), len(value), 0))
    x.d[e.end - len(value):e.end] = value


def encrypt(x):
    """The directory and its file, not yet their other name."""
    for f in (DIR, A):
        x.area(f).put(0, 1, 9, 1)
        x.area(f).put(0, 12, 0, 4)
        x.field(f, 32, 0x80800, 4)


PREPARE = {"plain": share, "encrypted": encrypt}


# ---- changes: each a function of the image

def inside(n, offset, value, size, name=A):
    return lambda x: x.area(name).put(n, offset, value, size)


def block(n, offset, value, size, rehash=False, signed=False):
    def change(x):
        e = x.area(B, True)
        e.put(n, offset, value, size)
        if rehash:
            e.hash(n, signed)
    return change


def header(offset, value, size=4):
    return lambda x: x.put(x.acl(B) * x.bs + offset, value, size)


def field(name, offset, value, size):
    return lambda x: x.field(name, offset, value, size)


def in_value(n, offset, value, size, name=A):
    def change(x):
        x.put(x.area(name).value(n).start + offset, value, size)
    return change


def fill(*entries):
    def change(x):
        e = x.area(A)
        room = e.end - e.base
        e.fill(*(i if i[2] >= 0 else (i[0], i[1], room + i[2], *i[3:])
                 for i in entries))
    return change


def both(*changes):
    def change(x):
        for c in changes:
            c(x)
    return change


def value_inode(x):
    return x.u32(x.area(A).at(0) + 4)


def of_value(offset, value, size):
    return lambda x: x.put(x.inode(value_inode(x)) + offset, value, size)


def lustre(x):
    """As Lustre had values: no hash, no count, no charge; owner named."""
    o, a = x.inode(value_inode(x)), x.inode(x.ino(A))
    x.put(o + 16, x.ino(A), 4)
    x.put(o + 100, x.u32(a + 100), 4)
    x.put(o + 8, 0, 4)
    x.put(o + 36, 0, 4)
    x.area(A).put(0, 12, 0, 4)
    x.put(a + 28, x.u32(a + 28) - 2, 4)


def unsealed(x):
    x.seal()
    x.put(x.acl(B) * x.bs + 16, 1, 4)
    x.seal = lambda: None


def quota(block_number, offset, value, size):
    return lambda x: x.put(x.quota(block_number) + offset, value, size)


def beyond(x):
    x.area(B, True).put(0, 2, 2000, 2)
    x.area(B, True).put(0, 8, 0, 4)


NOTHING = (lambda x: None)
V = b"ab"
TABLE = [
    ("plain", "healthy", NOTHING, "", 0),
    # in the inode
    ("plain", "a name over the end", inside(1, 0, 200, 1), "0802", 4),
    ("plain", "a value over the end", inside(0, 2, 95, 2), "0802", 4),
    ("plain", "a value among the entries", inside(0, 2, 0, 2), "0801", 4),
    ("plain", "two values in one place", lambda x: x.area(A).put(
        0, 2, x.u16(x.area(A).at(1) + 2), 2), "0801", 4),
    ("plain", "a huge value", inside(0, 8, 0xffffffff, 4), "0802", 4),
    ("plain", "a wrong hash", inside(0, 12, 1, 4), "0804", 4),
    ("plain", "no hash", inside(0, 12, 0, 4), "", 0),
    ("plain", "no prefix", both(inside(0, 1, 0, 1), inside(0, 12, 0, 4)), "",
     0),
    ("plain", "an unknown prefix", inside(0, 1, 99, 1), "", 0),
    ("plain", "no magic number: no attributes", lambda x: x.put(
        x.area(A).base - 4, 1, 4), "", 0),
    ("plain", "a value that ends the inode", fill((V, 1, -8, 8, 0)), "", 0),
    ("plain", "its last word leaves it", fill((V, 1, -7, 7, 0)), "0802", 4),
    ("plain", "a value where the entries end", fill((V, 1, 20, 8, 0)), "0801",
     4),
    ("plain", "a value right behind the end", fill((V, 1, 24, 8, 0)), "", 0),
    ("plain", "words of two values overlap",
     fill((b"a", 1, -8, 5, 0), (b"b", 1, -3, 3, 0)), "0802", 4),
    ("plain", "an empty value anywhere", fill((V, 1, 4000, 0, 0)), "", 0),
    ("plain", "no room for the end", fill((b"n" * 76, 1, 0, 0, 0)), "0801", 4),
    ("plain", "just room for the end", fill((b"n" * 72, 1, 0, 0, 0)), "", 0),
    ("plain", "no name at all", fill((b"", 1, 0, 0, 0)), "", 0),
    ("plain", "an ACL of no version", in_value(0, 0, 2, 4, DIR), "0805", 0),
    ("plain", "an ACL with an unknown tag", in_value(0, 4, 3, 2, DIR), "0805",
     0),
    ("plain", "an ACL cut short", inside(0, 8, 6, 4, DIR), "0805", 0),
    ("plain", "an ACL of nothing", inside(0, 8, 0, 4, DIR), "", 0),
    ("inline", "healthy", NOTHING, "", 0),
    ("inline", "its attribute has another name", inside(0, 1, 1, 1, A),
     "0812", 4),
    # the block
    ("plain", "a block outside", field(B, 104, 99999, 4), "061a 0806 080b", 4),
    ("plain", "no feature for blocks", lambda x: x.put(
        1024 + 92, x.compat & ~8, 4), "0807", 4),
    ("plain", "a block without magic number", header(0, 0xea010000), "0809",
     4),
    ("plain", "two blocks", header(8, 2), "080a", 4),
    ("plain", "one user too few", header(4, 1), "080b", 4),
    ("plain", "one user too many", header(4, 3), "080b", 4),
    ("plain", "another hash of the block", header(12, 7), "", 0),
    ("plain", "a wrong checksum", unsealed, "080c", 4),
    ("plain", "block: no prefix", block(0, 1, 0, 1), "0803", 4),
    ("plain", "block: a wrong hash", block(0, 12, 1, 4), "0804", 4),
    ("plain", "block: no hash", block(0, 12, 0, 4), "0804", 4),
    ("plain", "block: a byte of a value", lambda x: x.put(
        x.area(B, True).value(1).start, 1, 1), "0804", 4),
    ("plain", "block: unsigned characters", block(0, 16, 0xe4, 1, True), "",
     0),
    ("plain", "block: signed characters", block(0, 16, 0xe4, 1, True, True),
     "", 0),
    ("plain", "block: order of names", block(0, 16, 0x7a, 1, True), "", 0),
    ("plain", "block: a value among entries", block(0, 2, 40, 2), "0801", 4),
    ("plain", "block: a value over the end", block(0, 2, 1023, 2), "0802", 4),
    ("plain", "block: an empty value outside", beyond, "0802", 4),
    # values in inodes of their own
    ("values", "healthy", NOTHING, "", 0),
    ("values", "in a file", inside(0, 4, 13, 4), "061a 080d", 4),
    ("values", "in no inode", inside(0, 4, 99999, 4), "061a 080d", 4),
    ("values", "in itself", lambda x: x.area(A).put(0, 4, x.ino(A), 4),
     "061a 080d", 4),
    ("values", "in a reserved inode", inside(0, 4, 8, 4), "061a 080d", 4),
    ("values", "an inode not marked", of_value(32, 0x80000, 4), "061a 080d",
     4),
    ("values", "another value", of_value(8, 5, 4), "061a 080e", 4),
    ("values", "another entry", inside(0, 12, 5, 4), "061a 080e", 4),
    ("values", "too many references", of_value(36, 2, 4), "080f", 4),
    ("values", "too many by 2^32", of_value(12, 1, 4), "080f", 4),
    ("values", "a value nobody pays for", field(A, 28, 2, 4), "061a", 4),
    ("values", "one paid twice", field(A, 28, 6, 4), "061a", 4),
    ("values", "another size in the entry", inside(0, 8, 1023, 4), "", 0),
    ("values", "Lustre's", lustre, "", 0),
    # encryption
    ("encrypted", "healthy", NOTHING, "", 0),
    ("encrypted", "no context", inside(0, 1, 7, 1), "0410 0810", 4),
    ("encrypted", "a context cut short", inside(0, 8, 39, 4), "0410 0811", 4),
    ("encrypted", "another nonce", in_value(0, 30, 1, 1), "", 0),
    ("encrypted", "another key", in_value(0, 8, 1, 1), "0411", 4),
    ("encrypted", "another mode", in_value(0, 1, 5, 1), "0411", 4),
    ("encrypted", "an unknown version", in_value(0, 0, 3, 1), "0411", 4),
    ("encrypted", "a file not encrypted", field(A, 32, 0x80000, 4), "0410", 4),
    ("encrypted", "a directory not encrypted", field(DIR, 32, 0x80000, 4), "",
     0),
    ("encrypted", "marked only", field(B, 32, 0x80800, 4), "0810", 4),
    # quota
    ("quota", "healthy", NOTHING, "", 0),
    ("quota", "another magic number", quota(0, 0, 1, 4), "0b02", 0),
    ("quota", "version 0", quota(0, 4, 0, 4), "0b02", 4),
    ("quota", "grace times", quota(0, 8, 5, 4), "", 0),
    ("quota", "blocks the file does not have", quota(0, 20, 7, 4), "0b02", 4),
    ("quota", "fewer blocks than the tree", quota(0, 20, 4, 4), "0b02", 4),
    ("quota", "a free block outside", quota(0, 24, 99, 4), "0b02", 4),
    ("quota", "free entries outside", quota(0, 28, 99, 4), "0b02", 4),
    ("quota", "a tree that leads out", quota(1, 4, 99, 4), "0b02", 4),
    ("quota", "a tree that leads back", quota(1, 0, 1, 4), "0b02", 4),
    ("quota", "a tree without a branch", quota(1, 0, 0, 4), "0b06", 4),
    ("quota", "space", quota(5, 16 + 48, 4096, 8), "0b04", 4),
    ("quota", "inodes", quota(5, 16 + 24, 1, 8), "0b05", 4),
    ("quota", "limits", quota(5, 16 + 32, 1, 8), "", 0),
    ("quota", "another id", quota(5, 16, 5, 4), "0b04 0b05 0b06", 4),
    ("plain", "a quota file that is a file", lambda x: x.put(
        1024 + 620, x.ino(A), 4), "0b01", 4),
    ("quota", "no file", lambda x: x.put(1024 + 576, 9, 4), "0b01", 4),
]


# ---- the run

def judge(a, path, case):
    image, name, change, codes, status = case
    p = subprocess.run([a.e2fsck, "-fnv", path], env=ENV, text=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT)
    stock = subprocess.run([a.stock, "-fn", path], env=ENV,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT)
    found = " ".join(sorted(set(OURS.findall(p.stdout))))
    wanted = " ".join(sorted(set(codes.split())))
    wrong = []
    if found != wanted:
        wrong.append(f"codes '{found}' instead of '{wanted}'")
    if bool(p.returncode) != bool(codes):
        wrong.append(f"exit status {p.returncode}")
    if stock.returncode & ~8 != status:
        wrong.append(f"stock's exit status {stock.returncode}, not {status}")
    if wrong:
        print(f"FAIL: {image}, {name}: {'; '.join(wrong)}")
        print("".join(f"    {line}\n" for line in (
            p.stdout + stock.stdout.decode(errors="replace")).splitlines()))
        return False
    print(f"PASS: {image}, {name}: {codes or 'clean'}")
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("e2fsck")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--stock", default="/sbin/e2fsck")
    parser.add_argument("--only", default="")
    a = parser.parse_args()
    a.folder.mkdir(parents=True, exist_ok=True)
    images = make_all(a.folder, a.stock)
    path = a.folder / "changed.img"
    good = True
    for case in TABLE:
        if a.only not in f"{case[0]} {case[1]}":
            continue
        x = Subject(*images[case[0]])
        case[2](x)
        x.seal()
        path.write_bytes(x.d)
        good &= judge(a, path, case)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
