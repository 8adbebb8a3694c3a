/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bitmaps and counts: reported, decided, and made anew from what is in use. */
#include "e2fsck.h"
#include "ext2fs/recount.h"
#include "interrupt.h"
#include "report.h"

/*
 * Linux keeps the superblock's own counts only when it unmounts: that they
 * are stale is no damage, and worth neither a question nor a status.
 */
static bool is_stale_count(const struct problem *p)
{
	return p->code == P_BITMAP_SUPER_BLOCKS ||
	       p->code == P_BITMAP_SUPER_INODES;
}

/* The first that is a fault; l->n where none is. */
static size_t first_fault(const struct problem_list *l)
{
	size_t i = 0;

	while (i < l->n && is_stale_count(&l->v[i]))
		i++;
	return i;
}

static void rewrite(struct check *c)
{
	errcode_t err;

	interrupt_defer();
	err = e2dx_recount(c->efs, c->facts.survey);
	if (err) {
		cli_error(c->cli, c->o->device, err,
			  "cannot set the bitmaps and counts");
		cli_worsen(c->cli, FSCK_LEFT | FSCK_ERROR);
		c->decider.locked = true;
		return;
	}
	c->changed = true;
	cli_worsen(c->cli, FSCK_CORRECTED);
}

void check_bitmaps(struct check *c)
{
	const struct problem_list *l = c->facts.bitmaps;
	size_t fault;

	for (size_t i = 0; l && i < l->n; i++)
		report_nth(c, l, i);
	if (!l)
		return;
	/* All of them are one repair, and one question. */
	fault = first_fault(l);
	if (decide(&c->decider, &l->v[fault < l->n ? fault : 0])) {
		rewrite(c);
		return;
	}
	if (fault == l->n)
		return;
	cli_worsen(c->cli, FSCK_LEFT);
	/* Nothing may be allocated by bitmaps that are wrong. */
	if (!e2dx_survey_sound(c->facts.survey))
		c->decider.locked = true;
}
