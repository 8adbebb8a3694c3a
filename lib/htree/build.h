/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Build a whole directory from its entries. */
#ifndef E2DX_HTREE_BUILD_H
#define E2DX_HTREE_BUILD_H

#include "htree/blocks.h"
#include "htree/entry.h"

struct htree_build_options {
	bool indexed;		/* build an index if it needs more than one block */
	int version;		/* on-disk version of the index; not asked
				   where entries store hashes: always 6 */
	uint32_t parent;	/* inode for ".."; not 0 */
	uint32_t min_blocks;	/* linear: pad with empty leaves to this many */
};

struct htree_build_result {
	uint32_t blocks;
	bool indexed;		/* INDEX_FL is to be set */
	int indirect_levels;
};

/*
 * Write the directory of *e to `out`, from block 0 on, resizing it.  Indexed:
 * computes hashes (unless stored), sorts *e, fills leaves but for the slack
 * that doc/design.md explains, sets continuation bits, as few levels as fit;
 * linear: entries in their order, blocks full.  A directory that fits in one
 * block gets no index.  Entries with ino 0 are dropped from *e.
 *
 * Memory beside *e and `out`: 24 bytes an entry while it sorts, 8 a leaf, and
 * 256 KiB.
 *
 * E2DX_ET_DIR_FULL where max_indirect levels, 28-bit block numbers or
 * (without large_dir) 2 GiB do not suffice; E2DX_ET_HASH_UNKNOWN; what
 * htree_dir_hasher() returns; EINVAL for a parent of 0 or another block size
 * of `out`; ENOMEM; what `out` returns.
 */
errcode_t htree_build(const struct htree_dir *dir, struct htree_entries *e,
		      const struct htree_build_options *options,
		      struct htree_blocks *out,
		      struct htree_build_result *result);

#endif
