/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Inodes: found in their table, decoded, their checksum verified. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/inode.h"
#include "htree/crc32c.h"
#include "htree/ondisk.h"

errcode_t e2dx_inode_locate(const struct e2dx_fs *efs, ext2_ino_t ino,
			    uint64_t *block, uint32_t *offset)
{
	ext2_filsys fs = efs->fs;
	uint32_t per_group = fs->super->s_inodes_per_group;
	uint64_t byte;

	if (!ino || ino > fs->super->s_inodes_count)
		return E2DX_ET_RANGE;
	byte = (uint64_t)((ino - 1) % per_group) * EXT2_INODE_SIZE(fs->super);
	*block = ext2fs_inode_table_loc(fs, (ino - 1) / per_group);
	if (!e2dx_blocks_valid(efs, *block, byte / fs->blocksize + 1))
		return E2DX_ET_RANGE;
	*block += byte / fs->blocksize;
	*offset = (uint32_t)(byte % fs->blocksize);
	return 0;
}

errcode_t e2dx_inode_load(const struct e2dx_fs *efs, ext2_ino_t ino,
			  uint8_t *raw)
{
	uint32_t size = EXT2_INODE_SIZE(efs->fs->super), within;
	uint64_t block;
	uint8_t *buf;
	errcode_t err = e2dx_inode_locate(efs, ino, &block, &within);

	if (err)
		return err;
	/* A negative count is bytes: no need for the whole block. */
	buf = malloc(within + size);
	if (!buf)
		return ENOMEM;
	err = io_channel_read_blk64(efs->fs->io, block,
				    -(int)(within + size), buf);
	if (!err)
		memcpy(raw, buf + within, size);
	free(buf);
	return err;
}

uint8_t e2dx_file_type(uint32_t mode)
{
	switch (mode & LINUX_S_IFMT) {
	case LINUX_S_IFREG:
		return EXT2_FT_REG_FILE;
	case LINUX_S_IFDIR:
		return EXT2_FT_DIR;
	case LINUX_S_IFCHR:
		return EXT2_FT_CHRDEV;
	case LINUX_S_IFBLK:
		return EXT2_FT_BLKDEV;
	case LINUX_S_IFIFO:
		return EXT2_FT_FIFO;
	case LINUX_S_IFSOCK:
		return EXT2_FT_SOCK;
	case LINUX_S_IFLNK:
		return EXT2_FT_SYMLINK;
	default:
		return EXT2_FT_UNKNOWN;
	}
}

bool e2dx_inode_has_map(const struct ext2_inode_large *inode)
{
	if (inode->i_flags & EXT4_INLINE_DATA_FL)
		return false;
	switch (inode->i_mode & LINUX_S_IFMT) {
	case LINUX_S_IFLNK:
		/* Linux keeps a target in i_block where it fits with its NUL. */
		return inode->i_size >= E2DX_I_BLOCK_SIZE || inode->i_size_high;
	case LINUX_S_IFCHR:
	case LINUX_S_IFBLK:
	case LINUX_S_IFIFO:
	case LINUX_S_IFSOCK:
		return false;
	default:
		return true;
	}
}

static void decode_large(const uint8_t *raw, uint32_t size,
			 struct ext2_inode_large *inode)
{
	uint8_t copy[sizeof(*inode) - EXT2_GOOD_OLD_INODE_SIZE] = { 0 };
	const uint8_t *tail = raw + E2DX_I_EXTRA_ISIZE;
	uint32_t n = htree_le16(tail);

	if (n > size - EXT2_GOOD_OLD_INODE_SIZE)
		n = size - EXT2_GOOD_OLD_INODE_SIZE;
	inode->i_extra_isize = (uint16_t)htree_le16(tail);
	/* Most inodes have all the fields; what others have not is zero. */
	if (n < sizeof(copy)) {
		memcpy(copy, tail, n);
		tail = copy;
	}
	inode->i_checksum_hi = (uint16_t)htree_le16(tail + 0x02);
	inode->i_ctime_extra = htree_le32(tail + 0x04);
	inode->i_mtime_extra = htree_le32(tail + 0x08);
	inode->i_atime_extra = htree_le32(tail + 0x0c);
	inode->i_crtime = htree_le32(tail + 0x10);
	inode->i_crtime_extra = htree_le32(tail + 0x14);
	inode->i_version_hi = htree_le32(tail + 0x18);
	inode->i_projid = htree_le32(tail + 0x1c);
}

static void decode_map(const uint8_t *raw, struct ext2_inode_large *inode)
{
	bool bytes = inode->i_flags & EXT4_EXTENTS_FL ||
		     !e2dx_inode_has_map(inode);

	if (bytes)
		memcpy(inode->i_block, raw, E2DX_I_BLOCK_SIZE);
	else
		for (int i = 0; i < EXT2_N_BLOCKS; i++)
			inode->i_block[i] = htree_le32(raw + 4 * i);
}

void e2dx_inode_decode(const struct e2dx_fs *efs, const uint8_t *raw,
		       struct ext2_inode_large *inode)
{
	uint32_t size = EXT2_INODE_SIZE(efs->fs->super);

	/* Every field is set: to clear it all first would cost half of this. */
	inode->i_mode = (uint16_t)htree_le16(raw);
	inode->i_uid = (uint16_t)htree_le16(raw + 0x02);
	inode->i_size = htree_le32(raw + 0x04);
	inode->i_atime = htree_le32(raw + 0x08);
	inode->i_ctime = htree_le32(raw + 0x0c);
	inode->i_mtime = htree_le32(raw + 0x10);
	inode->i_dtime = htree_le32(raw + 0x14);
	inode->i_gid = (uint16_t)htree_le16(raw + 0x18);
	inode->i_links_count = (uint16_t)htree_le16(raw + 0x1a);
	inode->i_blocks = htree_le32(raw + 0x1c);
	inode->i_flags = htree_le32(raw + 0x20);
	inode->osd1.linux1.l_i_version = htree_le32(raw + 0x24);
	inode->i_generation = htree_le32(raw + 0x64);
	inode->i_file_acl = htree_le32(raw + 0x68);
	inode->i_size_high = htree_le32(raw + 0x6c);
	inode->i_faddr = htree_le32(raw + 0x70);
	inode->osd2.linux2.l_i_blocks_hi = (uint16_t)htree_le16(raw + 0x74);
	inode->osd2.linux2.l_i_file_acl_high = (uint16_t)htree_le16(raw + 0x76);
	inode->osd2.linux2.l_i_uid_high = (uint16_t)htree_le16(raw + 0x78);
	inode->osd2.linux2.l_i_gid_high = (uint16_t)htree_le16(raw + 0x7a);
	inode->i_checksum_lo = (uint16_t)htree_le16(raw + E2DX_I_CHECKSUM);
	inode->osd2.linux2.l_i_reserved = (uint16_t)htree_le16(raw + 0x7e);
	decode_map(raw + E2DX_I_BLOCK, inode);
	if (size > EXT2_GOOD_OLD_INODE_SIZE)
		decode_large(raw, size, inode);
	else
		memset((uint8_t *)inode + EXT2_GOOD_OLD_INODE_SIZE, 0,
		       sizeof(*inode) - EXT2_GOOD_OLD_INODE_SIZE);
}

errcode_t e2dx_inode_read(const struct e2dx_fs *efs, ext2_ino_t ino,
			  struct ext2_inode_large *inode)
{
	uint8_t *raw = malloc(EXT2_INODE_SIZE(efs->fs->super));
	errcode_t err;

	if (!raw)
		return ENOMEM;
	err = e2dx_inode_load(efs, ino, raw);
	if (!err)
		e2dx_inode_decode(efs, raw, inode);
	free(raw);
	return err;
}

uint32_t e2dx_inode_csum_seed(const struct e2dx_fs *efs, ext2_ino_t ino,
			      uint32_t generation)
{
	uint8_t le[8];

	htree_put_le32(le, ino);
	htree_put_le32(le + 4, generation);
	return htree_crc32c(efs->fs->csum_seed, le, sizeof(le));
}

/* The checksum covers the whole inode with its own two halves as zero. */
uint32_t e2dx_inode_csum(const struct e2dx_fs *efs, ext2_ino_t ino,
			 const uint8_t *raw)
{
	static const uint8_t zero[2];
	uint32_t size = EXT2_INODE_SIZE(efs->fs->super);
	uint32_t from = E2DX_I_CHECKSUM + 2;
	uint32_t crc = e2dx_inode_csum_seed(efs, ino,
				htree_le32(raw + E2DX_I_GENERATION));

	crc = htree_crc32c(crc, raw, E2DX_I_CHECKSUM);
	crc = htree_crc32c(crc, zero, 2);
	if (e2dx_inode_csum_wide(efs, raw)) {
		crc = htree_crc32c(crc, raw + from,
				   E2DX_I_CHECKSUM_HIGH - from);
		crc = htree_crc32c(crc, zero, 2);
		from = E2DX_I_CHECKSUM_HIGH + 2;
	}
	return htree_crc32c(crc, raw + from, size - from);
}

static bool csum_matches(const uint8_t *raw, bool wide, uint32_t crc)
{
	return (crc & 0xffff) == htree_le16(raw + E2DX_I_CHECKSUM) &&
	       (!wide || crc >> 16 == htree_le16(raw + E2DX_I_CHECKSUM_HIGH));
}

bool e2dx_inode_csum_ok(const struct e2dx_fs *efs, ext2_ino_t ino,
			const uint8_t *raw)
{
	if (!ext2fs_has_feature_metadata_csum(efs->fs->super))
		return true;
	return csum_matches(raw, e2dx_inode_csum_wide(efs, raw),
			    e2dx_inode_csum(efs, ino, raw));
}

/* Offsets of the stored checksum's bytes. */
static const uint32_t csum_byte[E2DX_CSUM_BYTES] = {
	E2DX_I_CHECKSUM, E2DX_I_CHECKSUM + 1,
	E2DX_I_CHECKSUM_HIGH, E2DX_I_CHECKSUM_HIGH + 1
};

errcode_t e2dx_inode_csums_init(struct e2dx_inode_csums *c,
				const struct e2dx_fs *efs)
{
	uint32_t size = EXT2_INODE_SIZE(efs->fs->super);
	uint8_t *bytes;

	c->efs = efs;
	c->size = size;
	c->summed = ext2fs_has_feature_metadata_csum(efs->fs->super);
	if (!c->summed)
		return 0;
	bytes = calloc(1, size);
	if (!bytes)
		return ENOMEM;
	for (int b = 0; b < E2DX_CSUM_BYTES && csum_byte[b] < size; b++) {
		for (unsigned v = 0; v < 256; v++) {
			bytes[csum_byte[b]] = (uint8_t)v;
			c->part[b][v] = htree_crc32c(0, bytes, size);
		}
		bytes[csum_byte[b]] = 0;
	}
	free(bytes);
	return 0;
}

bool e2dx_inode_csums_ok(const struct e2dx_inode_csums *c, ext2_ino_t ino,
			 const uint8_t *raw)
{
	bool wide;
	uint32_t crc;

	if (!c->summed)
		return true;
	wide = c->size > EXT2_GOOD_OLD_INODE_SIZE && e2dx_inode_large(raw);
	crc = e2dx_inode_csum_seed(c->efs, ino,
				   htree_le32(raw + E2DX_I_GENERATION));
	crc = htree_crc32c(crc, raw, c->size);
	for (int b = 0; b < (wide ? E2DX_CSUM_BYTES : 2); b++)
		crc ^= c->part[b][raw[csum_byte[b]]];
	return csum_matches(raw, wide, crc);
}
