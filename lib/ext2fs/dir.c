/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A directory of an open filesystem as numbered blocks, for reading. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/inline.h"
#include "ext2fs/inode.h"
#include "ext2fs/map.h"

#define READ_MAX		(1u << 20)	/* bytes of one read */
#define AHEAD_MAX	(64u << 20)	/* bytes asked for beforehand */

/* ---- the blocks backend */

/* The run that holds logical block `at`; NULL: a hole. */
static const struct e2dx_run *find_run(const struct e2dx_dir *d, uint64_t at)
{
	size_t low = 0, high = d->n_runs;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (d->runs[mid].logical + d->runs[mid].count <= at)
			low = mid + 1;
		else
			high = mid;
	}
	return low < d->n_runs && d->runs[low].logical <= at ? &d->runs[low]
							      : NULL;
}

uint64_t e2dx_dir_physical(const struct e2dx_dir *d, uint32_t n)
{
	const struct e2dx_run *run = find_run(d, n);

	return run ? run->physical + (n - run->logical) : 0;
}

static errcode_t dir_read(struct htree_blocks *b, uint32_t first, uint32_t n,
			  void *buf)
{
	struct e2dx_dir *d = (struct e2dx_dir *)b;
	uint64_t at = first, end = at + n;
	uint8_t *out = buf;

	if (end <= d->n_held) {
		memcpy(buf, d->held + (size_t)first * b->block_size,
		       (size_t)n * b->block_size);
		return 0;
	}
	while (at < end) {
		const struct e2dx_run *run = find_run(d, at);
		uint64_t part;
		errcode_t err;

		if (!run)
			return E2DX_ET_HOLE;
		part = run->logical + run->count - at;
		if (part > end - at)
			part = end - at;
		if (part > READ_MAX / b->block_size)
			part = READ_MAX / b->block_size;
		err = io_channel_read_blk64(d->efs->fs->io,
					    run->physical + (at - run->logical),
					    (int)part, out);
		if (err)
			return err;
		at += part;
		out += part * b->block_size;
	}
	return 0;
}

static const struct htree_blocks_ops dir_ops = { .read = dir_read };

/* ---- opening */

struct collect {
	struct e2dx_dir *d;
	size_t capacity;
	uint64_t end;		/* first logical block behind the last run */
	uint64_t limit;		/* what `end` may be at most */
	bool beyond;		/* a run was left out for the limit */
};

/* Unwritten extents read as zeroes: no block of a directory, a hole. */
static errcode_t collect_run(void *ctx, const struct e2dx_run *run)
{
	struct collect *c = ctx;
	struct e2dx_dir *d = c->d;

	if (run->kind == E2DX_MAP_META)
		return 0;
	if (run->kind == E2DX_MAP_UNWRITTEN ||
	    run->logical + run->count > c->limit) {
		c->beyond = true;
		return 0;
	}
	if (d->n_runs == c->capacity) {
		size_t n = c->capacity ? 2 * c->capacity : 4;
		struct e2dx_run *runs = realloc(d->runs, n * sizeof(*runs));

		if (!runs)
			return ENOMEM;
		d->runs = runs;
		c->capacity = n;
	}
	d->runs[d->n_runs++] = *run;
	c->end = run->logical + run->count;
	return 0;
}

/*
 * Linux makes no holes in directories, so none is longer than the
 * filesystem: that bounds what a hostile map makes readers do.
 */
static errcode_t open_blocks(struct e2dx_dir *d, ext2_ino_t ino)
{
	struct ext2_super_block *sb = d->efs->fs->super;
	uint64_t blocks = ext2fs_blocks_count(sb);
	struct collect c = {
		.d = d, .limit = blocks < UINT32_MAX ? blocks : UINT32_MAX
	};
	uint64_t size = d->inode.i_size;
	errcode_t err;

	err = e2dx_map_walk(d->efs, ino, &d->inode, collect_run, &c);
	if (err && err != E2DX_ET_MAP_DAMAGED)
		return err;
	d->map_damaged = err || c.beyond;
	d->blocks.count = (uint32_t)c.end;
	if (ext2fs_has_feature_largedir(sb))
		size |= (uint64_t)d->inode.i_size_high << 32;
	d->size_wrong = size != c.end * d->blocks.block_size;
	return 0;
}

static errcode_t open_inline(struct e2dx_dir *d, const uint8_t *raw)
{
	size_t len;
	const uint8_t *value = e2dx_inline_value(d->efs, raw, &len);
	uint8_t *parts = malloc(E2DX_I_BLOCK_SIZE + len);

	if (!parts)
		return ENOMEM;
	memcpy(parts, d->inode.i_block, E2DX_I_BLOCK_SIZE);
	if (value)
		memcpy(parts + E2DX_I_BLOCK_SIZE, value, len);
	d->inline_data = true;
	/* Linux adds the attribute, be it empty, with the flag. */
	d->map_damaged = !value;
	d->inline_parts[0] = parts;
	d->inline_parts[1] = parts + E2DX_I_BLOCK_SIZE;
	d->inline_lengths[0] = E2DX_I_BLOCK_SIZE;
	d->inline_lengths[1] = len;
	d->size_wrong = d->inode.i_size != E2DX_I_BLOCK_SIZE + len;
	return 0;
}

static errcode_t fill(struct e2dx_dir *d, ext2_ino_t ino, const uint8_t *raw)
{
	e2dx_inode_decode(d->efs, raw, &d->inode);
	if (!LINUX_S_ISDIR(d->inode.i_mode))
		return E2DX_ET_NOT_DIRECTORY;
	e2dx_dir_describe(d->efs, ino, &d->inode, &d->dir);
	d->blocks.ops = &dir_ops;
	d->blocks.block_size = d->efs->fs->blocksize;
	if (d->inode.i_flags & EXT4_INLINE_DATA_FL)
		return open_inline(d, raw);
	return open_blocks(d, ino);
}

errcode_t e2dx_dir_open(struct e2dx_fs *efs, ext2_ino_t ino,
			struct e2dx_dir **out)
{
	struct e2dx_dir *d = calloc(1, sizeof(*d));
	uint8_t *raw = malloc(EXT2_INODE_SIZE(efs->fs->super));
	errcode_t err = ENOMEM;

	if (d && raw) {
		d->efs = efs;
		err = e2dx_inode_load(efs, ino, raw);
		if (!err)
			err = fill(d, ino, raw);
	}
	free(raw);
	if (err) {
		e2dx_dir_close(d);
		return err;
	}
	*out = d;
	return 0;
}

void e2dx_dir_read_ahead(const struct e2dx_dir *d)
{
	uint64_t left = AHEAD_MAX / d->efs->fs->blocksize;

	for (size_t i = 0; i < d->n_runs && left; i++) {
		uint64_t n = d->runs[i].count < left ? d->runs[i].count : left;

		io_channel_cache_readahead(d->efs->fs->io, d->runs[i].physical,
					   n);
		left -= n;
	}
}

void e2dx_dir_close(struct e2dx_dir *d)
{
	if (!d)
		return;
	free(d->runs);
	free(d->held);
	free((uint8_t *)d->inline_parts[0]);
	free(d);
}

errcode_t e2dx_dir_hold(struct e2dx_dir *d, size_t most)
{
	uint32_t size = d->blocks.block_size;
	size_t n = most / size < d->blocks.count ? most / size
						 : d->blocks.count;
	uint8_t *held;
	errcode_t err;

	if (d->inline_data || n <= d->n_held)
		return 0;
	held = malloc(n * size);
	if (!held)
		return ENOMEM;
	err = dir_read(&d->blocks, 0, (uint32_t)n, held);
	if (err) {
		free(held);
		return err;
	}
	free(d->held);
	d->held = held;
	d->n_held = (uint32_t)n;
	return 0;
}

errcode_t e2dx_dir_verify(struct e2dx_dir *d,
			  const struct htree_verify_ops *ops, void *ctx,
			  struct htree_verify_result *result)
{
	if (d->inline_data)
		return htree_verify_inline(&d->dir, d->inline_parts,
					   d->inline_lengths, ops, ctx, result);
	return htree_verify(&d->dir, &d->blocks, ops, ctx, result);
}
