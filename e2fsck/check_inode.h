/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of one inode, each for a part of it. */
#ifndef E2FSCK_CHECK_INODE_H
#define E2FSCK_CHECK_INODE_H

#include "ext2fs/extent.h"
#include "facts.h"

/* One inode under way, by one thread. */
struct inode_check {
	struct facts *f;
	const struct e2dx_seen_inode *seen;
	struct problem_list **out;	/* of its group */
	errcode_t err;			/* the first; checks go on no further */
};

/* Every mkfs has the first eleven numbers for the filesystem's own use. */
static inline bool inode_is_reserved(ext2_ino_t ino)
{
	return ino < EXT2_GOOD_OLD_FIRST_INO && ino != EXT2_ROOT_INO;
}

/* Note a problem of this inode: p->ino is filled in. */
void inode_problem(struct inode_check *c, struct problem p);

/* Every field but the map and the attributes. (check_inode.c) */
void check_inode(struct inode_check *c);

/* Its map; only what the second round repeats. (check_map.c) */
void check_map(struct inode_check *c);

/* Parts of these two. */
void check_index_flag(struct inode_check *c);	/* check_inode.c */
void check_blocks(struct inode_check *c);	/* check_map.c */
void check_size_limit(struct inode_check *c);
void check_named(struct inode_check *c);	/* check_special.c */
void check_reserved(struct inode_check *c);
void check_link(struct inode_check *c);		/* check_link.c */
void check_inline(struct inode_check *c);	/* check_inline.c */

/* Extended attributes, in the inode and in its block. (check_xattr.c) */
void check_xattr(struct inode_check *c);

/*
 * For an inode with attributes: i_blocks is not what its map and its block of
 * attributes make, in units of so many sectors of 512 bytes.  That is right
 * where values in inodes of their own make the difference, and reported where
 * they do not.
 */
void xattr_blocks_differ(struct inode_check *c, uint64_t found,
			 uint64_t expected, uint32_t sectors);

#endif
