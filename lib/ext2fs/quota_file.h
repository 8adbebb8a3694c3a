/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Quota files of the quota feature: a header, and a tree of four levels over
 * 32-bit ids, in blocks of 1 KiB whatever the filesystem's are.
 */
#ifndef E2DX_QUOTA_FILE_H
#define E2DX_QUOTA_FILE_H

#include "ext2fs/fs.h"

enum e2dx_quota_type {
	E2DX_QUOTA_USER, E2DX_QUOTA_GROUP, E2DX_QUOTA_PROJECT, E2DX_QUOTA_TYPES
};

/* What it has of one id; limits are nobody's fault. */
struct e2dx_quota_entry {
	uint32_t id;
	uint64_t inodes;
	uint64_t space;		/* bytes */
};

/* The inode that the superblock names for this type; 0: none. */
ext2_ino_t e2dx_quota_inode(const struct e2dx_fs *efs,
			    enum e2dx_quota_type type);

/*
 * Give every entry to `each`, in the order of the tree; non-zero stops with
 * that value.  E2DX_ET_DAMAGED for a file that is none, or as soon as the tree
 * leads out of it or back into itself: what came before was given.  Every
 * block is read once.  Memory: a byte for each KiB of the file, and its map.
 * ENOMEM; I/O errors.
 */
errcode_t e2dx_quota_read(const struct e2dx_fs *efs, enum e2dx_quota_type type,
			  errcode_t (*each)(void *ctx,
					    const struct e2dx_quota_entry *e),
			  void *ctx);

/*
 * Take so much from the entry of one id, where it stands; not below zero.  No
 * entry, or a damaged tree, is a check's to find: nothing is written then.
 * Not synced.  ENOMEM; I/O errors.
 */
errcode_t e2dx_quota_subtract(struct e2dx_fs *efs, enum e2dx_quota_type type,
			      const struct e2dx_quota_entry *less);

#endif
