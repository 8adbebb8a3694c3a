/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* New inodes, and inodes that go. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "ext2fs/create.h"
#include "ext2fs/inode_alloc.h"
#include "ext2fs/inode_write.h"
#include "ext2fs/replace_priv.h"
#include "htree/csum.h"
#include "htree/layout.h"
#include "htree/ondisk.h"
#include "htree/pack.h"

#define CHUNK		(1u << 20)	/* bytes written at once */
#define EXTRA_ISIZE	32		/* bytes, as mke2fs has them */
#define SECOND_BITS	0xffffffffu

/* Offsets of fields that only new inodes need. */
enum {
	UID = 0x02, ATIME = 0x08, CTIME = 0x0c, MTIME = 0x10, GID = 0x18,
	UID_HIGH = 0x78, GID_HIGH = 0x7a,
	CTIME_EXTRA = 0x84, MTIME_EXTRA = 0x88, ATIME_EXTRA = 0x8c,
	CRTIME = 0x90, CRTIME_EXTRA = 0x94
};

/* A time and the two bits that carry it beyond 2038. */
static void put_time(uint8_t *raw, uint32_t at, uint32_t extra, bool large,
		     int64_t t)
{
	htree_put_le32(raw + at, (uint32_t)(t & SECOND_BITS));
	if (large)
		htree_put_le32(raw + extra,
			       (uint32_t)((t - (int32_t)t) >> 32) & 3);
}

static void fill(const struct e2dx_fs *efs, const struct e2dx_new *n,
		 uint8_t *raw)
{
	bool large = EXT2_INODE_SIZE(efs->fs->super) > EXT2_GOOD_OLD_INODE_SIZE;
	uint32_t flags = 0;

	if (ext2fs_has_feature_extents(efs->fs->super))
		flags = EXT4_EXTENTS_FL;
	htree_put_le16(raw + E2DX_I_MODE, n->mode);
	htree_put_le16(raw + UID, n->uid & 0xffff);
	htree_put_le16(raw + UID_HIGH, n->uid >> 16);
	htree_put_le16(raw + GID, n->gid & 0xffff);
	htree_put_le16(raw + GID_HIGH, n->gid >> 16);
	htree_put_le16(raw + E2DX_I_LINKS, n->links);
	htree_put_le32(raw + E2DX_I_SIZE, (uint32_t)n->size);
	htree_put_le32(raw + E2DX_I_SIZE_HIGH, (uint32_t)(n->size >> 32));
	e2dx_inode_set_flags(raw, flags);
	if (large) {
		htree_put_le16(raw + E2DX_I_EXTRA_ISIZE, EXTRA_ISIZE);
		put_time(raw, CRTIME, CRTIME_EXTRA, true, n->mtime);
	}
	put_time(raw, ATIME, ATIME_EXTRA, large, n->mtime);
	put_time(raw, CTIME, CTIME_EXTRA, large, n->mtime);
	put_time(raw, MTIME, MTIME_EXTRA, large, n->mtime);
}

/* ---- the data, where its clusters lie; the last block ends in zeroes */

struct source {
	const struct e2dx_new *n;
	uint64_t left;			/* bytes not yet asked for */
	uint8_t *buf;			/* CHUNK bytes, or a block */
	uint32_t chunk;			/* blocks of it */
};

static errcode_t write_piece(struct e2dx_fs *efs, struct source *s,
			     uint64_t block, uint64_t count)
{
	uint32_t size = efs->fs->blocksize;
	errcode_t err = 0;

	while (count && s->left && !err) {
		uint64_t blocks = count < s->chunk ? count : s->chunk;
		size_t bytes = (size_t)blocks * size;

		memset(s->buf, 0, bytes);
		if (bytes > s->left)
			bytes = (size_t)s->left;
		blocks = (bytes + size - 1) / size;
		err = s->n->data(s->n->ctx, s->buf, bytes);
		if (!err)
			err = io_channel_write_blk64(efs->fs->io, block,
						     (int)blocks, s->buf);
		s->left -= bytes;
		block += blocks;
		count -= blocks;
	}
	return err;
}

static errcode_t write_data(struct e2dx_replacer *r, const struct e2dx_new *n,
			    const struct e2dx_replaced *e)
{
	uint32_t size = r->efs->fs->blocksize;
	unsigned bits = (unsigned)r->efs->fs->cluster_ratio_bits;
	struct source s = {
		.n = n, .left = n->size,
		.chunk = size < CHUNK ? CHUNK / size : 1
	};
	errcode_t err = 0;

	s.buf = malloc((size_t)s.chunk * size);
	if (!s.buf)
		return ENOMEM;
	for (size_t i = 0; i < e->new_data.n && !err; i++)
		err = write_piece(r->efs, &s, e->new_data.v[i].first << bits,
				  e->new_data.v[i].count << bits);
	free(s.buf);
	return err;
}

/* ---- coming */

static errcode_t prepare(struct e2dx_replacer *r, const struct e2dx_new *n,
			 struct e2dx_replaced *e)
{
	struct e2dx_fs *efs = r->efs;
	uint64_t blocks = n->size / efs->fs->blocksize +
			  (n->size % efs->fs->blocksize != 0);
	uint64_t clusters = e2dx_clusters(efs, blocks);
	errcode_t err;

	if (blocks >> 32)
		return EXT2_ET_FILE_TOO_BIG;
	e->raw = calloc(1, EXT2_INODE_SIZE(efs->fs->super));
	if (!e->raw)
		return ENOMEM;
	fill(efs, n, e->raw);
	err = e2dx_prepare_data(r, e, clusters);
	if (!err)
		err = e2dx_prepare_map(r, e, &e->new_data, blocks);
	if (!err)
		err = e2dx_inode_change_blocks(efs, e->raw, 0,
					       clusters + e->n_meta);
	if (!err)
		err = write_data(r, n, e);
	e2dx_inode_seal(efs, e->ino, e->raw);
	return err;
}

static int type_of(uint16_t mode)
{
	return LINUX_S_ISDIR(mode) ? EXT2_FT_DIR : EXT2_FT_REG_FILE;
}

/* The inode first, then its bit: a bit alone would be an inode of nothing. */
static errcode_t create(struct e2dx_replacer *r, const struct e2dx_new *n,
			ext2_ino_t ino)
{
	struct e2dx_replaced e = { .ino = ino };
	errcode_t err = prepare(r, n, &e);

	if (err) {
		e2dx_replaced_drop(r, &e);
		return err;
	}
	err = e2dx_replace_now(r, &e);
	return err ? err : e2dx_inode_mark(r, ino, type_of(n->mode));
}

errcode_t e2dx_create(struct e2dx_replacer *r, ext2_ino_t parent,
		      const struct e2dx_new *n, ext2_ino_t *ino)
{
	errcode_t err = e2dx_replace_start(r);

	if (!err)
		err = e2dx_inode_choose(r, parent, ino);
	return err ? err : create(r, n, *ino);
}

static errcode_t copy_block(void *ctx, void *buf, size_t len)
{
	memcpy(buf, ctx, len);
	return 0;
}

errcode_t e2dx_create_dir(struct e2dx_replacer *r, ext2_ino_t parent,
			  const struct e2dx_new *n, ext2_ino_t *ino)
{
	ext2_filsys fs = r->efs->fs;
	struct e2dx_new with_block = *n;
	struct ext2_inode_large inode = { .i_mode = LINUX_S_IFDIR };
	struct htree_dir dir;
	uint8_t *block;
	errcode_t err = e2dx_replace_start(r);

	if (!err)
		err = e2dx_inode_choose(r, parent, ino);
	if (err)
		return err;
	block = calloc(1, fs->blocksize);
	if (!block)
		return ENOMEM;
	e2dx_dir_describe(r->efs, *ino, &inode, &dir);
	htree_pack_dots(&dir, parent, true, htree_leaf_room(&dir), block);
	htree_leaf_csum_set(&dir, block);
	with_block.size = fs->blocksize;
	with_block.data = copy_block;
	with_block.ctx = block;
	err = create(r, &with_block, *ino);
	free(block);
	return err;
}

/* ---- going */

/* A block of attributes may be shared: only its last user frees it. */
static errcode_t drop_attributes(struct e2dx_replacer *r, ext2_ino_t ino,
				 const struct ext2_inode_large *inode,
				 struct e2dx_pieces *old)
{
	ext2_filsys fs = r->efs->fs;
	blk64_t block = ext2fs_file_acl_block(fs,
					(const struct ext2_inode *)inode);
	__u32 users;
	errcode_t err;

	if (!block)
		return 0;
	if (!e2dx_blocks_valid(r->efs, block, 1))
		return E2DX_ET_MAP_DAMAGED;
	err = ext2fs_adjust_ea_refcount3(fs, block, NULL, -1, &users, ino);
	if (err || users)
		return err;
	return e2dx_pieces_add(old, block >> fs->cluster_ratio_bits, 1);
}

static errcode_t prepare_delete(struct e2dx_replacer *r,
				const struct ext2_inode_large *inode,
				struct e2dx_replaced *e)
{
	struct e2dx_fs *efs = r->efs;
	errcode_t err;

	e->raw = malloc(EXT2_INODE_SIZE(efs->fs->super));
	if (!e->raw)
		return ENOMEM;
	err = e2dx_inode_load(efs, e->ino, e->raw);
	if (!err)
		err = e2dx_old_pieces(efs, e->ino, inode, &e->old);
	if (!err)
		err = drop_attributes(r, e->ino, inode, &e->old);
	/* An extent tree stays one, be it empty: else it looks like garbage. */
	memset(e->raw + E2DX_I_BLOCK, 0, E2DX_I_BLOCK_SIZE);
	if (!err && inode->i_flags & EXT4_EXTENTS_FL)
		err = e2dx_prepare_map(r, e, &(struct e2dx_pieces){ 0 }, 0);
	htree_put_le32(e->raw + E2DX_I_BLOCKS, 0);
	htree_put_le16(e->raw + E2DX_I_BLOCKS_HIGH, 0);
	htree_put_le32(e->raw + E2DX_I_FILE_ACL, 0);
	htree_put_le16(e->raw + E2DX_I_FILE_ACL_HIGH, 0);
	htree_put_le32(e->raw + E2DX_I_SIZE, 0);
	htree_put_le32(e->raw + E2DX_I_SIZE_HIGH, 0);
	htree_put_le16(e->raw + E2DX_I_LINKS, 0);
	htree_put_le32(e->raw + E2DX_I_DTIME, (uint32_t)time(NULL));
	e2dx_inode_seal(efs, e->ino, e->raw);
	return err;
}

errcode_t e2dx_delete(struct e2dx_replacer *r, ext2_ino_t ino)
{
	struct e2dx_replaced e = { .ino = ino };
	struct ext2_inode_large inode;
	errcode_t err = e2dx_replace_refusal(r, ino);

	if (!err && ext2fs_has_feature_ea_inode(r->efs->fs->super))
		err = E2DX_ET_UNSUPPORTED;
	if (!err)
		err = e2dx_inode_read(r->efs, ino, &inode);
	if (!err)
		err = e2dx_replace_start(r);
	if (!err)
		err = prepare_delete(r, &inode, &e);
	if (err) {
		e2dx_replaced_drop(r, &e);
		return err;
	}
	e2dx_pieces_merge(&e.old);
	err = e2dx_replace_now(r, &e);
	return err ? err : e2dx_inode_mark(r, ino, 0);
}

errcode_t e2dx_set_links(struct e2dx_replacer *r, ext2_ino_t ino,
			 uint32_t links)
{
	uint8_t *raw = malloc(EXT2_INODE_SIZE(r->efs->fs->super));
	errcode_t err = raw ? e2dx_replace_start(r) : ENOMEM;

	if (!err)
		err = e2dx_inode_load(r->efs, ino, raw);
	if (!err && !e2dx_inode_csum_ok(r->efs, ino, raw))
		err = E2DX_ET_CHECKSUM;
	if (!err) {
		htree_put_le16(raw + E2DX_I_LINKS, links);
		e2dx_inode_seal(r->efs, ino, raw);
		err = e2dx_inode_store(r->efs, ino, raw);
	}
	if (!err)
		err = io_channel_flush(r->efs->fs->io);
	free(raw);
	return err;
}
