/* SPDX-License-Identifier: GPL-2.0-or-later */
/* imap, testi: where an inode lies, whether it is marked as in use. */
#include <inttypes.h>
#include "debugfs.h"

int command_imap(struct debugfs *d, int argc, char **argv)
{
	ext2_filsys fs = d->efs->fs;
	struct ext2_super_block *sb = fs->super;
	ext2_ino_t ino;
	uint64_t bytes, table;
	dgrp_t group;

	if (argc != 2)
		return command_usage(d, argv);
	if (path_argument(d, argv[1], &ino))
		return 1;
	group = (dgrp_t)((ino - 1) / sb->s_inodes_per_group);
	bytes = (uint64_t)((ino - 1) % sb->s_inodes_per_group) *
		EXT2_INODE_SIZE(sb);
	table = ext2fs_inode_table_loc(fs, group);
	if (!table)
		return dbg_fail(d, argv[1], 0,
				"group %u has no inode table", group);
	printf("Inode %u is part of block group %u\n"
	       "\tlocated at block %" PRIu64 ", offset 0x%04" PRIx64 "\n",
	       ino, group, table + bytes / fs->blocksize,
	       bytes % fs->blocksize);
	return 0;
}

int command_testi(struct debugfs *d, int argc, char **argv)
{
	ext2_filsys fs = d->efs->fs;
	ext2_ino_t ino;
	errcode_t err;

	if (argc != 2)
		return command_usage(d, argv);
	if (path_argument(d, argv[1], &ino))
		return 1;
	if (!fs->inode_map) {
		err = ext2fs_read_inode_bitmap(fs);
		if (err)
			return dbg_fail(d, argv[0], err,
					"cannot read the inode bitmaps");
	}
	printf("Inode %u is %s\n", ino,
	       ext2fs_test_inode_bitmap2(fs->inode_map, ino) ?
	       "marked in use" : "not in use");
	return 0;
}
