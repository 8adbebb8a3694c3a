/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Inode bitmaps, one at a time: read, changed, written with the descriptor. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/desc.h"
#include "ext2fs/inode_alloc.h"
#include "ext2fs/replace_priv.h"

/* A group's bitmap; one that was never written is all free. */
static errcode_t load(struct e2dx_fs *efs, dgrp_t g, uint8_t *buf)
{
	ext2_filsys fs = efs->fs;
	uint32_t inodes = EXT2_INODES_PER_GROUP(fs->super);
	uint64_t block = ext2fs_inode_bitmap_loc(fs, g);
	errcode_t err;

	if (ext2fs_has_group_desc_csum(fs) &&
	    ext2fs_bg_flags_test(fs, g, EXT2_BG_INODE_UNINIT)) {
		memset(buf, 0, inodes / 8);
		memset(buf + inodes / 8, 0xff, fs->blocksize - inodes / 8);
		return 0;
	}
	if (!e2dx_blocks_valid(efs, block, 1))
		return E2DX_ET_DAMAGED;
	err = io_channel_read_blk64(fs->io, block, 1, buf);
	if (!err && !ext2fs_inode_bitmap_csum_verify(fs, g, (char *)buf,
						     (int)inodes / 8))
		err = EXT2_ET_INODE_BITMAP_CSUM_INVALID;
	return err;
}

static bool bit(const uint8_t *map, uint32_t i)
{
	return map[i / 8] >> (i % 8) & 1;
}

/*
 * The first free inode of a group.  The table behind the group's unused part
 * was never written, so no inode beyond its first may be taken.
 */
static uint32_t first_free(const struct e2dx_replacer *r, dgrp_t g,
			   const uint8_t *map)
{
	struct ext2_super_block *sb = r->efs->fs->super;
	uint32_t inodes = EXT2_INODES_PER_GROUP(sb);
	uint32_t i = g ? 0 : EXT2_FIRST_INO(sb) - 1;

	for (; i < inodes; i++)
		if (!bit(map, i) &&
		    !(r->survey->inode[g * inodes + i + 1] & E2DX_INODE_USED))
			return i;
	return inodes;
}

errcode_t e2dx_inode_choose(struct e2dx_replacer *r, ext2_ino_t near,
			    ext2_ino_t *ino)
{
	ext2_filsys fs = r->efs->fs;
	uint32_t inodes = EXT2_INODES_PER_GROUP(fs->super), i = inodes;
	dgrp_t groups = fs->group_desc_count, g = (near - 1) / inodes;
	uint8_t *map = malloc(fs->blocksize);
	errcode_t err = map ? 0 : ENOMEM;

	for (dgrp_t n = 0; n < groups && i == inodes && !err; n++) {
		dgrp_t here = (g + n) % groups;

		err = load(r->efs, here, map);
		if (!err)
			i = first_free(r, here, map);
		if (i < inodes)
			*ino = here * inodes + i + 1;
	}
	free(map);
	if (err)
		return err;
	return i < inodes ? 0 : EXT2_ET_INODE_ALLOC_FAIL;
}

/* The descriptor in memory follows the bitmap. */
static errcode_t update_desc(ext2_filsys fs, dgrp_t g, uint32_t i, int change,
			     bool dir, uint8_t *map)
{
	uint32_t inodes = EXT2_INODES_PER_GROUP(fs->super), unused;
	errcode_t err;

	ext2fs_bg_free_inodes_count_set(fs, g,
			ext2fs_bg_free_inodes_count(fs, g) - (unsigned)change);
	if (dir)
		ext2fs_bg_used_dirs_count_set(fs, g,
			ext2fs_bg_used_dirs_count(fs, g) + (unsigned)change);
	if (ext2fs_has_group_desc_csum(fs)) {
		unused = ext2fs_bg_itable_unused(fs, g);
		if (ext2fs_bg_flags_test(fs, g, EXT2_BG_INODE_UNINIT))
			unused = inodes;
		ext2fs_bg_flags_clear(fs, g, EXT2_BG_INODE_UNINIT);
		if (change > 0 && unused > inodes - i - 1)
			unused = inodes - i - 1;
		ext2fs_bg_itable_unused_set(fs, g, unused);
	}
	err = ext2fs_inode_bitmap_csum_set(fs, g, (char *)map,
					   (int)inodes / 8);
	ext2fs_group_desc_csum_set(fs, g);
	return err;
}

static errcode_t write_both(struct e2dx_replacer *r, dgrp_t g, uint8_t *map)
{
	ext2_filsys fs = r->efs->fs;
	errcode_t err;

	err = io_channel_write_blk64(fs->io, ext2fs_inode_bitmap_loc(fs, g), 1,
				     map);
	if (!err)
		err = io_channel_flush(fs->io);
	memset(r->groups, 0, r->space.groups);
	r->groups[g] = 1;
	if (!err)
		err = e2dx_descs_write(r->efs, &r->space, r->groups);
	return err ? err : io_channel_flush(fs->io);
}

errcode_t e2dx_inode_mark(struct e2dx_replacer *r, ext2_ino_t ino, int type)
{
	ext2_filsys fs = r->efs->fs;
	uint32_t inodes = EXT2_INODES_PER_GROUP(fs->super);
	uint32_t i = (ino - 1) % inodes;
	uint8_t *fact = &r->survey->inode[ino];
	bool dir = (type ? type : *fact & E2DX_INODE_TYPE) == EXT2_FT_DIR;
	int change = type ? 1 : -1;
	dgrp_t g = (ino - 1) / inodes;
	uint8_t *map = malloc(fs->blocksize);
	errcode_t err = map ? load(r->efs, g, map) : ENOMEM;

	if (!err && bit(map, i) == !type) {
		map[i / 8] ^= (uint8_t)(1u << (i % 8));
		err = update_desc(fs, g, i, change, dir, map);
		if (!err)
			err = write_both(r, g, map);
		fs->super->s_free_inodes_count -= (uint32_t)change;
	}
	*fact = type ? (uint8_t)(E2DX_INODE_USED | type) : 0;
	free(map);
	return err;
}
