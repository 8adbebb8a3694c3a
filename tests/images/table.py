# SPDX-License-Identifier: GPL-2.0-or-later
"""The healthy filesystems, as data: what mke2fs makes and what fills it.

A row: name, MiB, options of mke2fs, fillers.  Options are given whole, with
-O none first, so that no configuration of a system changes an image.
"""
EXT2 = "none,filetype,sparse_super,resize_inode,ext_attr,dir_index,large_file"
EXT3 = EXT2 + ",has_journal"
EXT4 = (EXT3 + ",extent,flex_bg,huge_file,dir_nlink,extra_isize,64bit,"
        "metadata_csum")
SMALL = EXT4.replace(",has_journal", "")


def o(base, *more, without=""):
    """-O of a base without some features and with more."""
    gone = set(without.split(","))
    return ["-O", ",".join([f for f in base.split(",") if f not in gone] +
                           list(more))]


# Fillers, see fill.py: tree (mke2fs -d), each name of a debugfs script there,
# index (stock e2fsck -fyD), kernel (a mount; root).
T = ["tree", "index"]
ALL = ["tree", "entries", "sparse", "punch", "eas", "index"]

QUICK = [
    # every block size
    ("ext2-1k", 6, ["-b1024", "-I128", "-g4096", *o(EXT2)], ALL),
    ("ext2-2k", 8, ["-b2048", "-I256", *o(EXT2)], ALL),
    ("ext2-4k", 12, ["-b4096", "-I256", *o(EXT2)], ALL),
    ("ext2-64k", 64, ["-b65536", "-N512", "-I256", *o(EXT2)], ALL),
    ("ext3-1k", 8, ["-b1024", "-I128", *o(EXT3)], ALL),
    ("ext3-4k", 16, ["-b4096", "-I256", *o(EXT3)], T),
    ("ext4-1k", 8, ["-b1024", "-I256", "-g2048", *o(EXT4)], ALL),
    ("ext4-2k", 10, ["-b2048", "-I256", *o(EXT4)], ALL),
    ("ext4-4k", 16, ["-b4096", "-I256", *o(EXT4)], ALL),
    ("ext4-8k", 32, ["-b8192", "-N512", *o(EXT4)], ALL),
    ("ext4-16k", 40, ["-b16384", "-N512", *o(EXT4)], ALL),
    ("ext4-32k", 64, ["-b32768", "-N512", *o(EXT4)], ALL),
    ("ext4-64k", 128, ["-b65536", "-N512", *o(EXT4)], ALL),
    # without a journal, for the mutator
    ("small-1k", 4, ["-b1024", "-I256", "-g1024", "-N512", *o(SMALL)], ALL),
    ("small-4k", 6, ["-b4096", "-I256", "-N512", *o(SMALL)], ALL),
    # inode sizes
    ("inode-128", 6, ["-b1024", "-I128",
                      *o(SMALL, without="extra_isize")], ALL),
    ("inode-512", 8, ["-b1024", "-I512", "-N512", *o(SMALL)], ALL),
    ("inode-1024", 8, ["-b1024", "-I1024", "-N512", *o(SMALL)], ALL),
    # each feature off
    ("no-64bit", 6, ["-b1024", *o(SMALL, without="64bit")], ALL),
    ("no-csum", 6, ["-b1024", *o(SMALL, without="metadata_csum")], ALL),
    ("no-csum-no-64bit", 6, ["-b1024",
                             *o(SMALL, without="metadata_csum,64bit")], ALL),
    ("no-extent", 6, ["-b1024", *o(SMALL, without="extent,64bit")], ALL),
    ("no-flex_bg", 6, ["-b1024", "-g2048", *o(SMALL, without="flex_bg")], T),
    ("no-filetype", 6, ["-b1024", *o(SMALL, without="filetype")], T),
    ("no-sparse_super", 6, ["-b1024", "-g1024",
                            *o(SMALL, without="sparse_super,resize_inode")], T),
    ("no-resize_inode", 6, ["-b1024", *o(SMALL, without="resize_inode")], T),
    ("no-dir_index", 6, ["-b1024", *o(SMALL, without="dir_index")], ["tree"]),
    ("no-large_file", 6, ["-b1024", *o(EXT2, without="large_file")], ["tree"]),
    ("no-huge_file", 6, ["-b1024", *o(SMALL, without="huge_file")], T),
    ("no-dir_nlink", 6, ["-b1024", *o(SMALL, without="dir_nlink")], T),
    ("no-extra_isize", 6, ["-b1024", *o(SMALL, without="extra_isize")], T),
    ("bare", 4, ["-b1024", "-I128", "-O", "none"], []),
    ("bare-filled", 4, ["-b1024", "-I128", "-O", "none,filetype"],
     ["entries", "sparse"]),
    ("revision-0", 4, ["-b1024", "-r0", "-I128", "-O", "none"], ["entries"]),
    # and on
    ("uninit_bg", 8, ["-b1024", "-g2048", *o(
        SMALL, "uninit_bg", without="metadata_csum")], ALL),
    ("uninit_bg-no-flex", 8, ["-b1024", "-g2048", *o(
        SMALL, "uninit_bg", without="metadata_csum,64bit,flex_bg")], ALL),
    ("bigalloc", 12, ["-b1024", "-C4096", *o(SMALL, "bigalloc",
                                             without="resize_inode")], ALL),
    ("bigalloc-4k", 48, ["-b4096", "-C65536", "-N512", *o(
        SMALL, "bigalloc", without="resize_inode")], ALL),
    ("bigalloc-resize", 12, ["-b1024", "-C4096", *o(SMALL, "bigalloc")], T),
    ("inline_data", 6, ["-b1024", "-I256", *o(SMALL, "inline_data")], ALL),
    ("inline_data-1024", 8, ["-b1024", "-I1024", "-N512",
                             *o(SMALL, "inline_data")], ALL),
    ("inline_data-no-csum", 6, ["-b1024", "-I256", *o(
        SMALL, "inline_data", without="metadata_csum")], ALL),
    ("ea_inode", 6, ["-b1024", *o(SMALL, "ea_inode")],
     ["large-eas"] + ALL),
    ("ea_inode-4k", 8, ["-b4096", "-N512", *o(SMALL, "ea_inode")],
     ["large-eas"] + ALL),
    ("large_dir", 6, ["-b1024", *o(SMALL, "large_dir")], T),
    ("casefold", 6, ["-b1024", *o(SMALL, "casefold")],
     ["tree", "casefold", "index"]),
    ("casefold-strict", 6, ["-b1024", "-E", "encoding=utf8-12.1,"
                            "encoding_flags=strict", *o(SMALL, "casefold")],
     ["tree", "casefold", "index"]),
    ("encrypt", 6, ["-b1024", *o(SMALL, "encrypt")], T),
    ("quota", 6, ["-b1024", *o(SMALL, "quota")], T),
    ("project", 6, ["-b1024", "-E", "quotatype=usrquota:grpquota:prjquota",
                    *o(SMALL, "quota", "project")], T + ["projects"]),
    ("quota-ext3", 8, ["-b1024", "-I128", *o(EXT3, "quota")], T),
    ("orphan_file", 8, ["-b1024", *o(EXT4, "orphan_file")], T),
    ("orphan_file-no-csum", 8, ["-b1024", *o(EXT4, "orphan_file",
                                             without="metadata_csum")], T),
    ("sparse_super2", 8, ["-b1024", "-g2048", *o(
        SMALL, "sparse_super2", without="sparse_super,resize_inode")], T),
    ("sparse_super2-one", 8, ["-b1024", "-g2048", "-E", "num_backup_sb=1", *o(
        SMALL, "sparse_super2", without="sparse_super,resize_inode")], T),
    ("sparse_super2-none", 8, ["-b1024", "-g2048", "-E", "num_backup_sb=0", *o(
        SMALL, "sparse_super2", without="sparse_super,resize_inode")], T),
    ("meta_bg", 24, ["-b1024", "-g1024", "-N2048", *o(
        SMALL, "meta_bg", without="resize_inode")], ALL),
    ("meta_bg-32", 40, ["-b1024", "-g1024", "-N2048", *o(
        SMALL, "meta_bg", without="resize_inode,64bit,flex_bg")], T),
    ("stable_inodes", 6, ["-b1024", *o(SMALL, "stable_inodes")], T),
    ("verity", 6, ["-b1024", *o(SMALL, "verity")], T + ["verity"]),
    ("fast_commit", 8, ["-b1024", *o(EXT4, "fast_commit")], T),
    ("csum_seed", 6, ["-b1024", *o(SMALL, "metadata_csum_seed")],
     ["tree", "index", "new-uuid"]),
    ("mmp", 6, ["-b1024", *o(SMALL, "mmp")], T),
    ("shared_blocks", 6, ["-b1024", *o(SMALL)], ["tree", "shared"]),
    ("huge-inode", 6, ["-b1024", *o(SMALL)], ["tree", "huge"]),
    # geometry
    ("short-group", 5, ["-b1024", "-g1024", "-N512", *o(SMALL), "@", "4500"],
     T),
    ("short-group-4k", 34, ["-b4096", "-g4096", "-N512", *o(SMALL), "@",
                            "8500"], T),
    ("one-more-block", 34, ["-b1024", "-I128", *o(EXT2), "@", "16500"], T),
    ("lazy", 16, ["-b1024", "-g2048", "-N2048", "-E",
                  "lazy_itable_init=1,nodiscard", *o(SMALL)], ["dirt", *ALL]),
    ("lazy-uninit_bg", 16, ["-b1024", "-g2048", "-N2048", "-E",
                            "lazy_itable_init=1,nodiscard", *o(
        SMALL, "uninit_bg", without="metadata_csum")], ["dirt", *ALL]),
    ("lazy-journal", 16, ["-b1024", "-g2048", "-N2048", "-E",
                          "lazy_itable_init=1,lazy_journal_init=1,nodiscard",
                          *o(EXT4)], ["dirt", *ALL]),
    ("not-lazy", 8, ["-b1024", "-g2048", "-N2048", "-E",
                     "lazy_itable_init=0,nodiscard", *o(SMALL)],
     ["dirt", *ALL]),
    ("bad-blocks", 6, ["-b1024", "-I256", *o(SMALL)], ["tree", "bad", "index"]),
    ("packed", 16, ["-b1024", "-g2048", "-E", "packed_meta_blocks=1",
                    *o(SMALL)], T),
    ("stride", 24, ["-b1024", "-g4096", "-E", "stride=4,stripe_width=16",
                    *o(EXT4)], T),
    ("reserved-gdt", 8, ["-b1024", "-E", "resize=200000", *o(SMALL)], T),
    ("journal-64", 24, ["-b1024", "-J", "size=4", *o(EXT4)], T),
]

KERNEL = [
    ("k-ext2-1k", 16, ["-b1024", "-I128", *o(EXT2)], ["kernel"]),
    ("k-ext2-4k", 24, ["-b4096", "-I256", *o(EXT2)], ["kernel"]),
    ("k-ext3-1k", 16, ["-b1024", "-I256", *o(EXT3)], ["kernel"]),
    ("k-ext4-1k", 16, ["-b1024", "-I256", *o(EXT4)], ["kernel"]),
    ("k-ext4-2k", 20, ["-b2048", "-I256", *o(EXT4)], ["kernel"]),
    ("k-ext4-4k", 32, ["-b4096", "-I256", *o(EXT4)], ["kernel"]),
    ("k-inode-1024", 24, ["-b4096", "-I1024", *o(EXT4)], ["kernel"]),
    ("k-inline_data", 16, ["-b1024", "-I256", *o(EXT4, "inline_data")],
     ["kernel"]),
    ("k-inline_data-512", 24, ["-b4096", "-I512", *o(EXT4, "inline_data")],
     ["kernel"]),
    ("k-ea_inode", 16, ["-b1024", *o(EXT4, "ea_inode")], ["kernel"]),
    ("k-ea_inode-4k", 32, ["-b4096", *o(EXT4, "ea_inode")], ["kernel"]),
    ("k-bigalloc", 32, ["-b4096", "-C16384", *o(EXT4, "bigalloc",
                                                without="resize_inode")],
     ["kernel"]),
    ("k-bigalloc-1k", 24, ["-b1024", "-C8192", *o(EXT4, "bigalloc",
                                                  without="resize_inode")],
     ["kernel"]),
    ("k-uninit_bg", 16, ["-b1024", *o(EXT4, "uninit_bg",
                                      without="metadata_csum")], ["kernel"]),
    ("k-no-csum", 16, ["-b1024", *o(EXT4, without="metadata_csum,64bit")],
     ["kernel"]),
    ("k-meta_bg", 24, ["-b1024", "-g1024", *o(
        EXT4, "meta_bg", without="resize_inode,flex_bg")], ["kernel"]),
    ("k-project", 16, ["-b1024", "-I256", *o(EXT4, "project")], ["kernel"]),
    ("k-encrypt", 16, ["-b4096", "-I256", *o(EXT4, "encrypt",
                                             "stable_inodes")],
     ["kernel", "encrypted"]),
    ("k-orphan_file", 16, ["-b1024", *o(EXT4, "orphan_file")], ["kernel"]),
    ("k-fast_commit", 16, ["-b1024", *o(EXT4, "fast_commit")], ["kernel"]),
    ("k-mmp", 16, ["-b1024", *o(EXT4, "mmp")], ["kernel"]),
    ("k-lazy", 48, ["-b1024", "-E", "lazy_itable_init=1,nodiscard", *o(EXT4)],
     ["dirt", "kernel"]),
    ("k-large_dir", 16, ["-b1024", *o(EXT4, "large_dir")], ["kernel"]),
    ("k-dir_nlink", 160, ["-b1024", "-I128", "-N70000", *o(
        EXT4, without="extra_isize")], ["subdirs"]),
    ("k-external-journal", 16, ["-b1024", *o(EXT4)], ["external", "kernel"]),
]
