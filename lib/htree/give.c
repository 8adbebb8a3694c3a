/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Give blocks back.  A directory has no holes, so its last block takes the
 * freed one's place; what points to the last block is found by a name or a
 * bound in it, which costs one way down the index.
 */
#include "htree/change_priv.h"

#include "e2dx_err.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/ondisk.h"
#include "htree/table.h"

/* The way to what points to a block. */
struct parent {
	struct htree_path path;
	int level;		/* path.at[level] is the pointer */
	uint32_t number;	/* the block */
	uint32_t left;		/* nodes that may still be read */
};

static uint8_t *moved_of(struct htree_change *c)
{
	return c->spare[HTREE_MAX_LEVELS];
}

static bool points(struct parent *q, int level)
{
	q->level = level;
	return htree_node_child(&q->path.node[level], q->path.at[level]) ==
		q->number;
}

/* The pointer to a node, by a bound of it.  False where it is not there. */
static bool find_node(struct parent *q, uint32_t bound)
{
	struct htree_path *p = &q->path;

	for (int level = 0; level < p->depth; level++) {
		p->at[level] = htree_node_search(&p->node[level], bound);
		if (points(q, level))
			return true;
		if (level + 1 < p->depth && htree_path_enter(p, level + 1))
			return false;
	}
	return false;
}

/* The pointer to a leaf, by the hash of a name in it. */
static bool find_leaf(struct parent *q, uint32_t hash)
{
	struct htree_path *p = &q->path;
	errcode_t err;

	for (err = htree_path_descend(p, hash); !err && q->left--;
	     err = htree_path_next(p, hash))
		if (points(q, p->depth))
			return true;
	return false;
}

/*
 * The pointer to a block that tells nothing: an empty leaf, which only others
 * leave behind, or a node of one entry.  Over all nodes, no more of them than
 * there are blocks.
 */
static bool find_anywhere(struct parent *q, int level)
{
	struct htree_path *p = &q->path;

	for (uint32_t i = 0; i < p->node[level].count; i++) {
		p->at[level] = i;
		if (points(q, level))
			return true;
		if (level == p->depth || q->left == 0)
			continue;
		q->left--;
		if (!htree_path_enter(p, level + 1) &&
		    find_anywhere(q, level + 1))
			return true;
	}
	return false;
}

/* A node that has more than one entry: then *bound lies in its range. */
static bool node_bound(const struct htree_dir *dir, const uint8_t *block,
		       uint32_t *bound)
{
	struct htree_node n;

	if (htree_parse_node(dir, block, 0, 1, &n) || n.count < 2 ||
	    n.limit != htree_node_limit(dir) || !n.checksum_ok)
		return false;
	*bound = htree_node_hash(&n, 1);
	return true;
}

/* The hash of a leaf's first used record. */
static bool leaf_hash(const struct htree_change *c, const uint8_t *block,
		      uint32_t *hash)
{
	uint32_t end = htree_leaf_end(c->dir, block);
	struct htree_dirent d;
	struct dirhash h;

	for (uint32_t offset = 0; offset < end; offset += d.rec_len) {
		if (htree_dirent_parse(c->dir, block, end, offset, &d))
			return false;
		if (!d.ino)
			continue;
		h = d.hash;
		if (!d.has_hash &&
		    dirhash_name(&c->hasher, d.name, d.name_len, &h))
			return false;
		*hash = htree_hash_clean(h.hash);
		return true;
	}
	return false;
}

static errcode_t begin(struct htree_change *c, struct parent *q)
{
	q->left = c->blocks->count;
	htree_path_init(&q->path, c->dir, c->blocks, c->spare[0], true);
	return htree_path_root(&q->path);
}

/* Read block `number` into moved_of(c) and find what points to it. */
static errcode_t find_parent(struct htree_change *c, uint32_t number,
			     struct parent *q)
{
	uint8_t *block = moved_of(c);
	uint32_t key;
	errcode_t err;

	q->number = number;
	err = htree_blocks_read(c->blocks, number, 1, block);
	if (!err)
		err = begin(c, q);
	if (err)
		return err;
	if (node_bound(c->dir, block, &key) && find_node(q, key))
		return 0;
	if (leaf_hash(c, block, &key) && find_leaf(q, key))
		return 0;
	err = begin(c, q);
	if (!err && !find_anywhere(q, 0))
		err = E2DX_ET_DAMAGED;
	return err;
}

static bool among(uint32_t block, const uint32_t *blocks, int n)
{
	for (int i = 0; i < n; i++)
		if (blocks[i] == block)
			return true;
	return false;
}

errcode_t htree_give_check(struct htree_change *c, const uint32_t *blocks,
			   int n)
{
	uint32_t count = c->blocks->count;
	struct parent q;
	errcode_t err;

	for (int i = 0; i < n; i++)
		if (blocks[i] == 0 || blocks[i] >= count ||
		    among(blocks[i], blocks, i))
			return E2DX_ET_DAMAGED;
	for (uint32_t last = count - (uint32_t)n; last < count; last++) {
		if (among(last, blocks, n))
			continue;
		err = find_parent(c, last, &q);
		if (err)
			return err;
	}
	/* Each block that is given back makes room for the next time. */
	return htree_blocks_may_shrink(c->blocks, count - 1);
}

/* Copy the last block to `to`, then point there instead. */
static errcode_t move_last(struct htree_change *c, uint32_t to)
{
	struct parent q;
	struct htree_path *p = &q.path;
	errcode_t err;

	err = find_parent(c, c->blocks->count - 1, &q);
	if (!err)
		err = htree_blocks_write(c->blocks, to, 1, moved_of(c));
	if (!err)
		err = htree_change_barrier(c);
	if (err)
		return err;
	htree_table_set_child(p->block[q.level] + htree_table_offset(q.level),
			      p->at[q.level], to);
	c->path = *p;
	err = htree_change_write_node(c, q.level);
	return err ? err : htree_change_barrier(c);
}

errcode_t htree_give_back(struct htree_change *c, uint32_t *blocks, int n)
{
	errcode_t err = 0;

	/* The greatest first: the last block is then never one of them. */
	for (; n > 0 && !err; n--) {
		int greatest = 0;
		uint32_t last = c->blocks->count - 1;
		struct htree_path path = c->path;

		for (int i = 1; i < n; i++)
			if (blocks[i] > blocks[greatest])
				greatest = i;
		if (blocks[greatest] != last)
			err = move_last(c, blocks[greatest]);
		blocks[greatest] = blocks[n - 1];
		c->path = path;
		if (!err)
			err = htree_blocks_resize(c->blocks, last);
	}
	return err;
}
