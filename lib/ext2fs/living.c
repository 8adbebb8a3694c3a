/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A directory changed in place: blocks written, grown and given back. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/inode_write.h"
#include "ext2fs/living.h"
#include "ext2fs/replace_priv.h"

static struct e2dx_living *living_of(struct htree_blocks *b)
{
	return (struct e2dx_living *)b;
}

static errcode_t living_read(struct htree_blocks *b, uint32_t first, uint32_t n,
			     void *buf)
{
	struct htree_blocks *on_disk = &living_of(b)->d->blocks;

	return on_disk->ops->read(on_disk, first, n, buf);
}

static errcode_t living_write(struct htree_blocks *b, uint32_t first,
			      uint32_t n, const void *buf)
{
	struct e2dx_living *l = living_of(b);
	errcode_t err = e2dx_replace_start(l->r);
	const uint8_t *in = buf;

	for (uint32_t i = 0; i < n && !err; i++, in += b->block_size) {
		uint64_t block = e2dx_dir_physical(l->d, first + i);

		err = block ? io_channel_write_blk64(l->r->efs->fs->io, block,
						     1, in)
			    : E2DX_ET_HOLE;
	}
	return err;
}

static errcode_t living_barrier(struct htree_blocks *b)
{
	return io_channel_flush(living_of(b)->r->efs->fs->io);
}

/* ---- opening, again after each change of the map */

static errcode_t look(struct e2dx_living *l, ext2_ino_t ino)
{
	struct e2dx_fs *efs = l->r->efs;
	errcode_t err = e2dx_dir_open(efs, ino, &l->d);

	if (!err)
		err = e2dx_inode_load(efs, ino, l->raw);
	if (err)
		return err;
	if (!e2dx_inode_csum_ok(efs, ino, l->raw))
		return E2DX_ET_CHECKSUM;
	if (l->d->inline_data || l->d->dir.encrypted)
		return E2DX_ET_UNSUPPORTED;
	if (l->d->map_damaged || l->d->size_wrong || !l->d->blocks.count)
		return E2DX_ET_MAP_DAMAGED;
	l->blocks.count = l->d->blocks.count;
	return 0;
}

static errcode_t look_again(struct e2dx_living *l)
{
	ext2_ino_t ino = l->dir.ino;

	e2dx_dir_close(l->d);
	l->d = NULL;
	return look(l, ino);
}

/* ---- another map */

/* The clusters of the data, in the map's order; those of mapping blocks. */
struct shape {
	unsigned bits;
	struct e2dx_pieces data, meta;
};

static errcode_t add_run(void *ctx, const struct e2dx_run *run)
{
	struct shape *s = ctx;
	uint64_t first = run->physical >> s->bits;
	uint64_t last = (run->physical + run->count - 1) >> s->bits;
	struct e2dx_pieces *p = run->kind == E2DX_MAP_META ? &s->meta
							   : &s->data;

	/* Two runs may lie in one cluster. */
	if (p == &s->data && p->n) {
		struct e2dx_piece *end = &p->v[p->n - 1];

		if (first == end->first + end->count - 1 && first++ == last)
			return 0;
	}
	return e2dx_pieces_add(p, first, last - first + 1);
}

static void shape_free(struct shape *s)
{
	e2dx_pieces_free(&s->data);
	e2dx_pieces_free(&s->meta);
}

/* Take clusters off the end of the data, to be freed. */
static errcode_t cut_data(struct shape *s, uint64_t clusters,
			  struct e2dx_pieces *old)
{
	uint64_t have = e2dx_pieces_total(&s->data);
	errcode_t err = 0;

	while (have > clusters && !err) {
		struct e2dx_piece *p = &s->data.v[s->data.n - 1];
		uint64_t n = have - clusters;

		n = n < p->count ? n : p->count;
		p->count -= n;
		err = e2dx_pieces_add(old, p->first + p->count, n);
		if (!p->count)
			s->data.n--;
		have -= n;
	}
	return err;
}

static errcode_t add_data(struct e2dx_living *l, struct shape *s,
			  uint64_t clusters, struct e2dx_replaced *e)
{
	uint64_t have = e2dx_pieces_total(&s->data);
	errcode_t err;

	if (clusters <= have)
		return 0;
	err = e2dx_prepare_data(l->r, e, clusters - have);
	for (size_t i = 0; i < e->new_data.n && !err; i++)
		err = e2dx_pieces_add(&s->data, e->new_data.v[i].first,
				      e->new_data.v[i].count);
	return err;
}

/* Where the data shall be: what goes, what comes, all mapping blocks anew. */
static errcode_t reshape(struct e2dx_living *l, struct shape *s,
			 uint64_t clusters, struct e2dx_replaced *e)
{
	errcode_t err = cut_data(s, clusters, &e->old);

	if (!err)
		err = add_data(l, s, clusters, e);
	for (size_t i = 0; i < s->meta.n && !err; i++)
		err = e2dx_pieces_add(&e->old, s->meta.v[i].first,
				      s->meta.v[i].count);
	return err;
}

/*
 * A queue entry that leaves the directory's data where it is: what is new is
 * written as zeroes, the map beside the old one.
 */
static errcode_t prepare(struct e2dx_living *l, struct shape *s,
			 uint32_t count, struct e2dx_replaced *e)
{
	struct e2dx_fs *efs = l->r->efs;
	size_t size = EXT2_INODE_SIZE(efs->fs->super);
	uint64_t clusters = e2dx_clusters(efs, count), before;
	errcode_t err;

	e->raw = malloc(size);
	if (!e->raw)
		return ENOMEM;
	memcpy(e->raw, l->raw, size);
	s->bits = (unsigned)efs->fs->cluster_ratio_bits;
	err = e2dx_map_walk(efs, e->ino, &l->d->inode, add_run, s);
	if (err)
		return err;
	before = e2dx_pieces_total(&s->data) + e2dx_pieces_total(&s->meta);
	err = reshape(l, s, clusters, e);
	if (err)
		return err;
	e->blocks = (uint32_t)(e2dx_pieces_total(&e->new_data) << s->bits);
	e->data = calloc(e->blocks + 1, efs->fs->blocksize);
	err = e->data ? e2dx_prepare_map(l->r, e, &s->data, count) : ENOMEM;
	if (!err)
		err = e2dx_inode_change_blocks(efs, e->raw, before,
					       clusters + e->n_meta);
	e2dx_inode_set_size(efs, e->raw, (uint64_t)count * efs->fs->blocksize);
	e2dx_inode_seal(efs, e->ino, e->raw);
	return err;
}

/* Blocks that the last cluster has to spare hold what was there before. */
static errcode_t zero_spare(struct e2dx_living *l, uint32_t count)
{
	ext2_filsys fs = l->r->efs->fs;
	uint32_t ratio = (uint32_t)EXT2FS_CLUSTER_RATIO(fs);
	uint64_t last = e2dx_dir_physical(l->d, l->blocks.count - 1);
	uint8_t *zero = calloc(1, fs->blocksize);
	errcode_t err = zero ? 0 : ENOMEM;

	for (uint32_t n = l->blocks.count; n % ratio && n < count && !err; n++)
		err = io_channel_write_blk64(fs->io, ++last, 1, zero);
	free(zero);
	return err;
}

static errcode_t living_resize(struct htree_blocks *b, uint32_t count)
{
	struct e2dx_living *l = living_of(b);
	struct shape s = { 0 };
	struct e2dx_replaced e = { .ino = l->dir.ino };
	errcode_t err = e2dx_replace_start(l->r);

	if (!err)
		err = prepare(l, &s, count, &e);
	shape_free(&s);
	if (!err)
		err = zero_spare(l, count);
	if (!err)
		err = living_barrier(b);
	if (err) {
		e2dx_replaced_drop(l->r, &e);
		return err;
	}
	err = e2dx_replace_now(l->r, &e);
	return err ? err : look_again(l);
}

static errcode_t living_may_shrink(struct htree_blocks *b, uint32_t count)
{
	struct e2dx_living *l = living_of(b);
	struct e2dx_replaced e = { .ino = l->dir.ino };
	struct shape s = { 0 };
	errcode_t err = prepare(l, &s, count, &e);

	shape_free(&s);
	e2dx_replaced_drop(l->r, &e);
	return err;
}

static errcode_t living_set_indexed(struct htree_blocks *b, bool indexed)
{
	struct e2dx_living *l = living_of(b);
	uint32_t flags = e2dx_inode_flags(l->raw) & ~(uint32_t)EXT2_INDEX_FL;
	errcode_t err = e2dx_replace_start(l->r);

	if (err)
		return err;
	e2dx_inode_set_flags(l->raw, indexed ? flags | EXT2_INDEX_FL : flags);
	e2dx_inode_seal(l->r->efs, l->dir.ino, l->raw);
	err = e2dx_inode_store(l->r->efs, l->dir.ino, l->raw);
	return err ? err : living_barrier(b);
}

static const struct htree_blocks_ops living_ops = {
	.read = living_read, .write = living_write, .resize = living_resize,
	.may_shrink = living_may_shrink,
	.set_indexed = living_set_indexed, .barrier = living_barrier
};

errcode_t e2dx_living_open(struct e2dx_replacer *r, ext2_ino_t ino,
			   struct e2dx_living **out)
{
	struct e2dx_living *l;
	errcode_t err = e2dx_replace_refusal(r, ino);

	if (err)
		return err;
	l = calloc(1, sizeof(*l));
	if (!l)
		return ENOMEM;
	l->r = r;
	l->blocks.ops = &living_ops;
	l->blocks.block_size = r->efs->fs->blocksize;
	l->raw = malloc(EXT2_INODE_SIZE(r->efs->fs->super));
	err = l->raw ? look(l, ino) : ENOMEM;
	if (err) {
		e2dx_living_close(l);
		return err;
	}
	l->dir = l->d->dir;
	*out = l;
	return 0;
}

void e2dx_living_close(struct e2dx_living *l)
{
	if (!l)
		return;
	e2dx_dir_close(l->d);
	free(l->raw);
	free(l);
}
