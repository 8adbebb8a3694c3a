/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Directories in an inode: where the part beyond i_block lies. */
#include <errno.h>
#include <string.h>
#include "ext2fs/inline.h"
#include "ext2fs/xattr.h"

struct value {
	const uint8_t *start, *hash;
	size_t len;
};

static errcode_t take_data(void *ctx, const struct e2dx_xattr *x)
{
	struct value *v = ctx;

	if (!e2dx_xattr_is_inline(x))
		return 0;
	v->start = x->value;
	v->len = x->value ? x->value_len : 0;
	v->hash = x->hash;
	return EEXIST;	/* found: ends the walk */
}

const uint8_t *e2dx_inline_value(const struct e2dx_fs *efs, const uint8_t *raw,
				 size_t *len)
{
	struct value v = { NULL, NULL, 0 };

	e2dx_xattr_walk_inode(efs, raw, take_data, &v);
	*len = v.len;
	return v.start;
}

void e2dx_inline_changed(const struct e2dx_fs *efs, uint8_t *raw)
{
	struct value v = { NULL, NULL, 0 };

	e2dx_xattr_walk_inode(efs, raw, take_data, &v);
	if (v.hash)
		memset(raw + (v.hash - raw), 0, 4);
}
