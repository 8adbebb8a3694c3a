/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What people get to read: problems, figures, and how it ended. */
#ifndef E2FSCK_REPORT_H
#define E2FSCK_REPORT_H

#include "e2fsck.h"

/* One problem, a line on standard output. */
void report_problem(const struct check *c, const struct problem *p);

/* More problems of its kind there were than are shown. */
void report_more(const struct check *c, const struct problem_list *l,
		 enum problem_code code);

/* The i-th problem of a list; after the last of its code, how many more. */
void report_nth(const struct check *c, const struct problem_list *l, size_t i);

/* A list of which nothing is repaired here; NULL: nothing. */
void report_list(const struct check *c, const struct problem_list *l);

/* The same without those of one code, which are told elsewhere. */
void report_but(const struct check *c, const struct problem_list *l,
		enum problem_code code);

/* The last lines: what was repaired or left, and what is in use. */
void report_end(const struct check *c);

/*
 * What is in use: the line that scripts read, or with -v figures of all kinds.
 * Nothing where that is not known. (totals.c)
 */
void report_totals(const struct check *c);

#endif
