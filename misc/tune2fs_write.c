/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing superblock copies and directories, with reports to people. */
#include "tune2fs.h"

void tune_report_skipped(struct tune *t, unsigned skipped)
{
	if (!skipped)
		return;
	cli_error(&t->cli, t->device, 0,
		  "%u backup superblocks are damaged and were left as they are; e2fsck -f rewrites them",
		  skipped);
	cli_worsen(&t->cli, 1);
}

bool tune_super_write(struct tune *t, unsigned fields)
{
	unsigned skipped = 0;
	errcode_t err = e2dx_super_write_all(t->efs, fields, &skipped);

	if (err) {
		cli_error(&t->cli, t->device, err, "cannot write a superblock");
		return false;
	}
	tune_report_skipped(t, skipped);
	return true;
}

static void report_failed(void *ctx, ext2_ino_t ino, errcode_t why)
{
	struct tune *t = ctx;

	cli_progress_clear(&t->progress);
	cli_error(&t->cli, t->device, why,
		  "directory inode %u stays as it is", ino);
	t->failed++;
	cli_worsen(&t->cli, 1);
}

static void report_linear(void *ctx, ext2_ino_t ino, errcode_t why)
{
	struct tune *t = ctx;

	cli_progress_clear(&t->progress);
	cli_error(&t->cli, t->device, why,
		  "directory inode %u is without an index now", ino);
	cli_worsen(&t->cli, 1);
}

static void convert_progress(void *ctx, uint64_t done, uint64_t total)
{
	struct tune *t = ctx;

	cli_progress_show(&t->progress, 2, done, total);
}

void tune_survey_progress(void *ctx, uint64_t done, uint64_t total)
{
	struct tune *t = ctx;

	cli_progress_show(&t->progress, 1, done, total);
}

struct e2dx_convert_events tune_events(struct tune *t)
{
	return (struct e2dx_convert_events){
		.failed = report_failed,
		.linear = report_linear,
		.progress = convert_progress,
		.ctx = t,
	};
}

bool tune_convert(struct tune *t, bool indexed, int version,
		  e2dx_convert_filter wanted)
{
	struct e2dx_convert_events events = tune_events(t);
	uint64_t failures = 0;
	errcode_t err = e2dx_convert(t->replacer, indexed, version, wanted, t,
				     &events, &failures);

	/* What a superblock write after this relies on must be on the disk. */
	if (!err)
		err = e2dx_replace_flush(t->replacer);
	cli_progress_clear(&t->progress);
	if (err)
		cli_error(&t->cli, t->device, err,
			  "cannot rebuild the directories");
	if (failures)
		cli_worsen(&t->cli, 1);
	return !err && !failures && !t->failed;
}
