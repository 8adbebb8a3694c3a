/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Verify a directory: the tree first, so that every block's role and range
 * are known; then all blocks in one sequential pass; then equal names; last
 * what is wrong with the tree.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "e2dx_err.h"
#include "htree/verify_state.h"

#define CHUNK_SIZE	(1u << 20)	/* bytes read at once */
#define PART_BLOCKS	256		/* blocks of a part, at least */

void verify_tell(struct verify *v, const struct htree_finding *f)
{
	v->result->findings++;
	if (v->ops->finding)
		v->ops->finding(v->ctx, f);
}

void verify_tell_entry(struct verify *v, enum htree_finding_code code,
		       const struct htree_dirent *d, uint64_t value,
		       uint64_t expected)
{
	struct htree_finding f = {
		.code = code, .block = d->block, .offset = d->offset,
		.value = value, .expected = expected,
		.name = d->name, .name_len = d->name_len
	};

	verify_tell(v, &f);
}

/* Holes that follow one another are one finding: a file may be all hole. */
struct hole {
	uint32_t first, length;
};

static void tell_hole(struct verify *v, struct hole *h)
{
	struct htree_finding f = {
		.code = HTREE_B_HOLE, .block = h->first, .value = h->length
	};

	if (h->length)
		verify_tell(v, &f);
	h->length = 0;
}

static void unreadable(struct verify *v, uint32_t number, errcode_t err,
		       struct hole *h)
{
	struct htree_finding f = {
		.code = HTREE_B_UNREADABLE, .block = number,
		.value = (uint64_t)err
	};

	if (err == E2DX_ET_HOLE) {
		if (!h->length)
			h->first = number;
		h->length++;
		return;
	}
	tell_hole(v, h);
	verify_tell(v, &f);
}

static void one_block(struct verify *v, const uint8_t *block, uint32_t number,
		      struct hole *h)
{
	tell_hole(v, h);
	verify_block(v, block, number);
}

/* Where a chunk cannot be read as a whole, block by block. */
static void read_chunk(struct verify *v, uint32_t first, uint32_t n,
		       uint8_t *buffer, struct hole *h)
{
	size_t size = v->blocks->block_size;
	errcode_t err = htree_blocks_read(v->blocks, first, n, buffer);

	for (uint32_t i = 0; i < n && !v->err; i++) {
		if (!err) {
			one_block(v, buffer + i * size, first + i, h);
			continue;
		}
		errcode_t one = htree_blocks_read(v->blocks, first + i, 1,
						  buffer);
		if (one)
			unreadable(v, first + i, one, h);
		else
			one_block(v, buffer, first + i, h);
	}
}

/* All blocks from `first` up to `end`. */
static void read_blocks(struct verify *v, uint32_t first, uint32_t end)
{
	uint32_t chunk = CHUNK_SIZE / v->blocks->block_size;
	struct hole hole = { 0, 0 };
	uint8_t *buffer;

	if (chunk > end - first)
		chunk = end - first;
	buffer = malloc((size_t)chunk * v->blocks->block_size);
	if (!buffer) {
		v->err = ENOMEM;
		return;
	}
	for (uint32_t b = first, n; b < end && !v->err; b += n) {
		n = end - b < chunk ? end - b : chunk;
		read_chunk(v, b, n, buffer, &hole);
	}
	tell_hole(v, &hole);
	free(buffer);
}

/* A directory without a block has neither "." nor "..". */
static void verify_empty(struct verify *v)
{
	struct htree_finding f = { .code = HTREE_D_DOT_MISSING };

	verify_tell(v, &f);
	f.code = HTREE_D_DOTDOT_MISSING;
	verify_tell(v, &f);
}

static void verify_begin(struct verify *v, struct htree_verify_result *result)
{
	memset(result, 0, sizeof(*result));
	result->version = -1;
	v->result = result;
}

static errcode_t verify_end(struct verify *v)
{
	free(v->place);
	free(v->pending);
	verify_names_end(v);
	return v->err;
}

/* ---- parts */

unsigned htree_verify_parts(uint32_t blocks)
{
	uint32_t parts = blocks / PART_BLOCKS;

	if (parts > HTREE_VERIFY_PARTS)
		parts = HTREE_VERIFY_PARTS;
	return parts ? parts : 1;
}

/* The directory in parts: each a copy of the whole with its own findings. */
struct division {
	struct verify *whole;
	unsigned n, next;		/* next: atomic */
	struct verify part[HTREE_VERIFY_PARTS];
	struct htree_verify_result result[HTREE_VERIFY_PARTS];
};

/* The first block of part i. */
static uint32_t part_start(const struct division *d, unsigned i)
{
	return (uint32_t)((uint64_t)d->whole->blocks->count * i / d->n);
}

static void *verify_part(void *arg)
{
	struct division *d = arg;
	unsigned i;

	while ((i = __atomic_fetch_add(&d->next, 1, __ATOMIC_RELAXED)) < d->n)
		read_blocks(&d->part[i], part_start(d, i),
			    part_start(d, i + 1));
	return NULL;
}

/* Begins only after the tree was read. */
static void divide(struct division *d, struct verify *v,
		   const struct htree_verify_crew *crew)
{
	d->whole = v;
	d->n = htree_verify_parts(v->blocks->count);
	d->next = 0;
	for (unsigned i = 0; i < d->n; i++) {
		d->part[i] = *v;
		d->part[i].ctx = crew->part[i];
		d->part[i].result = &d->result[i];
		d->part[i].pending = NULL;
		d->part[i].n_pending = d->part[i].pending_capacity = 0;
		memset(&d->result[i], 0, sizeof(d->result[i]));
	}
}

/* "." and ".." are the first part's. */
static void unite(struct division *d)
{
	struct verify *v = d->whole;

	v->result->self = d->result[0].self;
	v->result->parent = d->result[0].parent;
	for (unsigned i = 0; i < d->n; i++) {
		if (!v->err)
			v->err = d->part[i].err;
		verify_names_take(v, &d->part[i]);
		verify_index_take(v, &d->part[i]);
		v->result->entries += d->result[i].entries;
		v->result->findings += d->result[i].findings;
	}
}

static void read_divided(struct verify *v, const struct htree_verify_crew *crew)
{
	struct division *d = malloc(sizeof(*d));

	if (!d) {
		v->err = ENOMEM;
		return;
	}
	divide(d, v, crew);
	crew->run(crew->threads, verify_part, d);
	unite(d);
	free(d);
}

/* ---- the whole */

static errcode_t verify(struct verify *v, const struct htree_verify_crew *crew,
			struct htree_verify_result *result)
{
	uint32_t count = v->blocks->count;

	verify_begin(v, result);
	if (v->dir->indexed)
		verify_index_read(v);
	verify_names_begin(v, (uint64_t)count * v->blocks->block_size);
	if (!v->err && count == 0)
		verify_empty(v);
	else if (!v->err && crew)
		read_divided(v, crew);
	else if (!v->err)
		read_blocks(v, 0, count);
	if (!v->err)
		verify_names_tell(v);
	if (!v->err && v->dir->indexed)
		verify_index_tell(v);
	return verify_end(v);
}

errcode_t htree_verify(const struct htree_dir *dir, struct htree_blocks *blocks,
		       const struct htree_verify_ops *ops, void *ctx,
		       struct htree_verify_result *result)
{
	struct verify v = {
		.dir = dir, .blocks = blocks, .ops = ops, .ctx = ctx
	};

	return verify(&v, NULL, result);
}

errcode_t htree_verify_divided(const struct htree_dir *dir,
			       struct htree_blocks *blocks,
			       const struct htree_verify_ops *ops, void *ctx,
			       const struct htree_verify_crew *crew,
			       struct htree_verify_result *result)
{
	struct verify v = {
		.dir = dir, .blocks = blocks, .ops = ops, .ctx = ctx
	};

	return verify(&v, crew, result);
}

/* The parent's number stands where the first part begins. */
static void inline_parent(struct verify *v)
{
	struct htree_finding f = { .code = HTREE_OK };
	const uint8_t *p = v->part[0];
	uint32_t parent = 0;

	if (v->part_length[0] >= 4)
		parent = (uint32_t)p[0] | (uint32_t)p[1] << 8 |
			(uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
	v->result->self = v->dir->ino;
	v->result->parent = parent;
	f.value = parent;
	if (!parent)
		f.code = HTREE_D_DOTDOT_MISSING;
	else if (v->dir->inodes_count && parent > v->dir->inodes_count)
		f.code = HTREE_F_INODE_RANGE;
	if (f.code != HTREE_OK)
		verify_tell(v, &f);
}

errcode_t htree_verify_inline(const struct htree_dir *dir,
			      const uint8_t *const parts[2],
			      const size_t lengths[2],
			      const struct htree_verify_ops *ops, void *ctx,
			      struct htree_verify_result *result)
{
	struct verify v = {
		.dir = dir, .ops = ops, .ctx = ctx,
		.part = { parts[0], parts[1] },
		.part_length = { lengths[0], lengths[1] }
	};
	struct htree_finding f = { .code = HTREE_X_NO_FEATURE };

	verify_begin(&v, result);
	verify_names_begin(&v, lengths[0] + lengths[1]);
	inline_parent(&v);
	if (lengths[0] > 4)
		verify_records(&v, parts[0], 0, 4, (uint32_t)lengths[0]);
	if (!v.err && lengths[1])
		verify_records(&v, parts[1], 1, 0, (uint32_t)lengths[1]);
	if (!v.err)
		verify_names_tell(&v);
	if (!v.err && dir->indexed)
		verify_tell(&v, &f);
	return verify_end(&v);
}
