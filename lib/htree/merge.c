/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The steps by which an index gets smaller. */
#include "htree/merge.h"

#include "e2dx_err.h"
#include "htree/csum.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/ondisk.h"
#include "htree/table.h"

static uint8_t *table_of(struct htree_change *c, int level)
{
	return c->path.block[level] + htree_table_offset(level);
}

/* Take entry i from the path's node of a level. */
static errcode_t unlink_child(struct htree_change *c, int level, uint32_t i)
{
	errcode_t err;

	htree_table_remove(table_of(c, level), i);
	err = htree_change_write_node(c, level);
	return err ? err : htree_change_barrier(c);
}

/* ---- leaves */

/* An empty leaf goes, and with it the nodes that have nothing else. */
static errcode_t drop_empty(struct htree_change *c, bool *did)
{
	uint32_t given[CHANGE_GIVE];
	int level = c->path.depth, n = 0;
	errcode_t err;

	given[n++] = htree_path_leaf(&c->path);
	for (; level > 0 && c->path.node[level].count == 1; level--)
		given[n++] = c->path.node[level].block;
	if (c->path.node[level].count == 1)
		return 0;	/* the root's only child: merge_level, _all */
	err = htree_give_check(c, given, n);
	if (!err)
		err = unlink_child(c, level, c->path.at[level]);
	if (err)
		return err;
	*did = true;
	return htree_give_back(c, given, n);
}

/* Entries `left` and the one after it of the lowest node become one leaf. */
static errcode_t join_leaves(struct htree_change *c, uint32_t left,
			     const uint8_t *first, const uint8_t *second)
{
	const struct htree_node *n = &c->path.node[c->path.depth];
	uint32_t keep = htree_node_child(n, left);
	uint32_t give = htree_node_child(n, left + 1);
	uint8_t *both = c->spare[0];
	struct htree_packer k;
	errcode_t err;

	err = htree_give_check(c, &give, 1);	/* before spare[0] is filled */
	if (err)
		return err;
	htree_packer_begin(&k, c->dir, both);
	htree_packer_copy_all(&k, first, keep);
	htree_packer_copy_all(&k, second, give);
	htree_packer_end(&k);
	err = htree_change_write(c, keep, both);
	if (!err)
		err = htree_change_barrier(c);
	if (!err)
		err = unlink_child(c, c->path.depth, left + 1);
	return err ? err : htree_give_back(c, &give, 1);
}

/* Read entry i's leaf into c->near, if it is one to merge with. */
static errcode_t read_near(struct htree_change *c, uint32_t i, uint32_t *used)
{
	const struct htree_path *p = &c->path;
	uint32_t number = htree_node_child(&p->node[p->depth], i);
	struct htree_scan s = { 0 };
	errcode_t err;

	if (number == 0 || number >= c->blocks->count ||
	    number == htree_path_leaf(p))
		return E2DX_ET_DAMAGED;
	err = htree_blocks_read(c->blocks, number, 1, c->near);
	if (!err)
		err = htree_scan_block(c->dir, c->near, number, &s);
	*used = s.used;
	return err;
}

/* Checked only now: most neighbours are too full, and each removal asks. */
static errcode_t near_sound(const struct htree_change *c)
{
	if (c->dir->metadata_csum && !htree_leaf_csum_ok(c->dir, c->near))
		return E2DX_ET_DAMAGED;
	return 0;
}

errcode_t htree_merge_leaf(struct htree_change *c, uint32_t used, bool *did)
{
	const struct htree_path *p = &c->path;
	uint32_t at = p->at[p->depth], room = htree_leaf_room(c->dir), other;
	errcode_t err;

	if (used == 0)
		return drop_empty(c, did);
	if (!htree_merge_fits(used, room))
		return 0;
	for (int side = 0; side < 2; side++) {
		if (side ? at + 1 >= p->node[p->depth].count : at == 0)
			continue;
		err = read_near(c, side ? at + 1 : at - 1, &other);
		if (err)
			return err;
		if (!htree_merge_fits((uint64_t)used + other, room))
			continue;
		err = near_sound(c);
		if (err)
			return err;
		*did = true;
		if (side)
			return join_leaves(c, at, c->leaf, c->near);
		return join_leaves(c, at - 1, c->near, c->leaf);
	}
	return 0;
}

/* ---- nodes */

/* Read the node that entry i of level - 1 points to, into c->near. */
static errcode_t read_node(struct htree_change *c, int level, uint32_t i,
			   struct htree_node *n)
{
	const struct htree_path *p = &c->path;
	uint32_t number = htree_node_child(&p->node[level - 1], i);
	errcode_t err;

	if (number == 0 || number >= c->blocks->count)
		return E2DX_ET_DAMAGED;
	for (int l = 1; l <= p->depth; l++)
		if (number == p->node[l].block)
			return E2DX_ET_DAMAGED;
	err = htree_blocks_read(c->blocks, number, 1, c->near);
	if (!err)
		err = htree_parse_node(c->dir, c->near, number, level, n);
	if (!err && (n->count == 0 || n->disk_count > n->limit ||
		     n->limit != htree_node_limit(c->dir) || !n->checksum_ok))
		err = E2DX_ET_DAMAGED;
	return err;
}

/* Entries `left` and the one after it of level - 1 become one node. */
static errcode_t join_nodes(struct htree_change *c, int level, uint32_t left,
			    uint8_t *first, uint8_t *second)
{
	const struct htree_node *n = &c->path.node[level - 1];
	uint32_t keep = htree_node_child(n, left);
	uint32_t give = htree_node_child(n, left + 1);
	errcode_t err = htree_give_check(c, &give, 1);

	if (err)
		return err;
	htree_table_append(first + HTREE_NODE_TABLE, second + HTREE_NODE_TABLE,
			   0, htree_node_hash(n, left + 1));
	err = htree_change_write_index(c, keep, first);
	if (!err)
		err = htree_change_barrier(c);
	if (!err)
		err = unlink_child(c, level - 1, left + 1);
	return err ? err : htree_give_back(c, &give, 1);
}

static errcode_t merge_node(struct htree_change *c, int level, bool *did)
{
	const struct htree_path *p = &c->path;
	uint32_t at = p->at[level - 1];
	uint8_t *own = p->block[level];
	struct htree_node other;
	errcode_t err;

	for (int side = 0; side < 2; side++) {
		if (side ? at + 1 >= p->node[level - 1].count : at == 0)
			continue;
		err = read_node(c, level, side ? at + 1 : at - 1, &other);
		if (err)
			return err;
		if (!htree_merge_fits(p->node[level].count + other.count,
				      other.limit))
			continue;
		*did = true;
		if (side)
			return join_nodes(c, level, at, own, c->near);
		return join_nodes(c, level, at - 1, c->near, own);
	}
	return 0;
}

errcode_t htree_merge_nodes(struct htree_change *c, bool *did)
{
	errcode_t err = 0;

	for (int level = c->path.depth; level > 0 && !err && !*did; level--)
		if (htree_merge_fits(c->path.node[level].count + 1,
				     htree_node_limit(c->dir)))
			err = merge_node(c, level, did);
	return err;
}

/* ---- levels */

errcode_t htree_merge_level(struct htree_change *c, bool *did)
{
	const struct htree_path *p = &c->path;
	uint8_t *table = table_of(c, 0);
	uint32_t give;
	errcode_t err;

	if (p->depth == 0 || p->node[0].count != 1 ||
	    !htree_merge_fits(p->node[1].count, htree_root_limit(c->dir)))
		return 0;
	give = p->node[1].block;
	err = htree_give_check(c, &give, 1);
	if (err)
		return err;
	htree_table_set_count(table, 0);
	htree_table_append(table, table_of(c, 1), 0, 0);
	p->block[0][HTREE_ROOT_LEVELS]--;
	err = htree_change_write_node(c, 0);
	if (!err)
		err = htree_change_barrier(c);
	*did = true;
	return err ? err : htree_give_back(c, &give, 1);
}

/* ---- the whole index */

/* The root's dots and the leaf's entries, as a block without an index. */
static void pack_all(struct htree_change *c, uint8_t *out)
{
	const uint8_t *root = c->path.block[0];
	struct htree_packer k;

	htree_packer_begin(&k, c->dir, out);
	htree_packer_copy(&k, root, HTREE_DOT_SIZE);
	htree_packer_copy(&k, root + HTREE_DOT_SIZE, HTREE_DOT_SIZE);
	htree_packer_copy_all(&k, c->leaf, htree_path_leaf(&c->path));
	htree_packer_end(&k);
}

/*
 * The flag goes first: what is then there is a linear directory whose first
 * block has only dots, and, once that is written, one that has them twice.
 */
errcode_t htree_merge_all(struct htree_change *c, uint32_t used, bool *did)
{
	const struct htree_path *p = &c->path;
	errcode_t err;

	/* Any more blocks than these are some that no index leads to. */
	if (p->depth != 0 || p->node[0].count != 1 || c->blocks->count != 2 ||
	    !htree_merge_fits(2 * HTREE_DOT_SIZE + (uint64_t)used,
			      htree_leaf_room(c->dir)))
		return 0;
	err = htree_blocks_may_shrink(c->blocks, 1);
	if (err)
		return err;
	pack_all(c, c->near);
	*did = true;
	err = htree_change_set_indexed(c, false);
	if (!err)
		err = htree_change_barrier(c);
	if (!err)
		err = htree_change_write(c, 0, c->near);
	if (!err)
		err = htree_change_barrier(c);
	return err ? err : htree_blocks_resize(c->blocks, 1);
}
