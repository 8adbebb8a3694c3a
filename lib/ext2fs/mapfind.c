/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where one logical block lies: one way down an inode's map. */
#include <errno.h>
#include <stdlib.h>
#include "ext2fs/extent.h"
#include "ext2fs/inode.h"

struct finder {
	const struct e2dx_fs *efs;
	ext2_ino_t ino;
	const struct ext2_inode_large *inode;
	uint64_t logical;
	uint8_t **buf;		/* a block, allocated when one is read */
	struct e2dx_run *out;
};

static errcode_t read_meta(const struct finder *f, uint64_t block)
{
	if (!e2dx_blocks_valid(f->efs, block, 1))
		return E2DX_ET_MAP_DAMAGED;
	if (!*f->buf)
		*f->buf = malloc(f->efs->fs->blocksize);
	if (!*f->buf)
		return ENOMEM;
	return io_channel_read_blk64(f->efs->fs->io, block, 1, *f->buf);
}

/* ---- extents */

/* The last entry that begins at or before the block; NULL: none does. */
static const uint8_t *search(const struct finder *f, const uint8_t *node)
{
	uint32_t low = 0, high = extent_entries(node);

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (extent_first(extent_entry(node, middle)) <= f->logical)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? extent_entry(node, low - 1) : NULL;
}

static errcode_t enter(const struct finder *f, uint64_t block, int depth)
{
	uint32_t size = f->efs->fs->blocksize;
	errcode_t err = read_meta(f, block);

	if (err)
		return err;
	if (!extent_header_ok(*f->buf, size, depth, false))
		return E2DX_ET_MAP_DAMAGED;
	if (ext2fs_has_feature_metadata_csum(f->efs->fs->super) &&
	    !extent_csum_ok(*f->buf, size,
			    e2dx_inode_csum_seed(f->efs, f->ino,
						 f->inode->i_generation)))
		return E2DX_ET_MAP_DAMAGED;
	return 0;
}

static errcode_t find_extent(const struct finder *f)
{
	const uint8_t *node = (const uint8_t *)f->inode->i_block;
	int depth = extent_depth(node);
	const uint8_t *e;
	errcode_t err;

	if (depth > EXTENT_MAX_DEPTH ||
	    !extent_header_ok(node, E2DX_I_BLOCK_SIZE, depth, true))
		return E2DX_ET_MAP_DAMAGED;
	for (; depth > 0; depth--) {
		e = search(f, node);
		if (!e)
			return E2DX_ET_HOLE;
		err = enter(f, extent_child(e), depth - 1);
		if (err)
			return err;
		node = *f->buf;
	}
	e = search(f, node);
	if (!e)
		return E2DX_ET_HOLE;
	extent_load(e, f->out);
	if (f->logical - f->out->logical >= f->out->count)
		return E2DX_ET_HOLE;
	return e2dx_blocks_valid(f->efs, f->out->physical, f->out->count)
	     ? 0 : E2DX_ET_MAP_DAMAGED;
}

/* ---- indirect blocks */

static errcode_t found(const struct finder *f, uint32_t block, uint64_t count)
{
	if (!block)
		return E2DX_ET_HOLE;
	if (!e2dx_blocks_valid(f->efs, block, count))
		return E2DX_ET_MAP_DAMAGED;
	*f->out = (struct e2dx_run){
		.kind = E2DX_MAP_DATA, .logical = f->logical,
		.physical = block, .count = count
	};
	return 0;
}

/* Pointer `i` of the block in f->buf, and those that go on where it leads. */
static errcode_t found_pointer(const struct finder *f, uint64_t i, uint64_t n)
{
	const uint8_t *p = *f->buf;
	uint32_t block = htree_le32(p + 4 * i);
	uint64_t count = 1;

	while (i + count < n &&
	       htree_le32(p + 4 * (i + count)) == block + count)
		count++;
	return found(f, block, count);
}

/* `block` is the root of a tree of pointers; `at` counts its data blocks. */
static errcode_t find_pointer(const struct finder *f, uint32_t block,
			      int height, uint64_t at, uint64_t span)
{
	uint64_t n = f->efs->fs->blocksize / 4;
	errcode_t err;

	for (; block; height--) {
		err = read_meta(f, block);
		if (err)
			return err;
		span /= n;
		if (height == 1)
			return found_pointer(f, at, n);
		block = htree_le32(*f->buf + 4 * (at / span));
		at %= span;
	}
	return E2DX_ET_HOLE;
}

static errcode_t find_block(const struct finder *f)
{
	uint64_t n = f->efs->fs->blocksize / 4, span = n, at = f->logical;

	if (at < EXT2_NDIR_BLOCKS)
		return found(f, f->inode->i_block[at], 1);
	at -= EXT2_NDIR_BLOCKS;
	for (int height = 1; height <= 3; height++) {
		if (at < span)
			return find_pointer(f,
					    f->inode->i_block[EXT2_NDIR_BLOCKS - 1 + height],
					    height, at, span);
		at -= span;
		span *= n;
	}
	return E2DX_ET_HOLE;
}

errcode_t e2dx_map_find_owned(const struct e2dx_fs *efs, ext2_ino_t ino,
			      const struct ext2_inode_large *inode,
			      uint64_t logical, struct e2dx_run *out)
{
	uint8_t *buf = NULL;
	const struct finder f = {
		.efs = efs, .ino = ino, .inode = inode, .logical = logical,
		.buf = &buf, .out = out
	};
	errcode_t err;

	if (!e2dx_inode_has_map(inode) || logical >= EXTENT_LOGICAL_END)
		return E2DX_ET_HOLE;
	err = inode->i_flags & EXT4_EXTENTS_FL ? find_extent(&f)
					       : find_block(&f);
	free(buf);
	return err;
}

errcode_t e2dx_map_find(const struct e2dx_fs *efs, ext2_ino_t ino,
			const struct ext2_inode_large *inode, uint64_t logical,
			struct e2dx_run *out)
{
	errcode_t err = e2dx_map_find_owned(efs, ino, inode, logical, out);

	return !err && out->kind == E2DX_MAP_UNWRITTEN ? E2DX_ET_HOLE : err;
}
