/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Give back what a smaller directory does not need any more. */
#include "e2dx_err.h"
#include "htree/merge.h"

/* Lead c->path to `leaf`, or, if that is 0, to the first leaf of c->hash. */
static errcode_t place(struct htree_change *c, uint32_t leaf)
{
	uint32_t left = c->blocks->count;
	errcode_t err;

	err = htree_path_root(&c->path);
	if (!err)
		err = htree_path_descend(&c->path, c->hash);
	while (!err && leaf && htree_path_leaf(&c->path) != leaf)
		err = left-- ? htree_path_next(&c->path, c->hash) :
			       E2DX_ET_DAMAGED;
	if (!err && !htree_path_leaf(&c->path))
		err = E2DX_ET_DAMAGED;
	return err;
}

static errcode_t one_step(struct htree_change *c, bool *did)
{
	struct htree_scan s = { 0 };
	errcode_t err;

	err = htree_scan_block(c->dir, c->leaf, htree_path_leaf(&c->path), &s);
	if (!err)
		err = htree_merge_leaf(c, s.used, did);
	if (!err && !*did)
		err = htree_merge_nodes(c, did);
	if (!err && !*did)
		err = htree_merge_level(c, did);
	if (!err && !*did)
		err = htree_merge_all(c, s.used, did);
	return err;
}

/* Each step gives at least one block back, so they end. */
static errcode_t shrink_index(struct htree_change *c, uint32_t leaf,
			      bool placed)
{
	errcode_t err = placed ? 0 : place(c, leaf);
	bool did;

	do {
		did = false;
		if (!err)
			err = one_step(c, &did);
		if (err || !did || !c->dir->indexed)
			break;
		/* Blocks have moved: find the way again. */
		err = place(c, 0);
		if (!err)
			err = htree_change_read(c, htree_path_leaf(&c->path),
						c->leaf);
	} while (!err);
	return err;
}

/* An empty block goes; the last one takes its place. */
static errcode_t shrink_linear(struct htree_change *c, uint32_t number)
{
	uint32_t last = c->blocks->count - 1;
	struct htree_scan s = { 0 };
	errcode_t err;

	err = htree_scan_block(c->dir, c->leaf, number, &s);
	if (err || s.used || number == 0)
		return err;
	err = htree_blocks_may_shrink(c->blocks, last);
	if (err)
		return err;
	if (number != last) {
		err = htree_change_read(c, last, c->near);
		if (!err)
			err = htree_blocks_write(c->blocks, number, 1, c->near);
		if (!err)
			err = htree_change_barrier(c);
	}
	return err ? err : htree_blocks_resize(c->blocks, last);
}

errcode_t htree_shrink(struct htree_change *c, uint32_t leaf, bool placed)
{
	errcode_t err;

	if (c->dir->indexed)
		err = shrink_index(c, leaf, placed);
	else
		err = shrink_linear(c, leaf);
	/*
	 * The name is gone; damage, or no space for a smaller map, only keeps
	 * the directory from shrinking.
	 */
	if (err == E2DX_ET_DAMAGED || err == E2DX_ET_NOT_FOUND ||
	    err == E2DX_ET_UNSUPPORTED || err == E2DX_ET_NO_SPACE)
		err = 0;
	return err;
}
