/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writing block bitmaps and group descriptors: few, whole, never superblocks. */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/desc.h"

#define RUN_BYTES (1 << 20)	/* of adjacent bitmaps written at once */

/* Bitmaps that wait to be written together: flex_bg puts them side by side. */
struct run {
	struct e2dx_fs *efs;
	uint8_t *buf;
	unsigned most, n;	/* blocks */
	uint64_t first;
};

static errcode_t run_write(struct run *r)
{
	errcode_t err = 0;

	if (r->n)
		err = io_channel_write_blk64(r->efs->fs->io, r->first,
					     (int)r->n, r->buf);
	r->n = 0;
	return err;
}

/* Room for one block that goes to `block`. */
static errcode_t run_extend(struct run *r, uint64_t block, uint8_t **out)
{
	errcode_t err = 0;

	if (r->n && (block != r->first + r->n || r->n == r->most))
		err = run_write(r);
	if (!r->n)
		r->first = block;
	*out = r->buf + (size_t)r->n++ * r->efs->fs->blocksize;
	return err;
}

static unsigned bit(const uint64_t *words, uint64_t at)
{
	return (unsigned)(words[at / 64] >> (at % 64)) & 1;
}

/*
 * The bytes of a group's bitmap.  Bits behind the group's last cluster are
 * set, as mke2fs has them.  Returns the group's free clusters.
 */
static uint32_t bitmap_bytes(const struct e2dx_space *s, uint32_t group,
			     uint8_t *buf, size_t size)
{
	uint64_t first, end;
	uint32_t free_clusters = 0;

	e2dx_space_range(s, group, &first, &end);
	memset(buf, 0xff, size);
	for (uint64_t i = 0; i < end - first; i++) {
		if (bit(s->bitmap, first + i))
			continue;
		/* An uninitialised group's own metadata counts in any case. */
		if (s->lazy[group] && bit(s->owned, first + i))
			continue;
		buf[i / 8] &= (uint8_t)~(1u << (i % 8));
		free_clusters++;
	}
	return free_clusters;
}

/* The descriptor in memory follows the bitmap. */
static errcode_t update_desc(ext2_filsys fs, uint32_t group, uint8_t *buf,
			     uint32_t free_clusters)
{
	errcode_t err;

	ext2fs_bg_free_blocks_count_set(fs, group, free_clusters);
	if (ext2fs_has_group_desc_csum(fs))
		ext2fs_bg_flags_clear(fs, group, EXT2_BG_BLOCK_UNINIT);
	err = ext2fs_block_bitmap_csum_set(fs, group, (char *)buf,
				(int)EXT2_CLUSTERS_PER_GROUP(fs->super) / 8);
	ext2fs_group_desc_csum_set(fs, group);
	return err;
}

static errcode_t add_bitmap(struct run *r, struct e2dx_space *s,
			    uint32_t group)
{
	ext2_filsys fs = r->efs->fs;
	uint64_t block = ext2fs_block_bitmap_loc(fs, group);
	uint32_t free_clusters;
	uint8_t *buf;
	errcode_t err;

	if (block <= fs->super->s_first_data_block ||
	    block >= ext2fs_blocks_count(fs->super))
		return E2DX_ET_DAMAGED;
	err = run_extend(r, block, &buf);
	if (err)
		return err;
	free_clusters = bitmap_bytes(s, group, buf, fs->blocksize);
	s->lazy[group] = 0;
	return update_desc(fs, group, buf, free_clusters);
}

errcode_t e2dx_bitmaps_write(struct e2dx_fs *efs, struct e2dx_space *s,
			     const uint8_t *groups)
{
	struct run r = { .efs = efs, .most = RUN_BYTES / efs->fs->blocksize };
	errcode_t err = 0;

	r.buf = malloc((size_t)r.most * efs->fs->blocksize);
	if (!r.buf)
		return ENOMEM;
	for (uint32_t g = 0; g < s->groups && !err; g++)
		if (groups[g])
			err = add_bitmap(&r, s, g);
	if (!err)
		err = run_write(&r);
	free(r.buf);
	return err;
}

/*
 * n descriptor blocks from `number` on, as the disk has them: libext2fs keeps
 * them in the machine's byte order.
 */
static void desc_bytes(ext2_filsys fs, uint32_t number, uint32_t n,
		       uint8_t *buf)
{
	size_t size = EXT2_DESC_SIZE(fs->super);
	size_t bytes = (size_t)n * fs->blocksize;

	memcpy(buf, (uint8_t *)fs->group_desc + (size_t)number * fs->blocksize,
	       bytes);
	if (htole16(1) != 1)
		for (size_t at = 0; at + size <= bytes; at += size)
			ext2fs_swap_group_desc2(fs, (void *)(buf + at));
}

static errcode_t write_desc_block(ext2_filsys fs, uint32_t number,
				  uint8_t *buf)
{
	uint64_t block = ext2fs_descriptor_block_loc2(fs,
				fs->super->s_first_data_block, number);

	desc_bytes(fs, number, 1, buf);
	return io_channel_write_blk64(fs->io, block, 1, buf);
}

errcode_t e2dx_descs_write(struct e2dx_fs *efs, const struct e2dx_space *s,
			   const uint8_t *groups)
{
	ext2_filsys fs = efs->fs;
	uint32_t per = (uint32_t)EXT2_DESC_PER_BLOCK(fs->super), next = 0;
	uint8_t *buf = malloc(fs->blocksize);
	errcode_t err = 0;

	if (!buf)
		return ENOMEM;
	for (uint32_t g = 0; g < s->groups && !err; g++) {
		if (!groups[g] || g / per < next)
			continue;
		err = write_desc_block(fs, g / per, buf);
		next = g / per + 1;
	}
	free(buf);
	return err;
}

/* Those blocks of the descriptor table that group g keeps a copy of. */
static errcode_t write_copies(ext2_filsys fs, dgrp_t g, const uint8_t *table)
{
	blk64_t old_start = 0, meta = 0;
	blk_t in_row = (blk_t)fs->desc_blocks;
	errcode_t err = ext2fs_super_and_bgd_loc2(fs, g, NULL, &old_start,
						  &meta, NULL);

	if (ext2fs_has_feature_meta_bg(fs->super) &&
	    fs->super->s_first_meta_bg < in_row)
		in_row = fs->super->s_first_meta_bg;
	if (!err && old_start && in_row)
		err = io_channel_write_blk64(fs->io, old_start, (int)in_row,
					     table);
	if (!err && meta)
		err = io_channel_write_blk64(fs->io, meta, 1, table +
			(size_t)(g / EXT2_DESC_PER_BLOCK(fs->super)) *
			fs->blocksize);
	return err;
}

errcode_t e2dx_descs_write_all(struct e2dx_fs *efs)
{
	ext2_filsys fs = efs->fs;
	uint8_t *table = malloc((size_t)fs->desc_blocks * fs->blocksize);
	errcode_t err = 0;

	if (!table)
		return ENOMEM;
	for (dgrp_t g = 0; g < fs->group_desc_count; g++)
		ext2fs_group_desc_csum_set(fs, g);
	desc_bytes(fs, 0, (uint32_t)fs->desc_blocks, table);
	for (dgrp_t g = 0; !err && g < fs->group_desc_count; g++)
		err = write_copies(fs, g, table);
	free(table);
	return err ? err : io_channel_flush(fs->io);
}
