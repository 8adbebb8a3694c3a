/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Find one name as Linux does: down the index by binary search, on to the
 * next leaf while continuation bits say that the collision goes on, and block
 * after block where there is no index to trust.  Writes to nothing that is
 * not this call's own.
 */
#include <stdlib.h>
#include <errno.h>
#include "e2dx_err.h"
#include "htree/dirent.h"
#include "htree/path.h"
#include "htree/scan.h"

/* Nodes of blocks up to 4 KiB need no allocation. */
#define STACK_BLOCK	4096

struct lookup {
	const struct htree_dir *dir;
	struct htree_blocks *blocks;
	struct htree_scan scan;
	uint8_t *buffer;		/* the caller's: the leaf */
	struct htree_dirent *found;
};

/* 0 where found in this block, NOT_FOUND, DAMAGED, or a read error. */
static errcode_t search_block(struct lookup *l, uint32_t number)
{
	errcode_t err;

	err = htree_blocks_read(l->blocks, number, 1, l->buffer);
	if (!err)
		err = htree_scan_block(l->dir, l->buffer, number, &l->scan);
	if (err)
		return err;
	if (!l->scan.found)
		return E2DX_ET_NOT_FOUND;
	*l->found = l->scan.d;
	return 0;
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

/* DAMAGED and the like where the linear way must be taken. */
static errcode_t search_leaves(struct lookup *l, struct htree_path *p,
			       uint32_t hash)
{
	uint32_t left = l->blocks->count;	/* a looping index ends too */
	errcode_t err;

	for (err = htree_path_descend(p, hash); !err;
	     err = htree_path_next(p, hash)) {
		uint32_t leaf = htree_path_leaf(p);

		if (leaf == 0 || left-- == 0)
			return E2DX_ET_DAMAGED;
		err = search_block(l, leaf);
		if (err != E2DX_ET_NOT_FOUND)
			return err;
	}
	return err;
}

static errcode_t search_index(struct lookup *l, uint8_t *nodes)
{
	struct htree_path path;
	struct dirhasher hasher;
	struct dirhash hash;
	errcode_t err;

	htree_path_init(&path, l->dir, l->blocks, nodes, false);
	err = htree_path_root(&path);
	if (!err)
		err = htree_dir_hasher(l->dir, path.version, &hasher);
	if (!err)
		err = dirhash_name(&hasher, l->scan.name, l->scan.len, &hash);
	return err ? err : search_leaves(l, &path, hash.hash);
}

static errcode_t lookup_indexed(struct lookup *l)
{
	uint8_t small[HTREE_MAX_LEVELS * STACK_BLOCK], *nodes = small;
	size_t size = (size_t)l->blocks->block_size * HTREE_MAX_LEVELS;
	errcode_t err;

	if (size > sizeof(small))
		nodes = malloc(size);
	if (!nodes)
		return ENOMEM;
	err = search_index(l, nodes);
	if (nodes != small)
		free(nodes);
	return err;
}

errcode_t htree_lookup(const struct htree_dir *dir, struct htree_blocks *blocks,
		       const uint8_t *name, size_t len, uint8_t *buffer,
		       struct htree_dirent *d)
{
	struct lookup l = {
		.dir = dir, .blocks = blocks, .scan = { .name = name, .len = len },
		.buffer = buffer, .found = d
	};
	errcode_t err;

	if (len == 0 || len > DIRHASH_NAME_MAX)
		return E2DX_ET_NAME_LENGTH;
	if (htree_name_dot(name, len))	/* never where their hash says */
		return blocks->count ? search_block(&l, 0) : E2DX_ET_NOT_FOUND;
	if (dir->indexed && dir->dir_index && !htree_dir_stores_hash(dir)) {
		err = lookup_indexed(&l);
		if (!err || err == E2DX_ET_NOT_FOUND || err == ENOMEM)
			return err;
	}
	return lookup_linear(&l);
}
