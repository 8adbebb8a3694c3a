/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How much fits where: sizes of records, room of leaves, limits of index
 * blocks.  Each rule of doc/format.md that is a sum stands here, once.
 * All figures are bytes unless said otherwise.
 */
#ifndef E2DX_HTREE_LAYOUT_H
#define E2DX_HTREE_LAYOUT_H

#include "htree/dir.h"
#include "htree/ondisk.h"

/*
 * The smallest record for a name of this length (0: an unused record) that
 * carries no hash: in most directories any, everywhere "." and "..".
 */
static inline uint32_t htree_plain_record_size(uint32_t name_len)
{
	uint32_t size = HTREE_DE_NAME + name_len;

	/* An unused record is as long as one for a name of one byte. */
	if (name_len == 0)
		return HTREE_DE_MIN;
	return (size + HTREE_DE_ALIGN - 1) & ~(uint32_t)(HTREE_DE_ALIGN - 1);
}

/* The same with room for the stored hash where *dir has it. */
static inline uint32_t htree_record_size(const struct htree_dir *dir,
					 uint32_t name_len)
{
	uint32_t size = htree_plain_record_size(name_len);

	return htree_dir_stores_hash(dir) ? size + HTREE_DE_HASH_SIZE : size;
}

/* Has the leaf a tail (its shape, whatever its checksum)? */
bool htree_tail_present(const struct htree_dir *dir, const uint8_t *block);

/* The end of the records in this leaf: where its tail begins, if it has one. */
uint32_t htree_leaf_end(const struct htree_dir *dir, const uint8_t *block);

/*
 * The same for logical block `number`, which may be the root of an index.
 * The root was a leaf once, and Linux leaves its tail's first bytes in the
 * reserved word after the table: only the reach of ".." tells them apart.
 */
uint32_t htree_block_end(const struct htree_dir *dir, const uint8_t *block,
			 uint32_t number);

/* The same for a leaf as it should be. */
uint32_t htree_leaf_room(const struct htree_dir *dir);

/*
 * Index entries that the root, or an interior node, has room for: the one
 * value that `limit` may have there.  Interior nodes of directories that
 * store hashes have one less, as Linux counts them.
 */
uint32_t htree_root_limit(const struct htree_dir *dir);
uint32_t htree_node_limit(const struct htree_dir *dir);

#endif
