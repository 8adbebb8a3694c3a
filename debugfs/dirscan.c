/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entries of a directory in the order in which they stand. */
#include <errno.h>
#include <stdlib.h>
#include "debugfs.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/ondisk.h"

struct scan {
	struct e2dx_dir *dir;
	const struct dirscan_ops *ops;
	void *ctx;
	bool faults;
};

static errcode_t scan_fault(struct scan *s, uint32_t block, errcode_t err)
{
	s->faults = true;
	return s->ops->fault ? s->ops->fault(s->ctx, block, err) : 0;
}

/*
 * Removing a name gives its room to the record before it and leaves the
 * bytes: whatever parses there, at any place where a record may begin, is
 * taken for a name that was removed.
 */
static errcode_t scan_slack(struct scan *s, const uint8_t *block,
			    uint32_t number, uint32_t from, uint32_t to)
{
	const struct htree_dir *dir = &s->dir->dir;
	struct htree_dirent e;
	errcode_t err;

	while (from + HTREE_DE_MIN <= to) {
		uint32_t next = from + HTREE_DE_ALIGN;

		if (htree_dirent_parse(dir, block, to, from, &e) == HTREE_OK &&
		    e.name_len && (!dir->filetype || e.file_type)) {
			e.block = number;
			err = s->ops->removed(s->ctx, &e);
			if (err)
				return err;
			next = from + htree_record_size(dir, e.name_len);
		}
		from = next;
	}
	return 0;
}

/* In an index block the slack of ".." or of the fake record is its table. */
static bool may_hold_index(const struct scan *s, const struct htree_dirent *e)
{
	return s->dir->dir.indexed &&
	       (htree_dirent_dot(e) == 2 ||
		(!e->ino && !e->name_len && !e->offset));
}

static errcode_t scan_record(struct scan *s, const uint8_t *block,
			     const struct htree_dirent *e)
{
	uint32_t size = htree_record_size(&s->dir->dir, e->name_len);
	errcode_t err = 0;

	if (e->ino)
		err = s->ops->entry(s->ctx, e);
	else if (s->ops->removed && e->name_len)
		err = s->ops->removed(s->ctx, e);
	if (err || !s->ops->removed || size >= e->rec_len ||
	    may_hold_index(s, e))
		return err;
	return scan_slack(s, block, e->block, e->offset + size,
			  e->offset + e->rec_len);
}

static errcode_t scan_bytes(struct scan *s, const uint8_t *block,
			    uint32_t number, uint32_t start, uint32_t end)
{
	struct htree_dirents it;
	struct htree_dirent e;
	enum htree_finding_code fault;
	errcode_t err = 0;

	htree_dirents_begin(&it, &s->dir->dir, block, number, start, end);
	while (!err && htree_dirents_next(&it, &e, &fault)) {
		if (fault != HTREE_OK)
			err = scan_fault(s, number, E2DX_ET_DAMAGED);
		if (!err && fault == HTREE_OK)
			err = scan_record(s, block, &e);
		else if (!err && e.ino)
			err = s->ops->entry(s->ctx, &e);
	}
	return err;
}

static errcode_t scan_blocks(struct scan *s)
{
	struct htree_blocks *blocks = &s->dir->blocks;
	uint8_t *buf = malloc(blocks->block_size);
	errcode_t err = 0;

	if (!buf)
		return ENOMEM;
	for (uint32_t b = 0; b < blocks->count && !err; b++) {
		err = htree_blocks_read(blocks, b, 1, buf);
		if (err)
			err = scan_fault(s, b, err);
		else
			err = scan_bytes(s, buf, b, 0,
					 htree_block_end(&s->dir->dir, buf, b));
	}
	free(buf);
	return err;
}

/* A directory in its inode has no dot entries: they are made up here. */
static errcode_t inline_dot(struct scan *s, ext2_ino_t ino, const char *name,
			    uint8_t len)
{
	struct htree_dirent e = {
		.ino = ino, .rec_len = HTREE_DE_MIN, .name_len = len,
		.name = (const uint8_t *)name
	};

	return s->ops->entry(s->ctx, &e);
}

static errcode_t scan_inline(struct scan *s)
{
	struct e2dx_dir *d = s->dir;
	errcode_t err = inline_dot(s, d->dir.ino, ".", 1);

	if (!err && d->inline_lengths[0] >= 4)
		err = inline_dot(s, htree_le32(d->inline_parts[0]), "..", 2);
	for (uint32_t i = 0; i < 2 && !err; i++) {
		uint32_t start = i ? 0 : 4;

		if (d->inline_lengths[i] > start)
			err = scan_bytes(s, d->inline_parts[i], i, start,
					 (uint32_t)d->inline_lengths[i]);
	}
	return err;
}

errcode_t dirscan(struct e2dx_dir *dir, const struct dirscan_ops *ops,
		  void *ctx)
{
	struct scan s = { dir, ops, ctx, dir->map_damaged };
	errcode_t err = dir->inline_data ? scan_inline(&s) : scan_blocks(&s);

	if (err)
		return err;
	return s.faults ? E2DX_ET_DAMAGED : 0;
}

static errcode_t take_parent(void *ctx, const struct htree_dirent *e)
{
	ext2_ino_t *parent = ctx;

	if (htree_dirent_dot(e) != 2)
		return 0;
	*parent = e->ino;
	return EEXIST;	/* found: ends the scan */
}

errcode_t dirscan_parent(struct e2dx_dir *dir, ext2_ino_t *parent)
{
	struct dirscan_ops ops = { .entry = take_parent };
	ext2_ino_t found = 0;
	uint32_t count = dir->blocks.count;

	/* ".." stands in the first block; no other is read. */
	if (!dir->inline_data && count > 1)
		dir->blocks.count = 1;
	dirscan(dir, &ops, &found);
	dir->blocks.count = count;
	if (!found)
		return E2DX_ET_NOT_FOUND;
	*parent = found;
	return 0;
}
