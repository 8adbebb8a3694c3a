/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which inodes are free: chosen and marked, within a replacer's session. */
#ifndef E2DX_INODE_ALLOC_H
#define E2DX_INODE_ALLOC_H

#include "ext2fs/replace.h"

/*
 * Choose an inode that neither the survey nor its bitmap knows as used, from
 * the group of inode `near` on.  Nothing is written.  EXT2_ET_INODE_ALLOC_FAIL.
 */
errcode_t e2dx_inode_choose(struct e2dx_replacer *r, ext2_ino_t near,
			    ext2_ino_t *ino);

/*
 * Mark it in its bitmap, descriptor, the survey and the superblock in memory;
 * `type` is EXT2_FT_*, or 0 for an inode that is free again, which had the
 * type that the survey says.  Synced.
 */
errcode_t e2dx_inode_mark(struct e2dx_replacer *r, ext2_ino_t ino, int type);

#endif
