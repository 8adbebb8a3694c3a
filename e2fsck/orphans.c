/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Orphans: released without a question, as an ordinary crash leaves them. */
#include "interrupt.h"
#include "journal.h"
#include "journal/orphan.h"
#include "report.h"

static void say(void *ctx, ext2_ino_t ino, bool truncated,
		const struct ext2_inode_large *inode)
{
	const struct check *c = ctx;

	printf("%s: %s orphaned inode %u (uid=%u, gid=%u, mode=0%o, size=%llu)\n",
	       c->o->device, truncated ? "Truncating" : "Clearing", ino,
	       (unsigned)inode->osd2.linux2.l_i_uid_high << 16 | inode->i_uid,
	       (unsigned)inode->osd2.linux2.l_i_gid_high << 16 | inode->i_gid,
	       inode->i_mode, (unsigned long long)inode->i_size_high << 32 |
	       inode->i_size);
}

static void report(struct check *c, enum problem_code code,
		   const struct orphans *o)
{
	struct problem p = {
		.code = code, .ino = o->ino, .block = o->block, .value = o->n
	};

	report_problem(c, &p);
	if (problem_info(code)->severity == S_LOCK)
		c->locked = true;
	if (problem_info(code)->severity == S_FIX)
		decide(&c->decider, &p);
	cli_worsen(c->cli, FSCK_LEFT);
}

static bool has_present(const struct check *c)
{
	return c->efs->fs->super->s_feature_ro_compat &
	       EXT4_FEATURE_RO_COMPAT_ORPHAN_PRESENT;
}

/* A file that nobody is to look at, and that names something. */
static bool stale_file(const struct check *c, const struct orphans *o)
{
	if (has_present(c))
		return false;
	return o->fault == ORPHAN_FILE_ENTRY ||
	       (o->n && !o->v[o->n - 1].listed);
}

static bool sound(struct check *c, const struct orphans *o)
{
	static const enum problem_code codes[] = {
		[ORPHAN_LIST] = P_ORPHAN_LIST,
		[ORPHAN_FILE_INODE] = P_ORPHAN_FILE_INODE,
		[ORPHAN_FILE_BLOCK] = P_ORPHAN_FILE_BLOCK,
		[ORPHAN_FILE_ENTRY] = P_ORPHAN_FILE_ENTRY
	};

	if (stale_file(c, o))
		report(c, P_ORPHAN_FILE_STALE, o);
	else if (o->fault)
		report(c, codes[o->fault], o);
	else
		return true;
	return false;
}

static bool descriptors_sound(const struct check *c)
{
	for (dgrp_t g = 0; g < c->efs->fs->group_desc_count; g++)
		if (!ext2fs_group_desc_csum_verify(c->efs->fs, g))
			return false;
	return true;
}

/* No orphans: the flag of the file goes, and counts that a replay left behind. */
static errcode_t tidy(struct check *c)
{
	struct ext2_super_block *sb = c->efs->fs->super;
	bool present = has_present(c);
	bool counts = c->replayed && descriptors_sound(c) &&
		      orphans_sum_counts(c->efs);

	if (!present && !counts)
		return 0;
	interrupt_defer();
	sb->s_feature_ro_compat &= ~(uint32_t)EXT4_FEATURE_RO_COMPAT_ORPHAN_PRESENT;
	return e2dx_super_write(c->efs);
}

static errcode_t release(struct check *c, const struct orphans *o)
{
	struct orphan_events events = { say, c };

	interrupt_defer();
	return orphans_release(c->efs, o, &events);
}

static bool process(struct check *c, const struct orphans *o)
{
	errcode_t err;

	if (!sound(c, o))
		return true;
	if (o->n && (c->efs->fs->super->s_state & EXT2_ERROR_FS)) {
		report(c, P_ORPHAN_ERRORS, o);
		return true;
	}
	if (!c->efs->writable) {
		if (o->n || has_present(c))
			report(c, P_ORPHAN_LEFT, o);
		return true;
	}
	if (c->locked)
		return true;
	err = o->n ? release(c, o) : tidy(c);
	if (err == E2DX_ET_MAP_DAMAGED || err == E2DX_ET_CHECKSUM ||
	    err == E2DX_ET_DAMAGED) {
		report(c, P_ORPHAN_BLOCKED, o);
		return true;
	}
	if (!err)
		return true;
	cli_error(c->cli, c->o->device, err, "cannot release orphans");
	cli_worsen(c->cli, FSCK_LEFT | FSCK_ERROR);
	return false;
}

/* A filesystem that is not going to be checked is not read for them. */
static bool may_skip(const struct check *c)
{
	char why[80];

	return !c->o->force && !c->replayed && !has_present(c) &&
	       !c->efs->fs->super->s_last_orphan &&
	       check_marked_clean(c->efs, why, sizeof(why));
}

bool check_orphans(struct check *c)
{
	struct orphans o;
	errcode_t err;
	bool ok;

	if (may_skip(c))
		return true;
	err = orphans_find(c->efs, &o);
	ok = !err;
	if (err) {
		cli_error(c->cli, c->o->device, err, "cannot read the orphans");
		cli_worsen(c->cli, FSCK_ERROR);
	} else {
		ok = process(c, &o);
	}
	orphans_free(&o);
	return ok;
}
