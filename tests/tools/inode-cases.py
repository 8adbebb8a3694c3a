#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Change one field of one inode, and see what a checker says of it.

  inode-cases.py --make DIR               make the images
  inode-cases.py --try DIR CHECKER... [--only IMAGE[:INODE[:FIELD]]] [--all]
                                          every field times its values: a line
                                          for each case in which the checkers
                                          differ, or for every one
  inode-cases.py --check DIR TABLE OURS STOCK
                                          hold both to the table of verdicts
  inode-cases.py --judge DIR TABLE OURS STOCK
                                          print such a table, from the first
                                          four columns of one

Checksums of inodes and extent blocks are set again after each change, but for
the field "checksum" itself.
"""
import argparse, os, re, struct, subprocess, sys

# ---- CRC-32C, as the format has it: no inversion at the end

TABLE = []
for n in range(256):
    for _ in range(8):
        n = n >> 1 ^ (0x82f63b78 if n & 1 else 0)
    TABLE.append(n)


def crc32c(crc, data):
    for b in data:
        crc = TABLE[(crc ^ b) & 0xff] ^ crc >> 8
    return crc


# ---- images

# name: (mke2fs options, kilobytes)
IMAGES = {
    "ext4": ("-b 1024 -O metadata_csum,64bit,^resize_inode,uninit_bg,^huge_file,huge_file -I 256", 8192),
    "ext2": ("-b 1024 -t ext2 -I 128", 4096),
    "all": ("-b 1024 -I 256 -O metadata_csum,^resize_inode,inline_data,"
            "encrypt,casefold,verity,quota,project,ea_inode,orphan_file", 8192),
    "big": ("-b 1024 -I 256 -O metadata_csum,bigalloc,^resize_inode -C 8192",
            16384),
}


def fill(root, name):
    """The files that every image has."""
    def put(path, size, holes=()):
        with open(os.path.join(root, path), "wb") as f:
            if holes:
                for at in holes:
                    f.seek(at)
                    f.write(b"x" * 1024)
            else:
                f.write(b"content\n" * (size // 8) + b"." * (size % 8))
    os.makedirs(root)
    put("empty", 0)
    put("small", 100)
    put("file", 5000)
    put("holes", 0, [65536 * i for i in range(3)])
    put("deep", 0, [16384 * i for i in range(120)])
    os.mkdir(os.path.join(root, "dir"))
    os.mkdir(os.path.join(root, "large"))
    os.mkdir(os.path.join(root, "void"))
    put("dir/a", 10)
    for i in range(60):
        put("large/a-name-of-some-length-%d" % i, 0)
    os.symlink("target", os.path.join(root, "fast"))
    os.symlink("t" * 59, os.path.join(root, "fast59"))
    os.symlink("s" * 80, os.path.join(root, "slow"))
    put("xattr", 20)
    put("unwritten", 0)
    put("linked", 30)
    os.link(os.path.join(root, "linked"), os.path.join(root, "linked2"))


SPECIAL = """\
mknod char c 5 1
mknod block b 8 1
mknod fifo p
fallocate /unwritten 0 20
set_inode_field /unwritten size 3000
ea_set /xattr user.x some-value
"""

NAMES = ["empty", "small", "file", "holes", "deep", "dir", "large", "void",
         "fast", "fast59", "slow", "xattr", "unwritten", "linked", "char",
         "block", "fifo", "socket"]


def sh(cmd, **k):
    return subprocess.run(cmd, shell=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **k)


def make(folder):
    os.environ["E2FSPROGS_FAKE_TIME"] = "1700000000"
    os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
    for name, (options, kib) in IMAGES.items():
        root, img = os.path.join(folder, "root"), os.path.join(folder, name)
        sh("rm -rf " + root)
        fill(root, name)
        sh("rm -f " + img)
        kind = "" if "-t " in options else "-t ext4"
        r = sh("mke2fs -q -F %s %s -N 256 -U 5a1e1d3c-4b5a-6978-8796-"
               "a5b4c3d2e1f0 -E hash_seed=0f1e2d3c-4b5a-6978-8796-"
               "a5b4c3d2e1f0,root_owner=0:0 -d %s %s %d" %
               (kind, options, root, img, kib))
        if r.returncode:
            sys.exit(r.stdout.decode())
        sh("debugfs -w -f - " + img, input=SPECIAL.encode())
        im = Image(img)
        sock = im.find("fifo")
        sh("debugfs -w -R 'mknod socket p' " + img)
        im = Image(img)
        im.put(im.find("socket"), 0, 2, 0o140644)
        im.write(img)
        # The type in its entry.
        b = bytearray(open(img, "rb").read())
        at = b.find(b"\x06\x05socket")
        if at > 0:
            b[at + 1] = 6
            im = Image(img, b)
            im.seal_dir_block(at)
            im.write(img)
        # What debugfs does not keep: quota, and i_size without extents.
        sh("/sbin/e2fsck -fy " + img)
        r = sh("/sbin/e2fsck -fn " + img)
        if r.returncode:
            print(name, "is not clean:", r.stdout.decode())
        sh("rm -rf " + root)


class Image:
    """An image in memory: where its inodes are, and their checksums."""

    def __init__(self, path, data=None):
        self.b = bytearray(data if data is not None else
                           open(path, "rb").read())
        sb = self.b[1024:2048]
        self.bs = 1024 << struct.unpack_from("<I", sb, 24)[0]
        self.first = struct.unpack_from("<I", sb, 20)[0]
        self.per_group = struct.unpack_from("<I", sb, 40)[0]
        self.isize = struct.unpack_from("<H", sb, 88)[0]
        incompat, ro = struct.unpack_from("<II", sb, 96)
        self.dsize = struct.unpack_from("<H", sb, 254)[0] if incompat & 0x80 else 32
        self.csum = bool(ro & 0x400)
        self.seed = crc32c(0xffffffff, sb[104:120])
        self.names = {}

    def at(self, ino):
        g, i = divmod(ino - 1, self.per_group)
        d = (1024 // self.bs + 1) * self.bs + g * self.dsize
        table = struct.unpack_from("<I", self.b, d + 8)[0]
        return table * self.bs + i * self.isize

    def get(self, ino, off, size):
        a = self.at(ino) + off
        return int.from_bytes(self.b[a:a + size], "little")

    def put(self, ino, off, size, value, seal=True):
        a = self.at(ino) + off
        self.b[a:a + size] = (value & (1 << 8 * size) - 1).to_bytes(size, "little")
        if seal:
            self.seal(ino)

    def inode_seed(self, ino):
        a = self.at(ino)
        return crc32c(crc32c(self.seed, struct.pack("<I", ino)),
                      self.b[a + 100:a + 104])

    def seal(self, ino):
        if not self.csum:
            return
        a = self.at(ino)
        raw = bytearray(self.b[a:a + self.isize])
        raw[124:126] = b"\0\0"
        wide = self.isize > 128 and struct.unpack_from("<H", raw, 128)[0] >= 4
        if wide:
            raw[130:132] = b"\0\0"
        c = crc32c(self.inode_seed(ino), raw)
        struct.pack_into("<H", self.b, a + 124, c & 0xffff)
        if wide:
            struct.pack_into("<H", self.b, a + 130, c >> 16)

    def seal_extents(self, ino, at):
        """The extent block at this byte."""
        if self.csum:
            end = at + 12 + 12 * struct.unpack_from("<H", self.b, at + 4)[0]
            if end + 4 <= len(self.b):
                struct.pack_into("<I", self.b, end,
                                 crc32c(self.inode_seed(ino), self.b[at:end]))

    def seal_dir_block(self, at):
        """A block of the root directory that holds this byte."""
        if self.csum:
            a = at // self.bs * self.bs
            end = a + self.bs - 12
            struct.pack_into("<I", self.b, end + 8,
                             crc32c(self.inode_seed(2), self.b[a:end]))

    def leaf_of(self, ino):
        """Byte where the first extent or indirect block of an inode lies."""
        if self.get(ino, 32, 4) & 0x80000:
            return self.get(ino, 40 + 16, 4) * self.bs
        return self.get(ino, 40 + 48, 4) * self.bs

    def find(self, name):
        """By the entry's bytes: names here are unique."""
        want = name.encode()
        i = -1
        while True:
            i = self.b.find(want, i + 1)
            if i < 0:
                raise KeyError(name)
            if i < 8 or i % 4 or self.b[i - 2] != len(want):
                continue
            ino, rec = struct.unpack_from("<IH", self.b, i - 8)
            if 0 < ino < 2000 and rec % 4 == 0 and self.b[i - 1] < 8:
                return ino

    def write(self, path):
        with open(path, "wb") as f:
            f.write(self.b)


# ---- cases: name of a field, offset, bytes, values

def values(im, ino):
    g = lambda off, size: im.get(ino, off, size)
    mode, size, blocks, flags = g(0, 2), g(4, 4), g(28, 4), g(32, 4)
    for t in range(16):
        yield "mode", 0, 2, t << 12 | 0o644
    yield "mode", 0, 2, 0
    for d in (-1025, -1024, -1, 1, 1024, 4096, 1 << 20):
        yield "size", 4, 4, (size + d) & 0xffffffff
    for v in (0, 1, 59, 60, 1023, 1024, 0x7fffffff, 0xffffffff):
        yield "size", 4, 4, v
    for v in (1, 2, 0x1ff, 0x10000, 0x80000000):
        yield "size_high", 0x6c, 4, v
    for v in (1, 5, 0x60000000, 0xffffffff):
        yield "dtime", 20, 4, v
    for v in (0, 1, 2, 3, 65535):
        yield "links", 26, 2, v
    for v in (0, 1, blocks - 1, blocks + 1, blocks + 2, blocks - 2,
              blocks + 16, 0xffffffff):
        yield "blocks", 28, 4, v
    yield "blocks_high", 0x74, 2, 1
    yield "checksum", 0x7c, 2, g(0x7c, 2) ^ 1
    for bit in range(32):
        yield "flags", 32, 4, flags ^ 1 << bit
    yield "version", 36, 4, 77
    yield "generation", 100, 4, 77
    for v in (1, 5, 100, 3000, 0x7fffffff):
        yield "file_acl", 0x68, 4, v
    yield "acl_high", 0x76, 2, 1
    yield "faddr", 0x70, 4, 1
    yield "reserved", 0x7e, 2, 1
    yield "uid_high", 0x78, 2, 1
    yield "uid", 2, 2, 1000
    for v in (0, 0x7fffffff, 0x80000000, 0xffffffff):
        yield "atime", 8, 4, v
    yield "mtime", 16, 4, 0xffffffff
    yield "ctime", 12, 4, 0xffffffff
    if im.isize > 128:
        for v in (0, 1, 2, 3, 4, 6, 8, 24, 28, 32, 36, 64, 92, 96, 120, 124,
                  127, 128, 132, 65535):
            yield "extra_isize", 128, 2, v
        for off, n in ((0x84, "ctime_extra"), (0x88, "mtime_extra"),
                       (0x8c, "atime_extra"), (0x94, "crtime_extra")):
            for v in (1, 2, 3, 0xffffffff, 0xfffffffc):
                yield n, off, 4, v
        yield "crtime", 0x90, 4, 0xffffffff
        yield "version_hi", 0x98, 4, 3
        yield "projid", 0x9c, 4, 3
    for w in range(15):
        old = g(40 + 4 * w, 4)
        for v in sorted({0, 1, old ^ 1, old + 5, 0xffffffff, 0x100, 3000} - {old}):
            yield "block%d" % w, 40 + 4 * w, 4, v
    if flags & 0x80000:
        for w in range(30):
            old = g(40 + 2 * w, 2)
            for v in sorted({0, 1, 2, old + 1, 0x8000, 0x8001, 0xffff} - {old}):
                yield "half%d" % w, 40 + 2 * w, 2, v


def leaf_values(im, ino):
    at = im.leaf_of(ino)
    if flags_extents(im, ino):
        for w in range(24):
            old = struct.unpack_from("<H", im.b, at + 2 * w)[0]
            for v in sorted({0, 1, 2, 3, old + 1, old - 1, 82, 0x8000, 0x8001,
                             0x8010, 0xffff} - {old}):
                yield "leaf%d" % w, at + 2 * w, 2, v & 0xffff
    else:
        for w in (0, 1, 4, 255):
            old = struct.unpack_from("<I", im.b, at + 4 * w)[0]
            for v in sorted({0, 1, 5, 100, old + 1, 0xffffffff} - {old}):
                yield "leaf%d" % w, at + 4 * w, 4, v


def flags_extents(im, ino):
    return im.get(ino, 32, 4) & 0x80000


def status(checker, img):
    r = subprocess.run([checker, "-fnv", img], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return r.returncode, r.stdout.decode("utf-8", "replace")


def cases(im, only):
    inodes = [(n, None) for n in NAMES]
    inodes += [("#%d" % i, i) for i in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)]
    inodes += [("#unused", 250)]
    for name, ino in inodes:
        if only and name != only:
            continue
        ino = ino or im.find(name)
        for f in values(im, ino):
            yield name, ino, f, False
        if name == "deep":
            for f in leaf_values(im, ino):
                yield name, ino, f, True


def change(base, ino, name, off, size, value, leaf):
    """A copy of the image with this one field changed."""
    im = Image(None, base.b)
    if leaf:
        im.b[off:off + size] = value.to_bytes(size, "little")
        im.seal_extents(ino, im.leaf_of(ino))
    else:
        im.put(ino, off, size, value, name != "checksum")
    return im


def try_all(folder, checkers, only, everything):
    want = (only or "").split(":") + ["", ""]
    tmp = os.path.join(folder, "case%d" % os.getpid())
    for image in IMAGES:
        if want[0] and image != want[0]:
            continue
        base = Image(os.path.join(folder, image))
        for name, ino, (field, off, size, value), leaf in cases(base, want[1]):
            if want[2] and field != want[2]:
                continue
            change(base, ino, field, off, size, value, leaf).write(tmp)
            got = [status(c, tmp) for c in checkers]
            codes = [str(g[0]) for g in got]
            if everything or len({int(c) & 12 for c in codes}) > 1:
                said = [x for x in got[0][1].splitlines()[1:]
                        if x and not x.startswith(("Pass", "Fix?", "Clear?"))]
                print(image, name, field, "%#x" % value, *codes,
                      "|", " / ".join(said)[:200], sep="\t", flush=True)


def code_of(text):
    """The first code of an inode or a map in e2fsck -v's output."""
    found = re.search(r": \[(0[67][0-9a-f]{2})\]", text)
    return found.group(1) if found else "-"


def verdicts(folder, table, ours, stock, judge):
    """0 where every row of the table holds."""
    tmp = os.path.join(folder, "case%d" % os.getpid())
    bases, fields, wrong, n = {}, {}, 0, 0
    for line in open(table):
        row = line.split()
        if not row or row[0].startswith("#"):
            continue
        image, name, field, value = row[0], row[1], row[2], int(row[3], 0)
        if image not in bases:
            bases[image] = Image(os.path.join(folder, image))
        base = bases[image]
        if (image, name) not in fields:
            fields[image, name] = {}
            for _, ino, f, leaf in cases(base, name):
                fields[image, name].setdefault(f[0], (ino, f, leaf))
        ino, (_, off, size, _), leaf = fields[image, name][field]
        if field == "checksum":
            value ^= base.get(ino, off, size)
        change(base, ino, field, off, size, value, leaf).write(tmp)
        got, text = status(ours, tmp)
        theirs = status(stock, tmp)[0] if os.path.exists(stock) else None
        said = [code_of(text), "bad" if got & 12 else "good",
                None if theirs is None else "bad" if theirs & 12 else "good"]
        n += 1
        if judge:
            print(*row[:4], *said, sep="\t", flush=True)
        elif said[:2] != row[4:6] or said[2] not in (None, row[6]):
            wrong += 1
            print("FAIL: inode-cases:", *row, "but now:", *said)
            print(text)
    os.unlink(tmp)
    if not judge and not wrong:
        print("%d cases as the table has them" % n)
    return 1 if wrong else 0


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--make")
    p.add_argument("--try", dest="folder")
    p.add_argument("--check")
    p.add_argument("--judge")
    p.add_argument("--only")
    p.add_argument("--all", action="store_true")
    p.add_argument("rest", nargs="*")
    a = p.parse_args()
    if a.make:
        make(a.make)
    if a.folder:
        try_all(a.folder, a.rest, a.only, a.all)
    if a.check or a.judge:
        sys.exit(verdicts(a.check or a.judge, *a.rest, judge=bool(a.judge)))


main()
