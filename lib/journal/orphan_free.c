/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What orphans had becomes free: bitmaps, then descriptors. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/desc.h"
#include "ext2fs/inode.h"
#include "journal/orphan_priv.h"

/* Clusters or inodes of one group, and how many of its bits were cleared. */
struct bits {
	uint8_t *map;
	uint32_t cleared;
};

static void clear_bit(struct bits *b, uint64_t i)
{
	uint8_t mask = (uint8_t)(1u << (i % 8));

	if (!(b->map[i / 8] & mask))
		return;
	b->map[i / 8] &= (uint8_t)~mask;
	b->cleared++;
}

/* ---- block bitmaps */

/* Group of a cluster, and its first cluster. */
static dgrp_t group_of(const struct e2dx_fs *efs, uint64_t cluster,
		       uint64_t *first)
{
	const struct ext2_super_block *sb = efs->fs->super;
	uint64_t base = sb->s_first_data_block >> efs->fs->cluster_ratio_bits;
	uint64_t group = (cluster - base) / EXT2_CLUSTERS_PER_GROUP(sb);

	*first = base + group * EXT2_CLUSTERS_PER_GROUP(sb);
	return (dgrp_t)group;
}

static errcode_t read_blocks(struct e2dx_fs *efs, dgrp_t g, uint8_t *map)
{
	ext2_filsys fs = efs->fs;
	uint64_t block = ext2fs_block_bitmap_loc(fs, g);
	errcode_t err;

	if (!e2dx_blocks_valid(efs, block, 1) ||
	    (ext2fs_has_group_desc_csum(fs) &&
	     ext2fs_bg_flags_test(fs, g, EXT2_BG_BLOCK_UNINIT)))
		return E2DX_ET_DAMAGED;
	err = io_channel_read_blk64(fs->io, block, 1, map);
	if (!err && !ext2fs_block_bitmap_csum_verify(fs, g, (char *)map,
				(int)EXT2_CLUSTERS_PER_GROUP(fs->super) / 8))
		err = E2DX_ET_CHECKSUM;
	return err;
}

static errcode_t write_blocks(struct e2dx_fs *efs, dgrp_t g, struct bits *b)
{
	ext2_filsys fs = efs->fs;
	errcode_t err;

	if (!b->cleared)
		return 0;
	err = io_channel_write_blk64(fs->io, ext2fs_block_bitmap_loc(fs, g), 1,
				     b->map);
	if (err)
		return err;
	ext2fs_bg_free_blocks_count_set(fs, g, b->cleared +
					ext2fs_bg_free_blocks_count(fs, g));
	err = ext2fs_block_bitmap_csum_set(fs, g, (char *)b->map,
				(int)EXT2_CLUSTERS_PER_GROUP(fs->super) / 8);
	ext2fs_group_desc_csum_set(fs, g);
	return err;
}

static errcode_t free_blocks(struct release *r, uint8_t *map)
{
	uint64_t per = EXT2_CLUSTERS_PER_GROUP(r->efs->fs->super);
	size_t i = 0;
	errcode_t err = 0;
	uint64_t at = r->freed.n ? r->freed.v[0].first : 0;

	while (!err && i < r->freed.n) {
		struct bits b = { .map = map };
		uint64_t first;
		dgrp_t g = group_of(r->efs, at, &first);

		err = read_blocks(r->efs, g, map);
		r->groups[g] = 1;
		while (!err && i < r->freed.n && at < first + per) {
			uint64_t end = r->freed.v[i].first +
				       r->freed.v[i].count;

			for (; at < end && at < first + per; at++)
				clear_bit(&b, at - first);
			if (at == end && ++i < r->freed.n)
				at = r->freed.v[i].first;
		}
		if (!err)
			err = write_blocks(r->efs, g, &b);
	}
	return err;
}

/* ---- inode bitmaps */

static errcode_t read_inodes(struct e2dx_fs *efs, dgrp_t g, uint8_t *map)
{
	ext2_filsys fs = efs->fs;
	uint64_t block = ext2fs_inode_bitmap_loc(fs, g);
	errcode_t err;

	if (!e2dx_blocks_valid(efs, block, 1) ||
	    (ext2fs_has_group_desc_csum(fs) &&
	     ext2fs_bg_flags_test(fs, g, EXT2_BG_INODE_UNINIT)))
		return E2DX_ET_DAMAGED;
	err = io_channel_read_blk64(fs->io, block, 1, map);
	if (!err && !ext2fs_inode_bitmap_csum_verify(fs, g, (char *)map,
				(int)EXT2_INODES_PER_GROUP(fs->super) / 8))
		err = E2DX_ET_CHECKSUM;
	return err;
}

static errcode_t write_inodes(struct e2dx_fs *efs, dgrp_t g, struct bits *b,
			      uint32_t dirs)
{
	ext2_filsys fs = efs->fs;
	uint32_t used_dirs = ext2fs_bg_used_dirs_count(fs, g);
	errcode_t err;

	if (!b->cleared)
		return 0;
	err = io_channel_write_blk64(fs->io, ext2fs_inode_bitmap_loc(fs, g), 1,
				     b->map);
	if (err)
		return err;
	ext2fs_bg_free_inodes_count_set(fs, g, b->cleared +
					ext2fs_bg_free_inodes_count(fs, g));
	ext2fs_bg_used_dirs_count_set(fs, g, used_dirs - (dirs < used_dirs ?
							   dirs : used_dirs));
	err = ext2fs_inode_bitmap_csum_set(fs, g, (char *)b->map,
				(int)EXT2_INODES_PER_GROUP(fs->super) / 8);
	ext2fs_group_desc_csum_set(fs, g);
	return err;
}

static errcode_t is_dir(struct release *r, ext2_ino_t ino, bool *dir)
{
	struct ext2_inode_large inode;
	errcode_t err = e2dx_inode_read(r->efs, ino, &inode);

	*dir = !err && LINUX_S_ISDIR(inode.i_mode);
	return err;
}

static errcode_t free_inodes(struct release *r, uint8_t *map)
{
	uint32_t per = EXT2_INODES_PER_GROUP(r->efs->fs->super);
	errcode_t err = 0;

	for (size_t i = 0; !err && i < r->n_gone; ) {
		dgrp_t g = (r->gone[i].ino - 1) / per;
		struct bits b = { .map = map };
		uint32_t dirs = 0;

		err = read_inodes(r->efs, g, map);
		r->groups[g] = 1;
		for (; !err && i < r->n_gone &&
		     (r->gone[i].ino - 1) / per == g; i++) {
			uint32_t before = b.cleared;
			bool dir;

			err = is_dir(r, r->gone[i].ino, &dir);
			clear_bit(&b, (r->gone[i].ino - 1) % per);
			dirs += dir && b.cleared != before;
		}
		if (!err)
			err = write_inodes(r->efs, g, &b, dirs);
	}
	return err;
}

/* ---- both */

static int compare(const void *a, const void *b)
{
	const struct orphan *x = a, *y = b;

	return (x->ino > y->ino) - (x->ino < y->ino);
}

errcode_t release_bits(struct release *r)
{
	struct e2dx_space space = { .groups = r->efs->fs->group_desc_count };
	uint8_t *map = malloc(r->efs->fs->blocksize);
	errcode_t err = map ? 0 : ENOMEM;

	e2dx_pieces_merge(&r->freed);
	if (r->n_gone)
		qsort(r->gone, r->n_gone, sizeof(*r->gone), compare);
	memset(r->groups, 0, space.groups);
	if (!err)
		err = free_blocks(r, map);
	if (!err)
		err = free_inodes(r, map);
	free(map);
	if (!err)
		err = io_channel_flush(r->efs->fs->io);
	if (!err)
		err = e2dx_descs_write(r->efs, &space, r->groups);
	return err ? err : io_channel_flush(r->efs->fs->io);
}

static errcode_t check_inode_groups(struct release *r, uint8_t *map,
				    uint8_t *done)
{
	uint32_t per = EXT2_INODES_PER_GROUP(r->efs->fs->super);
	errcode_t err = 0;

	for (size_t i = 0; !err && i < r->orphans->n; i++) {
		dgrp_t g = (r->orphans->v[i].ino - 1) / per;

		if (done[g])
			continue;
		done[g] = 1;
		if (!ext2fs_group_desc_csum_verify(r->efs->fs, g))
			err = E2DX_ET_CHECKSUM;
		else
			err = read_inodes(r->efs, g, map);
	}
	return err;
}

errcode_t release_check_groups(struct release *r)
{
	uint64_t per = EXT2_CLUSTERS_PER_GROUP(r->efs->fs->super);
	uint8_t *map = malloc(r->efs->fs->blocksize);
	errcode_t err = map ? 0 : ENOMEM;

	e2dx_pieces_merge(&r->freed);
	for (size_t i = 0; !err && i < r->freed.n; i++) {
		uint64_t at = r->freed.v[i].first, first;
		uint64_t end = at + r->freed.v[i].count;

		for (; !err && at < end; at = first + per) {
			dgrp_t g = group_of(r->efs, at, &first);

			if (r->groups[g])
				continue;
			r->groups[g] = 1;
			if (!ext2fs_group_desc_csum_verify(r->efs->fs, g))
				err = E2DX_ET_CHECKSUM;
			else
				err = read_blocks(r->efs, g, map);
		}
	}
	if (map)
		memset(r->groups, 0, r->efs->fs->group_desc_count);
	if (!err)
		err = check_inode_groups(r, map, r->groups);
	free(map);
	return err;
}
