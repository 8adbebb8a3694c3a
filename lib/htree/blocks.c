/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A directory as numbered blocks: the checked calls. */
#include "htree/blocks.h"

#include "e2dx_err.h"

static int in_range(const struct htree_blocks *b, uint32_t first, uint32_t n)
{
	return first <= b->count && n <= b->count - first;
}

errcode_t htree_blocks_read(struct htree_blocks *b, uint32_t first, uint32_t n,
			    void *buf)
{
	if (!in_range(b, first, n))
		return E2DX_ET_RANGE;
	return n ? b->ops->read(b, first, n, buf) : 0;
}

errcode_t htree_blocks_write(struct htree_blocks *b, uint32_t first, uint32_t n,
			     const void *buf)
{
	if (!b->ops->write)
		return E2DX_ET_READ_ONLY;
	if (!in_range(b, first, n))
		return E2DX_ET_RANGE;
	return n ? b->ops->write(b, first, n, buf) : 0;
}

errcode_t htree_blocks_resize(struct htree_blocks *b, uint32_t count)
{
	if (count == b->count)
		return 0;
	return b->ops->resize ? b->ops->resize(b, count) : E2DX_ET_READ_ONLY;
}

errcode_t htree_blocks_may_shrink(struct htree_blocks *b, uint32_t count)
{
	return b->ops->may_shrink ? b->ops->may_shrink(b, count) : 0;
}
