/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What fast commits make of each inode, worked out in memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/extent.h"
#include "journal/fc_priv.h"

static int compare(const void *a, const void *b)
{
	const struct fc_inode *x = a, *y = b;

	return (x->ino > y->ino) - (x->ino < y->ino);
}

struct fc_inode *fc_find(struct fc_state *s, ext2_ino_t ino)
{
	struct fc_inode key = { .ino = ino };

	return bsearch(&key, s->inodes, s->n, sizeof(key), compare);
}

static bool is_name(const struct fc_op *op)
{
	return op->tag == FC_CREAT || op->tag == FC_LINK ||
	       op->tag == FC_UNLINK;
}

/* Nothing that a record names may be beyond what there is, or reserved. */
static errcode_t check_ops(const struct fc_state *s)
{
	const struct ext2_super_block *sb = s->efs->fs->super;

	for (size_t i = 0; i < s->log->n; i++) {
		const struct fc_op *op = &s->log->v[i];

		if (op->ino < EXT2_FIRST_INODE(sb) ||
		    op->ino > sb->s_inodes_count)
			return E2DX_ET_DAMAGED;
		if (is_name(op) && op->parent != EXT2_ROOT_INO &&
		    (op->parent < EXT2_FIRST_INODE(sb) ||
		     op->parent > sb->s_inodes_count))
			return E2DX_ET_DAMAGED;
		if (op->tag == FC_ADD_RANGE &&
		    !e2dx_blocks_valid(s->efs, op->physical, op->count))
			return E2DX_ET_DAMAGED;
		if (op->tag == FC_INODE && op->len > EXT2_INODE_SIZE(sb))
			return E2DX_ET_DAMAGED;
	}
	return 0;
}

/* Every inode once, directories of names too. */
static errcode_t list_inodes(struct fc_state *s)
{
	size_t n = 0, out = 0;

	s->inodes = calloc(2 * s->log->n + 1, sizeof(*s->inodes));
	if (!s->inodes)
		return ENOMEM;
	for (size_t i = 0; i < s->log->n; i++) {
		s->inodes[n++].ino = s->log->v[i].ino;
		if (is_name(&s->log->v[i]))
			s->inodes[n++].ino = s->log->v[i].parent;
	}
	qsort(s->inodes, n, sizeof(*s->inodes), compare);
	for (size_t i = 0; i < n; i++)
		if (!out || s->inodes[out - 1].ino != s->inodes[i].ino)
			s->inodes[out++].ino = s->inodes[i].ino;
	s->n = out;
	return 0;
}

/* ---- one inode as it is */

static errcode_t add_range(struct fc_inode *x, struct fc_range r)
{
	if (x->n == x->capacity) {
		size_t n = x->capacity ? x->capacity * 2 : 8;
		struct fc_range *v = realloc(x->v, n * sizeof(*v));

		if (!v)
			return ENOMEM;
		x->v = v;
		x->capacity = n;
	}
	x->v[x->n++] = r;
	return 0;
}

struct old_map {
	struct fc_inode *x;
	unsigned bits;
};

static errcode_t old_run(void *ctx, const struct e2dx_run *run)
{
	struct old_map *m = ctx;
	uint64_t first = run->physical >> m->bits;
	uint64_t last = (run->physical + run->count - 1) >> m->bits;
	errcode_t err = e2dx_pieces_add(&m->x->before, first, last - first + 1);

	if (err || run->kind == E2DX_MAP_META)
		return err;
	return add_range(m->x, (struct fc_range){
		run->logical, run->count, run->physical,
		run->kind == E2DX_MAP_UNWRITTEN });
}

static errcode_t load(struct fc_state *s, struct fc_inode *x)
{
	size_t size = EXT2_INODE_SIZE(s->efs->fs->super);
	struct old_map m = { x, (unsigned)s->efs->fs->cluster_ratio_bits };
	struct ext2_inode_large inode;
	errcode_t err;

	x->raw = malloc(size);
	x->old = malloc(size);
	if (!x->raw || !x->old)
		return ENOMEM;
	err = e2dx_inode_load(s->efs, x->ino, x->old);
	if (err)
		return err;
	memcpy(x->raw, x->old, size);
	x->fresh = !fc_mode(x) || !htree_le16(x->raw + E2DX_I_LINKS);
	if (x->fresh) {
		memset(x->raw, 0, size);
		return 0;
	}
	e2dx_inode_decode(s->efs, x->raw, &inode);
	err = e2dx_map_walk(s->efs, x->ino, &inode, old_run, &m);
	e2dx_pieces_merge(&x->before);
	x->n_old = x->n;
	return err;
}

/* ---- records */

/* Everything but an extent tree: that is what ranges are for. */
static void do_inode(struct fc_inode *x, const uint8_t *bytes, size_t len)
{
	x->dirty = true;
	memcpy(x->raw, bytes, E2DX_I_BLOCK);
	memcpy(x->raw + E2DX_I_GENERATION, bytes + E2DX_I_GENERATION,
	       len - E2DX_I_GENERATION);
	if (!fc_has_extents(x))
		memcpy(x->raw + E2DX_I_BLOCK, bytes + E2DX_I_BLOCK,
		       E2DX_I_BLOCK_SIZE);
}

/* The last name of a file, or a directory's: the number may be used again. */
static void do_unlink(struct fc_inode *x)
{
	uint32_t links = htree_le16(x->raw + E2DX_I_LINKS);

	if (fc_is_dir(x))
		links = 0;
	else if (links)
		links--;
	htree_put_le16(x->raw + E2DX_I_LINKS, links);
	x->dirty = true;
}

static errcode_t do_op(struct fc_state *s, const struct fc_op *op)
{
	struct fc_inode *x = fc_find(s, op->ino);
	struct fc_range r = {
		op->first, op->count, op->physical, op->unwritten
	};

	switch (op->tag) {
	case FC_INODE:
		do_inode(x, s->log->bytes + op->at, op->len);
		return 0;
	case FC_ADD_RANGE:
	case FC_DEL_RANGE:
		return add_range(x, r);
	case FC_CREAT:
		x->created = true;
		x->parent = op->parent;
		return 0;
	case FC_UNLINK:
		do_unlink(x);
		return 0;
	default:
		return 0;
	}
}

/* Subdirectories come and go: their parents' counts are not recorded. */
static void mark_recounts(struct fc_state *s)
{
	for (size_t i = 0; i < s->log->n; i++) {
		const struct fc_op *op = &s->log->v[i];

		if (is_name(op) && fc_is_dir(fc_find(s, op->ino)))
			fc_find(s, op->parent)->recount = true;
	}
}

/* ---- what they leave */

static errcode_t data_clusters(const struct fc_state *s, struct fc_inode *x)
{
	unsigned bits = (unsigned)s->efs->fs->cluster_ratio_bits;
	errcode_t err = 0;

	for (size_t i = 0; i < x->map.n && !err; i++) {
		const struct fc_range *r = &x->map.v[i];
		uint64_t first = r->physical >> bits;
		uint64_t last = (r->physical + r->count - 1) >> bits;

		err = e2dx_pieces_add(&x->data, first, last - first + 1);
	}
	e2dx_pieces_merge(&x->data);
	return err;
}

static errcode_t resolve(struct fc_state *s, struct fc_inode *x)
{
	errcode_t err;

	if (!fc_has_extents(x))
		return x->n > x->n_old ? E2DX_ET_DAMAGED : 0;
	if (x->dirty && !fc_mode(x))
		return E2DX_ET_DAMAGED;
	err = fc_overlay(x->v, x->n, &x->map);
	return err ? err : data_clusters(s, x);
}

/* A name can be put only into a directory that is one, with blocks. */
static errcode_t check_parents(struct fc_state *s)
{
	for (size_t i = 0; i < s->log->n; i++) {
		const struct fc_op *op = &s->log->v[i];
		const struct fc_inode *dir;

		if (!is_name(op))
			continue;
		dir = fc_find(s, op->parent);
		if (!fc_is_dir(dir))
			return E2DX_ET_DAMAGED;
		if (e2dx_inode_flags(dir->raw) &
		    (EXT4_INLINE_DATA_FL | EXT4_ENCRYPT_FL))
			return E2DX_ET_UNSUPPORTED;
	}
	return 0;
}

errcode_t fc_plan(struct fc_state *s)
{
	errcode_t err = check_ops(s);

	if (!err)
		err = list_inodes(s);
	for (size_t i = 0; i < s->n && !err; i++)
		err = load(s, &s->inodes[i]);
	for (size_t i = 0; i < s->log->n && !err; i++)
		err = do_op(s, &s->log->v[i]);
	for (size_t i = 0; i < s->n && !err; i++)
		err = resolve(s, &s->inodes[i]);
	if (!err)
		mark_recounts(s);
	return err ? err : check_parents(s);
}

void fc_plan_free(struct fc_state *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->inodes[i].raw);
		free(s->inodes[i].old);
		free(s->inodes[i].v);
		free(s->inodes[i].map.v);
		e2dx_pieces_free(&s->inodes[i].before);
		e2dx_pieces_free(&s->inodes[i].data);
	}
	free(s->inodes);
}
