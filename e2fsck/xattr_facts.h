/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of attributes: gathered inode by inode, one part a group,
 * then put together when all inodes have been seen.
 */
#ifndef E2FSCK_XATTR_FACTS_H
#define E2FSCK_XATTR_FACTS_H

#include "check_inode.h"
#include "ext2fs/xattr_area.h"
#include "list.h"

/* An inode names a block of attributes.  16 bytes for each that does. */
struct xattr_use {
	uint64_t block;
	uint32_t ino;
	bool wants_context;	/* encrypted, and none in the inode itself */
};

/* A value that lies in an inode of its own. */
struct xattr_ref {
	uint64_t block;		/* where the entry lies; 0: in the inode */
	uint32_t ino;		/* whose it is; of a shared block the first */
	uint32_t generation;	/* of that; of a block 0 */
	uint32_t value;		/* the inode that has it */
	uint32_t size, hash;	/* as the entry says */
	uint32_t names[2];	/* hashes of the name, unsigned and signed */
	bool charged;		/* counts in the owner's i_blocks */
};

/* An inode that is marked as such a value. */
struct xattr_value {
	uint32_t ino, hash;
	uint64_t references;	/* as it says itself */
	uint32_t parent, generation;	/* whose it is, as Lustre had it */
	bool uncounted;		/* times as Lustre left them, not a count */
};

/* An inode with an encryption policy, or with something in its place. */
struct inode_policy {
	uint32_t ino;
	uint64_t policy;	/* of equal ones equal; never 0; or POLICY_* */
};
#define POLICY_NONE	0	/* not encrypted, or without a context */
#define POLICY_UNKNOWN	1	/* of a version that is not known */
#define POLICY_BAD	2	/* no context that could be one */

/* An inode whose i_blocks is not what its map and its block make. */
struct blocks_differ {
	uint32_t ino;
	uint32_t sectors;		/* of 512 bytes, in what i_blocks counts */
	uint64_t found, expected;
};

/* An owner of values in inodes of their own, and what they cost it. */
struct charge {
	uint32_t ino;
	uint32_t values;	/* how many */
	uint64_t sectors;	/* of 512 bytes, in its i_blocks */
};

struct xattr_part {
	struct list uses, refs, values, policies, differ;
	struct list stale;	/* uint32_t: directories */
};

/* All parts as one, and the entries in blocks, in the order of blocks. */
struct xattr_sums {
	struct xattr_part all;
	struct list block_refs;
};

/*
 * Check every block that one of the uses (sorted by block) names; references
 * from its entries go to *refs.  (xattr_blocks.c)
 */
errcode_t xattr_check_blocks(struct facts *f, const struct list *uses,
			     struct list *refs);

/* Of two uint32_t, as qsort() wants it. (facts_xattr.c) */
int compare_numbers(const void *a, const void *b);

/* Values in inodes of their own. (xattr_values.c) */
errcode_t xattr_check_values(struct facts *f, struct xattr_sums *s);

/* The group's own part, made at first; NULL: no memory, noted in c->err. */
struct xattr_part *xattr_part(struct inode_check *c);

/* ---- every attribute on its way through a check (xattr_visit.c) */

struct xattr_visit {
	struct facts *f;
	struct problem_list **out;
	uint32_t ino, generation;	/* whose attributes */
	uint64_t block;			/* 0: in the inode */
	struct list *refs;
	bool directory;			/* in an inode: a directory's */
	uint64_t policy;		/* POLICY_NONE: no context seen */
	bool data;			/* there are the inode's own bytes */
	bool stale;			/* the directory's own bytes, in the
					   inode, have a wrong hash */
};

/* Check an area; every fault goes to v->out. */
errcode_t xattr_visit_area(struct xattr_visit *v,
			   const struct e2dx_xattr_area *a);

/* Is it an ACL as Linux reads it? (xattr_acl.c) */
bool xattr_acl_ok(const uint8_t *value, size_t len);

/* The policy of an encryption context, as a number. (xattr_policy.c) */
uint64_t xattr_policy(const uint8_t *context, size_t len);

/* For an inode that f->policies has; by any thread, each for other inodes. */
void facts_set_policy(struct facts *f, uint32_t ino, uint64_t policy);

#endif
