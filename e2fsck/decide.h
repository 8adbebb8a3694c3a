/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every answer to every question comes from here. */
#ifndef E2FSCK_DECIDE_H
#define E2FSCK_DECIDE_H

#include <stdio.h>
#include "problem.h"

enum answer_mode {
	MODE_ASK,	/* a person at the terminal */
	MODE_NO,	/* -n */
	MODE_YES,	/* -y */
	MODE_PREEN	/* -p: yes where no name is at stake */
};

struct decider {
	enum answer_mode mode;
	FILE *in, *out;
	bool all;		/* the person said "a" */
	bool locked;		/* nothing may be written: every answer is no */
	bool manual;		/* -p met something that it must not do */
};

/*
 * Is this problem to be repaired?  Prints the question with its answer, or
 * asks.
 */
bool decide(struct decider *d, const struct problem *p);

#endif
