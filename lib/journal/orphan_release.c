/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Orphans are released: the order of the writes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "ext2fs/extent.h"
#include "journal/orphan_file.h"
#include "journal/orphan_priv.h"

errcode_t release_add(struct release *r, struct orphan o)
{
	if (r->n_gone == r->capacity) {
		size_t n = r->capacity ? r->capacity * 2 : 16;
		struct orphan *v = realloc(r->gone, n * sizeof(*v));

		if (!v)
			return ENOMEM;
		r->gone = v;
		r->capacity = n;
	}
	r->gone[r->n_gone++] = o;
	return 0;
}

static uint64_t size_of(const struct ext2_inode_large *inode)
{
	return (uint64_t)inode->i_size_high << 32 | inode->i_size;
}

/* Before anything is written: is every map sound, and every bitmap? */
static errcode_t look_ahead(struct release *r)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < r->orphans->n; i++) {
		ext2_ino_t ino = r->orphans->v[i].ino;
		struct ext2_inode_large inode;

		err = e2dx_inode_read(r->efs, ino, &inode);
		if (!err)
			err = orphan_clusters(r->efs, ino, &inode, &r->freed);
	}
	if (!err)
		err = release_check_groups(r);
	r->freed.n = 0;
	return err;
}

/* ---- one inode: its blocks go, it stays in its list */

static void set_size(uint8_t *raw, uint64_t size)
{
	htree_put_le32(raw + E2DX_I_SIZE, (uint32_t)size);
	htree_put_le32(raw + E2DX_I_SIZE_HIGH, (uint32_t)(size >> 32));
}

static errcode_t subtract(struct release *r, struct e2dx_pieces *before,
			  struct e2dx_pieces *after)
{
	size_t k = 0;
	errcode_t err = 0;

	e2dx_pieces_merge(before);
	e2dx_pieces_merge(after);
	for (size_t i = 0; !err && i < before->n; i++) {
		uint64_t at = before->v[i].first;
		uint64_t end = at + before->v[i].count;

		while (!err && at < end) {
			uint64_t stop = end;

			while (k < after->n &&
			       after->v[k].first + after->v[k].count <= at)
				k++;
			if (k < after->n && after->v[k].first <= at) {
				at = after->v[k].first + after->v[k].count;
				continue;
			}
			if (k < after->n && after->v[k].first < end)
				stop = after->v[k].first;
			err = e2dx_pieces_add(&r->freed, at, stop - at);
			at = stop;
		}
	}
	return err;
}

static errcode_t empty(struct release *r, ext2_ino_t ino, uint8_t *raw,
		       const struct ext2_inode_large *inode)
{
	errcode_t err = 0;

	if (e2dx_inode_has_map(inode))
		err = orphan_truncate(r->efs, ino, raw, 0);
	htree_put_le32(raw + E2DX_I_BLOCKS, 0);
	htree_put_le16(raw + E2DX_I_BLOCKS_HIGH, 0);
	htree_put_le32(raw + E2DX_I_FILE_ACL, 0);
	htree_put_le16(raw + E2DX_I_FILE_ACL_HIGH, 0);
	set_size(raw, 0);
	return err ? err : release_add(r, (struct orphan){ ino, true });
}

/* Blocks behind the size go; none, where it has no map. */
static errcode_t shorten(struct release *r, ext2_ino_t ino, uint8_t *raw,
			 const struct ext2_inode_large *inode)
{
	uint32_t bs = r->efs->fs->blocksize;
	uint64_t size = size_of(inode);
	errcode_t err;

	if (!e2dx_inode_has_map(inode))
		return 0;
	/* An encrypted block cannot be zeroed in part. */
	if (LINUX_S_ISREG(inode->i_mode) &&
	    !(inode->i_flags & EXT4_ENCRYPT_FL)) {
		err = orphan_zero_tail(r->efs, ino, inode, size);
		if (err)
			return err;
	}
	return orphan_truncate(r->efs, ino, raw, size / bs + (size % bs != 0));
}

/* Change it in its list; *before is what it had, *old its bytes then. */
static errcode_t change(struct release *r, ext2_ino_t ino, uint8_t *raw,
			const uint8_t *old, struct e2dx_pieces *before,
			struct e2dx_pieces *after)
{
	struct ext2_inode_large inode;
	bool goes = !htree_le16(raw + E2DX_I_LINKS);
	errcode_t err;

	e2dx_inode_decode(r->efs, raw, &inode);
	err = orphan_clusters(r->efs, ino, &inode, before);
	if (!err)
		err = goes ? empty(r, ino, raw, &inode) :
		      shorten(r, ino, raw, &inode);
	if (err)
		return err;
	e2dx_inode_decode(r->efs, raw, &inode);
	err = orphan_clusters(r->efs, ino, &inode, after);
	if (!err)
		err = subtract(r, before, after);
	if (!err && !goes)
		err = e2dx_inode_change_blocks(r->efs, raw,
					       e2dx_pieces_total(before),
					       e2dx_pieces_total(after));
	e2dx_inode_seal(r->efs, ino, raw);
	if (!err)
		err = e2dx_inode_store(r->efs, ino, raw);
	if (!err)
		err = orphan_quota_note(r, old, raw);
	/* Too many references are a smaller fault than too few. */
	return err || !goes ? err : orphan_drop_xattrs(r, old);
}

static errcode_t change_one(struct release *r, ext2_ino_t ino,
			    const struct orphan_events *events)
{
	uint32_t size = EXT2_INODE_SIZE(r->efs->fs->super);
	struct e2dx_pieces before, after;
	struct ext2_inode_large inode;
	uint8_t *raw = malloc(2 * (size_t)size);
	errcode_t err = raw ? e2dx_inode_load(r->efs, ino, raw) : ENOMEM;

	e2dx_pieces_init(&before);
	e2dx_pieces_init(&after);
	if (!err) {
		memcpy(raw + size, raw, size);
		e2dx_inode_decode(r->efs, raw, &inode);
		events->orphan(events->ctx, ino, inode.i_links_count, &inode);
		err = change(r, ino, raw, raw + size, &before, &after);
	}
	e2dx_pieces_free(&before);
	e2dx_pieces_free(&after);
	free(raw);
	return err;
}

/* ---- the lists, and the inodes' times */

static errcode_t clear_file(struct release *r)
{
	struct e2dx_fs *efs = r->efs;
	ext2_ino_t ino = efs->fs->super->s_orphan_file_inum;
	struct ext2_inode_large inode;
	uint8_t *buf;
	uint32_t seed;
	errcode_t err = 0;

	if (!r->orphans->n_blocks)
		return 0;
	buf = malloc(efs->fs->blocksize);
	if (!buf)
		return ENOMEM;
	err = e2dx_inode_read(efs, ino, &inode);
	seed = e2dx_inode_csum_seed(efs, ino, inode.i_generation);
	for (size_t i = 0; !err && i < r->orphans->n_blocks; i++) {
		orphan_block_clear(efs, buf, r->orphans->blocks[i], seed);
		err = io_channel_write_blk64(efs->fs->io,
					     r->orphans->blocks[i], 1, buf);
	}
	free(buf);
	return err ? err : io_channel_flush(efs->fs->io);
}

static errcode_t clear_lists(struct release *r)
{
	struct ext2_super_block *sb = r->efs->fs->super;
	errcode_t err = clear_file(r);

	sb->s_last_orphan = 0;
	sb->s_feature_ro_compat &= ~(uint32_t)EXT4_FEATURE_RO_COMPAT_ORPHAN_PRESENT;
	orphans_sum_counts(r->efs);
	return err ? err : e2dx_super_write(r->efs);
}

static errcode_t set_time(struct release *r, ext2_ino_t ino, uint32_t when)
{
	uint8_t *raw = malloc(EXT2_INODE_SIZE(r->efs->fs->super));
	errcode_t err = raw ? e2dx_inode_load(r->efs, ino, raw) : ENOMEM;

	if (!err) {
		htree_put_le32(raw + E2DX_I_DTIME, when);
		e2dx_inode_seal(r->efs, ino, raw);
		err = e2dx_inode_store(r->efs, ino, raw);
	}
	free(raw);
	return err;
}

/* No link of a list any more: when it was deleted, or that it was not. */
static errcode_t set_times(struct release *r)
{
	uint32_t now = (uint32_t)time(NULL);
	struct ext2_inode_large inode;
	errcode_t err = 0;

	for (size_t i = 0; !err && i < r->orphans->n; i++) {
		ext2_ino_t ino = r->orphans->v[i].ino;

		err = e2dx_inode_read(r->efs, ino, &inode);
		if (!err && inode.i_links_count && r->orphans->v[i].listed)
			err = set_time(r, ino, 0);
	}
	for (size_t i = 0; !err && i < r->n_gone; i++)
		err = set_time(r, r->gone[i].ino, now);
	return err ? err : io_channel_flush(r->efs->fs->io);
}

bool orphans_sum_counts(struct e2dx_fs *efs)
{
	ext2_filsys fs = efs->fs;
	uint64_t blocks = 0;
	uint32_t inodes = 0;

	for (dgrp_t g = 0; g < fs->group_desc_count; g++) {
		blocks += ext2fs_bg_free_blocks_count(fs, g);
		inodes += ext2fs_bg_free_inodes_count(fs, g);
	}
	blocks <<= fs->cluster_ratio_bits;
	if (blocks > ext2fs_blocks_count(fs->super) ||
	    inodes > fs->super->s_inodes_count)
		return false;
	if (blocks == ext2fs_free_blocks_count(fs->super) &&
	    inodes == fs->super->s_free_inodes_count)
		return false;
	ext2fs_free_blocks_count_set(fs->super, blocks);
	fs->super->s_free_inodes_count = inodes;
	return true;
}

static errcode_t run(struct release *r, const struct orphan_events *events)
{
	struct ext2_super_block *sb = r->efs->fs->super;
	uint16_t state = sb->s_state;
	errcode_t err = look_ahead(r);

	if (err)
		return err;
	sb->s_state &= (uint16_t)~EXT2_VALID_FS;
	err = e2dx_super_write(r->efs);
	for (size_t i = 0; !err && i < r->orphans->n; i++)
		err = change_one(r, r->orphans->v[i].ino, events);
	if (!err)
		err = io_channel_flush(r->efs->fs->io);
	if (!err)
		err = release_bits(r);
	if (!err)
		err = orphan_quota_apply(r);
	if (!err)
		err = clear_lists(r);
	if (!err)
		err = set_times(r);
	sb->s_state = state & (uint16_t)~EXT3_ORPHAN_FS;
	return err ? err : e2dx_super_write(r->efs);
}

errcode_t orphans_release(struct e2dx_fs *efs, const struct orphans *o,
			  const struct orphan_events *events)
{
	struct release r = { .efs = efs, .orphans = o };
	errcode_t err;

	e2dx_pieces_init(&r.freed);
	r.groups = calloc(efs->fs->group_desc_count, 1);
	err = r.groups ? run(&r, events) : ENOMEM;
	e2dx_pieces_free(&r.freed);
	free(r.gone);
	free(r.quota);
	free(r.groups);
	return err;
}
