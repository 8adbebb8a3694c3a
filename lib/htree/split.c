/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Divide a full leaf among two, or the only block among an index's first
   leaves, with the new entry in its place. */
#include "htree/change_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "e2dx_err.h"
#include "htree/csum.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/ondisk.h"
#include "htree/pack.h"
#include "htree/plan.h"
#include "htree/table.h"

struct split {
	struct htree_slot *slots;	/* owned; sorted, the new one among them */
	size_t n;
	size_t cut;			/* first slot of the right leaf */
	uint32_t bound;			/* of the right leaf, as in the index */
};

/* Take c->leaf apart and decide where to cut.  Changes nothing. */
static errcode_t plan_split(struct htree_change *c, uint32_t leaf,
			    struct split *s)
{
	struct htree_slot *slots;
	errcode_t err;

	s->slots = slots = malloc(htree_slots_max(c->dir) * sizeof(*slots));
	if (!slots)
		return ENOMEM;
	err = htree_slots_read(c->dir, &c->hasher, c->leaf, leaf, slots, &s->n);
	if (err)
		return err;
	slots[s->n++] = (struct htree_slot) {
		.hash = c->hash, .offset = HTREE_NO_OFFSET, .size = c->size
	};
	htree_slots_sort(slots, s->n);
	s->cut = htree_slots_cut(c->dir, slots, s->n);
	if (!s->cut)
		return E2DX_ET_DAMAGED;
	s->bound = slots[s->cut].hash;
	if (slots[s->cut - 1].hash == s->bound)
		s->bound |= HTREE_DX_CONTINUED;
	return 0;
}

static void write_halves(struct htree_change *c, const struct split *s,
			 uint8_t *left, uint8_t *right)
{
	htree_slots_write(c->dir, s->slots, s->cut, c->leaf, c->d, left);
	htree_slots_write(c->dir, s->slots + s->cut, s->n - s->cut, c->leaf,
			  c->d, right);
}

/* Make room for `more` blocks; *old: the count before. */
static errcode_t extend(struct htree_change *c, uint32_t more, uint32_t *old)
{
	*old = c->blocks->count;
	if ((uint64_t)*old + more > htree_plan_max_blocks(c->dir, true))
		return E2DX_ET_DIR_FULL;
	return htree_blocks_resize(c->blocks, *old + more);
}

/* Do the leaf's hashes lie where the index has them? */
static bool in_range(const struct htree_change *c, const struct split *s)
{
	uint32_t lower = htree_path_lower(&c->path) & ~HTREE_DX_CONTINUED;
	uint32_t upper = htree_path_upper(&c->path);

	/* With its bit set, upper is above that very hash. */
	return s->slots[0].hash >= lower && s->slots[s->n - 1].hash < upper;
}

/*
 * The right half and the index over it first, then the left half over the
 * old leaf: until that is written the old leaf still has all of it.
 */
static errcode_t split(struct htree_change *c, uint32_t leaf,
		       const struct split *s)
{
	uint8_t *right = c->spare[CHANGE_FRESH];
	uint32_t nodes, old;
	errcode_t err;

	err = htree_grow_need(c, &nodes);
	if (!err)
		err = extend(c, 1 + nodes, &old);
	if (err)
		return err;
	write_halves(c, s, c->near, right);
	err = htree_change_write(c, old, right);
	if (!err)
		err = htree_grow(c, s->bound, old, old + 1);
	if (!err)
		return htree_change_write(c, leaf, c->near);
	if (!c->linked)
		htree_blocks_resize(c->blocks, old);
	return err;
}

errcode_t htree_split_leaf(struct htree_change *c, uint32_t leaf)
{
	struct split s = { 0 };
	errcode_t err = plan_split(c, leaf, &s);

	if (!err && !in_range(c, &s))
		err = E2DX_ET_DAMAGED;
	if (!err)
		err = split(c, leaf, &s);
	free(s.slots);
	return err;
}

/* ---- the first index of a directory */

/* The parent, of a block that begins with sound dots; 0 of any other. */
static uint32_t parent_of(const struct htree_change *c)
{
	uint32_t end = htree_leaf_room(c->dir);
	struct htree_dirent d;

	if (htree_dirent_parse(c->dir, c->leaf, end, 0, &d) ||
	    htree_dirent_dot(&d) != 1 || d.ino != c->dir->ino ||
	    d.rec_len != HTREE_DOT_SIZE)
		return 0;
	if (htree_dirent_parse(c->dir, c->leaf, end, HTREE_DOT_SIZE, &d) ||
	    htree_dirent_dot(&d) != 2)
		return 0;
	return d.ino;
}

/* A root over leaves 1 and 2, in `block`. */
static void make_root(struct htree_change *c, uint32_t parent, int version,
		      uint32_t bound, uint8_t *block)
{
	uint8_t *table = block + HTREE_ROOT_TABLE;

	memset(block, 0, c->dir->block_size);
	htree_pack_dots(c->dir, parent, true, c->dir->block_size, block);
	block[HTREE_ROOT_VERSION] = (uint8_t)version;
	block[HTREE_ROOT_INFO_LENGTH] = HTREE_INFO_LENGTH;
	htree_put_le16(table + HTREE_TABLE_LIMIT, htree_root_limit(c->dir));
	htree_table_set_count(table, 1);
	htree_table_set_child(table, 0, 1);
	htree_table_insert(table, 1, bound, 2);
	htree_index_csum_set(c->dir, block, HTREE_ROOT_TABLE);
}

/*
 * Leaves, then the root over the only block, then the flag.  Between the last
 * two the directory is a linear one whose first block has only dots, and
 * without checksums a sound one.
 */
static errcode_t write_first(struct htree_change *c, const struct split *s,
			     uint8_t *root)
{
	uint8_t *left = c->near, *right = c->spare[0];
	uint32_t old;
	errcode_t err;

	err = extend(c, 2, &old);
	if (err)
		return err;
	write_halves(c, s, left, right);
	err = htree_change_write(c, 1, left);
	if (!err)
		err = htree_change_write(c, 2, right);
	if (!err)
		err = htree_change_barrier(c);
	if (err) {
		htree_blocks_resize(c->blocks, old);
		return err;
	}
	err = htree_blocks_write(c->blocks, 0, 1, root);
	if (!err)
		err = htree_change_barrier(c);
	return err ? err : htree_change_set_indexed(c, true);
}

static errcode_t hash_new(struct htree_change *c, int *version)
{
	struct dirhash h = c->d->hash;
	errcode_t err = 0;

	*version = DIRHASH_SIPHASH;
	if (!htree_dir_stores_hash(c->dir)) {
		*version = c->dir->default_version;
		err = htree_dir_hasher(c->dir, *version, &c->hasher);
		if (!err)
			err = dirhash_name(&c->hasher, c->d->name,
					   c->d->name_len, &h);
	}
	c->hash = h.hash;
	return err;
}

errcode_t htree_split_first(struct htree_change *c)
{
	uint32_t parent = parent_of(c);
	struct split s = { 0 };
	errcode_t err;
	int version;

	if (!parent)
		return E2DX_ET_DAMAGED;
	err = hash_new(c, &version);
	if (!err)
		err = plan_split(c, 0, &s);
	if (!err) {
		make_root(c, parent, version, s.bound, c->spare[1]);
		err = write_first(c, &s, c->spare[1]);
	}
	free(s.slots);
	return err;
}
