/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libext2dx.so: a directory of a caller's filesystem as numbered blocks.  Its
 * bitmaps, inodes and cache are libext2fs'; only the way from a logical block
 * to its place is ours, since ext2fs_bmap2() opens an extent handle each time.
 *
 * There is no barrier: a caller's io channel is a cache that is written in any
 * order, and to flush it for each split would cost more than stock's search.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/ext2dx_priv.h"
#include "ext2fs/nls.h"
#include "htree/csum.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/walk.h"

static errcode_t find(struct ext2dx_dir *d, uint32_t n, blk64_t *physical)
{
	struct e2dx_run *run = &d->run;

	if (n < run->logical || n - run->logical >= run->count) {
		errcode_t err = e2dx_map_find(&d->view, d->dir.ino, &d->inode,
					      n, run);

		if (err) {
			run->count = 0;
			return err;
		}
	}
	*physical = run->physical + (n - run->logical);
	return 0;
}

/* Index blocks have no tail, and whoever reads them checks theirs. */
static bool leaf_ok(const struct ext2dx_dir *d, uint32_t n,
		    const uint8_t *block)
{
	return !d->check_leaves || (n == 0 && d->dir.indexed) ||
	       !htree_tail_present(&d->dir, block) ||
	       htree_leaf_csum_ok(&d->dir, block);
}

static errcode_t dx_read(struct htree_blocks *b, uint32_t first, uint32_t n,
			 void *buf)
{
	struct ext2dx_dir *d = (struct ext2dx_dir *)b;
	uint8_t *out = buf;

	for (uint32_t i = 0; i < n; i++, out += b->block_size) {
		blk64_t block;
		errcode_t err = find(d, first + i, &block);

		if (!err)
			err = io_channel_read_blk64(d->view.fs->io, block, 1,
						    out);
		if (err)
			return err;
		if (!leaf_ok(d, first + i, out))
			return EXT2_ET_DIR_CSUM_INVALID;
	}
	return 0;
}

static errcode_t dx_write(struct htree_blocks *b, uint32_t first, uint32_t n,
			  const void *buf)
{
	struct ext2dx_dir *d = (struct ext2dx_dir *)b;
	const uint8_t *in = buf;

	for (uint32_t i = 0; i < n; i++, in += b->block_size) {
		blk64_t block;
		errcode_t err = find(d, first + i, &block);

		if (!err)
			err = io_channel_write_blk64(d->view.fs->io, block, 1,
						     in);
		if (err)
			return err;
	}
	return 0;
}

/* ---- growing and shrinking */

/* The blocks behind `count` that the index does not know stay part of it. */
static errcode_t set_size(struct ext2dx_dir *d, uint32_t count)
{
	struct ext2_inode *inode = EXT2_INODE(&d->inode);
	ext2_off64_t blocks = (ext2_off64_t)count + d->strays;
	errcode_t err;

	err = ext2fs_inode_size_set(d->view.fs, inode,
				    blocks * d->blocks.block_size);
	if (!err)
		err = ext2fs_write_inode(d->view.fs, d->dir.ino, inode);
	if (!err)
		d->blocks.count = count;
	return err;
}

static errcode_t cut(struct ext2dx_dir *d, uint32_t count)
{
	d->run.count = 0;
	return ext2fs_punch(d->view.fs, d->dir.ino, EXT2_INODE(&d->inode), NULL,
			    count, ~0ULL);
}

/* libext2fs' own way: it zeroes the block on the device, past the cache. */
static errcode_t append_any(struct ext2dx_dir *d, uint32_t n)
{
	blk64_t block = 0;

	return ext2fs_bmap2(d->view.fs, d->dir.ino, EXT2_INODE(&d->inode), NULL,
			    BMAP_ALLOC | BMAP_ZERO, n, NULL, &block);
}

/* The same where a block is all that it takes; zeroed in the cache. */
static errcode_t append_extent(struct ext2dx_dir *d, uint32_t n)
{
	ext2_filsys fs = d->view.fs;
	struct ext2_inode *inode = EXT2_INODE(&d->inode);
	struct blk_alloc_ctx ctx = {
		.ino = d->dir.ino, .inode = inode, .lblk = n,
		.flags = BLOCK_ALLOC_DATA
	};
	blk64_t block, goal;
	uint8_t *zero;
	errcode_t err;

	goal = ext2fs_find_inode_goal(fs, d->dir.ino, inode, n);
	err = ext2fs_new_block3(fs, goal, NULL, &block, &ctx);
	if (err)
		return err;
	ext2fs_block_alloc_stats2(fs, block, +1);
	zero = calloc(1, fs->blocksize);
	err = zero ? io_channel_write_blk64(fs->io, block, 1, zero) : ENOMEM;
	free(zero);
	if (!err)
		err = ext2fs_bmap2(fs, d->dir.ino, inode, NULL, BMAP_SET, n,
				   NULL, &block);
	if (!err)
		return ext2fs_iblk_add_blocks(fs, inode, 1);
	ext2fs_block_alloc_stats2(fs, block, -1);
	return err;
}

static errcode_t append(struct ext2dx_dir *d, uint32_t n)
{
	if (d->inode.i_flags & EXT4_EXTENTS_FL && !d->view.fs->cluster_ratio_bits)
		return append_extent(d, n);
	return append_any(d, n);
}

static errcode_t grow(struct ext2dx_dir *d, uint32_t count)
{
	uint32_t before = d->blocks.count, end = before + d->strays;
	errcode_t err = 0;

	d->run.count = 0;
	for (uint32_t n = end; !err && n < count; n++)
		err = append(d, n);
	if (!err) {
		d->strays = count < end ? end - count : 0;
		return set_size(d, count);
	}
	cut(d, end);
	set_size(d, before);
	return err;
}

/*
 * A caller who met EXT2_ET_DIR_NO_SPACE elsewhere may have called
 * ext2fs_expand_dir() on an indexed directory: its last blocks are then empty
 * leaves that the index does not know.  They are to be used before others.
 */
struct search {
	uint32_t block;
	bool found;
};

static errcode_t see_child(void *ctx, const struct htree_node *node, uint32_t i)
{
	struct search *s = ctx;

	if (htree_node_child(node, i) == s->block)
		s->found = true;
	return 0;
}

static bool empty_leaf(const struct ext2dx_dir *d, const uint8_t *block)
{
	struct htree_dirent e;
	uint32_t end = htree_leaf_end(&d->dir, block);

	return !htree_dirent_parse(&d->dir, block, end, 0, &e) && !e.ino &&
	       e.rec_len == htree_leaf_room(&d->dir);
}

static bool is_stray(struct ext2dx_dir *d, uint32_t n, uint8_t *buf)
{
	struct htree_walk_ops ops = { .child = see_child };
	struct search s = { .block = n };

	return !dx_read(&d->blocks, n, 1, buf) && empty_leaf(d, buf) &&
	       !htree_walk(&d->dir, &d->blocks, &ops, &s) && !s.found;
}

static uint32_t count_strays(struct ext2dx_dir *d)
{
	uint8_t *buf = malloc(d->blocks.block_size);
	uint32_t n = 0;

	while (buf && n + 1 < d->blocks.count &&
	       is_stray(d, d->blocks.count - 1 - n, buf))
		n++;
	free(buf);
	return n;
}

/* Before the directory grows, and only then, it is worth to look for strays. */
static errcode_t dx_resize(struct htree_blocks *b, uint32_t count)
{
	struct ext2dx_dir *d = (struct ext2dx_dir *)b;
	errcode_t err;

	if (count > b->count) {
		if (d->dir.indexed && !d->strays_known) {
			d->strays_known = true;
			d->strays_met = count_strays(d);
			if (d->strays_met)
				return EXT2_ET_DIR_NO_SPACE;
		}
		return grow(d, count);
	}
	err = cut(d, count);
	d->strays = 0;
	return err ? err : set_size(d, count);
}

errcode_t ext2dx_set_indexed(struct htree_blocks *b, bool indexed)
{
	struct ext2dx_dir *d = (struct ext2dx_dir *)b;

	if (indexed)
		d->inode.i_flags |= EXT2_INDEX_FL;
	else
		d->inode.i_flags &= ~(__u32)EXT2_INDEX_FL;
	return ext2fs_write_inode(d->view.fs, d->dir.ino, EXT2_INODE(&d->inode));
}

static const struct htree_blocks_ops dx_ops = {
	.read = dx_read, .write = dx_write, .resize = dx_resize,
	.set_indexed = ext2dx_set_indexed
};

/* ---- opening */

static errcode_t set_up(struct ext2dx_dir *d, ext2_ino_t ino)
{
	ext2_filsys fs = d->view.fs;
	ext2_off64_t size = EXT2_I_SIZE(&d->inode);

	if (d->inode.i_flags & EXT4_CASEFOLD_FL &&
	    !e2dx_fold_from_table(fs->encoding, &d->view.fold))
		d->view.has_fold = true;
	e2dx_dir_describe(&d->view, ino, &d->inode, &d->dir);
	d->dir.inodes_count = 0;	/* link takes any number, as stock does */
	/* What is left of an index where the feature is gone is no index. */
	d->dir.indexed &= d->dir.dir_index;
	d->check_leaves = d->dir.metadata_csum &&
			  !(fs->flags & EXT2_FLAG_IGNORE_CSUM_ERRORS);
	d->blocks.ops = &dx_ops;
	d->blocks.block_size = fs->blocksize;
	if (size / fs->blocksize > UINT32_MAX)
		return EXT2_ET_FILE_TOO_BIG;
	d->blocks.count = (uint32_t)(size / fs->blocksize);
	return 0;
}

errcode_t ext2dx_dir_open(ext2_filsys fs, ext2_ino_t ino,
			  struct ext2dx_dir *d)
{
	errcode_t err;

	memset(d, 0, sizeof(*d));
	EXT2_CHECK_MAGIC(fs, EXT2_ET_MAGIC_EXT2FS_FILSYS);
	d->view.fs = fs;
	err = ext2fs_read_inode(fs, ino, EXT2_INODE(&d->inode));
	if (err)
		return err;
	if (!LINUX_S_ISDIR(d->inode.i_mode))
		return EXT2_ET_NO_DIRECTORY;
	return set_up(d, ino);
}

errcode_t ext2dx_error(errcode_t err)
{
	switch (err) {
	case ENOMEM:
		return EXT2_ET_NO_MEMORY;
	case EEXIST:
		return EXT2_ET_FILE_EXISTS;
	case E2DX_ET_NOT_FOUND:
		return EXT2_ET_FILE_NOT_FOUND;
	case E2DX_ET_HASH_UNKNOWN:
	case E2DX_ET_UNSUPPORTED:
		return EXT2_ET_DIRHASH_UNSUPP;
	case E2DX_ET_DAMAGED:
	case E2DX_ET_HOLE:
	case E2DX_ET_RANGE:
	case E2DX_ET_NOT_INDEXED:
		return EXT2_ET_DIR_CORRUPTED;
	case E2DX_ET_MAP_DAMAGED:
		return EXT2_ET_EXTENT_HEADER_BAD;
	/* Not DIR_NO_SPACE: ext2fs_expand_dir() could not help. */
	case E2DX_ET_DIR_FULL:
		return ENOSPC;
	case E2DX_ET_NAME_LENGTH:
	case EINVAL:
		return EXT2_ET_INVALID_ARGUMENT;
	default:
		return err;
	}
}
