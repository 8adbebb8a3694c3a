/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The map of one orphan: which clusters it has, and made to end earlier. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/extent.h"
#include "journal/orphan_priv.h"

struct cluster_walk {
	struct e2dx_pieces *out;
	unsigned shift;
};

static errcode_t add_clusters(void *ctx, const struct e2dx_run *run)
{
	struct cluster_walk *w = ctx;
	uint64_t first = run->physical >> w->shift;
	uint64_t last = (run->physical + run->count - 1) >> w->shift;

	return e2dx_pieces_add(w->out, first, last - first + 1);
}

errcode_t orphan_clusters(struct e2dx_fs *efs, ext2_ino_t ino,
			  const struct ext2_inode_large *inode,
			  struct e2dx_pieces *out)
{
	struct cluster_walk w = {
		out, (unsigned)efs->fs->cluster_ratio_bits
	};

	return e2dx_map_walk(efs, ino, inode, add_clusters, &w);
}

/* One node on its way to an earlier end. */
struct cut {
	struct e2dx_fs *efs;
	uint64_t end;		/* first logical block that goes */
	uint32_t seed;		/* of the inode, for checksums */
};

static void set_entries(uint8_t *node, uint32_t n)
{
	htree_put_le16(node + EXTENT_ENTRIES, n);
}

static void extent_seal(const struct cut *c, uint8_t *node)
{
	size_t at = EXTENT_HEADER_SIZE +
		    (size_t)htree_le16(node + EXTENT_MAX) * EXTENT_SIZE;

	if (ext2fs_has_feature_metadata_csum(c->efs->fs->super) &&
	    at + 4 <= c->efs->fs->blocksize)
		htree_put_le32(node + at, htree_crc32c(c->seed, node, at));
}

static void cut_leaf(const struct cut *c, uint8_t *node)
{
	uint32_t n = 0, entries = extent_entries(node);

	for (uint32_t i = 0; i < entries; i++) {
		uint8_t *e = node + EXTENT_HEADER_SIZE + (size_t)i * EXTENT_SIZE;
		struct e2dx_run run;

		extent_load(e, &run);
		if (run.logical >= c->end)
			break;
		if (run.logical + run.count > c->end)
			htree_put_le16(e + 4, (uint32_t)(c->end - run.logical) +
				(run.kind == E2DX_MAP_UNWRITTEN ?
				 EXTENT_MAX_INIT : 0));
		n = i + 1;
	}
	set_entries(node, n);
}

static errcode_t cut_node(const struct cut *c, uint8_t *node);

/* The last child that stays, in part; *left: entries that it still has. */
static errcode_t cut_child(const struct cut *c, uint64_t block, int depth,
			   uint32_t *left)
{
	uint32_t size = c->efs->fs->blocksize;
	uint8_t *child = malloc(size);
	errcode_t err = child ? 0 : ENOMEM;

	if (!err)
		err = io_channel_read_blk64(c->efs->fs->io, block, 1, child);
	if (!err && !extent_header_ok(child, size, depth, false))
		err = E2DX_ET_MAP_DAMAGED;
	if (!err)
		err = cut_node(c, child);
	*left = err ? 0 : extent_entries(child);
	if (!err && *left) {
		extent_seal(c, child);
		err = io_channel_write_blk64(c->efs->fs->io, block, 1, child);
	}
	free(child);
	return err;
}

static errcode_t cut_node(const struct cut *c, uint8_t *node)
{
	uint32_t n = 0, entries = extent_entries(node), left = 1;
	int depth = extent_depth(node);
	errcode_t err = 0;

	if (!depth) {
		cut_leaf(c, node);
		return 0;
	}
	while (n < entries && extent_first(extent_entry(node, n)) < c->end)
		n++;
	/* Only the last one can reach over the end. */
	while (n && !err) {
		err = cut_child(c, extent_child(extent_entry(node, n - 1)),
				depth - 1, &left);
		if (left || err)
			break;
		n--;
	}
	set_entries(node, n);
	return err;
}

static errcode_t cut_extents(const struct cut *c, uint8_t *root)
{
	errcode_t err = cut_node(c, root);

	/* An empty file has a root of depth 0. */
	if (!err && !extent_entries(root))
		htree_put_le16(root + EXTENT_DEPTH, 0);
	return err;
}

/*
 * A pointer whose blocks begin at `first`: to data for height 0, else to a block
 * of pointers, each for `span` blocks.
 */
static errcode_t cut_pointer(const struct cut *c, uint8_t *pointer, int height,
			     uint64_t first)
{
	uint32_t block = htree_le32(pointer), size = c->efs->fs->blocksize;
	uint64_t span = 1;
	uint8_t *buf;
	errcode_t err;

	if (!block)
		return 0;
	if (first >= c->end) {
		htree_put_le32(pointer, 0);
		return 0;
	}
	for (int i = 0; i < height; i++)
		span *= size / 4;
	if (!height || first + span <= c->end)
		return 0;
	buf = malloc(size);
	if (!buf)
		return ENOMEM;
	span /= size / 4;
	err = io_channel_read_blk64(c->efs->fs->io, block, 1, buf);
	for (uint32_t i = 0; i < size / 4 && !err; i++)
		err = cut_pointer(c, buf + 4 * i, height - 1, first + i * span);
	if (!err)
		err = io_channel_write_blk64(c->efs->fs->io, block, 1, buf);
	free(buf);
	return err;
}

static errcode_t cut_blocks(const struct cut *c, uint8_t *i_block)
{
	uint64_t per = c->efs->fs->blocksize / 4, span = 1, first = 0;
	errcode_t err = 0;

	for (int i = 0; i < EXT2_N_BLOCKS && !err; i++) {
		int height = i < EXT2_NDIR_BLOCKS ? 0 : i - EXT2_NDIR_BLOCKS + 1;

		if (height)
			span *= per;
		err = cut_pointer(c, i_block + 4 * i, height, first);
		first += height ? span : 1;
	}
	return err;
}

errcode_t orphan_truncate(struct e2dx_fs *efs, ext2_ino_t ino, uint8_t *raw,
			  uint64_t end)
{
	struct cut c = {
		efs, end, e2dx_inode_csum_seed(efs, ino,
				htree_le32(raw + E2DX_I_GENERATION))
	};

	if (e2dx_inode_flags(raw) & EXT4_EXTENTS_FL)
		return cut_extents(&c, raw + E2DX_I_BLOCK);
	return cut_blocks(&c, raw + E2DX_I_BLOCK);
}

errcode_t orphan_zero_tail(struct e2dx_fs *efs, ext2_ino_t ino,
			   const struct ext2_inode_large *inode, uint64_t size)
{
	uint32_t bs = efs->fs->blocksize, used = (uint32_t)(size % bs);
	struct e2dx_run run;
	uint64_t block;
	uint8_t *buf;
	errcode_t err;

	if (!used)
		return 0;
	err = e2dx_map_find(efs, ino, inode, size / bs, &run);
	if (err)
		return err == E2DX_ET_HOLE ? 0 : err;
	block = run.physical + (size / bs - run.logical);
	buf = malloc(bs);
	if (!buf)
		return ENOMEM;
	err = io_channel_read_blk64(efs->fs->io, block, 1, buf);
	if (!err) {
		memset(buf + used, 0, bs - used);
		err = io_channel_write_blk64(efs->fs->io, block, 1, buf);
	}
	free(buf);
	return err;
}
