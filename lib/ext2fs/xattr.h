/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Extended attributes: those in an inode and those in its block. */
#ifndef E2DX_XATTR_H
#define E2DX_XATTR_H

#include "ext2fs/inode.h"

/* e_name_index, the prefix of a name as a number. */
#define E2DX_XATTR_SYSTEM	7	/* "system." */
#define E2DX_XATTR_ENCRYPTION	9	/* no text stands for it */

struct e2dx_xattr {
	int index;		/* e_name_index */
	const uint8_t *name;	/* without the prefix; not terminated, not owned */
	size_t name_len;
	const uint8_t *value;	/* not owned; NULL: in an inode of its own, or damaged */
	uint32_t value_len;
	uint32_t value_ino;	/* that inode; 0: none */
	uint32_t value_offset;	/* from the start of its area */
	const uint8_t *hash;	/* 4 bytes, of name and value; zero: none */
};

/*
 * Call `each` for each attribute that lies in the inode `raw`; non-zero stops
 * with that value.  E2DX_ET_DAMAGED for an entry that does not fit, or whose
 * value lies among the entries.
 */
errcode_t e2dx_xattr_walk_inode(const struct e2dx_fs *efs, const uint8_t *raw,
				errcode_t (*each)(void *ctx,
						  const struct e2dx_xattr *x),
				void *ctx);

/* The same for those in a block of attributes. */
errcode_t e2dx_xattr_walk_block(const struct e2dx_fs *efs, uint64_t block,
				errcode_t (*each)(void *ctx,
						  const struct e2dx_xattr *x),
				void *ctx);

/*
 * The same for those in the inode, then those in its block.  Damage in the
 * first does not keep it from the second.
 */
errcode_t e2dx_xattr_walk(const struct e2dx_fs *efs, ext2_ino_t ino,
			  errcode_t (*each)(void *ctx,
					    const struct e2dx_xattr *x),
			  void *ctx);

/*
 * A copy of one attribute's value (the caller frees it).  E2DX_ET_NOT_FOUND;
 * E2DX_ET_UNSUPPORTED where it lies in an inode of its own.
 */
errcode_t e2dx_xattr_get(const struct e2dx_fs *efs, ext2_ino_t ino, int index,
			 const char *name, uint8_t **value, size_t *len);

/* Is it the attribute of this index and name? */
bool e2dx_xattr_is(const struct e2dx_xattr *x, int index, const char *name);

/* Is it the second part of what lies in an inode, "system.data"? */
static inline bool e2dx_xattr_is_inline(const struct e2dx_xattr *x)
{
	return e2dx_xattr_is(x, E2DX_XATTR_SYSTEM, "data");
}

/* "user." ... for an index; "" where no text stands for it. */
const char *e2dx_xattr_prefix(int index);

#endif
