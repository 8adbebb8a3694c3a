/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks of attributes: each read and checked once, by many threads, however
 * many inodes name it.
 */
#include <errno.h>
#include <stdlib.h>
#include "ext2fs/threads.h"
#include "htree/ondisk.h"
#include "xattr_facts.h"

#define CHUNK_USES	4096	/* uses a job takes, and those of its last block */
#define READ_BYTES	(256u << 10)

/* One job: uses of whole blocks, and what was found in them. */
struct chunk {
	size_t first, end;		/* of the uses */
	struct problem_list *problems;
	struct list refs;
};

struct pool {
	struct facts *f;
	const struct xattr_use *uses;
	struct chunk *chunks;
	size_t n, next;
	errcode_t err;
};

/* A window of blocks that were read at once. */
struct window {
	uint8_t *buf;
	uint64_t block;
	size_t n;
};

/* ---- reading ahead */

/* How many uses from i on name blocks that lie one behind the other. */
static size_t adjacent(const struct pool *p, size_t i, size_t end, size_t max)
{
	uint64_t first = p->uses[i].block, last = first;

	for (; i < end; i++) {
		if (p->uses[i].block > last + 1 ||
		    p->uses[i].block - first >= max)
			break;
		last = p->uses[i].block;
	}
	return (size_t)(last - first) + 1;
}

/* The bytes of the block of use i; NULL with *err where it cannot be read. */
static const uint8_t *block_bytes(struct pool *p, struct window *w, size_t i,
				  size_t end, errcode_t *err)
{
	ext2_filsys fs = p->f->efs->fs;
	uint64_t block = p->uses[i].block;
	size_t n;

	*err = 0;
	if (w->n && block >= w->block && block - w->block < w->n)
		return w->buf + (block - w->block) * fs->blocksize;
	n = adjacent(p, i, end, READ_BYTES / fs->blocksize);
	w->block = block;
	w->n = n;
	if (!io_channel_read_blk64(fs->io, block, (int)n, w->buf))
		return w->buf;
	w->n = 1;
	*err = io_channel_read_blk64(fs->io, block, 1, w->buf);
	if (!*err)
		return w->buf;
	w->n = 0;
	return NULL;
}

/* ---- one block */

static errcode_t problem(struct chunk *c, const struct xattr_use *u,
			 enum problem_code code, uint64_t value,
			 uint64_t expected)
{
	struct problem p = {
		.code = code, .ino = u->ino, .block = u->block,
		.value = value, .expected = expected
	};

	return problem_list_add(&c->problems, &p);
}

static errcode_t check_header(struct pool *p, struct chunk *c,
			      const struct xattr_use *u, size_t n,
			      const uint8_t *block)
{
	uint32_t references = htree_le32(block + E2DX_XB_REFCOUNT);
	uint32_t blocks = htree_le32(block + E2DX_XB_BLOCKS);
	errcode_t err = 0;

	if (blocks != 1)
		err = problem(c, u, P_XATTR_BLOCKS, blocks, 1);
	if (!err && references != n)
		err = problem(c, u, P_XATTR_REFERENCES, references, n);
	if (!err && ext2fs_has_feature_metadata_csum(p->f->efs->fs->super) &&
	    e2dx_xattr_block_csum(p->f->efs, u->block, block) !=
	    htree_le32(block + E2DX_XB_CHECKSUM))
		err = problem(c, u, P_XATTR_CHECKSUM, 0, 0);
	return err;
}

/* Who has looked for a context in vain may find it here. */
static void give_policy(struct facts *f, const struct xattr_use *u, size_t n,
			uint64_t policy)
{
	for (size_t i = 0; policy && i < n; i++)
		if (u[i].wants_context)
			facts_set_policy(f, u[i].ino, policy);
}

static errcode_t check_block(struct pool *p, struct chunk *c,
			     const struct xattr_use *u, size_t n,
			     const uint8_t *block)
{
	struct xattr_visit v = {
		.f = p->f, .out = &c->problems, .ino = u->ino,
		.block = u->block, .refs = &c->refs
	};
	struct e2dx_xattr_area a;
	errcode_t err;

	if (!e2dx_xattr_area_block(block, p->f->efs->fs->blocksize, &a))
		return problem(c, u, P_XATTR_MAGIC, htree_le32(block),
			       E2DX_EA_MAGIC);
	err = check_header(p, c, u, n, block);
	if (!err)
		err = xattr_visit_area(&v, &a);
	give_policy(p->f, u, n, v.policy);
	return err;
}

/* ---- many blocks */

static errcode_t check_chunk(struct pool *p, struct chunk *c, struct window *w)
{
	errcode_t err = 0;
	size_t n;

	for (size_t i = c->first; !err && i < c->end; i += n) {
		const struct xattr_use *u = &p->uses[i];
		const uint8_t *block;
		errcode_t bad;

		for (n = 1; i + n < c->end && u[n].block == u->block; n++)
			;
		block = block_bytes(p, w, i, c->end, &bad);
		err = block ? check_block(p, c, u, n, block) :
		      problem(c, u, P_XATTR_UNREADABLE, (uint64_t)bad, 0);
	}
	return err;
}

static void *work(void *arg)
{
	struct pool *p = arg;
	struct window w = { malloc(READ_BYTES), 0, 0 };
	errcode_t err = w.buf ? 0 : ENOMEM;

	while (!err) {
		size_t i = __atomic_fetch_add(&p->next, 1, __ATOMIC_RELAXED);

		if (i >= p->n)
			break;
		err = check_chunk(p, &p->chunks[i], &w);
	}
	if (err)
		__atomic_store_n(&p->err, err, __ATOMIC_RELAXED);
	free(w.buf);
	return NULL;
}

/* Cut where a block's uses end, so that no block is in two jobs. */
static void cut(struct pool *p, size_t uses)
{
	for (size_t end = 0; end < uses; p->n++) {
		p->chunks[p->n].first = end;
		end += CHUNK_USES;
		while (end < uses && p->uses[end].block ==
		       p->uses[end - 1].block)
			end++;
		p->chunks[p->n].end = end < uses ? end : uses;
	}
}

static errcode_t gather(struct pool *p, struct list *refs)
{
	errcode_t err = p->err;

	for (size_t i = 0; i < p->n; i++) {
		struct chunk *c = &p->chunks[i];

		if (!err)
			err = problem_list_append(&p->f->xattrs, c->problems);
		if (!err)
			err = list_append(refs, &c->refs,
					  sizeof(struct xattr_ref));
		problem_list_free(c->problems);
		list_free(&c->refs);
	}
	return err;
}

errcode_t xattr_check_blocks(struct facts *f, const struct list *uses,
			     struct list *refs)
{
	struct pool p = { .f = f, .uses = uses->v };
	errcode_t err;

	if (!uses->n)
		return 0;
	p.chunks = calloc(uses->n / CHUNK_USES + 1, sizeof(*p.chunks));
	if (!p.chunks)
		return ENOMEM;
	cut(&p, uses->n);
	e2dx_run_threads(e2dx_thread_count(f->efs->threads, p.n), work, &p);
	err = gather(&p, refs);
	free(p.chunks);
	return err;
}
