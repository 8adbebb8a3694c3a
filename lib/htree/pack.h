/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which entries stand in which leaf, and the leaves' bytes. */
#ifndef E2DX_HTREE_PACK_H
#define E2DX_HTREE_PACK_H

#include "htree/entry.h"

/* The leaves as boundaries in the array of entries. */
struct htree_packing {
	size_t *first;		/* leaf i: entries first[i] to first[i + 1] - 1 */
	size_t leaves;
	size_t capacity;
};

/* Bytes of all entries' records. */
uint64_t htree_pack_size(const struct htree_dir *dir,
			 const struct htree_entries *e);

/* Bytes of an indexed directory's leaf that are to be filled; see pack.c. */
uint32_t htree_pack_fill(const struct htree_dir *dir,
			 const struct htree_entries *e);

/*
 * Divide the entries, in their order, among leaves of `fill` bytes, where
 * `used` bytes of the first are taken.  At least one leaf; a leaf takes one
 * entry even if that is longer than `fill`.  *p zeroed before the first call;
 * free with htree_pack_free().  ENOMEM.
 */
errcode_t htree_pack(const struct htree_dir *dir,
		     const struct htree_entries *e, uint32_t used,
		     uint32_t fill, struct htree_packing *p);
void htree_pack_free(struct htree_packing *p);

/*
 * The lower bound of leaf i (not of leaf 0) as it stands in the index: its
 * first entry's hash, with the continuation bit where the leaf before ends
 * with the same hash.  The entries are sorted.
 */
uint32_t htree_pack_bound(const struct htree_entries *e,
			  const struct htree_packing *p, size_t i);

/*
 * Write the records of entries `from` to `to` - 1 into a zeroed block from
 * `offset` on, the last (or, without any, an unused one) reaching to the end
 * of the leaf; then the tail.
 */
void htree_pack_leaf(const struct htree_dir *dir,
		     const struct htree_entries *e, size_t from, size_t to,
		     uint32_t offset, uint8_t *block);

/*
 * Write "." and ".." at the block's beginning; rest: ".." reaches to `end`.
 * Returns the offset after them.
 */
uint32_t htree_pack_dots(const struct htree_dir *dir, uint32_t parent,
			 bool rest, uint32_t end, uint8_t *block);

#endif
