/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The problems of one object, or of one part of the check, in order. */
#ifndef E2FSCK_PROBLEM_LIST_H
#define E2FSCK_PROBLEM_LIST_H

#include "ext2fs/fs.h"
#include "problem.h"

/* Problems of one code are kept up to this many in a list. */
#define PROBLEMS_KEPT 12

struct problem_count {
	enum problem_code code;
	uint64_t n;
};

/* Of each code the first PROBLEMS_KEPT are kept, and all are counted. */
struct problem_list {
	struct problem *v;		/* with their names, owned */
	size_t n, capacity;
	struct problem_count *counts;	/* one for each code seen; owned */
	size_t n_counts;
};

/* Keep a copy of *p; *list is made at the first.  ENOMEM. */
errcode_t problem_list_add(struct problem_list **list, const struct problem *p);
void problem_list_free(struct problem_list *list);	/* NULL is fine */

/* Everything of `from`, which may be NULL, behind what *list has.  ENOMEM. */
errcode_t problem_list_append(struct problem_list **list,
			      const struct problem_list *from);

/* How many of this code were found, kept or not. */
uint64_t problem_list_count(const struct problem_list *l,
			    enum problem_code code);

/* Does one of them forbid all writing?  NULL: no. */
bool problem_list_locks(const struct problem_list *l);

/* Is one of them more than a note?  NULL: no. */
bool problem_list_faults(const struct problem_list *l);

/* Directory problems' codes as small numbers, for what was decided. */
#define DIR_KINDS (HTREE_FINDING_MAX + 32)
unsigned problem_kind(enum problem_code code);

#endif
