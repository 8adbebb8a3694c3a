/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader of whole directories that shares no code with lib/htree: it judges
 * what the builder wrote, rule by rule, from the bytes alone.
 */
#ifndef E2DX_TEST_READER_H
#define E2DX_TEST_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "htree/dir.h"

struct read_entry {
	uint32_t ino, leaf;
	uint32_t major, minor;		/* stored in the entry; else 0 */
	uint8_t type, len;
	uint8_t name[255];
};

struct read_leaf {
	uint32_t block;
	uint32_t bound;			/* as in the index; 0 for the first */
	uint32_t used;			/* bytes of records as short as can be */
	size_t first, n;		/* its entries */
};

struct reading {
	struct read_entry *v;		/* in the order of the leaves */
	size_t n, room;
	struct read_leaf *leaves;
	size_t n_leaves, leaf_room;
	uint32_t parent;
	int levels, version;		/* -1 without an index */
	uint32_t nodes;			/* interior blocks */
	uint32_t straddling;		/* leaves with the continuation bit */
	char why[200];			/* what is wrong, "" where nothing is */
};

/*
 * Read a directory of `blocks` blocks.  *r is zeroed first; free with
 * reading_free().  False, with r->why, for whatever breaks the format.
 */
bool reading_get(const struct htree_dir *dir, bool indexed,
		 const uint8_t *data, uint32_t blocks, struct reading *r);
void reading_free(struct reading *r);

/*
 * Is each entry's hash (h may be NULL: the stored one) where its leaf's bounds allow,
 * and is the continuation bit set just where it must be?
 */
bool reading_check_hashes(struct reading *r, const struct dirhasher *h);

/* CRC-32C bit by bit. */
uint32_t reading_crc(uint32_t crc, const uint8_t *p, size_t n);

#endif
