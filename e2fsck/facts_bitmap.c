/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bitmaps and counts, against what was found in use. */
#include "ext2fs/recount.h"
#include "facts.h"

#define WORD_BITS 64

/* A range of blocks or inodes that is under way, in ascending order. */
struct ranges {
	struct facts *f;
	enum problem_code code;
	uint64_t first, end;	/* empty: none */
	unsigned shift;		/* to blocks */
	uint64_t add;		/* from a bit's number to what is printed */
};

static errcode_t end_range(struct ranges *r)
{
	struct problem p = {
		.code = r->code, .value = (r->first << r->shift) + r->add,
		.expected = (r->end << r->shift) - 1 + r->add
	};

	if (r->first == r->end)
		return 0;
	r->first = r->end;
	return problem_list_add(&r->f->bitmaps, &p);
}

/* The bits of `word`, the first of which is number `at`. */
static errcode_t add_bits(struct ranges *r, uint64_t word, uint64_t at)
{
	errcode_t err = 0;

	for (; word && !err; word &= word - 1) {
		uint64_t bit = at + (uint64_t)__builtin_ctzll(word);

		if (bit != r->end) {
			err = end_range(r);
			r->first = bit;
		}
		r->end = bit + 1;
	}
	return err;
}

/* ---- blocks */

/* Clusters of group g in `a` and not in `b`. */
static errcode_t block_ranges(struct facts *f, dgrp_t g, const uint64_t *a,
			      const uint64_t *b, enum problem_code code)
{
	ext2_filsys fs = f->efs->fs;
	unsigned bits = (unsigned)fs->cluster_ratio_bits;
	uint64_t first = ext2fs_group_first_block2(fs, g) >> bits;
	uint64_t last = ext2fs_group_last_block2(fs, g) >> bits;
	struct ranges r = { .f = f, .code = code, .shift = bits };
	errcode_t err = 0;

	for (uint64_t w = first / WORD_BITS;
	     !err && w <= last / WORD_BITS; w++) {
		uint64_t word = a[w] & ~b[w];

		if (w == first / WORD_BITS)
			word &= ~0ULL << first % WORD_BITS;
		if (w == last / WORD_BITS)
			word &= ~0ULL >> (WORD_BITS - 1 - last % WORD_BITS);
		err = add_bits(&r, word, w * WORD_BITS);
	}
	return err ? err : end_range(&r);
}

/* ---- inodes */

/* Inodes in use that are not marked, or those that are marked for nothing. */
static errcode_t inode_ranges(struct facts *f, dgrp_t g, bool marked,
			      enum problem_code code)
{
	const struct e2dx_survey *s = f->survey;
	struct ranges r = { .f = f, .code = code, .add = 1 };
	uint64_t at = (uint64_t)g * s->inodes_per_group;
	uint64_t end = at + s->inodes_per_group;
	errcode_t err = 0;

	while (at < end && !err) {
		unsigned n = WORD_BITS - at % WORD_BITS;
		uint64_t used, map = s->inode_bitmap[at / WORD_BITS] >>
				     at % WORD_BITS;

		if (n > end - at) {
			n = (unsigned)(end - at);
			map &= (1ULL << n) - 1;
		}
		used = e2dx_survey_used(s, at, n);
		err = add_bits(&r, marked ? map & ~used : used & ~map, at);
		at += n;
	}
	return err ? err : end_range(&r);
}

/* ---- a group */

/* A fault bit of the group as a problem. */
static errcode_t fault(struct facts *f, dgrp_t g, uint8_t bit,
		       enum problem_code code)
{
	struct problem p = { .code = code, .group = g };

	if (!(f->survey->group[g].faults & bit))
		return 0;
	return problem_list_add(&f->bitmaps, &p);
}

static errcode_t count(struct facts *f, enum problem_code code, dgrp_t g,
		       uint64_t value, uint64_t expected)
{
	struct problem p = { .code = code, .group = g, .value = value,
			     .expected = expected };

	return value == expected ? 0 : problem_list_add(&f->bitmaps, &p);
}

static errcode_t group_counts(struct facts *f, dgrp_t g)
{
	const struct e2dx_group_use *u = &f->survey->group[g];
	ext2_filsys fs = f->efs->fs;
	errcode_t err;

	err = count(f, P_BITMAP_FREE_BLOCKS, g,
		    ext2fs_bg_free_blocks_count(fs, g),
		    e2dx_group_clusters(f->efs, g) - u->owned);
	if (!err)
		err = count(f, P_BITMAP_FREE_INODES, g,
			    ext2fs_bg_free_inodes_count(fs, g),
			    f->survey->inodes_per_group - u->used);
	if (!err)
		err = count(f, P_BITMAP_DIRS, g,
			    ext2fs_bg_used_dirs_count(fs, g), u->dirs);
	return err;
}

static errcode_t check_group(struct facts *f, dgrp_t g)
{
	static const struct {
		uint8_t bit;
		enum problem_code code;
	} faults[] = {
		{ E2DX_BLOCKS_CSUM, P_BITMAP_BLOCKS_CSUM },
		{ E2DX_BLOCKS_PADDING, P_BITMAP_BLOCKS_PADDING },
		{ E2DX_INODES_CSUM, P_BITMAP_INODES_CSUM },
		{ E2DX_INODES_PADDING, P_BITMAP_INODES_PADDING },
	};
	const struct e2dx_survey *s = f->survey;
	const struct e2dx_group_use *u = &s->group[g];
	errcode_t err = 0;

	if (u->missing)
		err = block_ranges(f, g, s->owned, s->bitmap,
				   P_BITMAP_BLOCKS_FREE);
	if (!err && u->unowned)
		err = block_ranges(f, g, s->bitmap, s->owned,
				   P_BITMAP_BLOCKS_USED);
	if (!err && u->faults & E2DX_INODES_DIFFER)
		err = inode_ranges(f, g, false, P_BITMAP_INODES_FREE);
	if (!err && u->faults & E2DX_INODES_DIFFER)
		err = inode_ranges(f, g, true, P_BITMAP_INODES_USED);
	for (size_t i = 0; !err && u->faults &&
	     i < sizeof(faults) / sizeof(faults[0]); i++)
		err = fault(f, g, faults[i].bit, faults[i].code);
	return err ? err : group_counts(f, g);
}

/* ---- the filesystem */

static errcode_t super_counts(struct facts *f)
{
	const struct e2dx_survey *s = f->survey;
	ext2_filsys fs = f->efs->fs;
	uint64_t clusters = 0, inodes = 0;
	errcode_t err;

	for (dgrp_t g = 0; g < s->groups; g++) {
		clusters += e2dx_group_clusters(f->efs, g) - s->group[g].owned;
		inodes += s->inodes_per_group - s->group[g].used;
	}
	err = count(f, P_BITMAP_SUPER_BLOCKS, 0,
		    ext2fs_free_blocks_count(fs->super),
		    clusters << fs->cluster_ratio_bits);
	if (!err)
		err = count(f, P_BITMAP_SUPER_INODES, 0,
			    fs->super->s_free_inodes_count, inodes);
	return err;
}

errcode_t facts_bitmaps(struct facts *f)
{
	errcode_t err = 0;

	for (dgrp_t g = 0; !err && g < f->survey->groups; g++)
		err = check_group(f, g);
	return err ? err : super_counts(f);
}
