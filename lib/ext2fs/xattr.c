/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Extended attributes: the one parser of their entries. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/xattr.h"
#include "htree/ondisk.h"

#define BLOCK_HEADER	32	/* bytes before a block's first entry */

/* An attribute's entry: offsets from its first byte. */
#define EA_NAME_LEN	0	/* 8 bits */
#define EA_NAME_INDEX	1	/* 8 bits */
#define EA_VALUE_OFFSET	2	/* 16 bits, see struct area */
#define EA_VALUE_INODE	4	/* 32 bits; 0: the value lies here */
#define EA_VALUE_SIZE	8	/* 32 bits */
#define EA_HASH		12	/* 32 bits */
#define EA_NAME		16
#define EA_ALIGN	4

/* Bytes that hold entries from `first` on, and the values. */
struct area {
	const uint8_t *base;	/* value offsets count from here */
	size_t size;		/* bytes there */
	size_t first;		/* offset of the first entry */
	size_t values;		/* none begins before; set by find_values() */
};

static size_t entry_size(const uint8_t *e)
{
	return (EA_NAME + (size_t)e[EA_NAME_LEN] + EA_ALIGN - 1) &
		~(size_t)(EA_ALIGN - 1);
}

static bool take_entry(const struct area *a, size_t *at, struct e2dx_xattr *x)
{
	const uint8_t *e = a->base + *at;
	size_t room = a->size - *at, offset;

	if (room < EA_NAME || room - EA_NAME < e[EA_NAME_LEN])
		return false;
	x->name_len = e[EA_NAME_LEN];
	x->index = e[EA_NAME_INDEX];
	x->name = e + EA_NAME;
	x->hash = e + EA_HASH;
	x->value_len = htree_le32(e + EA_VALUE_SIZE);
	x->value = NULL;
	offset = htree_le16(e + EA_VALUE_OFFSET);
	x->value_ino = htree_le32(e + EA_VALUE_INODE);
	if (!x->value_ino) {
		if (x->value_len > a->size || offset > a->size - x->value_len)
			return false;
		if (x->value_len && offset < a->values)
			return false;
		x->value = a->base + offset;
	}
	*at += entry_size(e);
	return true;
}

/* Four zero bytes end the list; an entry has 16 at least. */
static bool at_entry(const struct area *a, size_t at)
{
	return at + 4 <= a->size && htree_le32(a->base + at);
}

/* A value among the entries would change them when it is written. */
static void find_values(struct area *a)
{
	size_t at = a->first;

	while (at_entry(a, at))
		at += entry_size(a->base + at);
	a->values = at + 4;
}

static errcode_t walk_area(struct area *a,
			   errcode_t (*each)(void *ctx,
					     const struct e2dx_xattr *x),
			   void *ctx)
{
	size_t at = a->first;
	struct e2dx_xattr x;
	errcode_t err;

	find_values(a);
	while (at_entry(a, at)) {
		if (!take_entry(a, &at, &x))
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
	size_t size = EXT2_INODE_SIZE(efs->fs->super), start;
	struct area a = { NULL, 0, 0, 0 };

	if (size < E2DX_I_EXTRA_ISIZE + 2)
		return 0;
	start = E2DX_I_EXTRA_ISIZE + htree_le16(raw + E2DX_I_EXTRA_ISIZE);
	if (start + 4 > size || htree_le32(raw + start) != E2DX_EA_MAGIC)
		return 0;
	a.base = raw + start + 4;
	a.size = size - start - 4;
	return walk_area(&a, each, ctx);
}

errcode_t e2dx_xattr_walk_block(const struct e2dx_fs *efs, uint64_t block,
				errcode_t (*each)(void *ctx,
						  const struct e2dx_xattr *x),
				void *ctx)
{
	struct area a = { NULL, efs->fs->blocksize, BLOCK_HEADER, 0 };
	uint8_t *buf;
	errcode_t err;

	if (!e2dx_blocks_valid(efs, block, 1))
		return E2DX_ET_DAMAGED;
	buf = malloc(a.size);
	if (!buf)
		return ENOMEM;
	err = io_channel_read_blk64(efs->fs->io, block, 1, buf);
	if (!err && htree_le32(buf) != E2DX_EA_MAGIC)
		err = E2DX_ET_DAMAGED;
	a.base = buf;
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
