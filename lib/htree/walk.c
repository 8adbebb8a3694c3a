/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The way over a whole index, depth first.  Every block is visited at most
 * once and the depth is fixed by HTREE_MAX_LEVELS, so every input ends.
 */
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include "e2dx_err.h"
#include "htree/ondisk.h"
#include "htree/walk.h"

struct walk {
	const struct htree_dir *dir;
	struct htree_blocks *blocks;
	const struct htree_walk_ops *ops;
	void *ctx;
	uint8_t *seen;			/* a bit for each block */
	uint32_t nameable;		/* blocks that an index can name */
	int depth;			/* indirect levels to go down */
	uint8_t *buffer[HTREE_MAX_LEVELS];
	uint8_t *leaf;
	uint32_t leaf_number;
};

static errcode_t walk_open(struct walk *w)
{
	size_t size = w->blocks->block_size;

	w->nameable = w->blocks->count;
	if (w->nameable > HTREE_DX_BLOCK_MASK)
		w->nameable = HTREE_DX_BLOCK_MASK + 1u;
	w->seen = calloc(w->nameable / 8 + 1, 1);
	w->leaf = malloc(size);
	if (!w->seen || !w->leaf)
		return ENOMEM;
	for (int i = 0; i < HTREE_MAX_LEVELS; i++) {
		w->buffer[i] = malloc(size);
		if (!w->buffer[i])
			return ENOMEM;
	}
	return 0;
}

static void walk_close(struct walk *w)
{
	free(w->seen);
	free(w->leaf);
	for (int i = 0; i < HTREE_MAX_LEVELS; i++)
		free(w->buffer[i]);
}

static errcode_t fault(struct walk *w, uint32_t block, errcode_t what)
{
	return w->ops->fault ? w->ops->fault(w->ctx, block, what) : 0;
}

static errcode_t leaf_entry(void *ctx, const struct htree_dirent *d)
{
	struct walk *w = ctx;

	return w->ops->leaf(w->ctx, w->leaf_number, d);
}

/* `fatal` is what a callback wants the walk to stop with. */
static errcode_t walk_leaf(struct walk *w, uint32_t block)
{
	errcode_t err, fatal;

	if (!w->ops->leaf)
		return 0;
	err = htree_blocks_read(w->blocks, block, 1, w->leaf);
	if (err)
		return fault(w, block, err);
	w->leaf_number = block;
	err = htree_leaf_entries(w->dir, w->leaf, block, leaf_entry, w);
	if (err == E2DX_ET_DAMAGED) {
		fatal = fault(w, block, err);
		if (fatal)
			return fatal;
	} else if (err) {
		return err;
	}
	return w->ops->leaf(w->ctx, block, NULL);
}

static errcode_t walk_children(struct walk *w, const struct htree_node *node);

static errcode_t walk_node(struct walk *w, uint32_t block, int level)
{
	struct htree_node node;
	errcode_t err;

	err = htree_blocks_read(w->blocks, block, 1, w->buffer[level]);
	if (!err)
		err = htree_parse_node(w->dir, w->buffer[level], block, level,
				       &node);
	if (err)
		return fault(w, block, err);
	if (w->ops->node) {
		err = w->ops->node(w->ctx, &node);
		if (err)
			return err;
	}
	return walk_children(w, &node);
}

static errcode_t walk_child(struct walk *w, const struct htree_node *node,
			    uint32_t block)
{
	uint8_t bit;

	/* Block 0 is the root: nothing may name it. */
	if (block == 0 || block >= w->nameable)
		return fault(w, block, E2DX_ET_RANGE);
	bit = (uint8_t)(1u << (block % 8));
	if (w->seen[block / 8] & bit)
		return fault(w, block, E2DX_ET_SHARED);
	w->seen[block / 8] |= bit;
	if (node->level < w->depth)
		return walk_node(w, block, node->level + 1);
	return walk_leaf(w, block);
}

static errcode_t walk_children(struct walk *w, const struct htree_node *node)
{
	errcode_t err;

	if (node->count == 0)
		return fault(w, node->block, E2DX_ET_DAMAGED);
	for (uint32_t i = 0; i < node->count; i++) {
		if (w->ops->child) {
			err = w->ops->child(w->ctx, node, i);
			if (err)
				return err;
		}
		err = walk_child(w, node, htree_node_child(node, i));
		if (err)
			return err;
	}
	return 0;
}

/* A faulty root is shown, then followed as far as it makes sense. */
static errcode_t walk_root(struct walk *w)
{
	struct htree_root root;
	struct htree_node node;
	errcode_t err, parsed;

	err = htree_blocks_read(w->blocks, 0, 1, w->buffer[0]);
	if (err)
		return err;
	parsed = htree_parse_root(w->dir, w->buffer[0], &root, &node);
	if (parsed == E2DX_ET_NOT_INDEXED)
		return parsed;
	err = w->ops->root ? w->ops->root(w->ctx, &root) : 0;
	if (!err && parsed)
		err = fault(w, 0, parsed);
	if (!err && w->ops->node)
		err = w->ops->node(w->ctx, &node);
	if (err)
		return err;
	w->depth = root.indirect_levels;
	if (w->depth >= HTREE_MAX_LEVELS)
		return 0;	/* told above; where leaves begin is unknown */
	if (node.count == 0)
		return 0;	/* likewise */
	return walk_children(w, &node);
}

errcode_t htree_walk(const struct htree_dir *dir, struct htree_blocks *blocks,
		     const struct htree_walk_ops *ops, void *ctx)
{
	struct walk w = { .dir = dir, .blocks = blocks, .ops = ops, .ctx = ctx };
	errcode_t err;

	if (!dir->indexed)
		return E2DX_ET_NOT_INDEXED;
	err = walk_open(&w);
	if (!err)
		err = walk_root(&w);
	walk_close(&w);
	return err;
}
