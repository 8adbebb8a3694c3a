/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One pass over the records of a block, for those who look for a name or
   for room.  Private to lookup and change. */
#ifndef E2DX_HTREE_SCAN_H
#define E2DX_HTREE_SCAN_H

#include "htree/dirent.h"
#include "htree/layout.h"

#define HTREE_NO_OFFSET	0xffffffffu

struct htree_scan {
	/* asked */
	const uint8_t *name;	/* NULL: none is looked for */
	size_t len;		/* of name: 1 to 255 bytes */
	uint32_t size;		/* bytes of a record that is to be added; or 0 */
	/* answered */
	bool found;		/* the name; the pass ended there */
	uint32_t at;		/* offset of its record */
	struct htree_dirent d;	/* its record */
	uint32_t previous;	/* offset of the record before; HTREE_NO_OFFSET */
	uint32_t gap;		/* offset of the first record with `size` bytes
				   to spare; HTREE_NO_OFFSET */
	uint32_t used;		/* bytes that used records need */
};

/*
 * Pass over the block's records.  0 or E2DX_ET_DAMAGED at the first damaged
 * one (a name before it is found all the same).
 */
errcode_t htree_scan_block(const struct htree_dir *dir, const uint8_t *block,
			   uint32_t number, struct htree_scan *s);

/* Bytes that this record needs: "." and ".." never store a hash. */
static inline uint32_t htree_dirent_size(const struct htree_dir *dir,
					 const struct htree_dirent *d)
{
	if (htree_dirent_dot(d))
		return htree_plain_record_size(d->name_len);
	return htree_record_size(dir, d->name_len);
}

#endif
