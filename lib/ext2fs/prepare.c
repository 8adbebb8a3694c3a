/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One directory made ready to be replaced: what it holds now, new space, the
 * new map, the new inode.  Nothing is written here.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/inode_write.h"
#include "ext2fs/replace_priv.h"
#include "htree/ondisk.h"

struct old_ctx {
	unsigned bits;		/* blocks of a cluster, as a power of two */
	struct e2dx_pieces *out;
};

static errcode_t old_run(void *ctx, const struct e2dx_run *run)
{
	struct old_ctx *c = ctx;
	uint64_t first = run->physical >> c->bits;
	uint64_t last = (run->physical + run->count - 1) >> c->bits;

	return e2dx_pieces_add(c->out, first, last - first + 1);
}

errcode_t e2dx_old_pieces(const struct e2dx_fs *efs, ext2_ino_t ino,
			  const struct ext2_inode_large *inode,
			  struct e2dx_pieces *out)
{
	struct old_ctx c = { (unsigned)efs->fs->cluster_ratio_bits, out };
	errcode_t err = e2dx_map_walk(efs, ino, inode, old_run, &c);

	if (!err)
		e2dx_pieces_merge(out);
	return err;
}

void e2dx_replaced_free(struct e2dx_replaced *e)
{
	free(e->raw);
	free(e->data);
	free(e->meta);
	e2dx_pieces_free(&e->new_data);
	e2dx_pieces_free(&e->new_meta);
	e2dx_pieces_free(&e->old);
}

void e2dx_replaced_drop(struct e2dx_replacer *r, struct e2dx_replaced *e)
{
	e2dx_space_give(&r->space, &e->new_data);
	e2dx_space_give(&r->space, &e->new_meta);
	e2dx_replaced_free(e);
}

/* Pieces of clusters as pieces of blocks. */
static errcode_t in_blocks(const struct e2dx_pieces *clusters, unsigned bits,
			   struct e2dx_pieces *out)
{
	errcode_t err = 0;

	for (size_t i = 0; i < clusters->n && !err; i++)
		err = e2dx_pieces_add(out, clusters->v[i].first << bits,
				      clusters->v[i].count << bits);
	return err;
}

static void map_format(const struct e2dx_replacer *r,
		       const struct e2dx_replaced *e, struct e2dx_map_format *f)
{
	ext2_filsys fs = r->efs->fs;

	f->extents = e2dx_inode_flags(e->raw) & EXT4_EXTENTS_FL;
	f->metadata_csum = ext2fs_has_feature_metadata_csum(fs->super);
	f->block_size = fs->blocksize;
	f->csum_seed = e2dx_inode_csum_seed(r->efs, e->ino,
				htree_le32(e->raw + E2DX_I_GENERATION));
}

/* Block numbers that this kind of map can hold, as a limit in clusters. */
static uint64_t space_limit(const struct e2dx_replacer *r, bool extents)
{
	uint64_t limit = UINT64_C(1) << (extents ? 48 : 32);

	return limit >> r->efs->fs->cluster_ratio_bits;
}

static errcode_t take(struct e2dx_replacer *r, const struct e2dx_replaced *e,
		      uint64_t clusters, struct e2dx_pieces *out)
{
	bool extents = e2dx_inode_flags(e->raw) & EXT4_EXTENTS_FL;
	uint32_t goal = (e->ino - 1) / r->efs->fs->super->s_inodes_per_group;

	if (!clusters)
		return 0;
	return e2dx_space_take(&r->space, goal, clusters,
			       space_limit(r, extents), out);
}

errcode_t e2dx_prepare_data(struct e2dx_replacer *r, struct e2dx_replaced *e,
			    uint64_t clusters)
{
	return take(r, e, clusters, &e->new_data);
}

/* The block of each mapping block: the first of its cluster. */
static uint64_t *meta_places(const struct e2dx_replaced *e, unsigned bits)
{
	uint64_t *at = calloc(e->n_meta + 1, sizeof(*at));
	uint64_t n = 0;

	for (size_t i = 0; at && i < e->new_meta.n; i++)
		for (uint64_t k = 0; k < e->new_meta.v[i].count; k++)
			at[n++] = (e->new_meta.v[i].first + k) << bits;
	return at;
}

static errcode_t build_map(struct e2dx_replacer *r,
			   const struct e2dx_map_format *f,
			   struct e2dx_replaced *e,
			   const struct e2dx_pieces *data, uint64_t blocks)
{
	uint64_t *at = meta_places(e, (unsigned)r->efs->fs->cluster_ratio_bits);
	errcode_t err = ENOMEM;

	e->meta = malloc(e->n_meta * f->block_size + 1);
	if (at && e->meta)
		err = e2dx_map_build(f, data, blocks, at, e->n_meta, e->meta,
				     e->raw + E2DX_I_BLOCK);
	free(at);
	return err;
}

/* How the data lies says how many mapping blocks it takes. */
errcode_t e2dx_prepare_map(struct e2dx_replacer *r, struct e2dx_replaced *e,
			   const struct e2dx_pieces *clusters, uint64_t blocks)
{
	unsigned bits = (unsigned)r->efs->fs->cluster_ratio_bits;
	struct e2dx_map_format f;
	struct e2dx_pieces data;
	errcode_t err;

	map_format(r, e, &f);
	if (!f.extents && bits)
		return E2DX_ET_UNSUPPORTED;	/* Linux has no such thing */
	e2dx_pieces_init(&data);
	err = in_blocks(clusters, bits, &data);
	if (!err)
		err = e2dx_map_meta(&f, &data, blocks, &e->n_meta);
	if (!err)
		err = take(r, e, e->n_meta, &e->new_meta);
	if (!err)
		err = build_map(r, &f, e, &data, blocks);
	e2dx_pieces_free(&data);
	return err;
}

static errcode_t change_inode(const struct e2dx_replacer *r,
			      struct e2dx_replaced *e, bool indexed)
{
	uint32_t flags = e2dx_inode_flags(e->raw) & ~(uint32_t)EXT2_INDEX_FL;

	e2dx_inode_set_flags(e->raw,
			     indexed ? flags | EXT2_INDEX_FL : flags);
	e2dx_inode_set_size(r->efs, e->raw,
			    (uint64_t)e->blocks * r->efs->fs->blocksize);
	return e2dx_inode_change_blocks(r->efs, e->raw,
					e2dx_pieces_total(&e->old),
					e2dx_pieces_total(&e->new_data) +
					e->n_meta);
}

static errcode_t prepare_blocks(struct e2dx_replacer *r,
				const struct e2dx_dir *d,
				const struct htree_memory *blocks, bool indexed,
				struct e2dx_replaced *e)
{
	size_t bytes = (size_t)blocks->blocks.count * d->dir.block_size;
	errcode_t err = e2dx_old_pieces(r->efs, e->ino, &d->inode, &e->old);

	if (err)
		return err;
	e->blocks = blocks->blocks.count;
	e->data = malloc(bytes);
	if (!e->data)
		return ENOMEM;
	memcpy(e->data, blocks->data, bytes);
	err = e2dx_prepare_data(r, e, e2dx_clusters(r->efs, e->blocks));
	if (!err)
		err = e2dx_prepare_map(r, e, &e->new_data, e->blocks);
	return err ? err : change_inode(r, e, indexed);
}

errcode_t e2dx_prepare(struct e2dx_replacer *r, ext2_ino_t ino,
		       const struct htree_memory *blocks, bool indexed,
		       struct e2dx_replaced *e)
{
	struct e2dx_dir *d;
	errcode_t err;

	memset(e, 0, sizeof(*e));
	e->ino = ino;
	err = e2dx_dir_open(r->efs, ino, &d);
	if (err)
		return err;
	e->raw = malloc(EXT2_INODE_SIZE(r->efs->fs->super));
	err = e->raw ? e2dx_inode_load(r->efs, ino, e->raw) : ENOMEM;
	if (!err && !e2dx_inode_csum_ok(r->efs, ino, e->raw))
		err = E2DX_ET_CHECKSUM;
	if (!err && d->inline_data)
		err = e2dx_prepare_inline(d, blocks, e->raw);
	else if (!err)
		err = prepare_blocks(r, d, blocks, indexed, e);
	e2dx_dir_close(d);
	if (err) {
		e2dx_replaced_drop(r, e);
		return err;
	}
	e2dx_inode_seal(r->efs, ino, e->raw);
	return 0;
}
