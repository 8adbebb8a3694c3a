/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Take a name away. */
#include "htree/change_priv.h"

#include <errno.h>

#include "e2dx_err.h"
#include "htree/csum.h"
#include "htree/dirent.h"
#include "htree/ondisk.h"

struct removal {
	struct htree_change *c;
	struct htree_scan scan;
	uint32_t number;		/* the block in c->leaf */
	bool placed;			/* c->path leads to it */
};

static errcode_t search_block(struct removal *r, uint32_t number)
{
	struct htree_change *c = r->c;
	errcode_t err;

	r->number = number;
	err = htree_blocks_read(c->blocks, number, 1, c->leaf);
	if (!err)
		err = htree_scan_block(c->dir, c->leaf, number, &r->scan);
	if (err)
		return err;
	return r->scan.found ? 0 : E2DX_ET_NOT_FOUND;
}

/* As lookup does: damage elsewhere does not keep a name from being removed. */
static errcode_t search_linear(struct removal *r)
{
	errcode_t err, failed = 0;

	for (uint32_t b = 0; b < r->c->blocks->count; b++) {
		err = search_block(r, b);
		if (!err)
			return 0;
		if (err != E2DX_ET_NOT_FOUND && err != E2DX_ET_DAMAGED &&
		    err != E2DX_ET_HOLE)
			failed = err;
	}
	return failed ? failed : E2DX_ET_NOT_FOUND;
}

static errcode_t search_index(struct removal *r)
{
	struct htree_change *c = r->c;
	uint32_t leaf, left = c->blocks->count;
	errcode_t err;

	err = htree_change_index(c, r->scan.name, r->scan.len, NULL);
	if (err)
		return err;
	for (err = htree_path_descend(&c->path, c->hash); !err;
	     err = htree_path_next(&c->path, c->hash)) {
		leaf = htree_path_leaf(&c->path);
		if (leaf == 0 || left-- == 0)
			return E2DX_ET_DAMAGED;
		err = search_block(r, leaf);
		if (err != E2DX_ET_NOT_FOUND)
			return err;
	}
	return err;
}

static errcode_t search(struct removal *r)
{
	const struct htree_dir *dir = r->c->dir;
	errcode_t err;

	if (dir->indexed && dir->dir_index && !htree_dir_stores_hash(dir)) {
		err = search_index(r);
		r->placed = !err;
		if (!err || err == E2DX_ET_NOT_FOUND)
			return err;
	}
	return search_linear(r);
}

/* The record goes into the one before it; the first becomes unused. */
static errcode_t erase(struct removal *r)
{
	struct htree_change *c = r->c;
	const struct htree_dirent *d = &r->scan.d;
	uint8_t *before = c->leaf + r->scan.previous;

	if (c->dir->metadata_csum && !htree_leaf_csum_ok(c->dir, c->leaf))
		return E2DX_ET_DAMAGED;
	if (r->scan.previous == HTREE_NO_OFFSET)
		htree_put_le32(c->leaf + d->offset + HTREE_DE_INO, 0);
	else
		htree_rec_len_store(c->dir, before, d->rec_len +
				    htree_rec_len_load(c->dir, before));
	return htree_change_write(c, r->number, c->leaf);
}

/*
 * An index that does not lead to the name is left as it is.  Where hashes are
 * stored the record says where the index has it.
 */
static errcode_t shrink(struct removal *r)
{
	struct htree_change *c = r->c;

	if (c->dir->indexed && !c->dir->dir_index)
		return 0;
	if (r->scan.d.has_hash)
		c->hash = htree_hash_clean(r->scan.d.hash.hash);
	else if (c->dir->indexed && !r->placed)
		return 0;
	return htree_shrink(c, r->number, r->placed);
}

errcode_t htree_remove(struct htree_dir *dir, struct htree_blocks *b,
		       const uint8_t *name, size_t len, enum htree_shrink how)
{
	struct htree_change c;
	struct removal r = { .c = &c, .scan = { .name = name, .len = len } };
	errcode_t err;

	if (len == 0 || len > DIRHASH_NAME_MAX)
		return E2DX_ET_NAME_LENGTH;
	if (htree_name_dot(name, len))
		return EINVAL;
	err = htree_change_begin(&c, dir, b);
	if (!err)
		err = search(&r);
	if (!err)
		err = erase(&r);
	if (!err && how == HTREE_SHRINK)
		err = shrink(&r);
	htree_change_end(&c);
	return err;
}
