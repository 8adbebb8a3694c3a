/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The steps by which an index gets smaller.  Private to shrink.  Each sets
 * *did where it changed something, and is written in an order that loses no
 * name to a cut: the union first, then the pointer to it alone, then the block
 * that is not needed any more.
 */
#ifndef E2DX_HTREE_MERGE_H
#define E2DX_HTREE_MERGE_H

#include "htree/change_priv.h"

/* At most this much of a leaf or node is filled by merging, so that the next
   insertion does not split it again. */
static inline bool htree_merge_fits(uint64_t used, uint64_t room)
{
	return used * 10 <= room * 7;
}

/*
 * The path's leaf (in c->leaf, `used` bytes) is empty, or it fits into one
 * with its neighbour on either side in the same node.
 */
errcode_t htree_merge_leaf(struct htree_change *c, uint32_t used, bool *did);

/* A node of the path fits into one with its neighbour. */
errcode_t htree_merge_nodes(struct htree_change *c, bool *did);

/* The root's only child is a node that fits in its place. */
errcode_t htree_merge_level(struct htree_change *c, bool *did);

/* The root's only leaf (in c->leaf) fits in block 0 without an index. */
errcode_t htree_merge_all(struct htree_change *c, uint32_t used, bool *did);

#endif
