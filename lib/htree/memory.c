/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A directory's blocks in one buffer. */
#include "htree/blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct htree_memory *memory_of(struct htree_blocks *b)
{
	/* `blocks` is the first member. */
	return (struct htree_memory *)b;
}

static uint8_t *memory_at(struct htree_blocks *b, uint32_t block)
{
	return memory_of(b)->data + (size_t)block * b->block_size;
}

static errcode_t memory_read(struct htree_blocks *b, uint32_t first, uint32_t n,
			     void *buf)
{
	memcpy(buf, memory_at(b, first), (size_t)n * b->block_size);
	return 0;
}

static errcode_t memory_write(struct htree_blocks *b, uint32_t first,
			      uint32_t n, const void *buf)
{
	memcpy(memory_at(b, first), buf, (size_t)n * b->block_size);
	return 0;
}

/* The first size is most often the last; what grows on is not copied each time. */
static size_t roomy(const struct htree_memory *m, size_t size)
{
	size_t more = m->capacity + m->capacity / 2;

	return more > size ? more : size;
}

static errcode_t memory_resize(struct htree_blocks *b, uint32_t count)
{
	struct htree_memory *m = memory_of(b);
	size_t old = (size_t)b->count * b->block_size;
	uint64_t size = (uint64_t)count * b->block_size;
	uint8_t *data;

	if (size > SIZE_MAX)
		return ENOMEM;
	if (size > m->capacity) {
		size_t capacity = roomy(m, (size_t)size);

		data = realloc(m->data, capacity);
		if (!data)
			return ENOMEM;
		m->data = data;
		m->capacity = capacity;
	}
	if (size > old)
		memset(m->data + old, 0, (size_t)size - old);
	b->count = count;
	return 0;
}

static const struct htree_blocks_ops memory_ops = {
	.read = memory_read,
	.write = memory_write,
	.resize = memory_resize,
};

void htree_memory_init(struct htree_memory *m, uint32_t block_size)
{
	memset(m, 0, sizeof(*m));
	m->blocks.ops = &memory_ops;
	m->blocks.block_size = block_size;
}

void htree_memory_free(struct htree_memory *m)
{
	free(m->data);
	m->data = NULL;
	m->capacity = 0;
	m->blocks.count = 0;
}
