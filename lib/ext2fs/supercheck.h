/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A superblock's bytes, checked before libext2fs sees them. */
#ifndef E2DX_SUPERCHECK_H
#define E2DX_SUPERCHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <et/com_err.h>

#define E2DX_SB_SIZE	1024	/* bytes of a superblock */
#define E2DX_SB_PRIMARY	1024	/* where the first one lies, in bytes, whatever
				   the block size */

/* Offsets of the fields that are looked at as bytes. */
enum {
	SB_INODES = 0x00, SB_BLOCKS = 0x04, SB_FIRST_DATA = 0x14,
	SB_LOG_BLOCK = 0x18, SB_LOG_CLUSTER = 0x1c, SB_BLOCKS_PER_GROUP = 0x20,
	SB_CLUSTERS_PER_GROUP = 0x24, SB_INODES_PER_GROUP = 0x28,
	SB_MAGIC = 0x38, SB_REV = 0x4c, SB_FIRST_INO = 0x54,
	SB_INODE_SIZE = 0x58, SB_COMPAT = 0x5c, SB_INCOMPAT = 0x60,
	SB_RO_COMPAT = 0x64, SB_UUID = 0x68, SB_LABEL = 0x78,
	SB_RESERVED_GDT = 0xce, SB_HASH_SEED = 0xec, SB_HASH_VERSION = 0xfc,
	SB_DESC_SIZE = 0xfe, SB_FIRST_META_BG = 0x104, SB_BLOCKS_HI = 0x150,
	SB_FLAGS = 0x160, SB_LOG_FLEX = 0x174, SB_CSUM_TYPE = 0x175,
	SB_BACKUP_BGS = 0x24c, SB_CSUM_SEED = 0x270, SB_CSUM = 0x3fc
};

/*
 * Check every field that a size, a shift, a divisor or an index is made of.
 * `device_bytes`: bounds the memory that the group descriptors take.  An external
 * journal has no geometry; it passes where journal_device is set.
 * E2DX_ET_NOT_EXT without the magic number; EXT2_ET_REV_TOO_HIGH;
 * EXT2_ET_UNSUPP_FEATURE for a journal; EXT2_ET_CORRUPT_SUPERBLOCK.
 */
errcode_t e2dx_super_check(const uint8_t *sb, uint64_t device_bytes,
			   bool journal_device);

/*
 * Do two superblocks have the same magic number and the same geometry?  If
 * not, one is of another filesystem, or stale, or none.
 */
bool e2dx_super_same_geometry(const uint8_t *a, const uint8_t *b);

/* Is the checksum right, or does the filesystem have none? */
bool e2dx_super_csum_ok(const uint8_t *sb);

/* Set it, where the filesystem has one. */
void e2dx_super_csum_set(uint8_t *sb);

#endif
