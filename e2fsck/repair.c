/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Problems of directories: reported, decided, and the repairs carried out. */
#include <string.h>
#include "e2fsck.h"
#include "interrupt.h"
#include "repair_dir.h"
#include "report.h"

int check_default_version(const struct check *c)
{
	int version = c->efs->fs->super->s_def_hash_version;

	return dirhash_on_disk(version) ? version : DIRHASH_HALF_MD4;
}

bool check_begin_replacing(struct check *c)
{
	errcode_t err;

	if (c->replacer)
		return true;
	interrupt_defer();
	err = e2dx_replace_begin(c->efs, c->facts.survey, &c->replacer);
	if (!err)
		return true;
	c->replacer = NULL;
	cli_error(c->cli, c->o->device, err, "directories are not rebuilt");
	cli_worsen(c->cli, FSCK_LEFT);
	return false;
}

void check_end_replacing(struct check *c)
{
	errcode_t err;

	if (!c->replacer)
		return;
	err = e2dx_replace_end(c->replacer);
	c->replacer = NULL;
	if (!err)
		return;
	cli_error(c->cli, c->o->device, err, "cannot write");
	cli_worsen(c->cli, FSCK_LEFT | FSCK_ERROR);
}

/* Show every problem of one kind, and ask once about all of them. */
static bool decide_kind(struct check *c, const struct problem_list *l,
			size_t first)
{
	enum problem_code code = l->v[first].code;

	for (size_t i = first; i < l->n; i++)
		if (l->v[i].code == code)
			report_problem(c, &l->v[i]);
	report_more(c, l, code);
	return decide(&c->decider, &l->v[first]);
}

static bool kind_seen(const struct problem_list *l, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (l->v[k].code == l->v[i].code)
			return true;
	return false;
}

/*
 * Decide about one directory.  Returns whether it is to be rebuilt, with the
 * edits that are wanted in *plan.
 */
static bool decide_dir(struct check *c, const struct problem_list *l,
		       struct dir_plan *plan)
{
	bool rebuild = true, any = false;

	memset(plan, 0, sizeof(*plan));
	for (size_t i = 0; i < l->n; i++) {
		bool all = problem_info(l->v[i].code)->kind == R_REBUILD;

		if (kind_seen(l, i))
			continue;
		if (decide_kind(c, l, i)) {
			plan->fix[problem_kind(l->v[i].code)] = true;
			plan->rebuild = plan->rebuild || all;
			any = true;
			continue;
		}
		if (problem_info(l->v[i].code)->severity != S_NOTE)
			plan->left = true;
		if (all)
			rebuild = false;
	}
	return rebuild && any;
}

static void repair_one(struct check *c, struct dir_facts *d)
{
	struct dir_plan plan;

	if (!decide_dir(c, d->problems, &plan)) {
		if (plan.left)
			cli_worsen(c->cli, FSCK_LEFT);
		return;
	}
	if (!check_begin_replacing(c)) {
		cli_worsen(c->cli, FSCK_LEFT);
		return;
	}
	if (repair_dir(c, d, &plan)) {
		c->changed = true;
		cli_worsen(c->cli, FSCK_CORRECTED);
	}
	if (plan.left)
		cli_worsen(c->cli, FSCK_LEFT);
}

void check_directories(struct check *c)
{
	size_t n = c->facts.n_dirs;

	for (size_t i = 0; i < n && !interrupted(); i++) {
		if (c->facts.dirs[i].problems)
			repair_one(c, &c->facts.dirs[i]);
		if (c->replacer)
			cli_progress_show(&c->progress, 3, i + 1, n);
	}
	cli_progress_clear(&c->progress);
}
