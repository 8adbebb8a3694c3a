/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The records of a leaf taken apart and put into leaves again.  Private. */
#ifndef E2DX_HTREE_SLOTS_H
#define E2DX_HTREE_SLOTS_H

#include "htree/entry.h"

/* ---- writing a leaf record by record */

struct htree_packer {
	const struct htree_dir *dir;
	uint8_t *block;
	uint32_t offset;	/* where the next record goes */
	uint32_t last;		/* the last record; HTREE_NO_OFFSET */
};

/* Begin an empty leaf in `block`, which is zeroed. */
void htree_packer_begin(struct htree_packer *k, const struct htree_dir *dir,
			uint8_t *block);
/* A copy of a record, `size` bytes of it; the caller knows that it fits. */
void htree_packer_copy(struct htree_packer *k, const uint8_t *record,
		       uint32_t size);
/* A new record. */
void htree_packer_add(struct htree_packer *k, const struct htree_dirent *d);
/* All used records of a block that was scanned without a fault. */
void htree_packer_copy_all(struct htree_packer *k, const uint8_t *block,
			   uint32_t number);
/* The last record takes the rest; the tail. */
void htree_packer_end(struct htree_packer *k);

/* ---- dividing a leaf */

/* A record of a leaf, or (offset HTREE_NO_OFFSET) the new one. */
struct htree_slot {
	uint32_t hash;		/* major, bit 0 clear */
	uint32_t offset;
	uint32_t size;
};

/* Slots that a block of this directory can have, a new one included. */
size_t htree_slots_max(const struct htree_dir *dir);

/*
 * The used records of a block but for "." and "..", with their hashes (by
 * `hasher`, or as stored).  E2DX_ET_DAMAGED.
 */
errcode_t htree_slots_read(const struct htree_dir *dir,
			   const struct dirhasher *hasher, const uint8_t *block,
			   uint32_t number, struct htree_slot *slots, size_t *n);

/* By hash; the new one comes last of equal ones. */
void htree_slots_sort(struct htree_slot *slots, size_t n);

/*
 * Where to divide n sorted slots (at least 2) among two leaves: nearest to
 * the half of their bytes between different hashes; between equal ones only
 * where no other cut makes two parts that fit.  0 where none at all does.
 */
size_t htree_slots_cut(const struct htree_dir *dir,
		       const struct htree_slot *slots, size_t n);

/*
 * Write a leaf `out` of n slots that point into `block`, the new one being
 * *d.
 */
void htree_slots_write(const struct htree_dir *dir,
		       const struct htree_slot *slots, size_t n,
		       const uint8_t *block, const struct htree_dirent *d,
		       uint8_t *out);

/* The greatest hash a name can have, and what a stored one counts as. */
#define HTREE_HASH_LAST	0xfffffffcu
static inline uint32_t htree_hash_clean(uint32_t hash)
{
	hash &= ~1u;
	return hash > HTREE_HASH_LAST ? HTREE_HASH_LAST : hash;
}

#endif
