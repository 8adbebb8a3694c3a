/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The journal and what an ordinary crash leaves, before anything is checked. */
#ifndef E2FSCK_JOURNAL_H
#define E2FSCK_JOURNAL_H

#include "e2fsck.h"

/*
 * Look at the journal, replay it where that is due and allowed, and open the
 * filesystem anew after it.  Returns false, with a message and the status,
 * where the run cannot go on; c->efs may be NULL then.
 */
bool check_journal(struct check *c);

/*
 * Release the orphans, where that may be done, and set counts that a replay left
 * behind.  Returns as check_journal(). (orphans.c)
 */
bool check_orphans(struct check *c);

#endif
