/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One more entry in the index: nodes split, a level is added. */
#include "htree/change_priv.h"

#include "e2dx_err.h"
#include "htree/ondisk.h"
#include "htree/table.h"

/* An entry on its way up, and the blocks that were made for it. */
struct grow {
	struct htree_change *c;
	uint32_t bound, child;
	uint32_t next;			/* number of the next new block */
	uint32_t first;			/* number of the one in spare[0] */
	int top;			/* highest level that changes */
};

static uint8_t *table_of(struct htree_change *c, int level)
{
	return c->path.block[level] + htree_table_offset(level);
}

static bool full(const struct htree_change *c, int level)
{
	const struct htree_node *n = &c->path.node[level];

	return n->count >= n->limit;
}

errcode_t htree_grow_need(const struct htree_change *c, uint32_t *blocks)
{
	int level = c->path.depth;

	*blocks = 0;
	while (level >= 0 && full(c, level)) {
		++*blocks;
		level--;
	}
	if (level < 0 && (c->path.depth >= c->dir->max_indirect ||
			  c->path.depth + 1 >= HTREE_MAX_LEVELS))
		return E2DX_ET_DIR_FULL;
	return *blocks > CHANGE_FRESH ? E2DX_ET_DIR_FULL : 0;
}

/* A new interior block's memory; its number is g->next. */
static uint8_t *fresh_node(struct grow *g)
{
	uint8_t *block = g->c->spare[g->next - g->first];

	htree_table_begin_node(g->c->dir, block);
	return block + HTREE_NODE_TABLE;
}

/*
 * Divide a full node in the middle, with the new entry in its place.  What is
 * then on its way up is the right half, with the bound of its first entry.
 */
static void split_node(struct grow *g, int level)
{
	struct htree_node *n = &g->c->path.node[level];
	uint32_t at = g->c->path.at[level] + 1, half = n->count / 2;
	uint8_t *left = table_of(g->c, level), *right = fresh_node(g);
	uint32_t bound = htree_node_hash(n, half);

	htree_table_append(right, left, half, 0);
	htree_table_cut(left, half);
	if (at <= half)
		htree_table_insert(left, at, g->bound, g->child);
	else
		htree_table_insert(right, at - half, g->bound, g->child);
	g->bound = bound;
	g->child = g->next++;
}

/*
 * The root's entries move into a new node, which has more room than the root,
 * and the root has that one child.
 */
static void add_level(struct grow *g)
{
	uint8_t *root = g->c->path.block[0], *table = root + HTREE_ROOT_TABLE;
	uint8_t *node = fresh_node(g);

	htree_table_append(node, table, 0, 0);
	htree_table_insert(node, g->c->path.at[0] + 1, g->bound, g->child);
	htree_table_cut(table, 1);
	htree_table_set_child(table, 0, g->next++);
	root[HTREE_ROOT_LEVELS]++;
}

/* Change the path's buffers and make the new ones; writes nothing. */
static void cascade(struct grow *g)
{
	int level = g->c->path.depth;

	while (level > 0 && full(g->c, level))
		split_node(g, level--);
	g->top = level;
	if (full(g->c, level))
		add_level(g);
	else
		htree_table_insert(table_of(g->c, level),
				   g->c->path.at[level] + 1, g->bound, g->child);
}

errcode_t htree_grow(struct htree_change *c, uint32_t bound, uint32_t child,
		     uint32_t next)
{
	struct grow g = {
		.c = c, .bound = bound, .child = child, .next = next,
		.first = next
	};
	errcode_t err = 0;

	cascade(&g);
	for (uint32_t i = g.first; i < g.next && !err; i++)
		err = htree_change_write_index(c, i, c->spare[i - g.first]);
	if (!err)
		err = htree_change_barrier(c);
	/* From above: what a node loses has been pointed to from there. */
	for (int level = g.top; level <= c->path.depth && !err; level++) {
		c->linked = true;
		err = htree_change_write_node(c, level);
		if (!err)
			err = htree_change_barrier(c);
	}
	return err;
}
