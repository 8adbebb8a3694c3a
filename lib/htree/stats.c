/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Figures of one directory: how deep, how full, how many equal hashes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "e2dx_err.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/ondisk.h"
#include "htree/walk.h"

struct gather {
	const struct htree_dir *dir;
	struct htree_stats *s;
	struct dirhasher hasher;
	bool hashing;			/* major hashes are known */
	bool stored;
	int depth;			/* indirect levels */
	uint32_t lower[HTREE_MAX_LEVELS + 1];	/* of the child on each level */
	uint32_t leaf_used;		/* bytes, of the leaf at hand */
	uint32_t *hashes;		/* major hashes of all entries */
	size_t n, capacity;
};

static errcode_t keep_hash(struct gather *g, uint32_t hash)
{
	if (g->n == g->capacity) {
		size_t capacity = g->capacity ? g->capacity * 2 : 256;
		uint32_t *p = realloc(g->hashes, capacity * sizeof(*p));

		if (!p)
			return ENOMEM;
		g->hashes = p;
		g->capacity = capacity;
	}
	g->hashes[g->n++] = hash;
	return 0;
}

static errcode_t count_entry(struct gather *g, const struct htree_dirent *d)
{
	struct dirhash hash = d->hash;
	errcode_t err;

	if (htree_dirent_dot(d))
		return 0;
	g->s->entries++;
	g->leaf_used += htree_record_size(g->dir, d->name_len);
	if (!g->hashing)
		return 0;
	if (!g->stored) {
		err = dirhash_name(&g->hasher, d->name, d->name_len, &hash);
		if (err)
			return err;
	}
	return keep_hash(g, hash.hash);
}

/* A leaf is done: where on the scale from empty to full does it stand? */
static void count_leaf(struct gather *g, uint32_t room)
{
	uint32_t tenth = room ? g->leaf_used * 10u / room : 0;

	g->s->leaves++;
	g->s->leaf_bytes += room;
	g->s->leaf_bytes_used += g->leaf_used;
	g->s->fill[tenth < 10 ? tenth : 9]++;
	g->leaf_used = 0;
}

static errcode_t on_root(void *ctx, const struct htree_root *root)
{
	struct gather *g = ctx;

	g->s->version = root->version;
	g->s->levels = root->indirect_levels + 1;
	g->depth = root->indirect_levels;
	g->stored = htree_dir_stores_hash(g->dir);
	g->hashing = g->stored || !htree_dir_hasher(g->dir, root->version,
						    &g->hasher);
	return 0;
}

static errcode_t on_node(void *ctx, const struct htree_node *node)
{
	struct gather *g = ctx;

	(void)node;
	g->s->nodes++;
	return 0;
}

/* The first leaf below a node goes on from the leaf before that node. */
static errcode_t on_child(void *ctx, const struct htree_node *node, uint32_t i)
{
	struct gather *g = ctx;
	int level = node->level;

	if (i > 0)
		g->lower[level + 1] = htree_node_hash(node, i);
	else
		g->lower[level + 1] = g->lower[level];
	if (level == g->depth && (g->lower[level + 1] & HTREE_DX_CONTINUED))
		g->s->straddling++;
	return 0;
}

static errcode_t on_leaf(void *ctx, uint32_t block, const struct htree_dirent *d)
{
	struct gather *g = ctx;

	(void)block;
	if (d)
		return count_entry(g, d);
	count_leaf(g, htree_leaf_room(g->dir));
	return 0;
}

static errcode_t linear_entry(void *ctx, const struct htree_dirent *d)
{
	return count_entry(ctx, d);
}

/* Damaged blocks and holes count with what could be read of them. */
static errcode_t gather_linear(struct gather *g, struct htree_blocks *blocks)
{
	uint32_t dots = HTREE_DOT_SIZE + htree_plain_record_size(2);
	uint8_t *block = malloc(blocks->block_size);
	errcode_t err = block ? 0 : ENOMEM;

	for (uint32_t b = 0; !err && b < blocks->count; b++) {
		err = htree_blocks_read(blocks, b, 1, block);
		if (err == E2DX_ET_HOLE) {
			err = 0;
			continue;
		}
		if (err)
			break;
		err = htree_leaf_entries(g->dir, block, b, linear_entry, g);
		if (err == E2DX_ET_DAMAGED)
			err = 0;
		count_leaf(g, htree_leaf_room(g->dir) - (b ? 0 : dots));
	}
	free(block);
	return err;
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void count_groups(struct gather *g)
{
	size_t first = 0;

	if (g->n)
		qsort(g->hashes, g->n, sizeof(*g->hashes), by_value);
	for (size_t i = 1; i <= g->n; i++) {
		if (i < g->n && g->hashes[i] == g->hashes[first])
			continue;
		if (i - first > 1) {
			g->s->equal_groups++;
			if (i - first > g->s->longest_chain)
				g->s->longest_chain = i - first;
		}
		first = i;
	}
}

errcode_t htree_stats(const struct htree_dir *dir, struct htree_blocks *blocks,
		      struct htree_stats *s)
{
	static const struct htree_walk_ops ops = {
		.root = on_root, .node = on_node, .child = on_child,
		.leaf = on_leaf
	};
	struct gather g = { .dir = dir, .s = s };
	errcode_t err;

	memset(s, 0, sizeof(*s));
	s->version = -1;
	s->blocks = blocks->count;
	if (dir->indexed)
		err = htree_walk(dir, blocks, &ops, &g);
	else
		err = gather_linear(&g, blocks);
	if (!err)
		count_groups(&g);
	free(g.hashes);
	return err;
}
