/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gather the facts: survey, then directories by a pool of threads. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/threads.h"
#include "facts.h"
#include "usage.h"

struct dir_facts *facts_find_dir(const struct facts *f, ext2_ino_t ino)
{
	size_t low = 0, high = f->n_dirs;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (f->dirs[mid].ino < ino)
			low = mid + 1;
		else
			high = mid;
	}
	return low < f->n_dirs && f->dirs[low].ino == ino ? &f->dirs[low] : NULL;
}

/* ---- ownership: what the survey says, as problems */

/* Has something better been said of the inodes of this group? */
static bool told(const struct facts *f, dgrp_t g)
{
	return f->inodes[g] || f->maps[g];
}

static errcode_t bad_inodes(struct facts *f, dgrp_t g)
{
	const uint8_t want = E2DX_INODE_BAD | E2DX_INODE_USED;
	const struct e2dx_survey *s = f->survey;
	struct problem bad = { .code = P_OWN_INODE_BAD,
			       .ino = g * s->inodes_per_group + 1 };
	errcode_t err = 0;

	for (uint32_t i = 0; !err && i < s->group[g].read; i++, bad.ino++)
		if ((s->inode[bad.ino] & want) == want)
			err = problem_list_add(&f->ownership, &bad);
	return err;
}

static errcode_t ownership_faults(struct facts *f)
{
	const struct e2dx_survey *s = f->survey;
	struct problem faults[] = {
		{ .code = P_OWN_SHARED, .value = s->shared,
		  .block = s->first_shared },
		{ .code = P_OWN_BITMAPS, .value = s->bitmaps_lost },
		{ .code = P_OWN_TABLES, .value = s->tables_bad },
		{ .code = P_OWN_SHORT, .value = s->short_device },
		{ .code = P_OWN_NO_ROOT, .value = s->no_root },
	};
	errcode_t err = 0;

	for (size_t i = 0; !err && i < sizeof(faults) / sizeof(faults[0]); i++)
		if (faults[i].value)
			err = problem_list_add(&f->ownership, &faults[i]);
	for (dgrp_t g = 0; !err && s->inodes_bad && g < s->groups; g++)
		if (!told(f, g))
			err = bad_inodes(f, g);
	return err;
}

/* ---- directories */

struct pool {
	struct facts *f;
	const struct facts_progress *progress;
	pthread_mutex_t lock;
	size_t next, done;
	errcode_t err;		/* the first that stopped the work */
};

static bool take(struct pool *p, size_t *i)
{
	bool got;

	pthread_mutex_lock(&p->lock);
	got = !p->err && p->next < p->f->n_dirs;
	if (got)
		*i = p->next++;
	pthread_mutex_unlock(&p->lock);
	return got;
}

static void finished(struct pool *p, errcode_t err)
{
	pthread_mutex_lock(&p->lock);
	p->done++;
	if (err && !p->err)
		p->err = err;
	if (p->progress)
		p->progress->show(p->progress->ctx, 2, p->done, p->f->n_dirs);
	pthread_mutex_unlock(&p->lock);
}

static void *worker(void *arg)
{
	struct pool *p = arg;
	size_t i;

	while (take(p, &i))
		finished(p, facts_dir(p->f, &p->f->dirs[i], 0));
	return NULL;
}

static errcode_t check_dirs(struct facts *f,
			    const struct facts_progress *progress)
{
	struct pool p = { .f = f, .progress = progress };

	pthread_mutex_init(&p.lock, NULL);
	e2dx_run_threads(e2dx_thread_count(f->efs->threads, f->n_dirs), worker, &p);
	pthread_mutex_destroy(&p.lock);
	for (size_t i = 0; !p.err && i < f->n_dirs; i++)
		if (f->dirs[i].large)
			p.err = facts_dir(f, &f->dirs[i],
					  e2dx_thread_count(f->efs->threads,
							    UINT64_MAX));
	return p.err;
}

/* ".." against the directories that have a name for this one. */
static errcode_t check_dotdot(struct facts *f, struct dir_facts *d)
{
	struct problem p = { .ino = d->ino, .value = d->dotdot };

	if (!d->dotdot)
		return 0;	/* missing: found by the verifier */
	if (!facts_find_dir(f, d->dotdot)) {
		p.code = P_DOTDOT_BAD;
		return problem_list_add(&d->problems, &p);
	}
	p.expected = d->ino == EXT2_ROOT_INO ? EXT2_ROOT_INO : d->parent_low;
	if (!p.expected || p.expected == d->dotdot ||
	    (d->ino != EXT2_ROOT_INO && d->parent_low != d->parent_high))
		return 0;
	p.code = P_DOTDOT_WRONG;
	return problem_list_add(&d->problems, &p);
}

static errcode_t prepare_dirs(struct facts *f)
{
	f->n_dirs = f->survey->n_dirs;
	f->dirs = calloc(f->n_dirs ? f->n_dirs : 1, sizeof(*f->dirs));
	if (!f->dirs)
		return ENOMEM;
	for (size_t i = 0; i < f->n_dirs; i++)
		f->dirs[i].ino = f->survey->dirs[i];
	return 0;
}

static void survey_progress(void *ctx, uint64_t done, uint64_t total)
{
	const struct facts *f = ctx;

	if (f->progress)
		f->progress->show(f->progress->ctx, 1, done, total);
}

/* An empty pointer for each group; NULL: no memory. */
static void *by_group(const struct facts *f)
{
	return calloc((size_t)f->efs->fs->group_desc_count + 1, sizeof(void *));
}

static errcode_t survey(struct facts *f)
{
	const struct e2dx_survey_watch watch = {
		.inode = facts_inode, .map = facts_map,
		.forget = facts_forget_maps, .progress = survey_progress, .ctx = f
	};
	errcode_t err;

	f->inodes = by_group(f);
	f->links_of = by_group(f);
	f->xattr_parts = by_group(f);
	f->usage_parts = by_group(f);
	f->maps = by_group(f);
	if (!f->inodes || !f->links_of || !f->xattr_parts ||
	    !f->usage_parts || !f->maps)
		return ENOMEM;
	err = e2dx_survey_watched(f->efs, f->efs->threads, &watch,
				  &f->survey);
	return err ? err : f->err;
}

/* Does some problem forbid any writing? */
static bool any_locks(const struct facts *f)
{
	bool locks = problem_list_locks(f->super) ||
		     problem_list_locks(f->groups) ||
		     problem_list_locks(f->ownership) ||
		     problem_list_locks(f->xattrs) ||
		     problem_list_locks(f->links) ||
		     problem_list_locks(f->bitmaps) ||
		     problem_list_locks(f->quota) ||
		     !e2dx_survey_owners_known(f->survey);

	for (dgrp_t g = 0; !locks && g < f->efs->fs->group_desc_count; g++)
		locks = problem_list_locks(f->inodes[g]) ||
			problem_list_locks(f->maps[g]);
	for (size_t i = 0; !locks && i < f->n_dirs; i++)
		locks = problem_list_locks(f->dirs[i].problems);
	return locks;
}

typedef errcode_t (*facts_step)(struct facts *f);

static errcode_t run_steps(struct facts *f, const facts_step *steps, size_t n)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < n; i++)
		err = steps[i](f);
	return err;
}

errcode_t facts_gather(struct facts *f, struct e2dx_fs *efs,
		       const struct facts_progress *progress)
{
	static const facts_step last[] = {
		facts_links, facts_bitmaps, facts_quota
	};
	errcode_t err;

	memset(f, 0, sizeof(*f));
	f->efs = efs;
	f->progress = progress;
	pthread_mutex_init(&f->lock, NULL);
	err = facts_super(efs, &f->super);
	if (!err)
		err = facts_groups(f);
	if (!err)
		err = survey(f);
	if (!err)
		err = ownership_faults(f);
	if (!err)
		err = facts_xattrs(f);
	if (!err)
		err = prepare_dirs(f);
	if (!err)
		err = check_dirs(f, progress);
	for (size_t i = 0; !err && i < f->n_dirs; i++)
		err = check_dotdot(f, &f->dirs[i]);
	if (!err)
		err = run_steps(f, last, sizeof(last) / sizeof(last[0]));
	if (err)
		return err;
	f->locked = any_locks(f);
	return 0;
}

void facts_free(struct facts *f)
{
	for (size_t i = 0; f->dirs && i < f->n_dirs; i++)
		problem_list_free(f->dirs[i].problems);
	free(f->dirs);
	for (dgrp_t g = 0; f->inodes && g < f->efs->fs->group_desc_count; g++)
		problem_list_free(f->inodes[g]);
	free(f->inodes);
	for (dgrp_t g = 0; f->links_of && g < f->efs->fs->group_desc_count; g++)
		free(f->links_of[g]);
	free(f->links_of);
	facts_free_xattr_parts(f);
	list_free(&f->policies);
	list_free(&f->values);
	list_free(&f->stale);
	list_free(&f->charges);
	usage_free(f);
	problem_list_free(f->xattrs);
	if (f->maps)
		facts_forget_maps(f);
	free(f->maps);
	problem_list_free(f->super);
	problem_list_free(f->groups);
	problem_list_free(f->links);
	problem_list_free(f->bitmaps);
	problem_list_free(f->quota);
	problem_list_free(f->ownership);
	e2dx_survey_free(f->survey);
	pthread_mutex_destroy(&f->lock);
}
