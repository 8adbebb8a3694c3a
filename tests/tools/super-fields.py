#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Change every field of a superblock, one at a time, and compare two e2fscks.

  super-fields.py IMAGE OURS STOCK [--all]

Each field takes extreme and neighbouring values, each feature word every bit;
the checksum is set anew.  Without --all only a few values of each are tried.
Ours must report damage (bit 4) where stock does, find nothing where stock
finds nothing, and not exit with 0 where stock does not open the filesystem.
Fields where stock is known to be wrong are listed below with the reason.
"""
import os, subprocess, sys, tempfile

SB = 1024
FIELDS = [line.split() for line in """
inodes_count 0x000 4
blocks_count 0x004 4
r_blocks_count 0x008 4
free_blocks_count 0x00c 4
free_inodes_count 0x010 4
first_data_block 0x014 4
log_block_size 0x018 4
log_cluster_size 0x01c 4
blocks_per_group 0x020 4
clusters_per_group 0x024 4
inodes_per_group 0x028 4
mtime 0x02c 4
wtime 0x030 4
mnt_count 0x034 2
max_mnt_count 0x036 2
magic 0x038 2
state 0x03a 2
errors 0x03c 2
minor_rev_level 0x03e 2
lastcheck 0x040 4
checkinterval 0x044 4
creator_os 0x048 4
rev_level 0x04c 4
def_resuid 0x050 2
def_resgid 0x052 2
first_ino 0x054 4
inode_size 0x058 2
block_group_nr 0x05a 2
feature_compat 0x05c 4
feature_incompat 0x060 4
feature_ro_compat 0x064 4
uuid 0x068 16
volume_name 0x078 16
last_mounted 0x088 8
algorithm_usage_bitmap 0x0c8 4
prealloc_blocks 0x0cc 1
prealloc_dir_blocks 0x0cd 1
reserved_gdt_blocks 0x0ce 2
journal_uuid 0x0d0 16
journal_inum 0x0e0 4
journal_dev 0x0e4 4
last_orphan 0x0e8 4
hash_seed 0x0ec 16
def_hash_version 0x0fc 1
jnl_backup_type 0x0fd 1
desc_size 0x0fe 2
default_mount_opts 0x100 4
first_meta_bg 0x104 4
mkfs_time 0x108 4
jnl_blocks 0x10c 4
jnl_blocks_15 0x148 4
blocks_count_hi 0x150 4
r_blocks_count_hi 0x154 4
free_blocks_hi 0x158 4
min_extra_isize 0x15c 2
want_extra_isize 0x15e 2
flags 0x160 4
raid_stride 0x164 2
mmp_interval 0x166 2
mmp_block 0x168 8
raid_stripe_width 0x170 4
log_groups_per_flex 0x174 1
checksum_type 0x175 1
encryption_level 0x176 1
kbytes_written 0x178 8
snapshot_inum 0x180 4
snapshot_list 0x190 4
error_count 0x194 4
first_error_time 0x198 4
first_error_ino 0x19c 4
mount_opts 0x200 8
overhead_clusters 0x248 4
backup_bgs_0 0x24c 4
backup_bgs_1 0x250 4
encrypt_algos 0x254 4
encrypt_pw_salt 0x258 16
lpf_ino 0x268 4
checksum_seed 0x270 4
wtime_hi 0x274 1
mtime_hi 0x275 1
encoding 0x27c 2
encoding_flags 0x27e 2
reserved 0x284 4
checksum 0x3fc 4
""".strip().splitlines()]

# field: why stock's answer is not ours.
STOCK_IS_WRONG = {
    "def_hash_version": "3 to 5 and above 6 are no hashes on disk",
    "reserved_gdt_blocks": "takes the backup's without a word in the status",
    "blocks_count": "likewise",
    "feature_compat": "resize_inode with an inode that is none: status 0",
    "feature_ro_compat": "wrong checksums of descriptors: status 0",
}

FEATURES = ("feature_compat", "feature_incompat", "feature_ro_compat")
# What these bits make wrong is found by other passes.
OTHER_PASSES = {
    ("feature_compat", 0x4), ("feature_compat", 0x200),
    ("feature_compat", 0x1000), ("feature_incompat", 0x10),
    ("feature_incompat", 0x40), ("feature_ro_compat", 0x1),
    ("feature_ro_compat", 0x200),
}

TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82f63b78 if byte & 1 else 0)
    TABLE.append(byte)


def seal(image):
    if int.from_bytes(image[SB + 0x64:SB + 0x68], "little") & 0x400:
        crc = 0xffffffff
        for byte in image[SB:SB + 0x3fc]:
            crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
        image[SB + 0x3fc:SB + 0x400] = crc.to_bytes(4, "little")


def values(name, size, old, everything):
    top = (1 << 8 * size) - 1
    if name in FEATURES:
        return [old ^ 1 << bit for bit in range(32)
                if (name, 1 << bit) not in OTHER_PASSES]
    if everything:
        some = [0, 1, 2, 3, top, top >> 1, (top >> 1) + 1, old + 1, old - 1,
                old * 2, old // 2, old ^ 16]
    else:
        some = [0, top, old ^ 16]
    return sorted({v & top for v in some} - {old})


def status(program, image):
    return subprocess.run([program, "-fn", image], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, timeout=60,
                          stderr=subprocess.DEVNULL).returncode


def agree(ours, stock):
    if stock < 0 or stock > 63:
        return True
    if stock & 4:
        return bool(ours & 4)
    return (ours == 0) == (stock == 0)


def main():
    everything = "--all" in sys.argv
    image, ours, stock = [a for a in sys.argv[1:] if a != "--all"]
    with open(image, "rb") as f:
        before = f.read()
    failed = cases = 0
    with tempfile.NamedTemporaryFile() as work:
        for name, offset, size in FIELDS:
            at, size = SB + int(offset, 0), int(size)
            old = int.from_bytes(before[at:at + size], "little")
            for value in values(name, size, old, everything):
                changed = bytearray(before)
                changed[at:at + size] = value.to_bytes(size, "little")
                if name != "checksum":
                    seal(changed)
                with open(work.name, "wb") as f:
                    f.write(changed)
                a, b = status(ours, work.name), status(stock, work.name)
                cases += 1
                known = name in STOCK_IS_WRONG and b == 0 and a & 4
                if a < 0 or a > 63 or not (agree(a, b) or known):
                    failed += 1
                    print(f"{name} {old:#x} -> {value:#x}: ours {a}, stock {b}")
    print(f"{cases} cases, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
