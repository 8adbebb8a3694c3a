/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the superblock and the group descriptors own: superblock copies,
 * descriptors and the room kept for more, bitmaps, inode tables, the MMP
 * block; and what the bitmaps say.
 */
#include <errno.h>
#include <stdlib.h>
#include "ext2fs/survey_priv.h"

#define RANGES_A_GROUP	6	/* at most: copy, descriptors, new style
				   descriptors, two bitmaps, table */

/* Do the descriptors of group g, with a right checksum, have this flag? */
static bool group_flag(const struct surveyor *sv, dgrp_t g, uint16_t flag)
{
	/* Without a checksum, or with a wrong one, nobody may believe it. */
	return sv->descriptors_summed && sv->descriptor_ok[g] &&
	       ext2fs_bg_flags_test(sv->efs->fs, g, flag);
}

uint32_t survey_group_inodes(const struct surveyor *sv, dgrp_t g)
{
	ext2_filsys fs = sv->efs->fs;
	uint32_t n = fs->super->s_inodes_per_group;
	uint32_t unused;

	if (group_flag(sv, g, EXT2_BG_INODE_UNINIT))
		return 0;
	if (!sv->descriptors_summed || !sv->descriptor_ok[g])
		return n;
	unused = ext2fs_bg_itable_unused(fs, g);
	return unused <= n ? n - unused : n;
}

/* libext2fs clears the checksum's field while it computes: one thread only. */
static errcode_t check_descriptors(struct surveyor *sv)
{
	ext2_filsys fs = sv->efs->fs;

	sv->descriptors_summed = ext2fs_has_group_desc_csum(fs);
	sv->descriptor_ok = malloc(fs->group_desc_count + 1);
	if (!sv->descriptor_ok)
		return ENOMEM;
	for (dgrp_t g = 0; g < fs->group_desc_count; g++) {
		sv->descriptor_ok[g] = !sv->descriptors_summed ||
				       ext2fs_group_desc_csum_verify(fs, g);
		if (!sv->descriptor_ok[g])
			sv->s->descriptors_bad++;
	}
	return 0;
}

static void add_range(struct surveyor *sv, uint64_t start, uint64_t count)
{
	if (count)
		sv->fixed[sv->n_fixed++] = (struct block_range){ start, count };
}

/* A range that a descriptor names; out of bounds it counts in *bad, if any. */
static void add_named(struct surveyor *sv, uint64_t start, uint64_t count,
		      uint32_t *bad)
{
	if (e2dx_blocks_valid(sv->efs, start, count))
		add_range(sv, start, count);
	else if (bad)
		++*bad;
}

/* Blocks of old-style descriptors with the room kept to grow. */
static uint64_t descriptor_room(ext2_filsys fs)
{
	if (ext2fs_has_feature_meta_bg(fs->super))
		return fs->super->s_first_meta_bg;
	return fs->desc_blocks + fs->super->s_reserved_gdt_blocks;
}

/* Where copies lie follows from the features; the end of the filesystem may
   cut them off. */
static void add_copies(struct surveyor *sv, dgrp_t g)
{
	ext2_filsys fs = sv->efs->fs;
	uint64_t end = ext2fs_blocks_count(fs->super);
	uint64_t room = descriptor_room(fs);
	blk64_t super, old, new;

	ext2fs_super_and_bgd_loc2(fs, g, &super, &old, &new, NULL);
	if (ext2fs_bg_has_super(fs, g))
		add_range(sv, super, 1);
	if (old && old < end)
		add_range(sv, old, room < end - old ? room : end - old);
	if (new && new < end)
		add_range(sv, new, 1);
}

static void add_group(struct surveyor *sv, dgrp_t g)
{
	ext2_filsys fs = sv->efs->fs;
	struct e2dx_survey *s = sv->s;

	add_copies(sv, g);
	/* A bitmap out of bounds is counted when it cannot be read. */
	add_named(sv, ext2fs_block_bitmap_loc(fs, g), 1, NULL);
	add_named(sv, ext2fs_inode_bitmap_loc(fs, g), 1, NULL);
	add_named(sv, ext2fs_inode_table_loc(fs, g), fs->inode_blocks_per_group,
		  &s->tables_bad);
}

static int compare_ranges(const void *a, const void *b)
{
	const struct block_range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/*
 * Sort and merge.  Blocks are compared, not clusters: under bigalloc several
 * pieces of metadata share a cluster by right.
 */
static void merge_ranges(struct surveyor *sv)
{
	struct block_range *v = sv->fixed;
	size_t n = 0;

	qsort(v, sv->n_fixed, sizeof(*v), compare_ranges);
	for (size_t i = 0; i < sv->n_fixed; i++) {
		uint64_t end = v[i].start + v[i].count;
		uint64_t before = n ? v[n - 1].start + v[n - 1].count : 0;

		if (!n || v[i].start > before) {
			v[n++] = v[i];
			continue;
		}
		if (v[i].start < before)
			survey_claimed_twice(sv, v[i].start >> sv->bits,
					     ((end < before ? end : before) - 1)
					     >> sv->bits);
		if (end > before)
			v[n - 1].count = end - v[n - 1].start;
	}
	sv->n_fixed = n;
}

/* First and last cluster of a group. */
static void group_clusters(const struct surveyor *sv, dgrp_t g,
			   uint64_t *first, uint64_t *last)
{
	*first = ext2fs_group_first_block2(sv->efs->fs, g) >> sv->bits;
	*last = ext2fs_group_last_block2(sv->efs->fs, g) >> sv->bits;
}

/* A block bitmap that was never written stands for just this. */
static void set_uninit_bits(struct surveyor *sv)
{
	for (dgrp_t g = 0; g < sv->efs->fs->group_desc_count; g++) {
		uint64_t first, last;

		if (!group_flag(sv, g, EXT2_BG_BLOCK_UNINIT))
			continue;
		group_clusters(sv, g, &first, &last);
		survey_copy_bits(sv->s->bitmap, sv->s->owned, first, last);
	}
}

errcode_t survey_fixed(struct surveyor *sv)
{
	ext2_filsys fs = sv->efs->fs;
	struct ext2_super_block *sb = fs->super;
	errcode_t err = check_descriptors(sv);

	if (err)
		return err;
	sv->fixed = calloc((size_t)fs->group_desc_count * RANGES_A_GROUP + 2,
			   sizeof(*sv->fixed));
	if (!sv->fixed)
		return ENOMEM;
	if (sb->s_first_data_block) {
		add_range(sv, 0, sb->s_first_data_block);
		survey_set_bytes(sv->s->bitmap, 0, (const uint8_t *)"\1", 1);
	}
	for (dgrp_t g = 0; g < fs->group_desc_count; g++)
		add_group(sv, g);
	if (ext2fs_has_feature_mmp(sb) &&
	    e2dx_blocks_valid(sv->efs, sb->s_mmp_block, 1))
		add_range(sv, sb->s_mmp_block, 1);
	merge_ranges(sv);
	for (size_t i = 0; i < sv->n_fixed; i++) {
		const struct block_range *r = &sv->fixed[i];
		uint64_t first = r->start >> sv->bits;
		uint64_t last = (r->start + r->count - 1) >> sv->bits;

		/* Ranges apart may still meet in a cluster: no double claim. */
		survey_set_range(sv->s->owned, first, last);
	}
	set_uninit_bits(sv);
	return sv->err;
}

uint64_t survey_first_fixed(const struct surveyor *sv, uint64_t block,
			    uint64_t count)
{
	uint64_t start = block >> sv->bits << sv->bits;
	uint64_t end = (((block + count - 1) >> sv->bits) + 1) << sv->bits;
	size_t low = 0, high = sv->n_fixed;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (sv->fixed[mid].start + sv->fixed[mid].count <= start)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == sv->n_fixed || sv->fixed[low].start >= end)
		return 0;
	/* In the first cluster that both have part of. */
	start = sv->fixed[low].start >> sv->bits << sv->bits;
	return start > block ? start : block;
}

bool survey_is_fixed(const struct surveyor *sv, uint64_t block)
{
	return survey_first_fixed(sv, block, 1);
}

/* Read a bitmap block; false where it lies nowhere, or cannot be read. */
static bool read_bitmap(struct surveyor *sv, struct survey_worker *w,
			uint64_t block)
{
	return e2dx_blocks_valid(sv->efs, block, 1) &&
	       !io_channel_read_blk64(sv->efs->fs->io, block, 1, w->bitmap);
}

/* Are bits n and those behind it, to the end of the block, all set? */
static bool padded(const struct surveyor *sv, const uint8_t *bytes, uint32_t n)
{
	uint32_t end = sv->efs->fs->blocksize;

	if (n % 8 && (uint8_t)(bytes[n / 8] | ((1u << n % 8) - 1)) != 0xff)
		return false;
	for (uint32_t i = (n + 7) / 8; i < end; i++)
		if (bytes[i] != 0xff)
			return false;
	return true;
}

static void read_block_bitmap(struct surveyor *sv, struct survey_worker *w,
			      dgrp_t g)
{
	ext2_filsys fs = sv->efs->fs;
	uint8_t *faults = &sv->s->group[g].faults;
	uint64_t first, last;
	uint32_t bits;

	if (!read_bitmap(sv, w, ext2fs_block_bitmap_loc(fs, g))) {
		*faults |= E2DX_BLOCKS_LOST;
		return;
	}
	if (!ext2fs_block_bitmap_csum_verify(fs, g, (char *)w->bitmap,
					     (int)fs->super->s_clusters_per_group / 8))
		*faults |= E2DX_BLOCKS_CSUM;
	group_clusters(sv, g, &first, &last);
	bits = (uint32_t)(last - first + 1);
	if (!padded(sv, w->bitmap, bits))
		*faults |= E2DX_BLOCKS_PADDING;
	survey_set_bytes(sv->s->bitmap, first, w->bitmap, bits);
}

static void read_inode_bitmap(struct surveyor *sv, struct survey_worker *w,
			      dgrp_t g)
{
	ext2_filsys fs = sv->efs->fs;
	uint32_t per_group = fs->super->s_inodes_per_group;
	uint8_t *faults = &sv->s->group[g].faults;

	if (!read_bitmap(sv, w, ext2fs_inode_bitmap_loc(fs, g))) {
		*faults |= E2DX_INODES_LOST;
		return;
	}
	if (!ext2fs_inode_bitmap_csum_verify(fs, g, (char *)w->bitmap,
					     (int)per_group / 8))
		*faults |= E2DX_INODES_CSUM;
	if (!padded(sv, w->bitmap, per_group))
		*faults |= E2DX_INODES_PADDING;
	survey_set_bytes(sv->s->inode_bitmap, (uint64_t)g * per_group,
			 w->bitmap, per_group);
}

static uint64_t low_bits(uint64_t n)
{
	return n < 64 ? (1ULL << n) - 1 : ~0ULL;
}

uint64_t e2dx_survey_used(const struct e2dx_survey *s, uint64_t at, unsigned n)
{
	const uint8_t *byte = s->inode + at + 1;
	uint64_t used = 0;

	for (unsigned i = 0; i < n; i++)
		used |= (uint64_t)(byte[i] / E2DX_INODE_USED & 1) << i;
	if (at + 1 < s->first_ino)
		used |= low_bits(s->first_ino - 1 - at) & low_bits(n);
	for (unsigned i = 0; i < 3; i++)
		if (s->quota_ino[i] > at && s->quota_ino[i] <= at + n)
			used |= 1ULL << (s->quota_ino[i] - 1 - at);
	return used;
}

/* n <= 64 bits of a set, from `at` on. */
static uint64_t get_bits(const uint64_t *set, uint64_t at, unsigned n)
{
	uint64_t v = set[at / 64] >> at % 64;

	if (at % 64 + n > 64)
		v |= set[at / 64 + 1] << (64 - at % 64);
	return v & low_bits(n);
}

/* Count the group's inodes, beside what their bitmap says. */
static void compare_inodes(struct surveyor *sv, dgrp_t g)
{
	struct e2dx_survey *s = sv->s;
	struct e2dx_group_use *u = &s->group[g];
	uint64_t at = (uint64_t)g * s->inodes_per_group;
	const uint8_t *byte = s->inode + at + 1;
	uint64_t end = at + s->inodes_per_group;

	for (uint32_t i = 0; i < u->read; i++)
		u->dirs += (byte[i] & (E2DX_INODE_USED | E2DX_INODE_TYPE)) ==
			   (E2DX_INODE_USED | EXT2_FT_DIR);
	for (; at < end; at += 64) {
		unsigned n = end - at < 64 ? (unsigned)(end - at) : 64;
		uint64_t used = e2dx_survey_used(s, at, n);

		u->used += (uint32_t)__builtin_popcountll(used);
		if (used != get_bits(s->inode_bitmap, at, n) &&
		    !(u->faults & E2DX_INODES_LOST))
			u->faults |= E2DX_INODES_DIFFER;
	}
}

void survey_bitmaps(struct surveyor *sv, struct survey_worker *w, dgrp_t g)
{
	if (!group_flag(sv, g, EXT2_BG_BLOCK_UNINIT))
		read_block_bitmap(sv, w, g);
	if (group_flag(sv, g, EXT2_BG_INODE_UNINIT))
		return;
	read_inode_bitmap(sv, w, g);
	compare_inodes(sv, g);
}

void survey_compare(struct surveyor *sv, struct survey_worker *w, dgrp_t g)
{
	struct e2dx_survey *s = sv->s;
	struct e2dx_group_use *u = &s->group[g];
	uint64_t first, last;

	(void)w;
	group_clusters(sv, g, &first, &last);
	u->owned = survey_count(s->owned, NULL, first, last);
	if (u->faults & E2DX_BLOCKS_LOST)
		return;
	u->missing = survey_count(s->owned, s->bitmap, first, last);
	u->unowned = survey_count(s->bitmap, s->owned, first, last);
}
