/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Crash-safe replacement of directories: new blocks beside the old ones, one
 * inode write to switch, the old ones freed at the end (doc/design.md).
 */
#ifndef E2DX_REPLACE_H
#define E2DX_REPLACE_H

#include "ext2fs/survey.h"
#include "ext2fs/map.h"
#include "htree/build.h"

struct e2dx_replacer;

/*
 * Begin (step 1: superblock not valid, synced).  The survey must be sound,
 * and stays up to date; both outlive the replacer.  E2DX_ET_SHARED where the
 * survey is not sound, E2DX_ET_QUOTA with quota, E2DX_ET_FEATURE with
 * shared_blocks.  Nothing is written before the first directory is: a command
 * that changes nothing leaves the image as it is.
 */
errcode_t e2dx_replace_begin(struct e2dx_fs *efs, struct e2dx_survey *survey,
			     struct e2dx_replacer **out);

/*
 * Take these blocks (copied) as the new contents of directory `ino`;
 * `indexed` sets or clears INDEX_FL.  Written when the batch is full (64 MiB) or
 * at e2dx_replace_flush().  E2DX_ET_NO_SPACE leaves the directory as it is and
 * other directories unaffected (a full batch is flushed and the allocation tried
 * again first); E2DX_ET_SHARED where the inode shares a block.
 * Inline directories: out is written into the inode where it fits.
 */
errcode_t e2dx_replace_dir(struct e2dx_replacer *r, ext2_ino_t ino,
			   const struct htree_memory *blocks, bool indexed);

/* Steps 2 to 5 for what has been taken so far. */
errcode_t e2dx_replace_flush(struct e2dx_replacer *r);

/*
 * Flush, then step 6: counts, and the state that was there before.  Frees r
 * in every case.
 */
errcode_t e2dx_replace_end(struct e2dx_replacer *r);

/*
 * Do step 1 now if no directory did yet: for a command that writes the
 * superblock's hash fields between directories.
 */
errcode_t e2dx_replace_start(struct e2dx_replacer *r);

/*
 * Whether anything was written yet: a directory that was as it is to be is
 * not written again.
 */
bool e2dx_replace_started(const struct e2dx_replacer *r);

/* ---- whole-filesystem conversions on top of it (convert.c) */

struct e2dx_convert_events {
	/* A directory was not converted and stays as it is. */
	void (*failed)(void *ctx, ext2_ino_t ino, errcode_t why);
	/* It became, or stays, linear for want of space or depth. */
	void (*linear)(void *ctx, ext2_ino_t ino, errcode_t why);
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

/* Which directories: decides by description and root version (-1: linear). */
typedef bool (*e2dx_convert_filter)(void *ctx, const struct htree_dir *dir,
				    int root_version, uint32_t blocks);

/*
 * Rebuild every directory of the survey that `wanted` (NULL: all) takes, with
 * on-disk hash `version` (stored-hash directories stay 6), indexed or linear,
 * compacted; lost+found keeps its blocks; inline ones stay.  A directory with findings
 * that are not a matter of the index alone is not rebuilt but given to
 * `failed` with E2DX_ET_DAMAGED.  *failures counts those not converted.
 */
errcode_t e2dx_convert(struct e2dx_replacer *r, bool indexed, int version,
		       e2dx_convert_filter wanted, void *wanted_ctx,
		       const struct e2dx_convert_events *events,
		       uint64_t *failures);

/*
 * Re-keying: make every affected directory linear, call `change` (writes
 * the superblock's seed, sign flags, default), then index them again with
 * the default that the superblock has after it.  Affected: for `seed`
 * half_md4, tea and plain siphash; for `flags` versions 0 to 2.  Where a
 * linear copy does not fit: E2DX_ET_NO_SPACE before anything is changed.
 * Each index gets back the version that it had.
 */
errcode_t e2dx_rekey(struct e2dx_replacer *r, bool seed, bool flags,
		     errcode_t (*change)(void *ctx, struct e2dx_fs *efs),
		     void *change_ctx,
		     const struct e2dx_convert_events *events,
		     uint64_t *failures);

#endif
