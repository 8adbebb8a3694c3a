/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Build a directory's blocks from its entries: decide how it is laid out
 * (pack.c, plan.c), then write block after block from 0 on.
 *
 * The order in the file is root, interior blocks from the root down, leaves
 * in hash order.  Reading the directory, which Linux does in hash order, is
 * then one sequential run over the leaves, and all of the index before it
 * comes with one or two reads, however many names are looked up.
 */
#include "htree/build.h"

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

#define BUFFER_SIZE	(256 * 1024)	/* bytes written at once */

struct builder {
	const struct htree_dir *dir;
	const struct htree_entries *e;
	struct htree_packing packing;
	struct htree_plan plan;
	struct htree_blocks *out;
	uint8_t *buffer;	/* blocks number to number + filled - 1 */
	uint32_t capacity;	/* blocks */
	uint32_t number, filled;
};

static errcode_t flush(struct builder *b)
{
	errcode_t err = htree_blocks_write(b->out, b->number, b->filled,
					   b->buffer);

	b->number += b->filled;
	b->filled = 0;
	return err;
}

/* The next block of the directory, zeroed; NULL with *err set. */
static uint8_t *next_block(struct builder *b, errcode_t *err)
{
	uint8_t *block;

	*err = b->filled == b->capacity ? flush(b) : 0;
	if (*err)
		return NULL;
	block = b->buffer + (size_t)b->filled++ * b->dir->block_size;
	memset(block, 0, b->dir->block_size);
	return block;
}

static errcode_t begin(struct builder *b, uint32_t blocks)
{
	b->capacity = BUFFER_SIZE / b->dir->block_size;
	if (b->capacity > blocks)
		b->capacity = blocks;
	b->buffer = malloc((size_t)b->capacity * b->dir->block_size);
	if (!b->buffer)
		return ENOMEM;
	return htree_blocks_resize(b->out, blocks);
}

/* ---- a directory without an index */

static errcode_t write_linear(struct builder *b, uint32_t parent,
			      uint32_t blocks)
{
	const struct htree_dir *dir = b->dir;
	const struct htree_packing *p = &b->packing;
	uint32_t room = htree_leaf_room(dir);
	uint32_t i, offset;
	uint8_t *block;
	errcode_t err = 0;
	bool dots_only = p->first[1] == p->first[0];

	for (i = 0; i < blocks; i++) {
		block = next_block(b, &err);
		if (!block)
			return err;
		offset = i ? 0 : htree_pack_dots(dir, parent, dots_only, room,
						 block);
		if (i < p->leaves)
			htree_pack_leaf(dir, b->e, p->first[i], p->first[i + 1],
					offset, block);
		else
			htree_pack_leaf(dir, b->e, 0, 0, offset, block);
	}
	return flush(b);
}

static errcode_t build_linear(struct builder *b,
			      const struct htree_build_options *options,
			      struct htree_build_result *result)
{
	const struct htree_dir *dir = b->dir;
	uint64_t blocks;
	errcode_t err;

	err = htree_pack(dir, b->e, 2 * HTREE_DOT_SIZE, htree_leaf_room(dir),
			 &b->packing);
	if (err)
		return err;
	blocks = b->packing.leaves;
	if (blocks < options->min_blocks)
		blocks = options->min_blocks;
	if (blocks > htree_plan_max_blocks(dir, false))
		return E2DX_ET_DIR_FULL;
	result->blocks = (uint32_t)blocks;
	err = begin(b, result->blocks);
	return err ? err : write_linear(b, options->parent, result->blocks);
}

/* ---- a directory with an index */

/*
 * Write an index block's table, at byte `table`: the blocks from `child` to
 * `end` - 1 of the level below.
 */
static void write_table(const struct builder *b, uint8_t *block,
			uint32_t table, uint32_t limit, int level,
			uint32_t child, uint32_t end)
{
	const struct htree_plan *plan = &b->plan;
	uint8_t *p = block + table;
	uint32_t i;

	for (i = child; i < end; i++, p += HTREE_DX_SIZE) {
		htree_put_le32(p + HTREE_DX_BLOCK, plan->start[level] + i);
		if (i > child)
			htree_put_le32(p + HTREE_DX_HASH,
				       htree_pack_bound(b->e, &b->packing,
						htree_plan_leaf(plan, level, i)));
	}
	htree_put_le16(block + table + HTREE_TABLE_LIMIT, limit);
	htree_put_le16(block + table + HTREE_TABLE_COUNT, end - child);
	htree_index_csum_set(b->dir, block, table);
}

static errcode_t write_root(struct builder *b, uint32_t parent, int version)
{
	errcode_t err;
	uint8_t *block = next_block(b, &err);

	if (!block)
		return err;
	htree_pack_dots(b->dir, parent, true, b->dir->block_size, block);
	block[HTREE_ROOT_VERSION] = (uint8_t)version;
	block[HTREE_ROOT_INFO_LENGTH] = HTREE_INFO_LENGTH;
	block[HTREE_ROOT_LEVELS] = (uint8_t)b->plan.interior;
	write_table(b, block, HTREE_ROOT_TABLE, htree_root_limit(b->dir), 0, 0,
		    b->plan.count[0]);
	return 0;
}

static errcode_t write_level(struct builder *b, int level)
{
	const struct htree_plan *plan = &b->plan;
	uint8_t *block;
	uint32_t i;
	errcode_t err;

	for (i = 0; i < plan->count[level]; i++) {
		block = next_block(b, &err);
		if (!block)
			return err;
		htree_rec_len_store(b->dir, block, b->dir->block_size);
		write_table(b, block, HTREE_NODE_TABLE, htree_node_limit(b->dir),
			    level + 1, htree_plan_child(plan, level, i),
			    htree_plan_child(plan, level, i + 1));
	}
	return 0;
}

static errcode_t write_leaves(struct builder *b)
{
	const struct htree_packing *p = &b->packing;
	uint8_t *block;
	errcode_t err;
	size_t i;

	for (i = 0; i < p->leaves; i++) {
		block = next_block(b, &err);
		if (!block)
			return err;
		htree_pack_leaf(b->dir, b->e, p->first[i], p->first[i + 1], 0,
				block);
	}
	return 0;
}

static errcode_t write_indexed(struct builder *b, uint32_t parent, int version)
{
	errcode_t err = write_root(b, parent, version);
	int level;

	for (level = 0; level < b->plan.interior && !err; level++)
		err = write_level(b, level);
	if (!err)
		err = write_leaves(b);
	return err ? err : flush(b);
}

/* Leaves with slack; full ones where only those fit in the allowed depth. */
static errcode_t lay_out(struct builder *b)
{
	uint32_t fill = htree_pack_fill(b->dir, b->e);
	errcode_t err = htree_pack(b->dir, b->e, 0, fill, &b->packing);

	if (err)
		return err;
	err = htree_plan_index(b->dir, b->packing.leaves, &b->plan);
	if (err != E2DX_ET_DIR_FULL)
		return err;
	err = htree_pack(b->dir, b->e, 0, htree_leaf_room(b->dir), &b->packing);
	return err ? err : htree_plan_index(b->dir, b->packing.leaves, &b->plan);
}

static errcode_t hash_entries(const struct htree_dir *dir,
			      struct htree_entries *e, int version)
{
	struct dirhasher hasher;
	errcode_t err;

	if (htree_dir_stores_hash(dir))
		return 0;
	err = htree_dir_hasher(dir, version, &hasher);
	return err ? err : htree_entries_hash(e, &hasher);
}

static errcode_t build_indexed(struct builder *b, struct htree_entries *e,
			       const struct htree_build_options *options,
			       struct htree_build_result *result)
{
	int version = options->version;
	errcode_t err;

	if (htree_dir_stores_hash(b->dir))
		version = DIRHASH_SIPHASH;
	err = hash_entries(b->dir, e, version);
	if (!err)
		err = htree_entries_sort(e);
	if (!err)
		err = lay_out(b);
	if (err)
		return err;
	result->indexed = true;
	result->indirect_levels = b->plan.interior;
	result->blocks = b->plan.blocks;
	err = begin(b, result->blocks);
	return err ? err : write_indexed(b, options->parent, version);
}

/* Would all of it fit in block 0 without an index? */
static bool one_block(const struct htree_dir *dir,
		      const struct htree_entries *e)
{
	return 2 * HTREE_DOT_SIZE + htree_pack_size(dir, e) <=
	       htree_leaf_room(dir);
}

errcode_t htree_build(const struct htree_dir *dir, struct htree_entries *e,
		      const struct htree_build_options *options,
		      struct htree_blocks *out,
		      struct htree_build_result *result)
{
	struct builder b = { .dir = dir, .e = e, .out = out };
	errcode_t err;

	memset(result, 0, sizeof(*result));
	if (out->block_size != dir->block_size || !options->parent)
		return EINVAL;
	htree_entries_compact(e);
	if (options->indexed && !one_block(dir, e))
		err = build_indexed(&b, e, options, result);
	else
		err = build_linear(&b, options, result);
	htree_pack_free(&b.packing);
	free(b.buffer);
	return err;
}
