/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An inode's data: its runs of blocks, or what lies in the inode itself. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "debugfs.h"
#include "ext2fs/xattr.h"

#define CHUNK_BYTES (1u << 20)	/* read at once */
#define LINK_MAX_BYTES 65536	/* no target is longer than a block */

static errcode_t add_run(void *ctx, const struct e2dx_run *run)
{
	struct data_map *map = ctx;

	if (!(map->n & (map->n + 1))) {
		size_t room = 2 * (map->n + 1);
		struct e2dx_run *v = realloc(map->runs, room * sizeof(*v));

		if (!v)
			return ENOMEM;
		map->runs = v;
	}
	map->runs[map->n++] = *run;
	return 0;
}

errcode_t data_map_read(struct debugfs *d, ext2_ino_t ino,
			const struct ext2_inode_large *inode,
			struct data_map *map)
{
	errcode_t err;

	memset(map, 0, sizeof(*map));
	err = e2dx_map_walk(d->efs, ino, inode, add_run, map);
	map->damaged = err == E2DX_ET_MAP_DAMAGED;
	if (err && !map->damaged) {
		data_map_free(map);
		return err;
	}
	return 0;
}

void data_map_free(struct data_map *map)
{
	free(map->runs);
	map->runs = NULL;
	map->n = 0;
}

uint64_t data_size(const struct debugfs *d,
		   const struct ext2_inode_large *inode)
{
	bool large = LINUX_S_ISREG(inode->i_mode) ||
		     (LINUX_S_ISDIR(inode->i_mode) &&
		      ext2fs_has_feature_largedir(d->efs->fs->super));

	return inode->i_size |
	       (large ? (uint64_t)inode->i_size_high << 32 : 0);
}

struct reader {
	struct debugfs *d;
	errcode_t (*write)(void *ctx, const void *buf, size_t len);
	errcode_t (*hole)(void *ctx, uint64_t len);
	void *ctx;
	uint64_t size;		/* bytes of the inode */
	uint64_t at;		/* bytes given so far */
	uint8_t *buf;
};

static errcode_t read_hole(struct reader *r, uint64_t until)
{
	errcode_t err = 0;

	if (until > r->size)
		until = r->size;
	if (until > r->at) {
		err = r->hole(r->ctx, until - r->at);
		r->at = until;
	}
	return err;
}

static errcode_t read_run(struct reader *r, const struct e2dx_run *run)
{
	ext2_filsys fs = r->d->efs->fs;
	uint64_t done, n, chunk = CHUNK_BYTES / fs->blocksize;

	for (done = 0; done < run->count && r->at < r->size; done += n) {
		uint64_t bytes = r->size - r->at;
		errcode_t err;

		n = run->count - done < chunk ? run->count - done : chunk;
		err = io_channel_read_blk64(fs->io, run->physical + done,
					    (int)n, r->buf);
		if (bytes > n * fs->blocksize)
			bytes = n * fs->blocksize;
		if (!err)
			err = r->write(r->ctx, r->buf, (size_t)bytes);
		if (err)
			return err;
		r->at += bytes;
	}
	return 0;
}

static errcode_t read_runs(struct reader *r, struct data_map *map)
{
	unsigned block_size = r->d->efs->fs->blocksize;
	uint64_t end = (uint64_t)block_size << 32;
	errcode_t err;
	size_t i;

	/* No map reaches further: such a size is damage, not a hole. */
	if (r->size > end) {
		map->damaged = true;
		r->size = 0;
		for (i = 0; i < map->n; i++)
			if (map->runs[i].kind != E2DX_MAP_META)
				r->size = (map->runs[i].logical +
					   map->runs[i].count) * block_size;
	}
	for (i = 0; i < map->n; i++) {
		const struct e2dx_run *run = &map->runs[i];

		if (run->kind != E2DX_MAP_DATA)
			continue;
		if (run->logical * block_size < r->at) {
			if (r->at >= r->size)
				break;
			map->damaged = true;
			continue;
		}
		err = read_hole(r, run->logical * block_size);
		if (!err)
			err = read_run(r, run);
		if (err)
			return err;
	}
	err = read_hole(r, r->size);
	return err ? err : map->damaged ? E2DX_ET_MAP_DAMAGED : 0;
}

/* inline_data: up to 60 bytes in i_block, the rest in an attribute. */
static errcode_t read_inline(struct reader *r, ext2_ino_t ino,
			     const struct ext2_inode_large *inode)
{
	size_t first = sizeof(inode->i_block), len = 0;
	uint8_t *rest = NULL;
	errcode_t err;

	if (r->size < first)
		first = (size_t)r->size;
	err = first ? r->write(r->ctx, inode->i_block, first) : 0;
	if (err || r->size == first)
		return err;
	err = e2dx_xattr_get(r->d->efs, ino, E2DX_XATTR_SYSTEM, "data", &rest,
			     &len);
	if (!err && len > r->size - first)
		len = (size_t)(r->size - first);
	if (!err && len)
		err = r->write(r->ctx, rest, len);
	free(rest);
	if (!err && len < r->size - first)
		err = E2DX_ET_MAP_DAMAGED;
	return err == E2DX_ET_NOT_FOUND ? E2DX_ET_MAP_DAMAGED : err;
}

errcode_t data_read(struct debugfs *d, ext2_ino_t ino,
		    const struct ext2_inode_large *inode,
		    errcode_t (*write)(void *ctx, const void *buf, size_t len),
		    errcode_t (*hole)(void *ctx, uint64_t len), void *ctx)
{
	struct reader r = { d, write, hole, ctx, data_size(d, inode), 0, NULL };
	struct data_map map;
	errcode_t err;

	if (inode->i_flags & EXT4_INLINE_DATA_FL)
		return read_inline(&r, ino, inode);
	err = data_map_read(d, ino, inode, &map);
	if (err)
		return err;
	r.buf = malloc(CHUNK_BYTES);
	err = r.buf ? read_runs(&r, &map) : ENOMEM;
	free(r.buf);
	data_map_free(&map);
	return err;
}

struct link_text {
	char *text;
	size_t len;
};

static errcode_t link_write(void *ctx, const void *buf, size_t len)
{
	struct link_text *l = ctx;

	memcpy(l->text + l->len, buf, len);
	l->len += len;
	return 0;
}

static errcode_t link_hole(void *ctx, uint64_t len)
{
	struct link_text *l = ctx;

	memset(l->text + l->len, 0, (size_t)len);
	l->len += (size_t)len;
	return 0;
}

errcode_t data_link_target(struct debugfs *d, ext2_ino_t ino,
			   const struct ext2_inode_large *inode,
			   char **target, size_t *len)
{
	uint64_t size = data_size(d, inode);
	struct link_text l = { NULL, 0 };
	errcode_t err = 0;

	if (!size || size > LINK_MAX_BYTES)
		return E2DX_ET_DAMAGED;
	l.text = calloc(1, (size_t)size + 1);
	if (!l.text)
		return ENOMEM;
	/* A short target lies in the inode, where the map would. */
	if (size < sizeof(inode->i_block) &&
	    !(inode->i_flags & (EXT4_EXTENTS_FL | EXT4_INLINE_DATA_FL)))
		link_write(&l, inode->i_block, (size_t)size);
	else
		err = data_read(d, ino, inode, link_write, link_hole, &l);
	if (err) {
		free(l.text);
		return err;
	}
	*target = l.text;
	*len = l.len;
	return 0;
}
