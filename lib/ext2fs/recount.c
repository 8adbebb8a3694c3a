/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bitmaps and counts made anew from who owns what. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/desc.h"
#include "ext2fs/recount.h"

#define WORD_BITS	64
#define BLOCKS_FAULTS	(E2DX_BLOCKS_CSUM | E2DX_BLOCKS_PADDING)
#define INODES_FAULTS	(E2DX_INODES_CSUM | E2DX_INODES_PADDING | \
			 E2DX_INODES_DIFFER)

struct recount {
	struct e2dx_fs *efs;
	struct e2dx_survey *s;
	struct e2dx_space space;
	uint8_t *groups;	/* a byte each: to be written */
	uint8_t *block;		/* a block */
};

uint32_t e2dx_group_clusters(const struct e2dx_fs *efs, dgrp_t g)
{
	unsigned bits = (unsigned)efs->fs->cluster_ratio_bits;

	return (uint32_t)((ext2fs_group_last_block2(efs->fs, g) >> bits) -
			  (ext2fs_group_first_block2(efs->fs, g) >> bits) + 1);
}

static bool uninit(ext2_filsys fs, dgrp_t g, uint16_t flag)
{
	return ext2fs_has_group_desc_csum(fs) &&
	       ext2fs_bg_flags_test(fs, g, flag);
}

/* ---- block bitmaps */

static void take_owners(struct e2dx_survey *s)
{
	uint64_t words = (s->clusters + WORD_BITS - 1) / WORD_BITS;

	/* Equal words are not written: they may cost no memory so far. */
	for (uint64_t w = 0; w < words; w++)
		if (s->bitmap[w] != s->owned[w])
			s->bitmap[w] = s->owned[w];
}

static errcode_t write_block_bitmaps(struct recount *r)
{
	for (dgrp_t g = 0; g < r->s->groups; g++) {
		const struct e2dx_group_use *u = &r->s->group[g];

		r->space.lazy[g] = uninit(r->efs->fs, g, EXT2_BG_BLOCK_UNINIT);
		r->groups[g] = u->missing || u->unowned ||
			       (u->faults & BLOCKS_FAULTS);
	}
	return e2dx_bitmaps_write(r->efs, &r->space, r->groups);
}

/* ---- inode bitmaps */

static void inode_bytes(const struct e2dx_survey *s, dgrp_t g, uint8_t *buf,
			size_t size)
{
	uint64_t at = (uint64_t)g * s->inodes_per_group;
	uint32_t n = s->inodes_per_group;

	memset(buf, 0xff, size);
	for (uint32_t i = 0; i < n; i++)
		if (!e2dx_survey_used(s, at + i, 1))
			buf[i / 8] &= (uint8_t)~(1u << i % 8);
}

static errcode_t write_inode_bitmap(struct recount *r, dgrp_t g)
{
	ext2_filsys fs = r->efs->fs;
	errcode_t err;

	inode_bytes(r->s, g, r->block, fs->blocksize);
	err = ext2fs_inode_bitmap_csum_set(fs, g, (char *)r->block,
				(int)r->s->inodes_per_group / 8);
	if (err)
		return err;
	return io_channel_write_blk64(fs->io, ext2fs_inode_bitmap_loc(fs, g),
				      1, r->block);
}

static errcode_t write_inode_bitmaps(struct recount *r)
{
	errcode_t err = 0;

	for (dgrp_t g = 0; !err && g < r->s->groups; g++)
		if (r->s->group[g].faults & INODES_FAULTS)
			err = write_inode_bitmap(r, g);
	return err;
}

/* ---- counts */

/* Bring a descriptor in step; true where something changed. */
static bool set_counts(ext2_filsys fs, dgrp_t g, uint32_t blocks,
		       uint32_t inodes, uint32_t dirs)
{
	if (ext2fs_bg_free_blocks_count(fs, g) == blocks &&
	    ext2fs_bg_free_inodes_count(fs, g) == inodes &&
	    ext2fs_bg_used_dirs_count(fs, g) == dirs)
		return false;
	ext2fs_bg_free_blocks_count_set(fs, g, blocks);
	ext2fs_bg_free_inodes_count_set(fs, g, inodes);
	ext2fs_bg_used_dirs_count_set(fs, g, dirs);
	return true;
}

static errcode_t write_descs(struct recount *r)
{
	ext2_filsys fs = r->efs->fs;
	uint64_t clusters = 0;
	uint32_t inodes = 0;

	for (dgrp_t g = 0; g < r->s->groups; g++) {
		const struct e2dx_group_use *u = &r->s->group[g];
		uint32_t blocks = e2dx_group_clusters(r->efs, g) - u->owned;
		uint32_t left = r->s->inodes_per_group - u->used;

		if (set_counts(fs, g, blocks, left, u->dirs) ||
		    (u->faults & INODES_FAULTS))
			r->groups[g] = 1;
		if (r->groups[g])
			ext2fs_group_desc_csum_set(fs, g);
		clusters += blocks;
		inodes += left;
	}
	ext2fs_free_blocks_count_set(fs->super,
				     clusters << fs->cluster_ratio_bits);
	fs->super->s_free_inodes_count = inodes;
	return e2dx_descs_write(r->efs, &r->space, r->groups);
}

/* ---- the whole */

static void settle(struct e2dx_survey *s)
{
	for (dgrp_t g = 0; g < s->groups; g++) {
		s->group[g].missing = s->group[g].unowned = 0;
		s->group[g].faults = 0;
	}
	s->owned_free = s->inodes_free = 0;
	s->bitmaps_bad = 0;
}

static errcode_t write_all(struct recount *r)
{
	struct ext2_super_block *super = r->efs->fs->super;
	io_channel io = r->efs->fs->io;
	uint16_t state = super->s_state;
	errcode_t err;

	super->s_state &= (uint16_t)~EXT2_VALID_FS;
	err = e2dx_super_write(r->efs);
	if (!err)
		err = write_block_bitmaps(r);
	if (!err)
		err = write_inode_bitmaps(r);
	if (!err)
		err = io_channel_flush(io);
	if (!err)
		err = write_descs(r);
	if (!err)
		err = io_channel_flush(io);
	if (err)
		return err;
	super->s_state = state;
	return e2dx_super_write(r->efs);
}

errcode_t e2dx_recount(struct e2dx_fs *efs, struct e2dx_survey *s)
{
	struct recount r = { .efs = efs, .s = s };
	ext2_filsys fs = efs->fs;
	errcode_t err;

	if (!efs->writable)
		return E2DX_ET_READ_ONLY;
	if (!e2dx_survey_owners_known(s))
		return E2DX_ET_DAMAGED;
	take_owners(s);
	err = e2dx_space_init(&r.space, s->owned, s->bitmap,
			      fs->super->s_first_data_block >>
			      fs->cluster_ratio_bits, s->clusters,
			      EXT2_CLUSTERS_PER_GROUP(fs->super));
	if (err)
		return err;
	r.groups = calloc((size_t)s->groups + 1, 1);
	r.block = malloc(fs->blocksize);
	err = r.groups && r.block ? write_all(&r) : ENOMEM;
	if (!err)
		settle(s);
	free(r.block);
	free(r.groups);
	e2dx_space_done(&r.space);
	return err;
}
