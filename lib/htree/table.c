/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Change the entry table of an index block. */
#include "htree/table.h"

#include <string.h>

#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/ondisk.h"

uint32_t htree_table_offset(int level)
{
	return level ? HTREE_NODE_TABLE : HTREE_ROOT_TABLE;
}

static uint8_t *entry(uint8_t *table, uint32_t i)
{
	return table + (size_t)i * HTREE_DX_SIZE;
}

uint32_t htree_table_count(const uint8_t *table)
{
	return htree_le16(table + HTREE_TABLE_COUNT);
}

void htree_table_set_count(uint8_t *table, uint32_t count)
{
	htree_put_le16(table + HTREE_TABLE_COUNT, count);
}

void htree_table_set_child(uint8_t *table, uint32_t i, uint32_t child)
{
	htree_put_le32(entry(table, i) + HTREE_DX_BLOCK, child);
}

void htree_table_set_hash(uint8_t *table, uint32_t i, uint32_t hash)
{
	htree_put_le32(entry(table, i) + HTREE_DX_HASH, hash);
}

void htree_table_begin_node(const struct htree_dir *dir, uint8_t *block)
{
	memset(block, 0, dir->block_size);
	htree_rec_len_store(dir, block, dir->block_size);
	htree_put_le16(block + HTREE_NODE_TABLE + HTREE_TABLE_LIMIT,
		       htree_node_limit(dir));
}

void htree_table_insert(uint8_t *table, uint32_t i, uint32_t hash,
			uint32_t child)
{
	uint32_t count = htree_table_count(table);

	memmove(entry(table, i + 1), entry(table, i),
		(size_t)(count - i) * HTREE_DX_SIZE);
	htree_table_set_hash(table, i, hash);
	htree_table_set_child(table, i, child);
	htree_table_set_count(table, count + 1);
}

void htree_table_remove(uint8_t *table, uint32_t i)
{
	uint32_t count = htree_table_count(table);

	if (i == 0) {
		memcpy(table + HTREE_DX_BLOCK, entry(table, 1) + HTREE_DX_BLOCK,
		       4);
		i = 1;
	}
	memmove(entry(table, i), entry(table, i + 1),
		(size_t)(count - i - 1) * HTREE_DX_SIZE);
	htree_table_cut(table, count - 1);
}

void htree_table_append(uint8_t *table, const uint8_t *other, uint32_t from,
			uint32_t hash)
{
	uint32_t count = htree_table_count(table);
	uint32_t n = htree_table_count(other) - from;
	uint32_t limit = htree_le16(table + HTREE_TABLE_LIMIT);

	memcpy(entry(table, count), other + (size_t)from * HTREE_DX_SIZE,
	       (size_t)n * HTREE_DX_SIZE);
	if (count)
		htree_table_set_hash(table, count, hash);
	else	/* limit and count stood in that place */
		htree_put_le16(table + HTREE_TABLE_LIMIT, limit);
	htree_table_set_count(table, count + n);
}

void htree_table_cut(uint8_t *table, uint32_t n)
{
	uint32_t count = htree_table_count(table);

	memset(entry(table, n), 0, (size_t)(count - n) * HTREE_DX_SIZE);
	htree_table_set_count(table, n);
}
