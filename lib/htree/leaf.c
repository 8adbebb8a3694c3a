/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The entries of one block, for those who stop at the first damaged one. */
#include "e2dx_err.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/walk.h"

errcode_t htree_leaf_entries(const struct htree_dir *dir, const uint8_t *block,
			     uint32_t number,
			     errcode_t (*entry)(void *ctx,
						const struct htree_dirent *d),
			     void *ctx)
{
	uint32_t end = htree_block_end(dir, block, number);
	struct htree_dirent d;
	errcode_t err;

	for (uint32_t offset = 0; offset < end; offset += d.rec_len) {
		if (htree_dirent_parse(dir, block, end, offset, &d))
			return E2DX_ET_DAMAGED;
		if (!d.ino)
			continue;
		d.block = number;
		err = entry(ctx, &d);
		if (err)
			return err;
	}
	return 0;
}
