/* SPDX-License-Identifier: GPL-2.0-or-later */
/* testb, bmap, blocks: blocks of the device and blocks of a file. */
#include <inttypes.h>
#include <stdlib.h>
#include "debugfs.h"

/* A block number of the filesystem, with a message where it is none. */
static int block_argument(struct debugfs *d, const char *command,
			  const char *text, uint64_t *block)
{
	ext2_filsys fs = d->efs->fs;

	if (!parse_number(text, block))
		return dbg_fail(d, command, 0, "not a block number: %s", text);
	if (*block < fs->super->s_first_data_block ||
	    *block >= ext2fs_blocks_count(fs->super))
		return dbg_fail(d, command, E2DX_ET_RANGE, "block %s", text);
	return 0;
}

int command_testb(struct debugfs *d, int argc, char **argv)
{
	ext2_filsys fs = d->efs->fs;
	uint64_t block, count = 1;
	errcode_t err;

	if (argc != 2 && argc != 3)
		return command_usage(d, argv);
	if (block_argument(d, argv[0], argv[1], &block))
		return 1;
	if (argc == 3 && !parse_number(argv[2], &count))
		return dbg_fail(d, argv[0], 0, "not a count: %s", argv[2]);
	if (count > ext2fs_blocks_count(fs->super) - block)
		return dbg_fail(d, argv[0], E2DX_ET_RANGE, "%s blocks from %s on",
				argv[2], argv[1]);
	if (!fs->block_map) {
		err = ext2fs_read_block_bitmap(fs);
		if (err)
			return dbg_fail(d, argv[0], err,
					"cannot read the block bitmaps");
	}
	for (; count; count--, block++)
		printf("Block %" PRIu64 " %s\n", block,
		       ext2fs_test_block_bitmap2(fs->block_map, block) ?
		       "marked in use" : "not in use");
	return 0;
}

/* Prints 0 for a hole. */
int command_bmap(struct debugfs *d, int argc, char **argv)
{
	struct ext2_inode_large inode;
	struct e2dx_run run;
	uint64_t logical;
	ext2_ino_t ino;
	errcode_t err;

	if (argc != 3)
		return command_usage(d, argv);
	if (inode_argument(d, argv[1], &ino, &inode))
		return 1;
	if (!parse_number(argv[2], &logical))
		return dbg_fail(d, argv[0], 0, "not a block number: %s",
				argv[2]);
	err = e2dx_map_find_owned(d->efs, ino, &inode, logical, &run);
	if (err && err != E2DX_ET_HOLE)
		return dbg_fail(d, argv[1], err, "cannot read its block map");
	printf("%" PRIu64 "%s\n",
	       err ? 0 : run.physical + (logical - run.logical),
	       !err && run.kind == E2DX_MAP_UNWRITTEN ? " (uninit)" : "");
	return 0;
}

int command_blocks(struct debugfs *d, int argc, char **argv)
{
	struct ext2_inode_large inode;
	struct data_map map;
	ext2_ino_t ino;
	errcode_t err;

	if (argc != 2)
		return command_usage(d, argv);
	if (inode_argument(d, argv[1], &ino, &inode))
		return 1;
	err = data_map_read(d, ino, &inode, &map);
	if (err)
		return dbg_fail(d, argv[1], err, "cannot read its block map");
	for (size_t i = 0; i < map.n; i++)
		for (uint64_t n = 0; n < map.runs[i].count; n++)
			printf("%" PRIu64 " ", map.runs[i].physical + n);
	putchar('\n');
	data_map_free(&map);
	if (map.damaged)
		return dbg_fail(d, argv[1], E2DX_ET_MAP_DAMAGED,
				"not all blocks are shown");
	return 0;
}
