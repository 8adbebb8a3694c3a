/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writing extent trees and indirect blocks; the layout is doc/format.md's. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <ext2fs/ext2_err.h>
#include "e2dx_err.h"
#include "ext2fs/extent.h"
#include "ext2fs/mapbuild.h"

#define EXTENT_BITS	48	/* of a physical block number */
#define ROOT_ENTRIES	4	/* of the root in i_block */
#define DIRECT_BLOCKS	12
#define DEEPEST		3	/* levels of indirect blocks */

/* ---- walking over the data's pieces */

struct cursor {
	const struct e2dx_pieces *data;
	size_t piece;
	uint64_t used;		/* blocks of that piece */
	uint64_t left;		/* blocks still to be mapped */
};

/* The next run of at most `most` blocks; 0 at the end. */
static uint64_t next_run(struct cursor *c, uint64_t most, uint64_t *physical)
{
	const struct e2dx_piece *p;
	uint64_t n;

	if (!c->left || c->piece == c->data->n)
		return 0;
	p = &c->data->v[c->piece];
	n = p->count - c->used;
	n = n < most ? n : most;
	n = n < c->left ? n : c->left;
	*physical = p->first + c->used;
	c->used += n;
	c->left -= n;
	if (c->used == p->count) {
		c->piece++;
		c->used = 0;
	}
	return n;
}

/* ---- how many mapping blocks */

static uint64_t divide_up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

static uint64_t entries_per_block(const struct e2dx_map_format *f)
{
	if (f->extents)
		return (f->block_size - EXTENT_SIZE) / EXTENT_SIZE;
	return f->block_size / sizeof(uint32_t);
}

static uint64_t tree_blocks(const struct e2dx_map_format *f, uint64_t extents)
{
	uint64_t sum = 0;

	while (extents > ROOT_ENTRIES) {
		extents = divide_up(extents, entries_per_block(f));
		sum += extents;
	}
	return sum;
}

static errcode_t indirect_blocks(const struct e2dx_map_format *f,
				 uint64_t blocks, uint64_t *count)
{
	uint64_t per = entries_per_block(f), reach = 1, part;

	*count = 0;
	blocks -= blocks < DIRECT_BLOCKS ? blocks : DIRECT_BLOCKS;
	for (int level = 1; level <= DEEPEST && blocks; level++) {
		reach *= per;
		part = blocks < reach ? blocks : reach;
		for (uint64_t unit = per; unit <= reach; unit *= per)
			*count += divide_up(part, unit);
		blocks -= part;
	}
	return blocks ? EXT2_ET_FILE_TOO_BIG : 0;
}

static uint64_t count_extents(const struct e2dx_pieces *data, uint64_t blocks)
{
	struct cursor c = { .data = data, .left = blocks };
	uint64_t n = 0, physical;

	while (next_run(&c, EXTENT_MAX_INIT, &physical))
		n++;
	return n;
}

errcode_t e2dx_map_meta(const struct e2dx_map_format *f,
			const struct e2dx_pieces *data, uint64_t blocks,
			uint64_t *count)
{
	if (!f->extents)
		return indirect_blocks(f, blocks, count);
	*count = tree_blocks(f, count_extents(data, blocks));
	return 0;
}

errcode_t e2dx_map_meta_worst(const struct e2dx_map_format *f, uint64_t blocks,
			      uint64_t shortest, uint64_t *count)
{
	if (!f->extents)
		return indirect_blocks(f, blocks, count);
	*count = tree_blocks(f, divide_up(blocks, shortest));
	return 0;
}

/* ---- extent trees */

/* An extent, or with len 0 an index entry. */
struct item {
	uint32_t logical;
	uint32_t len;
	uint64_t physical;
};

static void put_item(uint8_t *p, const struct item *i, bool leaf)
{
	uint16_t high = (uint16_t)(i->physical >> 32);

	htree_put_le32(p, i->logical);
	if (leaf) {
		htree_put_le16(p + 4, (uint16_t)i->len);
		htree_put_le16(p + 6, high);
		htree_put_le32(p + 8, (uint32_t)i->physical);
	} else {
		htree_put_le32(p + 4, (uint32_t)i->physical);
		htree_put_le16(p + 8, high);
		htree_put_le16(p + 10, 0);
	}
}

static void put_node(uint8_t *p, uint64_t max, unsigned depth,
		     const struct item *items, uint64_t n)
{
	htree_put_le16(p, EXTENT_MAGIC);
	htree_put_le16(p + 2, (uint16_t)n);
	htree_put_le16(p + 4, (uint16_t)max);
	htree_put_le16(p + 6, (uint16_t)depth);
	htree_put_le32(p + 8, 0);
	for (uint64_t i = 0; i < n; i++)
		put_item(p + EXTENT_SIZE * (i + 1), &items[i], depth == 0);
}

static void put_block(const struct e2dx_map_format *f, uint8_t *p,
		      unsigned depth, const struct item *items, uint64_t n)
{
	uint64_t max = entries_per_block(f), tail = EXTENT_SIZE * (max + 1);

	memset(p, 0, f->block_size);
	put_node(p, max, depth, items, n);
	if (f->metadata_csum)
		htree_put_le32(p + tail, htree_crc32c(f->csum_seed, p, tail));
}

/*
 * Pack n items into mapping blocks; the entries that name these take the
 * items' place.  Returns how many blocks it were.
 */
static uint64_t pack_level(const struct e2dx_map_format *f, struct item *items,
			   uint64_t n, unsigned depth, const uint64_t *at,
			   uint8_t *meta)
{
	uint64_t per = entries_per_block(f), blocks = 0;

	for (uint64_t i = 0; i < n; i += per, blocks++) {
		uint32_t logical = items[i].logical;

		put_block(f, meta + blocks * f->block_size, depth, items + i,
			  n - i < per ? n - i : per);
		items[blocks] = (struct item){ .logical = logical,
					       .physical = at[blocks] };
	}
	return blocks;
}

static errcode_t list_items(const struct e2dx_pieces *data, uint64_t blocks,
			    struct item **out, uint64_t *n)
{
	struct cursor c = { .data = data, .left = blocks };
	struct item *items = calloc(count_extents(data, blocks) + 1,
				    sizeof(*items));
	uint64_t logical = 0, len, physical = 0;

	if (!items)
		return ENOMEM;
	for (*n = 0; (len = next_run(&c, EXTENT_MAX_INIT, &physical)); (*n)++) {
		if ((physical + len) >> EXTENT_BITS || logical >> 32) {
			free(items);
			return E2DX_ET_RANGE;
		}
		items[*n] = (struct item){ .logical = (uint32_t)logical,
					   .len = (uint32_t)len,
					   .physical = physical };
		logical += len;
	}
	*out = items;
	return 0;
}

static errcode_t build_tree(const struct e2dx_map_format *f,
			    const struct e2dx_pieces *data, uint64_t blocks,
			    const uint64_t *at, size_t n_meta, uint8_t *meta,
			    uint8_t *i_block)
{
	struct item *items;
	unsigned depth = 0;
	uint64_t n, done;
	errcode_t err;

	err = list_items(data, blocks, &items, &n);
	if (err)
		return err;
	if (tree_blocks(f, n) != n_meta) {
		free(items);
		return E2DX_ET_RANGE;
	}
	for (; n > ROOT_ENTRIES; n = done, depth++) {
		done = pack_level(f, items, n, depth, at, meta);
		at += done;
		meta += done * f->block_size;
	}
	put_node(i_block, ROOT_ENTRIES, depth, items, n);
	free(items);
	return 0;
}

/* ---- indirect blocks */

struct indirect {
	const struct e2dx_map_format *f;
	struct cursor data;
	const uint64_t *at;
	uint8_t *meta;
	size_t used, n_meta;	/* mapping blocks */
	bool range;		/* a number did not fit */
};

static uint32_t checked(struct indirect *x, uint64_t physical)
{
	if (physical > UINT32_MAX)
		x->range = true;
	return (uint32_t)physical;
}

static uint32_t next_data(struct indirect *x)
{
	uint64_t physical = 0;

	if (!next_run(&x->data, 1, &physical))
		x->range = true;
	return checked(x, physical);
}

/* Fill the next mapping block, which is `level` steps above the data. */
static uint32_t fill_indirect(struct indirect *x, int level)
{
	uint64_t per = entries_per_block(x->f);
	size_t mine = x->used++;
	uint8_t *p;

	if (mine >= x->n_meta) {
		x->range = true;
		return 0;
	}
	p = x->meta + mine * x->f->block_size;
	memset(p, 0, x->f->block_size);
	for (uint64_t i = 0; i < per && x->data.left && !x->range; i++)
		htree_put_le32(p + 4 * i, level == 1 ? next_data(x)
					       : fill_indirect(x, level - 1));
	return checked(x, x->at[mine]);
}

static errcode_t build_indirect(struct indirect *x, uint8_t *i_block)
{
	for (int i = 0; i < DIRECT_BLOCKS && x->data.left; i++)
		htree_put_le32(i_block + 4 * i, next_data(x));
	for (int level = 1; level <= DEEPEST && x->data.left; level++)
		htree_put_le32(i_block + 4 * (DIRECT_BLOCKS + level - 1),
			 fill_indirect(x, level));
	if (x->data.left || x->used != x->n_meta || x->range)
		return E2DX_ET_RANGE;
	return 0;
}

errcode_t e2dx_map_build(const struct e2dx_map_format *f,
			 const struct e2dx_pieces *data, uint64_t blocks,
			 const uint64_t *at, size_t n_meta, uint8_t *meta,
			 uint8_t i_block[E2DX_I_BLOCK_SIZE])
{
	struct indirect x = {
		.f = f, .data = { .data = data, .left = blocks },
		.at = at, .meta = meta, .n_meta = n_meta
	};

	memset(i_block, 0, E2DX_I_BLOCK_SIZE);
	if (f->extents)
		return build_tree(f, data, blocks, at, n_meta, meta, i_block);
	return build_indirect(&x, i_block);
}
