/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Quota files: the tree walked with as much work as it has blocks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/inode.h"
#include "ext2fs/map.h"
#include "ext2fs/quota_file.h"
#include "htree/ondisk.h"

#define Q_BLOCK		1024
#define Q_REFS		(Q_BLOCK / 4)	/* of a block of the tree */
#define Q_DEPTH		4		/* levels above the entries' blocks */
#define Q_ROOT		1		/* number of the root's block */

/* Block 0: offsets of 32-bit fields. */
#define QH_MAGIC	0
#define QH_VERSION	4
#define QH_BLOCKS	20	/* blocks of the file */
#define QH_FREE_BLOCK	24	/* head of the list of free ones; 0: none */
#define QH_FREE_ENTRY	28	/* ... and of those with room for entries */
#define Q_VERSION	1	/* entries of 72 bytes, 64 bits of space */

/* A block of entries: a header, then entries; one of zeros is free. */
#define QE_FIRST	16
#define QE_SIZE		72
#define QE_ID		0	/* 32 bits */
#define QE_INODES	24	/* 64 bits */
#define QE_SPACE	48	/* 64 bits */

struct run {
	uint64_t logical, physical, count;	/* blocks of the filesystem */
	uint64_t before;	/* blocks in the runs before this one */
};

struct tree {
	const struct e2dx_fs *efs;
	struct run *runs;	/* by logical block; owned */
	size_t n_runs, capacity;
	uint64_t mapped;	/* blocks of the filesystem */
	uint32_t blocks;	/* of the tree, as the header says */
	uint8_t *seen;		/* by mapped KiB: 1 + level; 0: not yet; owned */
	uint8_t *buf;		/* one block of the filesystem; owned */
	uint64_t in_buf;	/* which; 0: none */
	errcode_t (*each)(void *ctx, const struct e2dx_quota_entry *e);
	void *ctx;
};

ext2_ino_t e2dx_quota_inode(const struct e2dx_fs *efs,
			    enum e2dx_quota_type type)
{
	const struct ext2_super_block *sb = efs->fs->super;

	if (!ext2fs_has_feature_quota(efs->fs->super))
		return 0;
	switch (type) {
	case E2DX_QUOTA_USER:
		return sb->s_usr_quota_inum;
	case E2DX_QUOTA_GROUP:
		return sb->s_grp_quota_inum;
	case E2DX_QUOTA_PROJECT:
		return sb->s_prj_quota_inum;
	default:
		return 0;
	}
}

/* ---- the file's blocks */

static errcode_t note_run(void *ctx, const struct e2dx_run *run)
{
	struct tree *t = ctx;

	if (run->kind != E2DX_MAP_DATA)
		return 0;
	if (t->n_runs == t->capacity) {
		size_t n = t->capacity ? 2 * t->capacity : 16;
		struct run *grown = realloc(t->runs, n * sizeof(*grown));

		if (!grown)
			return ENOMEM;
		t->runs = grown;
		t->capacity = n;
	}
	t->runs[t->n_runs++] = (struct run){
		run->logical, run->physical, run->count, t->mapped
	};
	t->mapped += run->count;
	return 0;
}

/* The run with this logical block; NULL: a hole. */
static const struct run *find_run(const struct tree *t, uint64_t logical)
{
	size_t low = 0, high = t->n_runs;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct run *r = &t->runs[mid];

		if (logical < r->logical)
			high = mid;
		else if (logical - r->logical >= r->count)
			low = mid + 1;
		else
			return r;
	}
	return NULL;
}

/*
 * The bytes of a block of 1 KiB, good until the next is loaded; *seen is its
 * mark.  NULL with *err.
 */
static const uint8_t *load(struct tree *t, uint32_t number, uint8_t **seen,
			   errcode_t *err)
{
	uint32_t block_size = t->efs->fs->blocksize;
	uint32_t ratio = block_size / Q_BLOCK;
	const struct run *r = find_run(t, number / ratio);
	uint64_t at, block;

	*err = E2DX_ET_DAMAGED;
	if (!r)
		return NULL;
	at = number / ratio - r->logical;
	block = r->physical + at;
	*seen = t->seen + (r->before + at) * ratio + number % ratio;
	*err = 0;
	if (block != t->in_buf) {
		t->in_buf = 0;
		*err = io_channel_read_blk64(t->efs->fs->io, block, 1, t->buf);
		if (*err)
			return NULL;
		t->in_buf = block;
	}
	return t->buf + (size_t)(number % ratio) * Q_BLOCK;
}

/* ---- the tree */

static uint64_t load64(const uint8_t *p)
{
	return htree_le32(p) | (uint64_t)htree_le32(p + 4) << 32;
}

static errcode_t give_entries(struct tree *t, const uint8_t *block)
{
	static const uint8_t zero[QE_SIZE];
	errcode_t err = 0;

	for (size_t at = QE_FIRST; !err && at + QE_SIZE <= Q_BLOCK;
	     at += QE_SIZE) {
		const uint8_t *p = block + at;
		struct e2dx_quota_entry e = {
			htree_le32(p + QE_ID), load64(p + QE_INODES),
			load64(p + QE_SPACE)
		};

		if (memcmp(p, zero, QE_SIZE))
			err = t->each(t->ctx, &e);
	}
	return err;
}

/*
 * Entries of many ids share a block, so several references may lead to it; it
 * is read once.  But no block has two levels.
 */
static errcode_t walk(struct tree *t, uint32_t number, uint8_t level)
{
	uint8_t refs[Q_BLOCK], *seen;
	const uint8_t *block;
	errcode_t err;

	if (number >= t->blocks)
		return E2DX_ET_DAMAGED;
	block = load(t, number, &seen, &err);
	if (!block)
		return err;
	if (*seen)
		return *seen == level + 1 ? 0 : E2DX_ET_DAMAGED;
	*seen = level + 1;
	if (level == Q_DEPTH)
		return give_entries(t, block);
	memcpy(refs, block, sizeof(refs));
	for (uint32_t i = 0; !err && i < Q_REFS; i++) {
		uint32_t next = htree_le32(refs + 4 * i);

		if (next)
			err = walk(t, next, level + 1);
	}
	return err;
}

static errcode_t check_header(struct tree *t, enum e2dx_quota_type type,
			      uint64_t size)
{
	static const uint32_t magic[] = { 0xd9c01f11, 0xd9c01927, 0xd9c03f14 };
	const uint8_t *h;
	uint8_t *seen;
	errcode_t err;

	h = load(t, 0, &seen, &err);
	if (!h)
		return err;
	*seen = UINT8_MAX;
	t->blocks = htree_le32(h + QH_BLOCKS);
	if (htree_le32(h + QH_MAGIC) != magic[type] ||
	    htree_le32(h + QH_VERSION) != Q_VERSION ||
	    t->blocks > size / Q_BLOCK ||
	    htree_le32(h + QH_FREE_BLOCK) >= t->blocks ||
	    htree_le32(h + QH_FREE_ENTRY) >= t->blocks)
		return E2DX_ET_DAMAGED;
	return 0;
}

static errcode_t begin(struct tree *t, enum e2dx_quota_type type, uint64_t size)
{
	uint32_t ratio = t->efs->fs->blocksize / Q_BLOCK;

	if (t->mapped > SIZE_MAX / ratio)
		return ENOMEM;
	t->seen = calloc((size_t)t->mapped * ratio + 1, 1);
	t->buf = malloc(t->efs->fs->blocksize);
	if (!t->seen || !t->buf)
		return ENOMEM;
	return check_header(t, type, size);
}

static errcode_t open_tree(struct tree *t, enum e2dx_quota_type type)
{
	ext2_ino_t ino = e2dx_quota_inode(t->efs, type);
	struct ext2_inode_large inode;
	errcode_t err;

	err = e2dx_inode_read(t->efs, ino, &inode);
	if (!err)
		err = e2dx_map_walk(t->efs, ino, &inode, note_run, t);
	if (err == E2DX_ET_MAP_DAMAGED)
		err = E2DX_ET_DAMAGED;
	return err ? err : begin(t, type, EXT2_I_SIZE(&inode));
}

static void close_tree(struct tree *t)
{
	free(t->buf);
	free(t->seen);
	free(t->runs);
}

errcode_t e2dx_quota_read(const struct e2dx_fs *efs, enum e2dx_quota_type type,
			  errcode_t (*each)(void *ctx,
					    const struct e2dx_quota_entry *e),
			  void *ctx)
{
	struct tree t = { .efs = efs, .each = each, .ctx = ctx };
	errcode_t err = open_tree(&t, type);

	if (!err)
		err = walk(&t, Q_ROOT, 0);
	close_tree(&t);
	return err;
}

/* ---- one entry */

/* The entry of an id, in t->buf; NULL where there is none, or with *err. */
static uint8_t *find_entry(struct tree *t, uint32_t id, errcode_t *err)
{
	static const uint8_t zero[QE_SIZE];
	uint32_t number = Q_ROOT;
	const uint8_t *block;
	uint8_t *seen;

	for (int level = 0; level < Q_DEPTH; level++) {
		block = load(t, number, &seen, err);
		if (!block)
			return NULL;
		number = htree_le32(block +
				    4 * (id >> 8 * (Q_DEPTH - 1 - level) & 0xff));
		if (!number || number >= t->blocks)
			return NULL;
	}
	block = load(t, number, &seen, err);
	for (size_t at = QE_FIRST; block && at + QE_SIZE <= Q_BLOCK;
	     at += QE_SIZE)
		if (htree_le32(block + at + QE_ID) == id &&
		    memcmp(block + at, zero, QE_SIZE))
			return t->buf + (block - t->buf) + at;
	return NULL;
}

static void subtract64(uint8_t *p, uint64_t less)
{
	uint64_t v = load64(p);

	v = v > less ? v - less : 0;
	htree_put_le32(p, (uint32_t)v);
	htree_put_le32(p + 4, (uint32_t)(v >> 32));
}

errcode_t e2dx_quota_subtract(struct e2dx_fs *efs, enum e2dx_quota_type type,
			      const struct e2dx_quota_entry *less)
{
	struct tree t = { .efs = efs };
	errcode_t err = open_tree(&t, type);
	uint8_t *e = err ? NULL : find_entry(&t, less->id, &err);

	if (e) {
		subtract64(e + QE_INODES, less->inodes);
		subtract64(e + QE_SPACE, less->space);
		err = io_channel_write_blk64(efs->fs->io, t.in_buf, 1, t.buf);
	}
	close_tree(&t);
	return err == E2DX_ET_DAMAGED || err == E2DX_ET_RANGE ? 0 : err;
}
