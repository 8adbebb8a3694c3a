/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Block bitmaps and group descriptors, from memory to the device. */
#ifndef E2DX_DESC_H
#define E2DX_DESC_H

#include "ext2fs/alloc.h"
#include "ext2fs/fs.h"

/*
 * Write the block bitmap of each group with groups[g] != 0 from s->bitmap, and
 * bring its descriptor in memory in step: free count, checksums, initialised.
 * Not synced.  E2DX_ET_DAMAGED for a bitmap that lies nowhere.
 */
errcode_t e2dx_bitmaps_write(struct e2dx_fs *efs, struct e2dx_space *s,
			     const uint8_t *groups);

/*
 * Set the checksum of every group descriptor anew and write all descriptor
 * blocks, the primary table and each copy of it; then sync.
 */
errcode_t e2dx_descs_write_all(struct e2dx_fs *efs);

/*
 * Write the primary descriptor blocks that hold these groups.  Not synced.
 */
errcode_t e2dx_descs_write(struct e2dx_fs *efs, const struct e2dx_space *s,
			   const uint8_t *groups);

#endif
