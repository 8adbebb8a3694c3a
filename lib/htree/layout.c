/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sizes of records, room of leaves, limits of index blocks. */
#include "htree/layout.h"
#include "htree/dirent.h"
#include "htree/ondisk.h"

uint32_t htree_leaf_room(const struct htree_dir *dir)
{
	if (!dir->metadata_csum)
		return dir->block_size;
	return dir->block_size - HTREE_TAIL_SIZE;
}

bool htree_tail_present(const struct htree_dir *dir, const uint8_t *block)
{
	const uint8_t *tail;

	if (!dir->metadata_csum)
		return false;
	tail = block + dir->block_size - HTREE_TAIL_SIZE;
	return htree_le32(tail + HTREE_DE_INO) == 0 &&
	       htree_le16(tail + HTREE_DE_REC_LEN) == HTREE_TAIL_SIZE &&
	       tail[HTREE_DE_NAME_LEN] == 0 &&
	       tail[HTREE_DE_FILE_TYPE] == HTREE_TAIL_TYPE;
}

uint32_t htree_leaf_end(const struct htree_dir *dir, const uint8_t *block)
{
	if (htree_tail_present(dir, block))
		return htree_leaf_room(dir);
	return dir->block_size;
}

uint32_t htree_block_end(const struct htree_dir *dir, const uint8_t *block,
			 uint32_t number)
{
	const uint8_t *dotdot = block + HTREE_DOT_SIZE;

	if (number == 0 && dir->indexed &&
	    htree_rec_len_load(dir, dotdot) == dir->block_size - HTREE_DOT_SIZE)
		return dir->block_size;
	return htree_leaf_end(dir, block);
}

/* Entries between byte `table` and the checksum, or the block's end. */
static uint32_t entries_after(const struct htree_dir *dir, uint32_t table)
{
	uint32_t tail = dir->metadata_csum ? HTREE_DX_TAIL_SIZE : 0;

	return (dir->block_size - table - tail) / HTREE_DX_SIZE;
}

uint32_t htree_root_limit(const struct htree_dir *dir)
{
	return entries_after(dir, HTREE_ROOT_TABLE);
}

uint32_t htree_node_limit(const struct htree_dir *dir)
{
	uint32_t table = HTREE_NODE_TABLE;

	/*
	 * Linux takes the fake record to have a hash, though the table
	 * begins at byte 8 all the same; it refuses any other limit.
	 */
	if (htree_dir_stores_hash(dir))
		table += HTREE_DE_HASH_SIZE;
	return entries_after(dir, table);
}
