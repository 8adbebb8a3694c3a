/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Add a name: find its leaf and room in it. */
#include "htree/change_priv.h"

#include <errno.h>
#include <string.h>

#include "e2dx_err.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/ondisk.h"
#include "htree/plan.h"

static errcode_t check_new(const struct htree_dir *dir,
			   const struct htree_dirent *d)
{
	const struct dirhash_fold *fold = dir->fold;
	uint8_t folded[18 * DIRHASH_NAME_MAX];

	if (d->name_len == 0)
		return E2DX_ET_NAME_LENGTH;
	if (htree_name_dot(d->name, d->name_len))
		return EEXIST;
	if (d->ino == 0 || htree_dirent_check(dir, d) != HTREE_OK)
		return EINVAL;
	if (dir->strict && dir->casefold && !dir->encrypted && fold &&
	    fold->fold(fold->table, d->name, d->name_len, folded,
		       sizeof(folded)) < 0)
		return EINVAL;
	return 0;
}

/* Look at one block: EEXIST, DAMAGED; *roomy: the entry fits in it. */
static errcode_t look(struct htree_change *c, uint32_t number,
		      struct htree_scan *s, bool *roomy)
{
	errcode_t err;

	*s = (struct htree_scan) {
		.name = c->d->name, .len = c->d->name_len, .size = c->size
	};
	err = htree_change_read(c, number, c->leaf);
	if (!err)
		err = htree_scan_block(c->dir, c->leaf, number, s);
	if (err)
		return err;
	*roomy = s->used + c->size <= htree_leaf_room(c->dir);
	return s->found ? EEXIST : 0;
}

/* Put the entry into the slack after a record, or over an unused one. */
static void fill_gap(struct htree_change *c, uint32_t number, uint32_t offset)
{
	uint32_t end = htree_block_end(c->dir, c->leaf, number), need = 0;
	struct htree_dirent old;

	if (htree_dirent_parse(c->dir, c->leaf, end, offset, &old))
		return;		/* it was scanned: cannot be */
	if (old.ino) {
		need = htree_dirent_size(c->dir, &old);
		htree_rec_len_store(c->dir, c->leaf + offset, need);
	}
	htree_dirent_write(c->dir, c->leaf, offset + need, old.rec_len - need,
			   c->d);
}

/* The free bytes suffice, but no piece of them does: push them together. */
static void compact(struct htree_change *c, uint32_t number)
{
	struct htree_packer k;

	htree_packer_begin(&k, c->dir, c->near);
	htree_packer_copy_all(&k, c->leaf, number);
	htree_packer_add(&k, c->d);
	htree_packer_end(&k);
	memcpy(c->leaf, c->near, c->dir->block_size);
}

/* Add to a block that has room for it; c->leaf holds block `held`. */
static errcode_t add(struct htree_change *c, uint32_t number, uint32_t held,
		     struct htree_scan *s)
{
	errcode_t err = 0;
	bool roomy;

	if (number != held)
		err = look(c, number, s, &roomy);
	if (err)
		return err;
	if (s->gap != HTREE_NO_OFFSET)
		fill_gap(c, number, s->gap);
	else
		compact(c, number);
	return htree_change_write(c, number, c->leaf);
}

/* ---- without an index */

static errcode_t append_block(struct htree_change *c)
{
	uint32_t number = c->blocks->count;
	struct htree_packer k;
	errcode_t err;

	if (number >= htree_plan_max_blocks(c->dir, false))
		return E2DX_ET_DIR_FULL;
	htree_packer_begin(&k, c->dir, c->near);
	htree_packer_add(&k, c->d);
	htree_packer_end(&k);
	err = htree_blocks_resize(c->blocks, number + 1);
	if (err)
		return err;
	err = htree_change_write(c, number, c->near);
	if (err)
		htree_blocks_resize(c->blocks, number);
	return err;
}

static errcode_t insert_linear(struct htree_change *c)
{
	uint32_t where = 0, b;
	bool roomy, any = false;
	struct htree_scan s;
	errcode_t err;

	for (b = 0; b < c->blocks->count; b++) {
		err = look(c, b, &s, &roomy);
		if (err)
			return err;
		if (roomy && !any)
			where = b;
		any |= roomy;
	}
	if (any)
		return add(c, where, b - 1, &s);
	if (c->blocks->count == 1 && c->dir->dir_index)
		return htree_split_first(c);
	return append_block(c);
}

/* ---- with an index */

/*
 * Look at every leaf that may hold the name.  *where: the first of them with
 * room, 0 if there is none; *held: the one in c->leaf.
 */
static errcode_t look_at_leaves(struct htree_change *c, struct htree_scan *s,
				uint32_t *where, uint32_t *held)
{
	uint32_t left = c->blocks->count;
	errcode_t err;
	bool roomy;

	*where = *held = 0;
	for (err = htree_path_descend(&c->path, c->hash); !err;
	     err = htree_path_next(&c->path, c->hash)) {
		*held = htree_path_leaf(&c->path);
		if (*held == 0 || left-- == 0)
			return E2DX_ET_DAMAGED;
		err = look(c, *held, s, &roomy);
		if (err)
			return err;
		if (roomy && !*where)
			*where = *held;
	}
	return err == E2DX_ET_NOT_FOUND ? 0 : err;
}

static errcode_t insert_indexed(struct htree_change *c)
{
	uint32_t where, held, first;
	struct htree_scan s;
	errcode_t err;

	err = htree_change_index(c, c->d->name, c->d->name_len, &c->d->hash);
	if (!err)
		err = look_at_leaves(c, &s, &where, &held);
	if (err)
		return err;
	if (where)
		return add(c, where, held, &s);
	/* The way may have gone on to the end of a collision: back. */
	err = htree_path_root(&c->path);
	if (!err)
		err = htree_path_descend(&c->path, c->hash);
	if (err)
		return err;
	first = htree_path_leaf(&c->path);
	if (first != held)
		err = htree_change_read(c, first, c->leaf);
	return err ? err : htree_split_leaf(c, first);
}

errcode_t htree_insert(struct htree_dir *dir, struct htree_blocks *b,
		       const struct htree_dirent *d)
{
	struct htree_change c;
	struct htree_dirent clean = *d;
	errcode_t err;

	err = check_new(dir, d);
	if (!err && dir->indexed && !dir->dir_index)
		err = E2DX_ET_DAMAGED;	/* an index without the feature */
	if (err)
		return err;
	clean.hash.hash = htree_hash_clean(d->hash.hash);
	err = htree_change_begin(&c, dir, b);
	if (!err) {
		c.d = &clean;
		c.size = htree_record_size(dir, d->name_len);
		err = dir->indexed ? insert_indexed(&c) : insert_linear(&c);
	}
	htree_change_end(&c);
	return err;
}
