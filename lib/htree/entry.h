/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The entries of one directory as flat arrays: what reading yields and what
 * the builder takes.  "." and ".." are not entries here.
 */
#ifndef E2DX_HTREE_ENTRY_H
#define E2DX_HTREE_ENTRY_H

#include <stddef.h>
#include <stdint.h>
#include "htree/dir.h"

/* One entry while a block is at hand: `name` points into the block. */
struct htree_dirent {
	uint32_t ino;
	uint32_t block;		/* logical block it stands in */
	uint32_t offset;	/* bytes into the block */
	uint32_t rec_len;	/* bytes */
	uint8_t name_len;	/* 1 to 255 */
	uint8_t file_type;	/* low three bits of byte 7; 0 without the feature */
	bool has_hash;		/* `hash` is set */
	struct dirhash hash;	/* stored in the entry, or computed */
	const uint8_t *name;	/* not owned, not terminated */
};

/* One entry in an array: 24 bytes and its name. */
struct htree_entry {
	uint32_t ino;
	struct dirhash hash;
	uint32_t block;		/* where it was read from; 0 for a new one */
	uint64_t name : 48;	/* offset of its first byte in entries.names */
	uint64_t name_len : 8;
	uint64_t file_type : 8;
};

struct htree_entries {
	struct htree_entry *v;
	size_t n, capacity;
	uint8_t *names;		/* all names one after another */
	size_t names_len, names_capacity;
};

void htree_entries_init(struct htree_entries *e);
void htree_entries_free(struct htree_entries *e);

/* Append a copy of *d.  ENOMEM. */
errcode_t htree_entries_add(struct htree_entries *e,
			    const struct htree_dirent *d);

/* Append copies of all entries of `from`.  ENOMEM. */
errcode_t htree_entries_append(struct htree_entries *e,
			       const struct htree_entries *from);

/* The first byte of entry i's name; valid until the next add. */
static inline const uint8_t *htree_entry_name(const struct htree_entries *e,
					      size_t i)
{
	return e->names + e->v[i].name;
}

/*
 * Give entry i another name (1 to 255 bytes, copied).  The caller sets its
 * hash anew.  ENOMEM.
 */
errcode_t htree_entry_rename(struct htree_entries *e, size_t i,
			     const uint8_t *name, size_t len);

/* Drop the entries whose ino is 0, keeping order. */
void htree_entries_compact(struct htree_entries *e);

/* Compute every entry's hash with h (not for stored hashes). */
errcode_t htree_entries_hash(struct htree_entries *e,
			     const struct dirhasher *h);

/* Sort by (hash, minor_hash), equal ones in their present order. */
errcode_t htree_entries_sort(struct htree_entries *e);

#endif
