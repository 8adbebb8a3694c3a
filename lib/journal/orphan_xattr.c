/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The attributes of an inode that goes: one reference less to what they use. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/xattr.h"
#include "htree/crc32c.h"
#include "htree/ondisk.h"
#include "journal/orphan_priv.h"

/* The header of a block of attributes. */
#define EA_REFCOUNT	4
#define EA_CHECKSUM	16
#define EA_HEADER	32

/* An inode that holds a value counts its users in two fields. */
#define EA_INO_REF_HIGH	0x0c	/* i_ctime */
#define EA_INO_REF_LOW	0x24	/* i_version */

static void seal_block(const struct e2dx_fs *efs, uint64_t block, uint8_t *buf)
{
	uint8_t number[8];
	uint32_t crc;

	if (!ext2fs_has_feature_metadata_csum(efs->fs->super))
		return;
	htree_put_le32(number, (uint32_t)block);
	htree_put_le32(number + 4, (uint32_t)(block >> 32));
	htree_put_le32(buf + EA_CHECKSUM, 0);
	crc = htree_crc32c(efs->fs->csum_seed, number, sizeof(number));
	htree_put_le32(buf + EA_CHECKSUM,
		       htree_crc32c(crc, buf, efs->fs->blocksize));
}

/* The last user of a value is gone: it is freed, and its inode. */
static errcode_t free_value(struct release *r, ext2_ino_t ino, uint8_t *raw)
{
	struct ext2_inode_large inode;
	errcode_t err;

	e2dx_inode_decode(r->efs, raw, &inode);
	err = orphan_clusters(r->efs, ino, &inode, &r->freed);
	if (!err)
		err = orphan_truncate(r->efs, ino, raw, 0);
	htree_put_le16(raw + E2DX_I_LINKS, 0);
	htree_put_le32(raw + E2DX_I_BLOCKS, 0);
	htree_put_le16(raw + E2DX_I_BLOCKS_HIGH, 0);
	htree_put_le32(raw + E2DX_I_SIZE, 0);
	htree_put_le32(raw + E2DX_I_SIZE_HIGH, 0);
	return err ? err : release_add(r, (struct orphan){ ino, true });
}

static errcode_t drop_value(void *ctx, const struct e2dx_xattr *x)
{
	struct release *r = ctx;
	uint8_t *raw;
	uint64_t refs;
	errcode_t err;

	if (!x->value_ino)
		return 0;
	raw = malloc(EXT2_INODE_SIZE(r->efs->fs->super));
	if (!raw)
		return ENOMEM;
	err = e2dx_inode_load(r->efs, x->value_ino, raw);
	refs = (uint64_t)htree_le32(raw + EA_INO_REF_HIGH) << 32 |
	       htree_le32(raw + EA_INO_REF_LOW);
	/* Not one of values, or one that nobody counts: a check's to find. */
	if (!err && refs && (e2dx_inode_flags(raw) & EXT4_EA_INODE_FL)) {
		refs--;
		htree_put_le32(raw + EA_INO_REF_HIGH, (uint32_t)(refs >> 32));
		htree_put_le32(raw + EA_INO_REF_LOW, (uint32_t)refs);
		if (!refs)
			err = free_value(r, x->value_ino, raw);
		e2dx_inode_seal(r->efs, x->value_ino, raw);
		if (!err)
			err = e2dx_inode_store(r->efs, x->value_ino, raw);
	}
	free(raw);
	return err == E2DX_ET_RANGE ? 0 : err;
}

/* One user less; with the last one the block goes, and its values. */
static errcode_t drop_block(struct release *r, uint64_t block, uint8_t *buf)
{
	ext2_filsys fs = r->efs->fs;
	uint32_t refs = htree_le32(buf + EA_REFCOUNT);
	errcode_t err;

	if (refs > 1) {
		htree_put_le32(buf + EA_REFCOUNT, refs - 1);
		seal_block(r->efs, block, buf);
		return io_channel_write_blk64(fs->io, block, 1, buf);
	}
	err = e2dx_xattr_walk_block(r->efs, block, drop_value, r);
	if (!err || err == E2DX_ET_DAMAGED)
		err = e2dx_pieces_add(&r->freed,
				      block >> fs->cluster_ratio_bits, 1);
	return err;
}

errcode_t orphan_drop_xattrs(struct release *r, const uint8_t *raw)
{
	ext2_filsys fs = r->efs->fs;
	uint64_t block = htree_le32(raw + E2DX_I_FILE_ACL);
	uint8_t *buf;
	errcode_t err;

	if (ext2fs_has_feature_64bit(fs->super))
		block |= (uint64_t)htree_le16(raw + E2DX_I_FILE_ACL_HIGH) << 32;
	err = e2dx_xattr_walk_inode(r->efs, raw, drop_value, r);
	if (err && err != E2DX_ET_DAMAGED)
		return err;
	if (!block || !e2dx_blocks_valid(r->efs, block, 1))
		return 0;
	buf = malloc(fs->blocksize);
	if (!buf)
		return ENOMEM;
	err = io_channel_read_blk64(fs->io, block, 1, buf);
	if (!err && htree_le32(buf) == E2DX_EA_MAGIC)
		err = drop_block(r, block, buf);
	free(buf);
	return err;
}
