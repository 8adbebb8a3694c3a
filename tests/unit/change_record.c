/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A backend that records what is asked of it. */
#include "change_record.h"
#include <stdlib.h>
#include <string.h>
#include "change_model.h"
#include "e2dx_err.h"

static void add(struct record *r, enum record_kind kind, uint32_t number,
		const void *data)
{
	struct record_event *e;

	if (r->n == r->capacity) {
		r->capacity = 2 * r->capacity + 16;
		r->events = realloc(r->events,
				    r->capacity * sizeof(*r->events));
		must(r->events != NULL);
	}
	e = &r->events[r->n++];
	*e = (struct record_event) { .kind = kind, .number = number };
	if (data) {
		e->data = malloc(r->blocks.block_size);
		must(e->data != NULL);
		memcpy(e->data, data, r->blocks.block_size);
	}
}

static errcode_t on_read(struct htree_blocks *b, uint32_t first, uint32_t n,
			 void *buf)
{
	struct record *r = (struct record *)b;

	return htree_blocks_read(&r->under->blocks, first, n, buf);
}

static errcode_t on_write(struct htree_blocks *b, uint32_t first, uint32_t n,
			  const void *buf)
{
	struct record *r = (struct record *)b;

	for (uint32_t i = 0; i < n; i++)
		add(r, RECORD_WRITE, first + i,
		    (const uint8_t *)buf + (size_t)i * b->block_size);
	return htree_blocks_write(&r->under->blocks, first, n, buf);
}

static errcode_t on_resize(struct htree_blocks *b, uint32_t count)
{
	struct record *r = (struct record *)b;

	if (count > b->count && count > r->refuse)
		return E2DX_ET_NO_SPACE;
	add(r, RECORD_RESIZE, count, NULL);
	b->count = count;
	return htree_blocks_resize(&r->under->blocks, count);
}

static errcode_t on_indexed(struct htree_blocks *b, bool indexed)
{
	struct record *r = (struct record *)b;

	add(r, RECORD_INDEXED, indexed, NULL);
	r->indexed = indexed;
	return 0;
}

static errcode_t on_barrier(struct htree_blocks *b)
{
	add((struct record *)b, RECORD_BARRIER, 0, NULL);
	return 0;
}

static const struct htree_blocks_ops ops = {
	.read = on_read, .write = on_write, .resize = on_resize,
	.set_indexed = on_indexed, .barrier = on_barrier
};

void record_init(struct record *r, struct htree_memory *under)
{
	memset(r, 0, sizeof(*r));
	r->blocks = under->blocks;
	r->blocks.ops = &ops;
	r->under = under;
	r->refuse = UINT32_MAX;
}

void record_clear(struct record *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->events[i].data);
	r->n = 0;
}

void record_free(struct record *r)
{
	record_clear(r);
	free(r->events);
}

void record_replay(const struct record_event *e, struct htree_memory *m,
		   bool *indexed)
{
	switch (e->kind) {
	case RECORD_WRITE:
		if (e->number < m->blocks.count)
			htree_blocks_write(&m->blocks, e->number, 1, e->data);
		break;
	case RECORD_RESIZE:
		must(htree_blocks_resize(&m->blocks, e->number) == 0);
		break;
	case RECORD_INDEXED:
		*indexed = e->number;
		break;
	case RECORD_BARRIER:
		break;
	}
}
