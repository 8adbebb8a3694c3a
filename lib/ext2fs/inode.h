/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Inodes read by number, by any number of threads (libext2fs' own functions
 * share a cache without a lock).
 */
#ifndef E2DX_INODE_H
#define E2DX_INODE_H

#include "ext2fs/fs.h"
#include "htree/ondisk.h"

/* Offsets in an inode, for those who look at it as bytes. */
enum {
	E2DX_I_MODE = 0x00, E2DX_I_SIZE = 0x04, E2DX_I_DTIME = 0x14,
	E2DX_I_LINKS = 0x1a, E2DX_I_BLOCKS = 0x1c, E2DX_I_FLAGS = 0x20,
	E2DX_I_BLOCK = 0x28,	/* the map or inline data */
	E2DX_I_GENERATION = 0x64, E2DX_I_FILE_ACL = 0x68,
	E2DX_I_SIZE_HIGH = 0x6c, E2DX_I_BLOCKS_HIGH = 0x74,
	E2DX_I_FILE_ACL_HIGH = 0x76, E2DX_I_CHECKSUM = 0x7c,
	E2DX_I_EXTRA_ISIZE = 0x80, E2DX_I_CHECKSUM_HIGH = 0x82
};

#define E2DX_I_BLOCK_SIZE	60	/* bytes of i_block */

/* Magic number before the attributes that lie in an inode. */
#define E2DX_EA_MAGIC	0xea020000u

/*
 * Where an inode lies: a block of its group's table, bytes into that.
 * E2DX_ET_RANGE for a number out of range or a table outside the filesystem.
 */
errcode_t e2dx_inode_locate(const struct e2dx_fs *efs, ext2_ino_t ino,
			    uint64_t *block, uint32_t *offset);

/*
 * The bytes of an inode as they stand on disk: EXT2_INODE_SIZE() of them to
 * `raw`.  Errors of e2dx_inode_locate(); ENOMEM; I/O errors.
 */
errcode_t e2dx_inode_load(const struct e2dx_fs *efs, ext2_ino_t ino,
			  uint8_t *raw);

/*
 * Bytes to host order.  i_block keeps its bytes where it is not an array of
 * block numbers (extents, inline data, fast links), as libext2fs has it.
 * Fields that the inode is too small for are zero.
 */
void e2dx_inode_decode(const struct e2dx_fs *efs, const uint8_t *raw,
		       struct ext2_inode_large *inode);

/* Load and decode. */
errcode_t e2dx_inode_read(const struct e2dx_fs *efs, ext2_ino_t ino,
			  struct ext2_inode_large *inode);

/* The checksum seed of an inode: CRC-32C of filesystem seed, ino, generation. */
uint32_t e2dx_inode_csum_seed(const struct e2dx_fs *efs, ext2_ino_t ino,
			      uint32_t generation);

/* The checksum that belongs into an inode of these bytes. */
uint32_t e2dx_inode_csum(const struct e2dx_fs *efs, ext2_ino_t ino,
			 const uint8_t *raw);

/* Of an inode of more than 128 bytes: has it the checksum's upper half? */
static inline bool e2dx_inode_large(const uint8_t *raw)
{
	return htree_le16(raw + E2DX_I_EXTRA_ISIZE) >=
	       E2DX_I_CHECKSUM_HIGH + 2 - E2DX_I_EXTRA_ISIZE;
}

/* Has the inode room for all 32 bits of it, or for the lower half only? */
static inline bool e2dx_inode_csum_wide(const struct e2dx_fs *efs,
					const uint8_t *raw)
{
	return EXT2_INODE_SIZE(efs->fs->super) > EXT2_GOOD_OLD_INODE_SIZE &&
	       e2dx_inode_large(raw);
}

/* Is the inode's checksum right, or does the filesystem have none? */
bool e2dx_inode_csum_ok(const struct e2dx_fs *efs, ext2_ino_t ino,
			const uint8_t *raw);

/* The attribute block; 0: none. */
static inline uint64_t e2dx_inode_file_acl(const struct e2dx_fs *efs,
					   const struct ext2_inode_large *inode)
{
	uint64_t high = inode->osd2.linux2.l_i_file_acl_high;

	if (!ext2fs_has_feature_64bit(efs->fs->super))
		high = 0;
	return high << 32 | inode->i_file_acl;
}

/*
 * Many inodes of one filesystem, each summed in one run: a CRC is linear, so
 * what the stored checksum's own bytes add to it is known beforehand, and
 * taken off.  4 KiB; not changed by checking.
 */
#define E2DX_CSUM_BYTES	4
struct e2dx_inode_csums {
	const struct e2dx_fs *efs;	/* not owned */
	uint32_t size;			/* of an inode, bytes */
	bool summed;			/* inodes have checksums at all */
	uint32_t part[E2DX_CSUM_BYTES][256];
};

/* ENOMEM. */
errcode_t e2dx_inode_csums_init(struct e2dx_inode_csums *c,
				const struct e2dx_fs *efs);
/* As e2dx_inode_csum_ok(). */
bool e2dx_inode_csums_ok(const struct e2dx_inode_csums *c, ext2_ino_t ino,
			 const uint8_t *raw);

/*
 * What a directory's entry says of an inode with this i_mode: EXT2_FT_*, or
 * EXT2_FT_UNKNOWN for a type that there is not.
 */
uint8_t e2dx_file_type(uint32_t mode);

/*
 * Does i_block hold a block map at all?  An inode without a type may (the
 * bad blocks inode has none).
 */
bool e2dx_inode_has_map(const struct ext2_inode_large *inode);

/*
 * Does [start, start + count) lie in the filesystem, behind its first data
 * block?  False for a count of 0.  The one bound for block numbers from disk.
 */
static inline bool e2dx_blocks_valid(const struct e2dx_fs *efs, uint64_t start,
				     uint64_t count)
{
	uint64_t end = ext2fs_blocks_count(efs->fs->super);

	return count && start > 0 && start < end && count <= end - start &&
	       start >= efs->fs->super->s_first_data_block;
}

#endif
