/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One directory read and built anew in memory: what convert and rekey share. */
#ifndef E2DX_REBUILD_H
#define E2DX_REBUILD_H

#include "ext2fs/map.h"
#include "htree/build.h"
#include "htree/verify.h"

struct e2dx_rebuild {
	struct e2dx_dir *d;		/* the directory as it is */
	struct htree_entries entries;	/* of it */
	uint32_t parent;
	struct htree_memory out;	/* as it will be */
	struct htree_build_result result;
	errcode_t linear;		/* why the index that was asked for is not */
};

/* Open it, but read no entries yet.  End with e2dx_rebuild_end() in any case. */
errcode_t e2dx_rebuild_begin(struct e2dx_fs *efs, ext2_ino_t ino,
			     struct e2dx_rebuild *b);
void e2dx_rebuild_end(struct e2dx_rebuild *b);

/* hash_version of its root as on disk; -1 where it has no index or no root. */
int e2dx_rebuild_version(struct e2dx_rebuild *b);

/*
 * Read all entries.  E2DX_ET_DAMAGED where anything but the index is wrong;
 * E2DX_ET_MAP_DAMAGED.
 */
errcode_t e2dx_rebuild_read(struct e2dx_rebuild *b);

/*
 * Build b->out: indexed with on-disk hash `version` (stored hashes keep 6),
 * or linear with at least min_blocks blocks.  Where no index of the allowed
 * depth holds it, it becomes linear and b->linear says why.
 */
errcode_t e2dx_rebuild_build(struct e2dx_rebuild *b, bool indexed, int version,
			     uint32_t min_blocks);

/* Is b->out what is on disk already, in every byte?  (false in doubt) */
bool e2dx_rebuild_same(struct e2dx_rebuild *b);

#endif
