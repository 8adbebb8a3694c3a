/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names within one directory: which are taken, and new ones that are not. */
#ifndef E2FSCK_NAMES_H
#define E2FSCK_NAMES_H

#include "htree/entry.h"

/* The names of a list of entries that are spoken for. */
struct names {
	const struct dirhash_fold *fold;	/* NULL: compared byte by byte */
	struct htree_entries *e;		/* not owned */
	size_t *slot;				/* entry + 1; 0: empty */
	size_t mask;
	uint64_t next;				/* number of the next suffix */
	uint8_t secret[DIRHASH_SEED_SIZE];	/* key of the places in slot[] */
};

/* Begin with no name taken; room for every entry that *e has now.  ENOMEM. */
errcode_t names_init(struct names *n, const struct htree_dir *dir,
		     struct htree_entries *e);
void names_free(struct names *n);

/*
 * Take entry i's name for it.  Returns i, or the entry that has the same
 * name (folded, in a casefolded directory) and keeps it.
 */
size_t names_take(struct names *n, size_t i);

/*
 * Give entry i a name made from its present one, cut at a character boundary
 * so that "~N" fits, that nobody has and that is not "." or ".."; take it.
 * Valid names stay valid.
 */
errcode_t names_rename(struct names *n, size_t i);

/*
 * Put '.' in the place of every byte that may not stand in a name of this
 * directory: '/', NUL, and where it is strict what its encoding does not
 * have.  Returns whether anything was replaced.
 */
bool names_make_valid(const struct htree_dir *dir, uint8_t *name, size_t len);

/*
 * The most bytes of `name`, at most `max`, that end between two characters;
 * bytes that are no UTF-8 count as characters.
 */
size_t names_cut(const uint8_t *name, size_t len, size_t max);

#endif
