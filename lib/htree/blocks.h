/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A directory as numbered blocks: what the index code stands on. */
#ifndef E2DX_HTREE_BLOCKS_H
#define E2DX_HTREE_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>
#include <et/com_err.h>

struct htree_blocks;

struct htree_blocks_ops {
	/*
	 * Read n blocks from logical block `first` on into buf.  The caller
	 * keeps first + n <= count.  E2DX_ET_HOLE where a block is not mapped
	 * (then none of buf counts); other errors as the backend has them.
	 * May be called by several threads at once.
	 */
	errcode_t (*read)(struct htree_blocks *b, uint32_t first, uint32_t n,
			  void *buf);
	/* Write n blocks likewise; NULL in a backend for reading only. */
	errcode_t (*write)(struct htree_blocks *b, uint32_t first, uint32_t n,
			   const void *buf);
	/* Make the directory `count` blocks long (new ones zero); may be NULL. */
	errcode_t (*resize)(struct htree_blocks *b, uint32_t count);
	/*
	 * Would resize() to fewer blocks find the space that it needs itself
	 * (for another map)?  Changes nothing.  E2DX_ET_NO_SPACE; NULL where
	 * it needs none.
	 */
	errcode_t (*may_shrink)(struct htree_blocks *b, uint32_t count);
	/* Set or clear the inode's INDEX_FL; may be NULL where none is kept. */
	errcode_t (*set_indexed)(struct htree_blocks *b, bool indexed);
	/* What was written is on the device before what follows; may be NULL. */
	errcode_t (*barrier)(struct htree_blocks *b);
};

/* Embed as the first member of a backend. */
struct htree_blocks {
	const struct htree_blocks_ops *ops;
	uint32_t block_size;	/* bytes, a power of two, 1024 to 65536 */
	uint32_t count;		/* blocks of the directory */
};

/* Checked calls: E2DX_ET_RANGE, E2DX_ET_READ_ONLY. */
errcode_t htree_blocks_read(struct htree_blocks *b, uint32_t first, uint32_t n,
			    void *buf);
errcode_t htree_blocks_write(struct htree_blocks *b, uint32_t first, uint32_t n,
			     const void *buf);
errcode_t htree_blocks_resize(struct htree_blocks *b, uint32_t count);
errcode_t htree_blocks_may_shrink(struct htree_blocks *b, uint32_t count);

/*
 * The memory backend: one contiguous buffer that it owns.  Start from a
 * zeroed struct with htree_memory_init(); end with htree_memory_free().
 */
struct htree_memory {
	struct htree_blocks blocks;
	uint8_t *data;		/* blocks.count * block_size bytes */
	size_t capacity;	/* bytes allocated */
};

void htree_memory_init(struct htree_memory *m, uint32_t block_size);
void htree_memory_free(struct htree_memory *m);

#endif
