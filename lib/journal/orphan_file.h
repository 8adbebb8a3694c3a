/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A block of the orphan file: inode numbers, then a magic number and a checksum. */
#ifndef E2DX_JOURNAL_ORPHAN_FILE_H
#define E2DX_JOURNAL_ORPHAN_FILE_H

#include "ext2fs/fs.h"

#define ORPHAN_MAGIC		0x0b10ca04u
#define ORPHAN_TAIL_SIZE	8	/* magic number, checksum */

/*
 * Are magic number and checksum right?  `seed`: of the orphan file's inode;
 * `block`: where it lies on the device.
 */
bool orphan_block_ok(const struct e2dx_fs *efs, const uint8_t *buf,
		     uint64_t block, uint32_t seed);

/* Make it one that names no inode. */
void orphan_block_clear(const struct e2dx_fs *efs, uint8_t *buf,
			uint64_t block, uint32_t seed);

#endif
