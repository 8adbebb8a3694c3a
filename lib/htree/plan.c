/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The shape of a directory that is to be built. */
#include "htree/plan.h"

#include "e2dx_err.h"
#include "htree/layout.h"
#include "htree/ondisk.h"

#define SMALL_DIR_BYTES	((uint64_t)1 << 31)	/* without large_dir */

uint64_t htree_plan_max_blocks(const struct htree_dir *dir, bool indexed)
{
	uint64_t max = UINT32_MAX;

	if (indexed)
		max = (uint64_t)HTREE_DX_BLOCK_MASK + 1;
	if (dir->max_indirect < 2 && max > SMALL_DIR_BYTES / dir->block_size)
		max = SMALL_DIR_BYTES / dir->block_size;
	return max;
}

/* Nodes for this many children, at most `max` of them (which suffice). */
static uint32_t nodes_for(const struct htree_dir *dir, uint64_t children,
			  uint64_t max)
{
	uint32_t limit = htree_node_limit(dir);
	uint32_t fill = limit - limit / 8;
	uint64_t nodes = (children + fill - 1) / fill;

	return (uint32_t)(nodes < max ? nodes : max);
}

/* Interior levels for so many leaves; room[l]: blocks that level l can have. */
static int levels_for(const struct htree_dir *dir, uint64_t leaves,
		      uint64_t room[HTREE_PLAN_INTERIOR + 1])
{
	int l;

	room[0] = htree_root_limit(dir);
	for (l = 0; room[l] < leaves; l++) {
		if (l >= dir->max_indirect || l >= HTREE_PLAN_INTERIOR)
			return -1;
		room[l + 1] = room[l] * htree_node_limit(dir);
	}
	return l;
}

errcode_t htree_plan_index(const struct htree_dir *dir, uint64_t leaves,
			   struct htree_plan *plan)
{
	uint64_t room[HTREE_PLAN_INTERIOR + 1];
	uint64_t max = htree_plan_max_blocks(dir, true);
	uint64_t blocks = 1;
	int l;

	plan->interior = levels_for(dir, leaves, room);
	if (plan->interior < 0 || leaves >= max)
		return E2DX_ET_DIR_FULL;
	plan->count[plan->interior] = (uint32_t)leaves;
	for (l = plan->interior; l > 0; l--)
		plan->count[l - 1] = nodes_for(dir, plan->count[l],
					       room[l - 1]);
	for (l = 0; l <= plan->interior; l++) {
		plan->start[l] = (uint32_t)blocks;
		blocks += plan->count[l];
	}
	plan->blocks = (uint32_t)blocks;
	return blocks > max ? E2DX_ET_DIR_FULL : 0;
}

uint32_t htree_plan_child(const struct htree_plan *plan, int level, uint32_t i)
{
	return (uint32_t)((uint64_t)i * plan->count[level + 1] /
			  plan->count[level]);
}

uint32_t htree_plan_leaf(const struct htree_plan *plan, int level, uint32_t i)
{
	for (; level < plan->interior; level++)
		i = htree_plan_child(plan, level, i);
	return i;
}
