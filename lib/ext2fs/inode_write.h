/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Changing an inode as the bytes it has on disk, so that what is not
 * understood stays as it was.
 */
#ifndef E2DX_INODE_WRITE_H
#define E2DX_INODE_WRITE_H

#include "ext2fs/inode.h"
#include "ext2fs/mapbuild.h"

/* Set the checksum, where the filesystem has checksums. */
void e2dx_inode_seal(const struct e2dx_fs *efs, ext2_ino_t ino, uint8_t *raw);

uint32_t e2dx_inode_flags(const uint8_t *raw);
void e2dx_inode_set_flags(uint8_t *raw, uint32_t flags);

/* The size, both halves; the upper one only where directories have it. */
void e2dx_inode_set_size(const struct e2dx_fs *efs, uint8_t *raw,
			 uint64_t bytes);

/*
 * Change i_blocks: `before` clusters go, `after` come; the rest (a block of
 * extended attributes) stays.  EXT2_ET_FILE_TOO_BIG where it does not fit.
 */
errcode_t e2dx_inode_change_blocks(const struct e2dx_fs *efs, uint8_t *raw,
				   uint64_t before, uint64_t after);

/*
 * Write the whole inode, sealed, where it lies: one block of its table.  Not
 * synced.
 */
errcode_t e2dx_inode_store(struct e2dx_fs *efs, ext2_ino_t ino,
			   const uint8_t *raw);

#endif
