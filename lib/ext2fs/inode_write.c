/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Changing an inode's bytes: its checksum, flags, size and block count. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/inode_write.h"
#include "htree/ondisk.h"

#define SECTOR		512	/* what i_blocks counts in */

void e2dx_inode_seal(const struct e2dx_fs *efs, ext2_ino_t ino, uint8_t *raw)
{
	uint32_t crc;

	if (!ext2fs_has_feature_metadata_csum(efs->fs->super))
		return;
	crc = e2dx_inode_csum(efs, ino, raw);
	htree_put_le16(raw + E2DX_I_CHECKSUM, crc & 0xffff);
	if (e2dx_inode_csum_wide(efs, raw))
		htree_put_le16(raw + E2DX_I_CHECKSUM_HIGH, crc >> 16);
}

uint32_t e2dx_inode_flags(const uint8_t *raw)
{
	return htree_le32(raw + E2DX_I_FLAGS);
}

void e2dx_inode_set_flags(uint8_t *raw, uint32_t flags)
{
	htree_put_le32(raw + E2DX_I_FLAGS, flags);
}

void e2dx_inode_set_size(const struct e2dx_fs *efs, uint8_t *raw,
			 uint64_t bytes)
{
	htree_put_le32(raw + E2DX_I_SIZE, (uint32_t)bytes);
	if (ext2fs_has_feature_largedir(efs->fs->super))
		htree_put_le32(raw + E2DX_I_SIZE_HIGH, (uint32_t)(bytes >> 32));
}

/* What the attributes' block counts for, where i_blocks itself is nonsense. */
static uint64_t attribute_sectors(const struct e2dx_fs *efs,
				  const uint8_t *raw)
{
	if (!htree_le32(raw + E2DX_I_FILE_ACL) &&
	    !htree_le16(raw + E2DX_I_FILE_ACL_HIGH))
		return 0;
	return (uint64_t)efs->fs->blocksize *
	       (uint64_t)EXT2FS_CLUSTER_RATIO(efs->fs) / SECTOR;
}

errcode_t e2dx_inode_change_blocks(const struct e2dx_fs *efs, uint8_t *raw,
				   uint64_t before, uint64_t after)
{
	ext2_filsys fs = efs->fs;
	bool huge = ext2fs_has_feature_huge_file(fs->super);
	bool in_blocks = huge && (e2dx_inode_flags(raw) & EXT4_HUGE_FILE_FL);
	uint64_t per_block = fs->blocksize / SECTOR;
	uint64_t per_cluster = per_block * (uint64_t)EXT2FS_CLUSTER_RATIO(fs);
	uint64_t n = htree_le32(raw + E2DX_I_BLOCKS);

	if (huge)
		n |= (uint64_t)htree_le16(raw + E2DX_I_BLOCKS_HIGH) << 32;
	if (in_blocks)
		n *= per_block;
	if (n < before * per_cluster)
		n = attribute_sectors(efs, raw);
	else
		n -= before * per_cluster;
	n += after * per_cluster;
	if (in_blocks)
		n /= per_block;
	if (n >> (huge ? 48 : 32))
		return EXT2_ET_FILE_TOO_BIG;
	htree_put_le32(raw + E2DX_I_BLOCKS, (uint32_t)n);
	if (huge)
		htree_put_le16(raw + E2DX_I_BLOCKS_HIGH, (uint32_t)(n >> 32));
	return 0;
}

errcode_t e2dx_inode_store(struct e2dx_fs *efs, ext2_ino_t ino,
			   const uint8_t *raw)
{
	uint8_t *buf = malloc(efs->fs->blocksize);
	uint64_t block;
	uint32_t offset;
	errcode_t err;

	if (!buf)
		return ENOMEM;
	err = e2dx_inode_locate(efs, ino, &block, &offset);
	if (!err)
		err = io_channel_read_blk64(efs->fs->io, block, 1, buf);
	if (!err) {
		memcpy(buf + offset, raw, EXT2_INODE_SIZE(efs->fs->super));
		err = io_channel_write_blk64(efs->fs->io, block, 1, buf);
	}
	free(buf);
	/* libext2fs keeps copies of inodes that it has read. */
	ext2fs_flush_icache(efs->fs);
	return err;
}
