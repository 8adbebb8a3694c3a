/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A way down the index: the nodes from the root to one leaf.  Private. */
#ifndef E2DX_HTREE_PATH_H
#define E2DX_HTREE_PATH_H

#include "htree/walk.h"

/*
 * Nothing of it is shared: each search has a path of its own, so that any
 * number of them may use one directory at once.
 */
struct htree_path {
	const struct htree_dir *dir;
	struct htree_blocks *blocks;
	bool exact;			/* accept only what may be changed */
	int version;			/* dx_root's hash_version */
	int depth;			/* indirect levels: node[depth] has leaves */
	uint8_t *block[HTREE_MAX_LEVELS];	/* not owned */
	struct htree_node node[HTREE_MAX_LEVELS];
	uint32_t at[HTREE_MAX_LEVELS];	/* entry taken in each node */
};

/* The bound of what comes after the last leaf. */
#define HTREE_NO_BOUND	0xffffffffu

/*
 * Begin.  `buffer`: HTREE_MAX_LEVELS blocks, the caller's.  exact: nodes must
 * be as a writer leaves them (the right limit, the root's records, no block
 * twice on the way), as is needed before one of them is changed; without it,
 * what Linux would follow is followed.
 */
void htree_path_init(struct htree_path *p, const struct htree_dir *dir,
		     struct htree_blocks *blocks, uint8_t *buffer, bool exact);

/*
 * Read the root.  E2DX_ET_DAMAGED where it or its checksum is wrong;
 * E2DX_ET_UNSUPPORTED for its hash version; what the backend returns.
 */
errcode_t htree_path_root(struct htree_path *p);

/* The last entry of a node whose bound is not above `hash` (all 32 bits). */
uint32_t htree_node_search(const struct htree_node *n, uint32_t hash);

/* From the root (read before) to the leaf where `hash` belongs first. */
errcode_t htree_path_descend(struct htree_path *p, uint32_t hash);

/* Read the node that level - 1 points to; at[level] is 0 afterwards. */
errcode_t htree_path_enter(struct htree_path *p, int level);

/*
 * Move to the next leaf if the collision of `hash` goes on there.
 * E2DX_ET_NOT_FOUND where it does not; the path is as before then.
 */
errcode_t htree_path_next(struct htree_path *p, uint32_t hash);

/* The leaf's block number; 0 where the index names no possible one. */
uint32_t htree_path_leaf(const struct htree_path *p);

/* The leaf's own bound, and that of the leaf after it; with their bits 0. */
uint32_t htree_path_lower(const struct htree_path *p);
uint32_t htree_path_upper(const struct htree_path *p);

#endif
