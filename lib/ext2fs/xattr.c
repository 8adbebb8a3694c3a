/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Extended attributes of an inode, wherever they lie. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/xattr_area.h"

/* A value among the entries would change them when it is written. */
static size_t end_of_entries(const struct e2dx_xattr_area *a)
{
	enum e2dx_xattr_fault fault;
	size_t at = a->first;
	struct e2dx_xattr x;

	while (e2dx_xattr_next(a, &at, &x, &fault))
		;
	return at + 4;
}

static errcode_t walk_area(const struct e2dx_xattr_area *a,
			   errcode_t (*each)(void *ctx,
					     const struct e2dx_xattr *x),
			   void *ctx)
{
	size_t at = a->first, values = end_of_entries(a);
	enum e2dx_xattr_fault fault;
	struct e2dx_xattr x;
	errcode_t err;

	while (e2dx_xattr_next(a, &at, &x, &fault)) {
		if (fault || (x.value && x.value_len &&
			      x.value_offset < values))
			return E2DX_ET_DAMAGED;
		err = each(ctx, &x);
		if (err)
			return err;
	}
	return 0;
}

errcode_t e2dx_xattr_walk_inode(const struct e2dx_fs *efs, const uint8_t *raw,
				errcode_t (*each)(void *ctx,
						  const struct e2dx_xattr *x),
				void *ctx)
{
	struct e2dx_xattr_area a;

	return e2dx_xattr_area_inode(efs, raw, &a) ? walk_area(&a, each, ctx) : 0;
}

errcode_t e2dx_xattr_walk_block(const struct e2dx_fs *efs, uint64_t block,
				errcode_t (*each)(void *ctx,
						  const struct e2dx_xattr *x),
				void *ctx)
{
	size_t size = efs->fs->blocksize;
	struct e2dx_xattr_area a;
	uint8_t *buf;
	errcode_t err;

	if (!e2dx_blocks_valid(efs, block, 1))
		return E2DX_ET_DAMAGED;
	buf = malloc(size);
	if (!buf)
		return ENOMEM;
	err = io_channel_read_blk64(efs->fs->io, block, 1, buf);
	if (!err && !e2dx_xattr_area_block(buf, size, &a))
		err = E2DX_ET_DAMAGED;
	if (!err)
		err = walk_area(&a, each, ctx);
	free(buf);
	return err;
}

errcode_t e2dx_xattr_walk(const struct e2dx_fs *efs, ext2_ino_t ino,
			  errcode_t (*each)(void *ctx,
					    const struct e2dx_xattr *x),
			  void *ctx)
{
	uint8_t *raw = malloc(EXT2_INODE_SIZE(efs->fs->super));
	struct ext2_inode_large inode;
	errcode_t err, second = 0;
	uint64_t block = 0;

	if (!raw)
		return ENOMEM;
	err = e2dx_inode_load(efs, ino, raw);
	if (!err) {
		e2dx_inode_decode(efs, raw, &inode);
		block = ext2fs_file_acl_block(efs->fs,
					      (struct ext2_inode *)&inode);
		err = e2dx_xattr_walk_inode(efs, raw, each, ctx);
	}
	free(raw);
	if (block && (!err || err == E2DX_ET_DAMAGED))
		second = e2dx_xattr_walk_block(efs, block, each, ctx);
	return second ? second : err;
}

bool e2dx_xattr_is(const struct e2dx_xattr *x, int index, const char *name)
{
	return x->index == index && x->name_len == strlen(name) &&
	       !memcmp(x->name, name, x->name_len);
}

struct wanted {
	int index;
	const char *name;
	uint8_t *value;
	size_t len;
};

/* EEXIST: found, an end that no walk itself comes to. */
static errcode_t take_wanted(void *ctx, const struct e2dx_xattr *x)
{
	struct wanted *w = ctx;

	if (!e2dx_xattr_is(x, w->index, w->name))
		return 0;
	if (!x->value)
		return E2DX_ET_UNSUPPORTED;
	w->value = malloc((size_t)x->value_len + 1);
	if (!w->value)
		return ENOMEM;
	memcpy(w->value, x->value, x->value_len);
	w->len = x->value_len;
	return EEXIST;
}

errcode_t e2dx_xattr_get(const struct e2dx_fs *efs, ext2_ino_t ino, int index,
			 const char *name, uint8_t **value, size_t *len)
{
	struct wanted w = { index, name, NULL, 0 };
	errcode_t err = e2dx_xattr_walk(efs, ino, take_wanted, &w);

	if (err == EEXIST) {
		*value = w.value;
		*len = w.len;
		return 0;
	}
	return err ? err : E2DX_ET_NOT_FOUND;
}

const char *e2dx_xattr_prefix(int index)
{
	static const char *const prefixes[] = {
		"", "user.", "system.posix_acl_access",
		"system.posix_acl_default", "trusted.", "", "security.",
		"system.", "system.richacl"
	};

	if (index < 0 || index >= (int)(sizeof(prefixes) / sizeof(*prefixes)))
		return "";
	return prefixes[index];
}
