/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Find one name as Linux does: down the index by binary search, on to the
 * next leaf while continuation bits say that the collision goes on, and block
 * after block where there is no index to trust.
 */
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include "e2dx_err.h"
#include "htree/dirent.h"
#include "htree/ondisk.h"
#include "htree/walk.h"

struct lookup {
	const struct htree_dir *dir;
	struct htree_blocks *blocks;
	const uint8_t *name;
	size_t len;
	uint8_t *buffer;		/* the caller's: the leaf */
	struct htree_dirent *found;
	uint8_t *level_block[HTREE_MAX_LEVELS];	/* owned, one allocation */
	struct htree_node node[HTREE_MAX_LEVELS];
	uint32_t at[HTREE_MAX_LEVELS];	/* entry taken in each node */
	int depth;			/* indirect levels */
};

static bool same_name(const struct lookup *l, const struct htree_dirent *d)
{
	const struct htree_dir *dir = l->dir;

	if (dir->casefold && !dir->encrypted && dir->fold)
		return dir->fold->same(dir->fold->table, d->name, d->name_len,
				       l->name, l->len);
	return d->name_len == l->len && !memcmp(d->name, l->name, l->len);
}

/* Anything but 0 stops the iteration: EEXIST stands for "found". */
static errcode_t match(void *ctx, const struct htree_dirent *d)
{
	struct lookup *l = ctx;

	if (!same_name(l, d))
		return 0;
	*l->found = *d;
	return EEXIST;
}

/* 0 where found in this block, NOT_FOUND, DAMAGED, or a read error. */
static errcode_t search_block(struct lookup *l, uint32_t number)
{
	errcode_t err;

	err = htree_blocks_read(l->blocks, number, 1, l->buffer);
	if (err)
		return err;
	err = htree_leaf_entries(l->dir, l->buffer, number, match, l);
	if (err == EEXIST)
		return 0;
	return err ? err : E2DX_ET_NOT_FOUND;
}

/* Holes and damaged blocks hide no name that stands elsewhere. */
static errcode_t lookup_linear(struct lookup *l)
{
	errcode_t err, failed = 0;

	for (uint32_t b = 0; b < l->blocks->count; b++) {
		err = search_block(l, b);
		if (!err)
			return 0;
		if (err != E2DX_ET_NOT_FOUND && err != E2DX_ET_DAMAGED &&
		    err != E2DX_ET_HOLE)
			failed = err;
	}
	return failed ? failed : E2DX_ET_NOT_FOUND;
}

/* The last entry whose hash is not above `hash`. */
static uint32_t search_node(const struct htree_node *n, uint32_t hash)
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

/* Read the node that level - 1 points to. */
static errcode_t enter_node(struct lookup *l, int level)
{
	uint32_t block = htree_node_child(&l->node[level - 1], l->at[level - 1]);
	struct htree_node *n = &l->node[level];
	errcode_t err;

	if (block == 0 || block >= l->blocks->count)
		return E2DX_ET_DAMAGED;
	err = htree_blocks_read(l->blocks, block, 1, l->level_block[level]);
	if (!err)
		err = htree_parse_node(l->dir, l->level_block[level], block,
				       level, n);
	if (!err && (n->count == 0 || n->disk_count > n->limit ||
		     !n->checksum_ok))
		err = E2DX_ET_DAMAGED;
	return err;
}

static errcode_t descend(struct lookup *l, uint32_t hash)
{
	errcode_t err;

	for (int level = 0; ; level++) {
		l->at[level] = search_node(&l->node[level], hash);
		if (level == l->depth)
			return 0;
		err = enter_node(l, level + 1);
		if (err)
			return err;
	}
}

/*
 * Move to the next leaf if the collision of `hash` goes on there.  NOT_FOUND
 * where it does not.
 */
static errcode_t next_leaf(struct lookup *l, uint32_t hash)
{
	int level = l->depth;
	errcode_t err;

	while (l->at[level] + 1 >= l->node[level].count)
		if (level-- == 0)
			return E2DX_ET_NOT_FOUND;
	l->at[level]++;
	if ((htree_node_hash(&l->node[level], l->at[level]) & ~1u) != hash)
		return E2DX_ET_NOT_FOUND;
	for (; level < l->depth; level++) {
		err = enter_node(l, level + 1);
		if (err)
			return err;
		l->at[level + 1] = 0;
	}
	return 0;
}

/* DAMAGED and the like where the linear way must be taken. */
static errcode_t search_index(struct lookup *l, uint32_t hash)
{
	uint32_t left = l->blocks->count;	/* a looping index ends too */
	errcode_t err;

	for (err = descend(l, hash); !err; err = next_leaf(l, hash)) {
		uint32_t leaf = htree_node_child(&l->node[l->depth],
						 l->at[l->depth]);

		if (leaf == 0 || leaf >= l->blocks->count || left-- == 0)
			return E2DX_ET_DAMAGED;
		err = search_block(l, leaf);
		if (err != E2DX_ET_NOT_FOUND)
			return err;
	}
	return err;
}

static errcode_t lookup_indexed(struct lookup *l)
{
	struct htree_root root;
	struct dirhasher hasher;
	struct dirhash hash;
	size_t size = l->blocks->block_size;
	errcode_t err;

	l->level_block[0] = malloc(size * HTREE_MAX_LEVELS);
	if (!l->level_block[0])
		return ENOMEM;
	for (int i = 1; i < HTREE_MAX_LEVELS; i++)
		l->level_block[i] = l->level_block[0] + size * (size_t)i;
	err = htree_blocks_read(l->blocks, 0, 1, l->level_block[0]);
	if (!err)
		err = htree_parse_root(l->dir, l->level_block[0], &root,
				       &l->node[0]);
	if (!err && (root.indirect_levels >= HTREE_MAX_LEVELS ||
		     !l->node[0].checksum_ok))
		err = E2DX_ET_DAMAGED;
	if (!err)
		err = htree_dir_hasher(l->dir, root.version, &hasher);
	if (!err)
		err = dirhash_name(&hasher, l->name, l->len, &hash);
	if (!err) {
		l->depth = root.indirect_levels;
		err = search_index(l, hash.hash);
	}
	free(l->level_block[0]);
	return err;
}

errcode_t htree_lookup(const struct htree_dir *dir, struct htree_blocks *blocks,
		       const uint8_t *name, size_t len, uint8_t *buffer,
		       struct htree_dirent *d)
{
	struct lookup l = {
		.dir = dir, .blocks = blocks, .name = name, .len = len,
		.buffer = buffer, .found = d
	};
	errcode_t err;

	if (len == 0 || len > DIRHASH_NAME_MAX)
		return E2DX_ET_NAME_LENGTH;
	if (htree_name_dot(name, len))		/* never where their hash says */
		return blocks->count ? search_block(&l, 0) : E2DX_ET_NOT_FOUND;
	if (dir->indexed && dir->dir_index && !htree_dir_stores_hash(dir)) {
		err = lookup_indexed(&l);
		if (!err || err == E2DX_ET_NOT_FOUND || err == ENOMEM)
			return err;
	}
	return lookup_linear(&l);
}
