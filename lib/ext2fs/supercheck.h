/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A superblock's bytes, checked before libext2fs sees them. */
#ifndef E2DX_SUPERCHECK_H
#define E2DX_SUPERCHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <et/com_err.h>

#define E2DX_SB_SIZE	1024	/* bytes of a superblock */

/*
 * Check every field that a size, a shift, a divisor or an index is made of.
 * `device_bytes`: bounds the memory that the group descriptors take.  An external
 * journal has no geometry; it passes where journal_device is set.
 * E2DX_ET_NOT_EXT without the magic number; EXT2_ET_REV_TOO_HIGH;
 * EXT2_ET_UNSUPP_FEATURE for a journal; EXT2_ET_CORRUPT_SUPERBLOCK.
 */
errcode_t e2dx_super_check(const uint8_t *sb, uint64_t device_bytes,
			   bool journal_device);

/* Is the checksum right, or does the filesystem have none? */
bool e2dx_super_csum_ok(const uint8_t *sb);

/* Set it, where the filesystem has one. */
void e2dx_super_csum_set(uint8_t *sb);

#endif
