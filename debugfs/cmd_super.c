/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show_super_stats, features. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <e2p/e2p.h>
#include "debugfs.h"

int command_features(struct debugfs *d, int argc, char **argv)
{
	struct ext2_super_block *sb = d->efs->fs->super;
	const uint32_t words[3] = { sb->s_feature_compat,
				    sb->s_feature_incompat,
				    sb->s_feature_ro_compat };

	if (argc != 1)
		return command_usage(d, argv);
	fputs("Filesystem features:", stdout);
	for (int i = 0; i < 3; i++)
		for (uint32_t bit = 1; bit; bit <<= 1)
			if (words[i] & bit)
				printf(" %s", e2p_feature2string(i, bit));
	putchar('\n');
	return 0;
}

static void print_group_flags(ext2_filsys fs, dgrp_t g)
{
	static const struct { uint16_t bit; const char *name; } flags[] = {
		{ EXT2_BG_INODE_UNINIT, "Inode not init" },
		{ EXT2_BG_BLOCK_UNINIT, "Block not init" },
	};
	const char *before = "           [";

	if (!ext2fs_has_group_desc_csum(fs))
		return;
	for (size_t i = 0; i < 2; i++)
		if (ext2fs_bg_flags_test(fs, g, flags[i].bit)) {
			printf("%s%s", before, flags[i].name);
			before = ", ";
		}
	printf("%sChecksum 0x%04x]\n", before, ext2fs_bg_checksum(fs, g));
}

static void print_group(ext2_filsys fs, dgrp_t g)
{
	printf(" Group %2u: block bitmap at %" PRIu64 ", inode bitmap at %" PRIu64
	       ", inode table at %" PRIu64 "\n", g,
	       (uint64_t)ext2fs_block_bitmap_loc(fs, g),
	       (uint64_t)ext2fs_inode_bitmap_loc(fs, g),
	       (uint64_t)ext2fs_inode_table_loc(fs, g));
	printf("           %u free blocks, %u free inodes, %u used %s",
	       ext2fs_bg_free_blocks_count(fs, g),
	       ext2fs_bg_free_inodes_count(fs, g),
	       ext2fs_bg_used_dirs_count(fs, g),
	       ext2fs_bg_used_dirs_count(fs, g) == 1 ? "directory" :
						       "directories");
	if (ext2fs_has_group_desc_csum(fs))
		printf(", %u unused inodes", ext2fs_bg_itable_unused(fs, g));
	putchar('\n');
	print_group_flags(fs, g);
}

static void print_directories(ext2_filsys fs)
{
	uint64_t dirs = 0;
	dgrp_t g;

	for (g = 0; g < fs->group_desc_count; g++)
		dirs += ext2fs_bg_used_dirs_count(fs, g);
	printf("Directories:              %" PRIu64 "\n", dirs);
}

int command_show_super_stats(struct debugfs *d, int argc, char **argv)
{
	ext2_filsys fs = d->efs->fs;
	bool header = false;
	errcode_t err;
	int c;

	while ((c = getopt(argc, argv, "h")) >= 0) {
		if (c != 'h')
			return command_usage(d, argv);
		header = true;
	}
	if (argc != optind)
		return command_usage(d, argv);
	err = cli_show_super(&d->cli, d->device, fs->super);
	if (err)
		return dbg_fail(d, argv[0], err, "cannot show the superblock");
	print_directories(fs);
	for (dgrp_t g = 0; !header && g < fs->group_desc_count; g++)
		print_group(fs, g);
	return 0;
}
