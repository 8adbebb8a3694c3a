/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The bytes that hold attributes: a header's place, entries from the front,
 * values wherever the entries say.  One layout for those in an inode and those
 * in a block of their own; here are all of its rules.
 */
#ifndef E2DX_XATTR_AREA_H
#define E2DX_XATTR_AREA_H

#include "ext2fs/xattr.h"

/* A block's header: offsets of its 32-bit fields. */
enum {
	E2DX_XB_MAGIC = 0,
	E2DX_XB_REFCOUNT = 4,	/* inodes that name the block */
	E2DX_XB_BLOCKS = 8,	/* blocks of it: 1 */
	E2DX_XB_HASH = 12,	/* of all entries; a key for sharing, no check */
	E2DX_XB_CHECKSUM = 16,	/* metadata_csum */
	E2DX_XB_FIRST = 32	/* the first entry */
};

struct e2dx_xattr_area {
	const uint8_t *base;	/* value offsets count from here; not owned */
	size_t size;		/* bytes there, at most 65536 */
	size_t first;		/* offset of the first entry */
};

/* What is wrong with an entry, or with the room it takes. */
enum e2dx_xattr_fault {
	E2DX_XATTR_OK,
	E2DX_XATTR_OVERLAP,	/* two names or values, or their end, overlap */
	E2DX_XATTR_BEYOND,	/* it, or its value, leaves the area */
	E2DX_XATTR_INDEX	/* no prefix, which Linux never writes in blocks */
};

/* The area in an inode's own bytes; false where it has none. */
bool e2dx_xattr_area_inode(const struct e2dx_fs *efs, const uint8_t *raw,
			   struct e2dx_xattr_area *a);

/* The area of a block; false where its magic number is not there. */
bool e2dx_xattr_area_block(const uint8_t *block, size_t size,
			   struct e2dx_xattr_area *a);

/*
 * The entry at *at, which moves behind it; false at the end of the list.
 * Where it leaves the area *fault says so, and *at is the end.
 */
bool e2dx_xattr_next(const struct e2dx_xattr_area *a, size_t *at,
		     struct e2dx_xattr *x, enum e2dx_xattr_fault *fault);

/*
 * Check how the area is laid out, and call `each` for every entry that is
 * right, before any later one is looked at; non-zero from it stops with that
 * value in *err.  Returns the first fault, which ends the check; `bad` is its
 * entry (without a name where none could be read).  Linear in the size of the
 * area.
 */
enum e2dx_xattr_fault
e2dx_xattr_check(const struct e2dx_xattr_area *a, bool in_block,
		 errcode_t (*each)(void *ctx, const struct e2dx_xattr *x),
		 void *ctx, struct e2dx_xattr *bad, errcode_t *err);

/*
 * An entry's hash, in two steps: of the name, then of 32-bit words of the
 * value (rounded up; the last word's bytes as they stand).  Old kernels took
 * the name's bytes as signed chars where the machine's are: either is right.
 * A value in an inode of its own counts as one word, that inode's hash, and
 * is not for e2dx_xattr_hash_ok().  In blocks every entry has a hash, in
 * inodes hardly any: zero stands for none.
 */
bool e2dx_xattr_hash_ok(const struct e2dx_xattr *x, bool in_block);
uint32_t e2dx_xattr_hash_name(const struct e2dx_xattr *x, bool as_signed);
uint32_t e2dx_xattr_hash_word(uint32_t hash, uint32_t word);

/* The checksum that belongs into the block that lies at this number. */
uint32_t e2dx_xattr_block_csum(const struct e2dx_fs *efs, uint64_t number,
			       const uint8_t *block);

#endif
