/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What insert and remove have in common: buffers, reading, writing. */
#include "htree/change_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "e2dx_err.h"
#include "htree/csum.h"
#include "htree/layout.h"
#include "htree/ondisk.h"
#include "htree/table.h"

errcode_t htree_change_begin(struct htree_change *c, struct htree_dir *dir,
			     struct htree_blocks *b)
{
	size_t size = dir->block_size;
	uint8_t *p;

	memset(c, 0, sizeof(*c));
	c->dir = dir;
	c->blocks = b;
	if (b->block_size != dir->block_size)
		return EINVAL;
	if (b->count == 0)
		return E2DX_ET_DAMAGED;
	if (dir->casefold && !dir->encrypted && !dir->fold)
		return E2DX_ET_UNSUPPORTED;
	c->memory = malloc((HTREE_MAX_LEVELS + 2 + CHANGE_SPARE) * size);
	if (!c->memory)
		return ENOMEM;
	htree_path_init(&c->path, dir, b, c->memory, true);
	p = c->memory + HTREE_MAX_LEVELS * size;
	c->leaf = p;
	c->near = p + size;
	for (size_t i = 0; i < CHANGE_SPARE; i++)
		c->spare[i] = p + (2 + i) * size;
	return 0;
}

void htree_change_end(struct htree_change *c)
{
	free(c->memory);
}

errcode_t htree_change_index(struct htree_change *c, const uint8_t *name,
			     size_t len, const struct dirhash *stored)
{
	struct dirhash hash;
	errcode_t err;

	err = htree_path_root(&c->path);
	if (err)
		return err;
	if (htree_dir_stores_hash(c->dir)) {
		c->hash = htree_hash_clean(stored->hash);
		return 0;
	}
	err = htree_dir_hasher(c->dir, c->path.version, &c->hasher);
	if (!err)
		err = dirhash_name(&c->hasher, name, len, &hash);
	if (!err)
		c->hash = hash.hash;
	return err;
}

errcode_t htree_change_read(struct htree_change *c, uint32_t number,
			    uint8_t *block)
{
	errcode_t err = htree_blocks_read(c->blocks, number, 1, block);

	if (!err && c->dir->metadata_csum && !htree_leaf_csum_ok(c->dir, block))
		err = E2DX_ET_DAMAGED;
	return err;
}

errcode_t htree_change_write(struct htree_change *c, uint32_t number,
			     uint8_t *block)
{
	htree_leaf_csum_set(c->dir, block);
	return htree_blocks_write(c->blocks, number, 1, block);
}

errcode_t htree_change_write_node(struct htree_change *c, int level)
{
	uint8_t *block = c->path.block[level];

	htree_index_csum_set(c->dir, block, htree_table_offset(level));
	return htree_blocks_write(c->blocks, c->path.node[level].block, 1,
				  block);
}

errcode_t htree_change_write_index(struct htree_change *c, uint32_t number,
				   uint8_t *block)
{
	htree_index_csum_set(c->dir, block, HTREE_NODE_TABLE);
	return htree_blocks_write(c->blocks, number, 1, block);
}

errcode_t htree_change_barrier(struct htree_change *c)
{
	const struct htree_blocks_ops *ops = c->blocks->ops;

	return ops->barrier ? ops->barrier(c->blocks) : 0;
}

errcode_t htree_change_set_indexed(struct htree_change *c, bool indexed)
{
	const struct htree_blocks_ops *ops = c->blocks->ops;
	errcode_t err = 0;

	if (ops->set_indexed)
		err = ops->set_indexed(c->blocks, indexed);
	if (!err)
		c->dir->indexed = indexed;
	return err;
}
