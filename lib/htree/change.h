/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The living index: add one name, take one away, block by block.
 *
 * Writes go to the backend in an order that keeps every name through a cut
 * after any of them, with blocks.ops->barrier between those that depend on
 * each other: what is copied elsewhere is on the device before it is pointed to,
 * and pointed to before it goes from where it was.  A cut in the middle of a
 * split, merge or move may leave names twice or blocks that the index does not
 * reach, which a check repairs.
 */
#ifndef E2DX_HTREE_CHANGE_H
#define E2DX_HTREE_CHANGE_H

#include "htree/blocks.h"
#include "htree/entry.h"

/*
 * Add an entry: d->ino, name, name_len, file_type, and d->hash where the
 * directory stores hashes (which must then be the name's own).  In a linear
 * directory: the first room that is found, else a new block; one that outgrows
 * its first block becomes indexed where dir->dir_index is set (with
 * dir->default_version).  In an indexed one: its leaf, split by hash at the
 * half of the bytes where it is full, never between equal hashes unless it
 * must; nodes split and levels grow up to dir->max_indirect.  Keeps
 * dir->indexed true to the inode's flag.  Reads root, nodes and leaf, and
 * writes the leaf, where nothing splits; all new blocks of a split come from
 * one resize() before the first write.
 *
 * Errors, the directory unchanged: EEXIST ("." and ".." too);
 * E2DX_ET_NAME_LENGTH; EINVAL for an inode number or name that may not stand
 * there (0, '/', one that a strict encoding refuses), or where block sizes
 * differ; E2DX_ET_DIR_FULL (depth, or blocks); what the backend's resize
 * returns for want of space; E2DX_ET_DAMAGED where the index, a record or a
 * checksum on the way cannot be trusted; E2DX_ET_UNSUPPORTED for an unknown
 * hash version of the index or names that cannot be folded,
 * E2DX_ET_HASH_UNKNOWN for dir->default_version; ENOMEM.  Only a failing
 * write can leave it half changed, in a state that a cut may leave too.
 */
errcode_t htree_insert(struct htree_dir *dir, struct htree_blocks *b,
		       const struct htree_dirent *d);

enum htree_shrink {
	HTREE_KEEP_BLOCKS,	/* as Linux: the record merges into its neighbour */
	HTREE_SHRINK		/* merge leaves that fit at 70%, give blocks back,
				   drop levels, down to one block without index */
};

/*
 * Take a name away.  With HTREE_KEEP_BLOCKS exactly one block is written and
 * no entry moves.  As htree_lookup() it finds a name block by block where the
 * index does not lead to it; then nothing is merged.  With HTREE_SHRINK a
 * leaf or node merges with a neighbour in the same node only; a damaged
 * neighbourhood is left as it is, which is no error.
 *
 * Errors, the directory unchanged: E2DX_ET_NOT_FOUND; E2DX_ET_NAME_LENGTH;
 * EINVAL for "." and ".."; E2DX_ET_DAMAGED for a leaf with a wrong checksum;
 * E2DX_ET_UNSUPPORTED, ENOMEM; what reading returns.
 */
errcode_t htree_remove(struct htree_dir *dir, struct htree_blocks *b,
		       const uint8_t *name, size_t len,
		       enum htree_shrink how);

#endif
