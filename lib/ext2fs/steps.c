/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Steps 2 to 5 of a replacement, for one batch (doc/design.md).  Each step is
 * on the device before the next begins: the order of syncs is what keeps every
 * name through a power cut.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/desc.h"
#include "ext2fs/inode_write.h"
#include "ext2fs/replace_priv.h"

#define WRITE_BYTES (8u << 20)	/* most for one call */

static errcode_t sync_device(const struct e2dx_replacer *r)
{
	return io_channel_flush(r->efs->fs->io);
}

/* ---- step 2: contents and mapping blocks */

static errcode_t write_blocks(const struct e2dx_replacer *r, uint64_t block,
			      uint64_t count, const uint8_t *from)
{
	uint32_t size = r->efs->fs->blocksize, most = WRITE_BYTES / size;
	errcode_t err = 0;

	while (count && !err) {
		uint64_t n = count < most ? count : most;

		err = io_channel_write_blk64(r->efs->fs->io, block, (int)n,
					     from);
		from += n * size;
		block += n;
		count -= n;
	}
	return err;
}

static errcode_t write_data(const struct e2dx_replacer *r,
			    const struct e2dx_replaced *e)
{
	unsigned bits = (unsigned)r->efs->fs->cluster_ratio_bits;
	uint64_t left = e->blocks, n;
	const uint8_t *from = e->data;
	errcode_t err = 0;

	for (size_t i = 0; i < e->new_data.n && left && !err; i++) {
		n = e->new_data.v[i].count << bits;
		n = n < left ? n : left;
		err = write_blocks(r, e->new_data.v[i].first << bits, n, from);
		from += n * r->efs->fs->blocksize;
		left -= n;
	}
	return err;
}

/* Mapping blocks lie at the start of a cluster each. */
static errcode_t write_meta(const struct e2dx_replacer *r,
			    const struct e2dx_replaced *e)
{
	unsigned bits = (unsigned)r->efs->fs->cluster_ratio_bits;
	const uint8_t *from = e->meta;
	errcode_t err = 0;

	for (size_t i = 0; i < e->new_meta.n; i++) {
		uint64_t at = e->new_meta.v[i].first;
		uint64_t left = e->new_meta.v[i].count;
		uint64_t n = bits ? 1 : left;

		for (; left && !err; left -= n, at += n) {
			err = write_blocks(r, at << bits, n, from);
			from += n * r->efs->fs->blocksize;
		}
	}
	return err;
}

static errcode_t write_contents(struct e2dx_replacer *r)
{
	errcode_t err = 0;

	for (size_t i = 0; i < r->n && !err; i++) {
		err = write_data(r, &r->queue[i]);
		if (!err)
			err = write_meta(r, &r->queue[i]);
	}
	return err ? err : sync_device(r);
}

/* ---- step 3: what is used now */

static errcode_t mark_used(struct e2dx_replacer *r)
{
	errcode_t err;

	memset(r->groups, 0, r->space.groups);
	for (size_t i = 0; i < r->n; i++) {
		struct e2dx_replaced *e = &r->queue[i];

		e2dx_space_touched(&r->space, &e->new_data, r->groups);
		e2dx_space_touched(&r->space, &e->new_meta, r->groups);
		r->gained -= (int64_t)(e2dx_pieces_total(&e->new_data) +
				       e2dx_pieces_total(&e->new_meta));
	}
	err = e2dx_bitmaps_write(r->efs, &r->space, r->groups);
	if (!err)
		err = sync_device(r);
	if (!err)
		err = e2dx_descs_write(r->efs, &r->space, r->groups);
	return err ? err : sync_device(r);
}

/* ---- step 4: the switch */

static int by_inode(const void *a, const void *b)
{
	const struct e2dx_replaced *x = a, *y = b;

	return (x->ino > y->ino) - (x->ino < y->ino);
}

/* Write the table block of queue[*i], with all inodes of the batch in it. */
static errcode_t write_table_block(struct e2dx_replacer *r, size_t *i,
				   uint8_t *buf)
{
	size_t size = EXT2_INODE_SIZE(r->efs->fs->super);
	io_channel io = r->efs->fs->io;
	uint64_t block, here;
	uint32_t offset;
	errcode_t err;

	err = e2dx_inode_locate(r->efs, r->queue[*i].ino, &block, &offset);
	if (!err)
		err = io_channel_read_blk64(io, block, 1, buf);
	if (err)
		return err;
	do {
		memcpy(buf + offset, r->queue[*i].raw, size);
		if (++*i == r->n)
			break;
		err = e2dx_inode_locate(r->efs, r->queue[*i].ino, &here,
					&offset);
	} while (!err && here == block);
	return err ? err : io_channel_write_blk64(io, block, 1, buf);
}

static errcode_t switch_inodes(struct e2dx_replacer *r)
{
	uint8_t *buf = malloc(r->efs->fs->blocksize);
	errcode_t err = 0;
	size_t i = 0;

	if (!buf)
		return ENOMEM;
	qsort(r->queue, r->n, sizeof(*r->queue), by_inode);
	while (i < r->n && !err)
		err = write_table_block(r, &i, buf);
	free(buf);
	if (!err)
		err = sync_device(r);
	/* libext2fs keeps copies of inodes that it has read. */
	ext2fs_flush_icache(r->efs->fs);
	return err;
}

/* ---- step 5: what is free again */

static errcode_t free_old(struct e2dx_replacer *r)
{
	errcode_t err;

	memset(r->groups, 0, r->space.groups);
	for (size_t i = 0; i < r->n; i++) {
		struct e2dx_replaced *e = &r->queue[i];

		e2dx_space_touched(&r->space, &e->old, r->groups);
		e2dx_space_give(&r->space, &e->old);
		r->gained += (int64_t)e2dx_pieces_total(&e->old);
	}
	err = e2dx_bitmaps_write(r->efs, &r->space, r->groups);
	if (!err)
		err = e2dx_descs_write(r->efs, &r->space, r->groups);
	return err ? err : sync_device(r);
}

errcode_t e2dx_run_batch(struct e2dx_replacer *r)
{
	errcode_t err = write_contents(r);

	if (!err)
		err = mark_used(r);
	if (!err)
		err = switch_inodes(r);
	if (!err)
		err = free_old(r);
	return err;
}
