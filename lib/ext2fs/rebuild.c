/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Read one directory, build it anew, compare. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/rebuild.h"
#include "ext2fs/threads.h"
#include "htree/walk.h"

#define COMPARE_BYTES (1u << 20)

errcode_t e2dx_rebuild_begin(struct e2dx_fs *efs, ext2_ino_t ino,
			     struct e2dx_rebuild *b)
{
	memset(b, 0, sizeof(*b));
	htree_entries_init(&b->entries);
	htree_memory_init(&b->out, efs->fs->blocksize);
	return e2dx_dir_open(efs, ino, &b->d);
}

void e2dx_rebuild_end(struct e2dx_rebuild *b)
{
	htree_entries_free(&b->entries);
	htree_memory_free(&b->out);
	if (b->d)
		e2dx_dir_close(b->d);
	b->d = NULL;
}

int e2dx_rebuild_version(struct e2dx_rebuild *b)
{
	struct htree_root root;
	errcode_t err;

	if (b->d->inline_data)
		return -1;
	err = htree_read_root(&b->d->dir, &b->d->blocks, &root);
	return !err || err == E2DX_ET_UNSUPPORTED ? root.version : -1;
}

errcode_t e2dx_rebuild_read(struct e2dx_rebuild *b)
{
	uint32_t blocks = b->d->blocks.count;
	const struct htree_verify_crew crew = {
		.threads = e2dx_thread_count(b->d->efs->threads,
					     htree_verify_parts(blocks)),
		.run = e2dx_run_threads
	};
	struct htree_verify_result r = { 0 };
	bool damaged = false;
	errcode_t err;

	if (b->d->map_damaged)
		return E2DX_ET_MAP_DAMAGED;
	err = htree_collect_divided(&b->d->dir, &b->d->blocks, &b->entries,
				    &crew, &damaged, &r);
	if (err)
		return err;
	b->parent = r.parent;
	return damaged || !r.parent ? E2DX_ET_DAMAGED : 0;
}

errcode_t e2dx_rebuild_build(struct e2dx_rebuild *b, bool indexed, int version,
			     uint32_t min_blocks)
{
	const struct htree_dir *dir = &b->d->dir;
	bool stored = htree_dir_stores_hash(dir);
	struct htree_build_options o = {
		.indexed = indexed && dir->dir_index,
		.version = stored ? DIRHASH_SIPHASH : version,
		.parent = b->parent,
		.min_blocks = min_blocks
	};
	errcode_t err;

	if (o.indexed && dir->casefold && !stored && !dir->fold)
		return E2DX_ET_UNSUPPORTED;
	b->linear = 0;
	err = htree_build(dir, &b->entries, &o, &b->out.blocks, &b->result);
	if (err != E2DX_ET_DIR_FULL || !o.indexed)
		return err;
	b->linear = err;
	o.indexed = false;
	return htree_build(dir, &b->entries, &o, &b->out.blocks, &b->result);
}

bool e2dx_rebuild_same(struct e2dx_rebuild *b)
{
	uint32_t size = b->d->dir.block_size, most = COMPARE_BYTES / size;
	uint8_t *buf;
	bool same = true;

	if (b->d->blocks.count != b->out.blocks.count || b->d->size_wrong ||
	    b->d->dir.indexed != b->result.indexed)
		return false;
	buf = malloc((size_t)most * size);
	if (!buf)
		return false;
	for (uint32_t at = 0, n; at < b->out.blocks.count && same; at += n) {
		n = b->out.blocks.count - at;
		n = n < most ? n : most;
		same = !htree_blocks_read(&b->d->blocks, at, n, buf) &&
		       !memcmp(buf, b->out.data + (size_t)at * size,
			       (size_t)n * size);
	}
	free(buf);
	return same;
}
