/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checksums of leaves and index blocks (metadata_csum). */
#include "htree/csum.h"

#include <string.h>

#include "htree/crc32c.h"
#include "htree/layout.h"
#include "htree/ondisk.h"

/* Over everything before the tail, seeded with the directory's own seed. */
static uint32_t leaf_csum(const struct htree_dir *dir, const uint8_t *block)
{
	return htree_crc32c(dir->csum_seed, block, htree_leaf_room(dir));
}

bool htree_leaf_csum_ok(const struct htree_dir *dir, const uint8_t *block)
{
	const uint8_t *tail = block + htree_leaf_room(dir);

	if (!htree_tail_present(dir, block))
		return false;
	return htree_le32(tail + HTREE_TAIL_CSUM) == leaf_csum(dir, block);
}

void htree_leaf_csum_set(const struct htree_dir *dir, uint8_t *block)
{
	uint8_t *tail = block + htree_leaf_room(dir);

	if (!dir->metadata_csum)
		return;
	memset(tail, 0, HTREE_TAIL_SIZE);
	htree_put_le16(tail + HTREE_DE_REC_LEN, HTREE_TAIL_SIZE);
	tail[HTREE_DE_FILE_TYPE] = HTREE_TAIL_TYPE;
	htree_put_le32(tail + HTREE_TAIL_CSUM, leaf_csum(dir, block));
}

bool htree_index_fits(const struct htree_dir *dir, const uint8_t *block,
		      uint32_t table)
{
	uint32_t limit = htree_le16(block + table + HTREE_TABLE_LIMIT);
	uint32_t count = htree_le16(block + table + HTREE_TABLE_COUNT);
	uint32_t tail = dir->metadata_csum ? HTREE_DX_TAIL_SIZE : 0;

	return count <= limit &&
	       limit <= (dir->block_size - table - tail) / HTREE_DX_SIZE;
}

/*
 * Covers the block up to the last used entry, then the reserved word before
 * the checksum, then a zero word in the checksum's own place.  Entries
 * beyond `count` are not covered.
 */
static uint32_t index_csum(const struct htree_dir *dir, const uint8_t *block,
			   uint32_t table, const uint8_t *tail)
{
	static const uint8_t zero[4];
	uint32_t count = htree_le16(block + table + HTREE_TABLE_COUNT);
	uint32_t crc;

	crc = htree_crc32c(dir->csum_seed, block,
			   table + count * HTREE_DX_SIZE);
	crc = htree_crc32c(crc, tail + HTREE_DX_TAIL_RESERVED, 4);
	return htree_crc32c(crc, zero, sizeof(zero));
}

/* The tail of an index block whose limit lies in it. */
static uint32_t index_tail(const uint8_t *block, uint32_t table)
{
	return table + HTREE_DX_SIZE *
	       htree_le16(block + table + HTREE_TABLE_LIMIT);
}

bool htree_index_csum_ok(const struct htree_dir *dir, const uint8_t *block,
			 uint32_t table)
{
	const uint8_t *tail;

	if (!dir->metadata_csum)
		return true;
	if (!htree_index_fits(dir, block, table))
		return false;
	tail = block + index_tail(block, table);
	return htree_le32(tail + HTREE_DX_TAIL_CSUM) ==
	       index_csum(dir, block, table, tail);
}

void htree_index_csum_set(const struct htree_dir *dir, uint8_t *block,
			  uint32_t table)
{
	uint8_t *tail;

	if (!dir->metadata_csum || !htree_index_fits(dir, block, table))
		return;
	tail = block + index_tail(block, table);
	htree_put_le32(tail + HTREE_DX_TAIL_CSUM,
		       index_csum(dir, block, table, tail));
}
