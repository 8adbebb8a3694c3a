/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A way down the index, by binary search; each node checked as it is read. */
#include "htree/path.h"

#include "e2dx_err.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/ondisk.h"

void htree_path_init(struct htree_path *p, const struct htree_dir *dir,
		     struct htree_blocks *blocks, uint8_t *buffer, bool exact)
{
	p->dir = dir;
	p->blocks = blocks;
	p->exact = exact;
	p->depth = 0;
	for (int i = 0; i < HTREE_MAX_LEVELS; i++)
		p->block[i] = buffer + (size_t)i * blocks->block_size;
}

/* Are the root's records and limit as a writer leaves them? */
static bool root_exact(const struct htree_path *p)
{
	const struct htree_dir *dir = p->dir;
	const uint8_t *block = p->block[0];
	struct htree_dirent d;

	if (p->node[0].limit != htree_root_limit(dir))
		return false;
	if (htree_dir_stores_hash(dir) && p->version != DIRHASH_SIPHASH)
		return false;
	if (htree_dirent_parse(dir, block, dir->block_size, 0, &d) ||
	    htree_dirent_dot(&d) != 1 || d.rec_len != HTREE_DOT_SIZE)
		return false;
	return !htree_dirent_parse(dir, block, dir->block_size,
				   HTREE_DOT_SIZE, &d) &&
		htree_dirent_dot(&d) == 2 && d.ino &&
		d.rec_len == dir->block_size - HTREE_DOT_SIZE;
}

errcode_t htree_path_root(struct htree_path *p)
{
	struct htree_root root;
	errcode_t err;

	err = htree_blocks_read(p->blocks, 0, 1, p->block[0]);
	if (!err)
		err = htree_parse_root(p->dir, p->block[0], &root, &p->node[0]);
	if (err)
		return err;
	p->version = root.version;
	p->depth = root.indirect_levels;
	p->at[0] = 0;
	if (root.indirect_levels >= HTREE_MAX_LEVELS || !p->node[0].checksum_ok)
		return E2DX_ET_DAMAGED;
	if (p->exact && !root_exact(p))
		return E2DX_ET_DAMAGED;
	return 0;
}

uint32_t htree_node_search(const struct htree_node *n, uint32_t hash)
{
	uint32_t low = 0, high = n->count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (htree_node_hash(n, middle) > hash)
			high = middle;
		else
			low = middle;
	}
	return low;
}

/*
 * The child that level `level` points to.  0 where it is none that can be:
 * the root, one past the end, or (exact) a node that lies above it.
 */
static uint32_t child_at(const struct htree_path *p, int level)
{
	uint32_t child = htree_node_child(&p->node[level], p->at[level]);

	if (child >= p->blocks->count)
		return 0;
	for (int i = 1; p->exact && i <= level; i++)
		if (child == p->node[i].block)
			return 0;
	return child;
}

errcode_t htree_path_enter(struct htree_path *p, int level)
{
	uint32_t child = child_at(p, level - 1);
	struct htree_node *n = &p->node[level];
	errcode_t err;

	if (child == 0)
		return E2DX_ET_DAMAGED;
	err = htree_blocks_read(p->blocks, child, 1, p->block[level]);
	if (!err)
		err = htree_parse_node(p->dir, p->block[level], child, level, n);
	if (err)
		return err;
	p->at[level] = 0;
	if (n->count == 0 || n->disk_count > n->limit || !n->checksum_ok)
		return E2DX_ET_DAMAGED;
	if (p->exact && n->limit != htree_node_limit(p->dir))
		return E2DX_ET_DAMAGED;
	return 0;
}

errcode_t htree_path_descend(struct htree_path *p, uint32_t hash)
{
	errcode_t err;

	for (int level = 0; ; level++) {
		p->at[level] = htree_node_search(&p->node[level], hash);
		if (level == p->depth)
			return 0;
		err = htree_path_enter(p, level + 1);
		if (err)
			return err;
	}
}

/* The lowest level that has an entry after the one taken; -1: none has. */
static int level_with_next(const struct htree_path *p)
{
	int level = p->depth;

	while (level >= 0 && p->at[level] + 1 >= p->node[level].count)
		level--;
	return level;
}

errcode_t htree_path_next(struct htree_path *p, uint32_t hash)
{
	int level = level_with_next(p);
	errcode_t err;

	if (level < 0)
		return E2DX_ET_NOT_FOUND;
	if (htree_node_hash(&p->node[level], p->at[level] + 1) !=
	    (hash | HTREE_DX_CONTINUED))
		return E2DX_ET_NOT_FOUND;
	p->at[level]++;
	while (level < p->depth) {
		err = htree_path_enter(p, ++level);
		if (err)
			return err;
	}
	return 0;
}

uint32_t htree_path_leaf(const struct htree_path *p)
{
	return child_at(p, p->depth);
}

uint32_t htree_path_lower(const struct htree_path *p)
{
	for (int level = p->depth; level >= 0; level--)
		if (p->at[level] > 0)
			return htree_node_hash(&p->node[level], p->at[level]);
	return 0;
}

uint32_t htree_path_upper(const struct htree_path *p)
{
	int level = level_with_next(p);

	if (level < 0)
		return HTREE_NO_BOUND;
	return htree_node_hash(&p->node[level], p->at[level] + 1);
}
