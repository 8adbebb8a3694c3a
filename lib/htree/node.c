/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An index block from its bytes: the one place that bounds its table. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "e2dx_err.h"
#include "htree/csum.h"
#include "htree/dirent.h"
#include "htree/ondisk.h"
#include "htree/walk.h"

uint32_t htree_node_hash(const struct htree_node *n, uint32_t i)
{
	if (i == 0)	/* limit and count stand in its place */
		return 0;
	return htree_le32(n->table + (size_t)i * HTREE_DX_SIZE);
}

uint32_t htree_node_child(const struct htree_node *n, uint32_t i)
{
	return htree_le32(n->table + (size_t)i * HTREE_DX_SIZE + 4) &
		HTREE_DX_BLOCK_MASK;
}

/*
 * Limit and count of the table at `offset`.  A count that the block has no
 * room for yields none at all: nothing says which entries are meant.
 */
static void read_table(const struct htree_dir *dir, const uint8_t *block,
		       uint32_t offset, struct htree_node *n)
{
	uint32_t room = (dir->block_size - offset) / HTREE_DX_SIZE;

	n->table = block + offset;
	n->limit = htree_le16(n->table);
	n->disk_count = htree_le16(n->table + 2);
	n->count = n->disk_count <= room ? n->disk_count : 0;
	n->checksum_ok = !dir->metadata_csum ||
		htree_index_csum_ok(dir, block, offset);
}

errcode_t htree_parse_root(const struct htree_dir *dir, const uint8_t *block,
			   struct htree_root *root, struct htree_node *node)
{
	if (!dir->indexed)
		return E2DX_ET_NOT_INDEXED;
	root->reserved = htree_le32(block + HTREE_ROOT_RESERVED);
	root->version = block[HTREE_ROOT_VERSION];
	root->info_length = block[HTREE_ROOT_INFO_LENGTH];
	root->indirect_levels = block[HTREE_ROOT_LEVELS];
	root->flags = block[HTREE_ROOT_FLAGS];
	node->block = 0;
	node->level = 0;
	read_table(dir, block, HTREE_ROOT_TABLE, node);

	/* Bit 0 of the flags is the only one that Linux looks at. */
	if (root->reserved || root->info_length != HTREE_INFO_LENGTH ||
	    (root->flags & 1) || node->count == 0 ||
	    node->disk_count > node->limit ||
	    root->indirect_levels > dir->max_indirect)
		return E2DX_ET_DAMAGED;
	if (!dirhash_on_disk(root->version))
		return E2DX_ET_UNSUPPORTED;
	return 0;
}

errcode_t htree_read_root(const struct htree_dir *dir,
			  struct htree_blocks *blocks, struct htree_root *root)
{
	uint8_t *block = malloc(dir->block_size);
	struct htree_node node;
	errcode_t err;

	memset(root, 0, sizeof(*root));
	if (!block)
		return ENOMEM;
	err = htree_blocks_read(blocks, 0, 1, block);
	if (!err)
		err = htree_parse_root(dir, block, root, &node);
	free(block);
	return err;
}

errcode_t htree_parse_node(const struct htree_dir *dir, const uint8_t *block,
			   uint32_t number, int level, struct htree_node *node)
{
	node->block = number;
	node->level = level;
	read_table(dir, block, HTREE_NODE_TABLE, node);
	if (htree_le32(block) != 0 || block[6] != 0 ||
	    htree_rec_len_load(dir, block) != dir->block_size)
		return E2DX_ET_DAMAGED;
	return 0;
}
