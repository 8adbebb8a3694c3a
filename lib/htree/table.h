/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Change the entry table of an index block.  Private; the caller keeps count
   and limit, and sets the checksum after it. */
#ifndef E2DX_HTREE_TABLE_H
#define E2DX_HTREE_TABLE_H

#include "htree/dir.h"

/* Where the table of a block on this level begins (0: the root). */
uint32_t htree_table_offset(int level);

/* Make `block` an interior block without entries. */
void htree_table_begin_node(const struct htree_dir *dir, uint8_t *block);

void htree_table_set_count(uint8_t *table, uint32_t count);
uint32_t htree_table_count(const uint8_t *table);

/* Entry i's block; entry i's bound (i > 0). */
void htree_table_set_child(uint8_t *table, uint32_t i, uint32_t child);
void htree_table_set_hash(uint8_t *table, uint32_t i, uint32_t hash);

/* A new entry i (1 to count). */
void htree_table_insert(uint8_t *table, uint32_t i, uint32_t hash,
			uint32_t child);

/*
 * Take entry i away.  Without entry 0 the next one takes its place and its
 * bound, that of the whole block; the last entry cannot be taken away.
 */
void htree_table_remove(uint8_t *table, uint32_t i);

/*
 * Append entries `from` to its end of another table to `table`, the first of
 * them with the bound `hash` (of no use where the table is empty).
 */
void htree_table_append(uint8_t *table, const uint8_t *other, uint32_t from,
			uint32_t hash);

/* Keep the first n entries; zeros after them. */
void htree_table_cut(uint8_t *table, uint32_t n);

#endif
