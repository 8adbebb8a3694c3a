/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of insert and remove share.  Private to them. */
#ifndef E2DX_HTREE_CHANGE_PRIV_H
#define E2DX_HTREE_CHANGE_PRIV_H

#include "htree/change.h"
#include "htree/path.h"
#include "htree/scan.h"
#include "htree/slots.h"

#define CHANGE_FRESH	2	/* index blocks that one insertion can add */

/* Blocks of memory for new contents; remove has a second path in the first
   HTREE_MAX_LEVELS of them, insert its new index blocks. */
#define CHANGE_SPARE	(HTREE_MAX_LEVELS + 1)

/* One change under way. */
struct htree_change {
	struct htree_dir *dir;
	struct htree_blocks *blocks;
	uint8_t *memory;		/* owned: all buffers below */
	struct htree_path path;
	struct dirhasher hasher;	/* not with stored hashes */
	uint8_t *leaf;			/* the block that changes */
	uint8_t *near;			/* its neighbour, or what comes of it */
	uint8_t *spare[CHANGE_SPARE];	/* in one piece */
	uint32_t hash;			/* of the name, major */
	const struct htree_dirent *d;	/* insert: the new entry */
	uint32_t size;			/* insert: bytes of its record */
	bool linked;			/* insert: a pointer to new blocks may
					   be on the device */
};

/* ---- change.c */

/*
 * Begin: one allocation for the whole change.  EINVAL where block sizes
 * differ, E2DX_ET_DAMAGED for a directory without blocks,
 * E2DX_ET_UNSUPPORTED without the table of a casefolded directory, ENOMEM.
 */
errcode_t htree_change_begin(struct htree_change *c, struct htree_dir *dir,
			     struct htree_blocks *b);
void htree_change_end(struct htree_change *c);

/* Read the root, make the hasher, hash the name (stored: d->hash). */
errcode_t htree_change_index(struct htree_change *c, const uint8_t *name,
			     size_t len, const struct dirhash *stored);

/*
 * Read a leaf that is to be changed: its checksum must be right, or a damaged
 * block would become one that looks sound.  E2DX_ET_DAMAGED.
 */
errcode_t htree_change_read(struct htree_change *c, uint32_t number,
			    uint8_t *block);
/* Write a leaf with its checksum. */
errcode_t htree_change_write(struct htree_change *c, uint32_t number,
			     uint8_t *block);
/* Write the path's node of this level, with its checksum. */
errcode_t htree_change_write_node(struct htree_change *c, int level);
/* Write an interior block (never the root). */
errcode_t htree_change_write_index(struct htree_change *c, uint32_t number,
				   uint8_t *block);
errcode_t htree_change_barrier(struct htree_change *c);
errcode_t htree_change_set_indexed(struct htree_change *c, bool indexed);

/* ---- split.c */

/* The leaf at the path's end (in c->leaf) has no room for *c->d: divide it. */
errcode_t htree_split_leaf(struct htree_change *c, uint32_t leaf);
/* Block 0 (in c->leaf) is the only one and full: make an index of it. */
errcode_t htree_split_first(struct htree_change *c);

/* ---- grow.c */

/*
 * Index blocks that a new entry after the path's leaf will need, 0 to
 * CHANGE_FRESH.  E2DX_ET_DIR_FULL where no more levels are allowed.
 */
errcode_t htree_grow_need(const struct htree_change *c, uint32_t *blocks);

/*
 * Point to leaf `child` with its bound after the path's leaf, splitting nodes
 * and adding a level as htree_grow_need() told; new index blocks are `next`
 * and the one after it, which exist.  Everything written before is on the
 * device before the first pointer to it, and when this returns so are the
 * pointers.
 */
errcode_t htree_grow(struct htree_change *c, uint32_t bound, uint32_t child,
		     uint32_t next);

/* ---- shrink.c */

/*
 * After an entry of `leaf` (still in c->leaf) was removed: merge what fits,
 * give back what is not needed any more.  c->hash is the entry's.  placed:
 * c->path leads to that leaf.  A damaged neighbourhood is left as it is.
 */
errcode_t htree_shrink(struct htree_change *c, uint32_t leaf, bool placed);

/* ---- give.c */

/* At most so many blocks are given back at once. */
#define CHANGE_GIVE	HTREE_MAX_LEVELS

/*
 * Could these blocks be given back, once nothing points to them?  For each,
 * the directory's last block takes its place, so the way to that must be
 * known.  E2DX_ET_DAMAGED, E2DX_ET_NO_SPACE.  Leaves c->path and c->leaf, c->near alone.
 */
errcode_t htree_give_check(struct htree_change *c, const uint32_t *blocks,
			   int n);

/*
 * Give them back: nothing on the device points to them any more.  c->path is
 * of no use afterwards.
 */
errcode_t htree_give_back(struct htree_change *c, uint32_t *blocks, int n);

#endif
