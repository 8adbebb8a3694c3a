/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The problem table in its parts: one file a family, each an array of rows. */
#ifndef E2FSCK_PROBLEM_TABLE_H
#define E2FSCK_PROBLEM_TABLE_H

#include "problem.h"

/*
 * In texts: %v the value found (%o: in octal), %e the expected one, %b a block, %i an inode,
 * %g a group, %m the message of an errcode.
 */
struct problem_family {
	const struct problem_info *v;
	size_t n;
};

#define PROBLEM_FAMILY(t) { t, sizeof(t) / sizeof((t)[0]) }

extern const struct problem_family problems_super, problems_group,
	problems_inode, problems_xattr, problems_dir, problems_link,
	problems_bitmap, problems_journal, problems_quota;

#endif
