/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tune2fs: the directory hash, its seed, indexes, label and UUID of an
 * ext2/3/4 filesystem.
 *
 * Everything that may be refused is refused before the first write: the
 * whole command line is read, then the filesystem is opened and looked
 * over, then the changes are made in an order that a power cut cannot hurt.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tune2fs.h"

static bool open_for_change(struct tune *t)
{
	struct e2dx_open_options o = { .writable = true, .exclusive = true };
	char detail[512] = "";
	bool hashing = tune_touches_hashing(&t->o);
	errcode_t why;

	/* A label may be written under a kernel that has no call for it. */
	o.exclusive = tune_more_than_label(&t->o);
	t->efs = cli_open(&t->cli, t->device, &o);
	if (!t->efs)
		return false;
	why = e2dx_write_refusal(t->efs, detail, sizeof(detail));
	if (!why || (why == E2DX_ET_UNCLEAN && !hashing))
		return true;
	if (why == E2DX_ET_MOUNTED && !tune_more_than_label(&t->o))
		return true;
	cli_refused(&t->cli, t->device, why, detail);
	return false;
}

static void explain_unsound(const struct tune *t)
{
	const struct e2dx_survey *s = t->survey;

	if (s->shared)
		cli_error(&t->cli, t->device, 0,
			  "%llu blocks or clusters are claimed twice, the first at block %llu",
			  (unsigned long long)s->shared,
			  (unsigned long long)s->first_shared);
	if (s->owned_free)
		cli_error(&t->cli, t->device, 0,
			  "%llu blocks or clusters in use are free in the bitmap, the first at block %llu",
			  (unsigned long long)s->owned_free,
			  (unsigned long long)s->first_owned_free);
	if (s->inodes_free)
		cli_error(&t->cli, t->device, 0,
			  "%llu inodes in use are free in the bitmap, the first is %u",
			  (unsigned long long)s->inodes_free,
			  s->first_inode_free);
	cli_error(&t->cli, t->device, 0,
		  "not written to: %s; run e2fsprogs' own e2fsck -f first",
		  e2dx_survey_reason(s));
}

static bool survey(struct tune *t)
{
	errcode_t err = e2dx_survey(t->efs, 0, tune_survey_progress, t,
				    &t->survey);

	cli_progress_clear(&t->progress);
	if (err) {
		cli_error(&t->cli, t->device, err,
			  "cannot find out which blocks are in use");
		return false;
	}
	if (!e2dx_survey_sound(t->survey)) {
		explain_unsound(t);
		return false;
	}
	return true;
}

/* Nothing is written in here. */
static bool begin(struct tune *t)
{
	errcode_t err;

	if (!open_for_change(t) ||
	    (t->o.set_uuid && !tune_uuid_allowed(t)) || !tune_hash_plan(t))
		return false;
	if (!t->needs_survey)
		return true;
	if (!survey(t) || !tune_features_allowed(t))
		return false;
	err = e2dx_replace_begin(t->efs, t->survey, &t->replacer);
	if (err)
		cli_error(&t->cli, t->device, err,
			  "directories cannot be replaced here");
	return !err;
}

/* Label and features, in one write of each superblock. */
static bool write_simple_fields(struct tune *t)
{
	unsigned fields = 0;

	if (t->o.label) {
		tune_label_set(t);
		fields |= E2DX_SB_LABEL;
	}
	if (t->o.large_dir != TUNE_KEEP || t->o.dir_index == TUNE_SET) {
		tune_features_set(t);
		fields |= E2DX_SB_FEATURES;
	}
	return !fields || tune_super_write(t, fields);
}

static bool apply(struct tune *t)
{
	return write_simple_fields(t) &&
	       (!t->o.set_uuid || tune_uuid_write(t)) &&
	       tune_hash_apply(t) &&
	       (t->o.dir_index != TUNE_CLEAR || tune_dir_index_clear(t));
}

/* The end of a replacement restores the state that was there before. */
static bool finish(struct tune *t)
{
	errcode_t err = 0, close_err;

	if (t->replacer)
		err = e2dx_replace_end(t->replacer);
	t->replacer = NULL;
	cli_progress_clear(&t->progress);
	e2dx_survey_free(t->survey);
	t->survey = NULL;
	close_err = e2dx_close(t->efs);
	t->efs = NULL;
	if (!err)
		err = close_err;
	if (err)
		cli_error(&t->cli, t->device, err,
			  "cannot finish writing; run e2fsck");
	return !err;
}

static bool change(struct tune *t)
{
	bool handled = false, ok;

	if (t->o.label && !tune_more_than_label(&t->o)) {
		ok = tune_label_mounted(t, &handled);
		if (handled || !ok)
			return ok;
	}
	ok = begin(t) && apply(t);
	return finish(t) && ok;
}

/* A bar only where someone sees it. */
static void start_progress(struct tune *t)
{
	bool seen = isatty(STDOUT_FILENO) && isatty(STDERR_FILENO);

	cli_progress_init(&t->progress, seen ? 0 : -1, t->device);
	t->progress.delay_ms = 1000;
}

static bool run(struct tune *t)
{
	if (t->o.done)
		return true;
	t->device = cli_device(&t->cli, t->o.argument);
	if (!t->device)
		return false;
	start_progress(t);
	if ((t->o.label || tune_more_than_label(&t->o)) && !change(t))
		return false;
	return !t->o.list || tune_list(t);
}

int main(int argc, char **argv)
{
	struct tune t = { .progress.fd = -1 };

	cli_init(&t.cli, argc ? argv[0] : "tune2fs");
	if (!tune_parse(&t.cli, argc, argv, &t.o) || !run(&t))
		cli_worsen(&t.cli, 1);
	if (fflush(stdout) || ferror(stdout)) {
		cli_error(&t.cli, NULL, 0, "cannot write to standard output");
		cli_worsen(&t.cli, 1);
	}
	finish(&t);
	free(t.device);
	return t.cli.status ? 1 : 0;
}
