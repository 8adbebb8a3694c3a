/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which blocks an inode has.  Bounded whatever the bytes are: an inode cannot
 * map more blocks than the filesystem has, nor have more mapping blocks.
 */
#include <errno.h>
#include <stdlib.h>
#include "ext2fs/extent.h"
#include "ext2fs/inode.h"

struct walker {
	const struct e2dx_fs *efs;
	const struct e2dx_map_ops *ops;
	void *ctx;
	ext2_ino_t ino;			/* for the checksums' seed */
	uint32_t generation;
	bool csum;			/* extent blocks have checksums */
	bool damaged;
	uint64_t meta_left, data_left;	/* blocks that may still be given */
	uint8_t *buf[EXTENT_MAX_DEPTH];	/* a block for each level */
};

static void fault(struct walker *w, enum e2dx_map_fault_code code,
		  uint64_t block, uint64_t logical, uint64_t value)
{
	struct e2dx_map_fault f = { code, block, logical, value };

	w->damaged = true;
	if (w->ops->fault)
		w->ops->fault(w->ctx, &f);
}

/* `in`: the mapping block that says so; 0: the inode. */
static errcode_t give(struct walker *w, uint64_t in, enum e2dx_map_kind kind,
		      uint64_t logical, uint64_t physical, uint64_t count)
{
	struct e2dx_run run = {
		.kind = kind, .logical = logical,
		.physical = physical, .count = count
	};

	if (!e2dx_blocks_valid(w->efs, physical, count)) {
		fault(w, E2DX_FAULT_RANGE, in, logical, physical);
		return 0;
	}
	if (count > w->data_left) {
		fault(w, E2DX_FAULT_TOO_MANY, in, logical, physical);
		return E2DX_ET_MAP_DAMAGED;
	}
	w->data_left -= count;
	return w->ops->run(w->ctx, &run);
}

/*
 * Give a mapping block, named by block `in`, and read it into this level's
 * buffer; *node stays NULL where it is not to be followed.
 */
static errcode_t read_meta(struct walker *w, uint64_t in, uint64_t block,
			   int level, uint64_t logical, const uint8_t **node)
{
	struct e2dx_run run = {
		.kind = E2DX_MAP_META, .physical = block, .count = 1,
		.level = level
	};
	ext2_filsys fs = w->efs->fs;
	errcode_t err;

	*node = NULL;
	if (!e2dx_blocks_valid(w->efs, block, 1)) {
		fault(w, E2DX_FAULT_META_RANGE, in, logical, block);
		return 0;
	}
	if (!w->meta_left) {
		fault(w, E2DX_FAULT_TOO_MANY, in, logical, block);
		return E2DX_ET_MAP_DAMAGED;
	}
	w->meta_left--;
	err = w->ops->run(w->ctx, &run);
	if (err)
		return err == E2DX_MAP_SKIP ? 0 : err;
	if (!w->buf[level]) {
		w->buf[level] = malloc(fs->blocksize);
		if (!w->buf[level])
			return ENOMEM;
	}
	err = io_channel_read_blk64(fs->io, block, 1, w->buf[level]);
	if (err)
		fault(w, E2DX_FAULT_UNREADABLE, block, logical, (uint64_t)err);
	else
		*node = w->buf[level];
	return 0;
}

/* ---- extents */

/* One node of an extent tree, and the logical blocks that it may speak of. */
struct node {
	const uint8_t *data;
	uint64_t block;		/* 0: the inode's own */
	size_t size;		/* bytes */
	int depth;		/* 0: its entries are extents */
	int level;		/* of its children; 0 for the inode's own */
	uint64_t first, end;
};

static errcode_t walk_leaf(struct walker *w, const struct node *n)
{
	uint32_t entries = extent_entries(n->data);
	uint64_t at = n->first;

	for (uint32_t i = 0; i < entries; i++) {
		struct e2dx_run e;
		errcode_t err;

		extent_load(extent_entry(n->data, i), &e);
		if (!e.count || e.logical < at || e.logical + e.count > n->end) {
			fault(w, !e.count ? E2DX_FAULT_LENGTH :
			      e.logical < at ? E2DX_FAULT_ORDER :
			      E2DX_FAULT_BOUNDS, n->block, e.logical,
			      e.physical);
			continue;
		}
		at = e.logical + e.count;
		err = give(w, n->block, e.kind, e.logical, e.physical, e.count);
		if (err)
			return err;
	}
	return 0;
}

static errcode_t walk_node(struct walker *w, const struct node *n);

/* The field of a node's header that is at fault. */
static uint64_t header_value(const uint8_t *node, enum e2dx_map_fault_code code)
{
	switch (code) {
	case E2DX_FAULT_MAGIC:
		return htree_le16(node);
	case E2DX_FAULT_DEPTH:
		return (uint64_t)extent_depth(node);
	case E2DX_FAULT_MAX:
		return htree_le16(node + EXTENT_MAX);
	default:
		return extent_entries(node);
	}
}

/* Note what is wrong with a node's header; false: it cannot be followed. */
static bool header_sound(struct walker *w, const struct node *n, bool root)
{
	enum e2dx_map_fault_code code = extent_header_fault(n->data, n->size,
							    n->depth, root);

	if (!code && extent_max_low(n->data, n->size)) {
		fault(w, E2DX_FAULT_MAX, n->block, n->first,
		      htree_le16(n->data + EXTENT_MAX));
		return true;
	}
	if (code)
		fault(w, code, n->block, n->first, header_value(n->data, code));
	return !code;
}

/* Most files have no blocks of a tree: computed where there is one. */
static uint32_t csum_seed(const struct walker *w)
{
	return e2dx_inode_csum_seed(w->efs, w->ino, w->generation);
}

static errcode_t walk_child(struct walker *w, const struct node *parent,
			    const uint8_t *entry, uint64_t first, uint64_t end)
{
	struct node n = {
		.size = w->efs->fs->blocksize, .depth = parent->depth - 1,
		.level = parent->level + 1, .first = first, .end = end,
		.block = extent_child(entry)
	};
	errcode_t err = read_meta(w, parent->block, n.block, parent->level,
				  first, &n.data);

	if (err || !n.data || !header_sound(w, &n, false))
		return err;
	/* Well formed but of wrong checksum: followed, so that it owns. */
	if (w->csum && !extent_csum_ok(n.data, n.size, csum_seed(w)))
		fault(w, E2DX_FAULT_CHECKSUM, n.block, first, 0);
	if (extent_first(extent_entry(n.data, 0)) != first)
		fault(w, E2DX_FAULT_START, parent->block, first,
		      extent_first(extent_entry(n.data, 0)));
	return walk_node(w, &n);
}

static errcode_t walk_index(struct walker *w, const struct node *n)
{
	uint32_t entries = extent_entries(n->data);
	uint64_t at = n->first;

	for (uint32_t i = 0; i < entries; i++) {
		const uint8_t *e = extent_entry(n->data, i);
		uint64_t first = extent_first(e);
		uint64_t end = i + 1 < entries
			     ? extent_first(extent_entry(n->data, i + 1))
			     : n->end;
		errcode_t err;

		if (first < at || end <= first || end > n->end) {
			fault(w, first < at || end <= first ?
			      E2DX_FAULT_ORDER : E2DX_FAULT_BOUNDS, n->block,
			      first, extent_child(e));
			continue;
		}
		at = end;
		err = walk_child(w, n, e, first, end);
		if (err)
			return err;
	}
	return 0;
}

static errcode_t walk_node(struct walker *w, const struct node *n)
{
	return n->depth ? walk_index(w, n) : walk_leaf(w, n);
}

static errcode_t walk_extents(struct walker *w,
			      const struct ext2_inode_large *inode)
{
	struct node root = {
		.data = (const uint8_t *)inode->i_block,
		.size = E2DX_I_BLOCK_SIZE,
		.first = 0, .end = EXTENT_LOGICAL_END
	};

	root.depth = extent_depth(root.data);
	if (htree_le16(root.data) == EXTENT_MAGIC &&
	    root.depth > EXTENT_MAX_DEPTH)
		fault(w, E2DX_FAULT_DEPTH, 0, 0, (uint64_t)root.depth);
	else if (header_sound(w, &root, true))
		return walk_node(w, &root);
	return 0;
}

/* ---- indirect blocks */

/* A run of consecutive blocks that grows until one does not fit. */
struct pending {
	uint64_t logical, physical, count;
};

static errcode_t give_pending(struct walker *w, uint64_t in,
			      struct pending *p)
{
	errcode_t err = 0;

	if (p->count)
		err = give(w, in, E2DX_MAP_DATA, p->logical, p->physical, p->count);
	p->count = 0;
	return err;
}

static errcode_t add_pointer(struct walker *w, uint64_t in, struct pending *p,
			     uint64_t logical, uint32_t block)
{
	errcode_t err;

	if (!block)
		return 0;
	if (!e2dx_blocks_valid(w->efs, block, 1)) {
		fault(w, E2DX_FAULT_RANGE, in, logical, block);
		return 0;
	}
	if (p->count && block == p->physical + p->count &&
	    logical == p->logical + p->count) {
		p->count++;
		return 0;
	}
	err = give_pending(w, in, p);
	*p = (struct pending){ logical, block, 1 };
	return err;
}

/*
 * A block of pointers: to data for height 1, else to blocks of pointers of
 * the height below.
 */
static errcode_t walk_pointers(struct walker *w, uint64_t in, uint32_t block,
			       int height, int level, uint64_t logical)
{
	uint32_t n = w->efs->fs->blocksize / 4;
	struct pending p = { 0 };
	uint64_t span = 1;
	const uint8_t *data;
	errcode_t err;

	if (!block)
		return 0;
	err = read_meta(w, in, block, level, logical, &data);
	if (err || !data)
		return err;
	for (int i = 1; i < height; i++)
		span *= n;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t next = htree_le32(data + 4 * i);

		if (height == 1)
			err = add_pointer(w, block, &p, logical + i, next);
		else
			err = walk_pointers(w, block, next, height - 1,
					    level + 1, logical + i * span);
		if (err)
			return err;
	}
	return give_pending(w, block, &p);
}

static errcode_t walk_blocks(struct walker *w,
			     const struct ext2_inode_large *inode)
{
	uint64_t per = w->efs->fs->blocksize / 4;
	uint64_t logical = EXT2_NDIR_BLOCKS, span = per;
	struct pending p = { 0 };
	errcode_t err;

	for (uint32_t i = 0; i < EXT2_NDIR_BLOCKS; i++) {
		err = add_pointer(w, 0, &p, i, inode->i_block[i]);
		if (err)
			return err;
	}
	err = give_pending(w, 0, &p);
	for (int height = 1; !err && height <= 3; height++) {
		err = walk_pointers(w, 0,
				    inode->i_block[EXT2_NDIR_BLOCKS - 1 + height],
				    height, 0, logical);
		logical += span;
		span *= per;
	}
	return err;
}

errcode_t e2dx_map_walk(const struct e2dx_fs *efs, ext2_ino_t ino,
			const struct ext2_inode_large *inode,
			errcode_t (*run)(void *ctx, const struct e2dx_run *run),
			void *ctx)
{
	const struct e2dx_map_ops ops = { .run = run };

	return e2dx_map_walk_ops(efs, ino, inode, &ops, ctx);
}

errcode_t e2dx_map_walk_ops(const struct e2dx_fs *efs, ext2_ino_t ino,
			    const struct ext2_inode_large *inode,
			    const struct e2dx_map_ops *ops, void *ctx)
{
	struct walker w = {
		.efs = efs, .ops = ops, .ctx = ctx,
		.ino = ino, .generation = inode->i_generation,
		.csum = ext2fs_has_feature_metadata_csum(efs->fs->super),
		.meta_left = ext2fs_blocks_count(efs->fs->super),
		.data_left = ext2fs_blocks_count(efs->fs->super)
	};
	errcode_t err;

	if (!e2dx_inode_has_map(inode))
		return 0;
	if (inode->i_flags & EXT4_EXTENTS_FL)
		err = walk_extents(&w, inode);
	else
		err = walk_blocks(&w, inode);
	for (int i = 0; i < EXTENT_MAX_DEPTH; i++)
		free(w.buf[i]);
	return err ? err : w.damaged ? E2DX_ET_MAP_DAMAGED : 0;
}
