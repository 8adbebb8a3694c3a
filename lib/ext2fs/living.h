/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A directory of an open filesystem as numbered blocks that can be written:
 * what htree_insert() and htree_remove() change it through, so that a power
 * cut at any write loses no name.  Blocks are written where they lie; the map
 * is replaced beside the old one, as directories are (replace.h).
 */
#ifndef E2DX_LIVING_H
#define E2DX_LIVING_H

#include "ext2fs/map.h"
#include "ext2fs/replace.h"

struct e2dx_living {
	struct htree_blocks blocks;	/* first member */
	struct htree_dir dir;		/* give this one to htree_insert() */
	struct e2dx_replacer *r;
	struct e2dx_dir *d;		/* as it is on the device; owned */
	uint8_t *raw;			/* its inode; owned */
};

/*
 * Open a directory for changes; r outlives it.  End with e2dx_living_close().
 * E2DX_ET_SHARED and E2DX_ET_MAP_DAMAGED where the survey says so or the map
 * is not what i_size says; E2DX_ET_UNSUPPORTED for one that lies in its
 * inode, or whose names are encrypted; E2DX_ET_CHECKSUM.
 */
errcode_t e2dx_living_open(struct e2dx_replacer *r, ext2_ino_t ino,
			   struct e2dx_living **out);
void e2dx_living_close(struct e2dx_living *l);

#endif
