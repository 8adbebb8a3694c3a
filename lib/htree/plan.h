/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The shape of a directory that is to be built: levels and block numbers. */
#ifndef E2DX_HTREE_PLAN_H
#define E2DX_HTREE_PLAN_H

#include "htree/dir.h"

#define HTREE_PLAN_INTERIOR	2	/* interior levels, at most */

/*
 * The blocks below the root, level by level: 0 to interior - 1 are interior
 * blocks, level `interior` are the leaves.
 */
struct htree_plan {
	int interior;		/* levels of interior blocks: indirect_levels */
	uint32_t count[HTREE_PLAN_INTERIOR + 1];	/* blocks of each level */
	uint32_t start[HTREE_PLAN_INTERIOR + 1];	/* block number of its first */
	uint32_t blocks;	/* all of the directory, with the root */
};

/*
 * Plan an index over `leaves` (at least 1) leaves: as few levels as hold
 * them; where the level above has room for more nodes, each node keeps one
 * eighth free.  Block 0 is the root, then come the levels in their order.
 * E2DX_ET_DIR_FULL where dir->max_indirect levels or htree_plan_max_blocks()
 * do not suffice.
 */
errcode_t htree_plan_index(const struct htree_dir *dir, uint64_t leaves,
			   struct htree_plan *plan);

/*
 * Blocks that a directory may have: block numbers of an index have 28 bits,
 * and without large_dir a directory ends at 2 GiB.
 */
uint64_t htree_plan_max_blocks(const struct htree_dir *dir, bool indexed);

/*
 * The first child (counted within the level below) of block i of an interior
 * level; with i == count[level], the end of the last one's.  Even shares.
 */
uint32_t htree_plan_child(const struct htree_plan *plan, int level, uint32_t i);

/* The first leaf under block i of a level. */
uint32_t htree_plan_leaf(const struct htree_plan *plan, int level, uint32_t i);

#endif
