/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The map of one inode as a list of ranges, and an extent tree made of it. */
#ifndef E2DX_JOURNAL_FC_MAP_H
#define E2DX_JOURNAL_FC_MAP_H

#include "ext2fs/inode.h"
#include "ext2fs/map.h"

struct fc_range {
	uint64_t first, count;	/* logical blocks */
	uint64_t physical;	/* 0: a hole */
	bool unwritten;
};

/* Ranges in order that do not overlap. */
struct fc_ranges {
	struct fc_range *v;	/* owned */
	size_t n;
};

/*
 * What `n` ranges, each laid over those before it, leave: *out, without holes
 * at the end.  Takes n log n steps.  ENOMEM.
 */
errcode_t fc_overlay(const struct fc_range *v, size_t n,
		     struct fc_ranges *out);

/* How many mapping blocks a tree of these ranges takes.  Holes are none. */
uint64_t fc_tree_blocks(const struct e2dx_fs *efs, const struct fc_ranges *r);

/*
 * Build it: `meta` has room for the blocks, which will lie at at[];
 * `i_block`: E2DX_I_BLOCK_SIZE bytes.  `seed`: of the inode.
 */
errcode_t fc_tree_build(const struct e2dx_fs *efs, const struct fc_ranges *r,
			uint32_t seed, const uint64_t *at, uint8_t *meta,
			uint8_t *i_block);

#endif
