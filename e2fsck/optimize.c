/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -D: every directory rebuilt with the superblock's default hash. */
#include "e2fsck.h"
#include "interrupt.h"

static void on_failed(void *ctx, ext2_ino_t ino, errcode_t why)
{
	struct check *c = ctx;

	cli_error(c->cli, c->o->device, why,
		  "directory inode %u: not rebuilt", ino);
	cli_worsen(c->cli, FSCK_LEFT);
}

static void on_linear(void *ctx, ext2_ino_t ino, errcode_t why)
{
	struct check *c = ctx;

	cli_error(c->cli, c->o->device, why,
		  "directory inode %u: left without an index", ino);
	cli_worsen(c->cli, FSCK_LEFT);
}

static void on_progress(void *ctx, uint64_t done, uint64_t total)
{
	struct check *c = ctx;

	cli_progress_show(&c->progress, 4, done, total);
}

/* Directories that are left when the user wants to stop stay as they are. */
static bool wanted(void *ctx, const struct htree_dir *dir, int root_version,
		   uint32_t blocks)
{
	(void)ctx;
	(void)dir;
	(void)root_version;
	(void)blocks;
	return !interrupted();
}

void check_optimize(struct check *c)
{
	struct e2dx_convert_events events = {
		.failed = on_failed, .linear = on_linear,
		.progress = on_progress, .ctx = c
	};
	bool indexed = ext2fs_has_feature_dir_index(c->efs->fs->super);
	uint64_t failures = 0;
	errcode_t err;

	if (!check_begin_replacing(c))
		return;
	/* What was repaired is to be read as it is now. */
	err = e2dx_replace_flush(c->replacer);
	if (!err)
		err = e2dx_convert(c->replacer, indexed,
				   check_default_version(c), wanted, NULL,
				   &events, &failures);
	cli_progress_clear(&c->progress);
	if (err) {
		cli_error(c->cli, c->o->device, err,
			  "cannot rebuild the directories");
		cli_worsen(c->cli, FSCK_LEFT | FSCK_ERROR);
	}
	if (failures)
		cli_worsen(c->cli, FSCK_LEFT);
	if (e2dx_replace_started(c->replacer)) {
		c->changed = true;
		cli_worsen(c->cli, FSCK_CORRECTED);
	}
}
