/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each user, group and project has: counted while inodes are seen. */
#ifndef E2FSCK_USAGE_H
#define E2FSCK_USAGE_H

#include "ext2fs/quota_file.h"
#include "facts.h"

/*
 * One id's share.  40 bytes for each id in each group of inodes.  Linux counts
 * symbolic links with inline data as it does every inode, e2fsprogs do not:
 * a quota file is right either way.
 */
struct usage {
	uint32_t id;
	bool seen;		/* the quota file has it */
	uint64_t space, inodes;	/* bytes; inodes */
	uint64_t link_space, links;	/* of these, in links with inline data */
};

struct usage_part {
	struct list of[E2DX_QUOTA_TYPES];	/* struct usage; ids may recur */
	size_t compact[E2DX_QUOTA_TYPES];	/* length after the last merging */
};

/* Count an inode, by the one thread of its group.  ENOMEM. */
errcode_t usage_note(struct facts *f, const struct e2dx_seen_inode *seen);

/*
 * All parts, and what attributes' values add, as one list of a type, by id.
 * Owned by the caller.  Errors of reading inodes again; ENOMEM.
 */
errcode_t usage_sum(struct facts *f, enum e2dx_quota_type type,
		    struct list *out);

void usage_free(struct facts *f);

#endif
