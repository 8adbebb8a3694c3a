/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Orphans: inodes that were deleted, or made shorter, while that was not yet
 * finished.  A list through i_dtime from the superblock on, and the orphan file.
 */
#ifndef E2DX_JOURNAL_ORPHAN_H
#define E2DX_JOURNAL_ORPHAN_H

#include "ext2fs/fs.h"

/* The orphan file has no more blocks than this in Linux. */
#define ORPHAN_FILE_BLOCKS	512

struct orphan {
	ext2_ino_t ino;
	bool listed;		/* in the list, not in the file */
};

enum orphan_fault {
	ORPHAN_OK,
	ORPHAN_LIST,		/* the list leads to what is no orphan, or round */
	ORPHAN_FILE_INODE,	/* the orphan file is none */
	ORPHAN_FILE_BLOCK,	/* a block of it: magic number or checksum */
	ORPHAN_FILE_ENTRY	/* it names what is no orphan */
};

struct orphans {
	struct orphan *v;	/* owned */
	size_t n, capacity;
	uint64_t *blocks;	/* of the orphan file, on the device; owned */
	size_t n_blocks;
	enum orphan_fault fault;	/* the first; nothing may be released then */
	ext2_ino_t ino;		/* that has it */
	uint64_t block;		/* with ORPHAN_FILE_BLOCK */
};

/*
 * Find them all; each is in use and of a sound checksum, and none is there
 * twice.  Damage is told in *out, not an error.  ENOMEM, I/O errors.
 * orphans_free() is due in every case.
 */
errcode_t orphans_find(const struct e2dx_fs *efs, struct orphans *out);
void orphans_free(struct orphans *o);

struct orphan_events {
	/* An orphan is about to go, or to be truncated to its size. */
	void (*orphan)(void *ctx, ext2_ino_t ino, bool truncated,
		       const struct ext2_inode_large *inode);
	void *ctx;
};

/*
 * Free what the orphans have and empty the lists.  In an order that a power
 * cut leaves a check to find, and in which no block is free that an inode
 * still has: the superblock not valid; the inodes, without their blocks but
 * still in their lists; bitmaps and descriptors; the lists; the inodes' times;
 * the superblock with its counts, as valid as it was.  A sync after each.
 * Errors before anything was written: E2DX_ET_MAP_DAMAGED, E2DX_ET_CHECKSUM
 * (of a descriptor or bitmap), E2DX_ET_DAMAGED; after that I/O errors.
 */
errcode_t orphans_release(struct e2dx_fs *efs, const struct orphans *o,
			  const struct orphan_events *events);

/*
 * Make the superblock's free counts, in memory, the sums of the groups'.  Linux
 * keeps only those while it is mounted.  Were they different?
 */
bool orphans_sum_counts(struct e2dx_fs *efs);

#endif
