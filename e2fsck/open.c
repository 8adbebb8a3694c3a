/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open the filesystem, and refuse what must not be written. */
#include <string.h>
#include "e2fsck.h"
#include "ext2fs/findsuper.h"

/* The block size of a copy of the superblock, where -B does not say it. */
static struct e2dx_fs *open_copy(struct cli *cli, const struct options *o,
				 struct e2dx_open_options *open)
{
	struct e2dx_fs *efs;

	for (open->block_size = 1024; open->block_size <= 65536;
	     open->block_size *= 2)
		if (!e2dx_open(o->device, open, &efs))
			return efs;
	cli_error(cli, o->device, 0,
		  "no superblock at block %llu for any block size",
		  o->superblock);
	return NULL;
}

/*
 * Can the check rest on what was opened?  A superblock of wrong checksum can
 * still be right in all that matters; descriptors of right checksums show it.
 */
static bool dependable(const struct e2dx_fs *efs)
{
	if (!efs->fs->group_desc_count)
		return true;	/* an external journal */
	return e2dx_descs_plausible(efs) &&
	       (!efs->stock_csum_bad || e2dx_descs_summed(efs));
}

static bool damaged(errcode_t err)
{
	return err == E2DX_ET_NOT_EXT || err == EXT2_ET_CORRUPT_SUPERBLOCK ||
	       err == EXT2_ET_REV_TOO_HIGH || err == EXT2_ET_UNSUPP_FEATURE;
}

/*
 * The same filesystem by a backup, for reading: what a damaged primary ought
 * to be is not decided here.  NULL where there is none, or none that helps.
 */
static struct e2dx_fs *open_backup(const struct options *o,
				   const struct e2dx_open_options *open,
				   errcode_t fault)
{
	struct e2dx_open_options backup = *open;
	struct e2dx_copy copy;
	struct e2dx_fs *efs;

	if (e2dx_find_backup(o->device, &copy))
		return NULL;
	backup.writable = false;
	backup.superblock = copy.block;
	backup.block_size = copy.block_size;
	if (e2dx_open(o->device, &backup, &efs))
		return NULL;
	efs->primary_fault = fault ? fault : E2DX_ET_DESCRIPTORS;
	/* The descriptors beside the primary may be whole, and are newer. */
	if (fault)
		efs->primary_descs = e2dx_descs_use_primary(efs);
	if (e2dx_descs_plausible(efs))
		return efs;
	(void)e2dx_close(efs);	/* opened for reading */
	return NULL;
}

static struct e2dx_fs *open_primary(struct cli *cli, const struct options *o,
				    const struct e2dx_open_options *open)
{
	struct e2dx_fs *efs = NULL, *backup;
	errcode_t err = e2dx_open(o->device, open, &efs);

	if (!err && dependable(efs))
		return efs;
	if (err && !damaged(err))
		return cli_open(cli, o->device, open);	/* which says why */
	backup = open_backup(o, open, !err && efs->stock_csum_bad ?
			     E2DX_ET_CHECKSUM : err);
	if (!backup) {
		if (err && err != E2DX_ET_NOT_EXT)
			cli_worsen(cli, FSCK_LEFT);
		if (efs)
			return efs;
		efs = cli_open(cli, o->device, open);	/* says why not */
		if (!efs)
			cli_note(cli, o->device,
				 "no backup superblock was found");
		return efs;
	}
	if (e2dx_close(efs))
		cli_error(cli, o->device, 0, "cannot close");
	return backup;
}

static struct e2dx_fs *open_it(struct cli *cli, const struct options *o)
{
	bool writable = o->mode != MODE_NO;
	struct e2dx_open_options open = {
		.writable = writable, .exclusive = writable,
		.superblock = o->superblock, .block_size = o->block_size,
		.ignore_csum = true, .undo_file = o->undo_file
	};

	if (o->superblock && !o->block_size)
		return open_copy(cli, o, &open);
	if (o->superblock)
		return cli_open(cli, o->device, &open);
	return open_primary(cli, o, &open);
}

/* A check that does not know what it sees finds faults that are none. */
static bool understood(struct cli *cli, const struct options *o,
		       const struct e2dx_fs *efs)
{
	char detail[512], quoted[4 * sizeof(detail) + 1];
	bool incompat;

	if (!e2dx_strange_features(efs, &incompat, detail, sizeof(detail)))
		return true;
	cli_error(cli, o->device, E2DX_ET_FEATURE, "cannot check (%s)",
		  cli_quote(quoted, detail, strlen(detail)));
	cli_worsen(cli, incompat ? FSCK_ERROR : FSCK_LEFT | FSCK_ERROR);
	return false;
}

/* May this run go on, as the filesystem stands? */
static bool allowed(struct cli *cli, const struct options *o,
		    const struct e2dx_fs *efs)
{
	char detail[512] = "", quoted[4 * sizeof(detail) + 1];
	errcode_t why = e2dx_write_refusal(efs, detail, sizeof(detail));

	/* The guard stands before a journal too. */
	if (why == E2DX_ET_RECOVERY && ext2fs_has_feature_mmp(efs->fs->super))
		why = E2DX_ET_MMP;
	/* Not clean: that is what a check is for. */
	if (!why || why == E2DX_ET_UNCLEAN || why == E2DX_ET_RECOVERY)
		return true;
	if (o->mode != MODE_NO) {
		cli_refused(cli, o->device, why, detail);
		cli_worsen(cli, FSCK_ERROR);
		return false;
	}
	cli_note(cli, o->device, "%s%s%s%s; checked as it stands",
		 error_message(why), *detail ? " (" : "",
		 cli_quote(quoted, detail, strlen(detail)),
		 *detail ? ")" : "");
	return true;
}

struct e2dx_fs *check_open(struct cli *cli, const struct options *o)
{
	struct e2dx_fs *efs = open_it(cli, o);

	if (!efs) {
		cli_worsen(cli, FSCK_ERROR);
		return NULL;
	}
	efs->threads = o->threads;
	if (understood(cli, o, efs) && allowed(cli, o, efs))
		return efs;
	if (e2dx_close(efs))
		cli_error(cli, o->device, 0, "cannot close");
	return NULL;
}
