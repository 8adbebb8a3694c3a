/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The journal: judged, and replayed before anything else is looked at. */
#include "interrupt.h"
#include "journal.h"
#include "journal/recover.h"
#include "report.h"

static void report(struct check *c, enum problem_code code, uint64_t value)
{
	struct problem p = {
		.code = code, .ino = c->efs->fs->super->s_journal_inum,
		.value = value
	};

	report_problem(c, &p);
	/* Without its journal nobody knows what the filesystem is to be. */
	if (problem_info(code)->severity == S_LOCK) {
		c->locked = true;
		cli_worsen(c->cli, FSCK_ERROR);
	}
	if (problem_info(code)->severity == S_LOCK ||
	    problem_info(code)->severity == S_LEAVE)
		cli_worsen(c->cli, FSCK_LEFT);
}

/* Report, and ask; an answer of no leaves a fault. */
static bool confirm(struct check *c, enum problem_code code)
{
	struct problem p = { .code = code };

	report_problem(c, &p);
	if (decide(&c->decider, &p))
		return true;
	cli_worsen(c->cli, FSCK_LEFT);
	return false;
}

static bool failed(struct check *c, errcode_t err, const char *what)
{
	if (!err)
		return false;
	cli_error(c->cli, c->o->device, err, "%s", what);
	cli_worsen(c->cli, FSCK_LEFT | FSCK_ERROR);
	return true;
}

static void report_fault(struct check *c, const struct jnl_journal *j)
{
	static const enum problem_code places[] = {
		[JNL_PLACE_INODE] = P_JOURNAL_INODE,
		[JNL_PLACE_NO_DEVICE] = P_JOURNAL_NO_DEVICE,
		[JNL_PLACE_DEVICE] = P_JOURNAL_UNREADABLE,
		[JNL_PLACE_NOT_JOURNAL] = P_JOURNAL_NOT_DEVICE,
		[JNL_PLACE_UUID] = P_JOURNAL_UUID,
		[JNL_PLACE_USER] = P_JOURNAL_USER
	};
	static const enum problem_code supers[] = {
		[JNL_SUPER_MAGIC] = P_JOURNAL_SUPER,
		[JNL_SUPER_VERSION] = P_JOURNAL_VERSION,
		[JNL_SUPER_INCOMPAT] = P_JOURNAL_INCOMPAT,
		[JNL_SUPER_RO_COMPAT] = P_JOURNAL_RO_COMPAT,
		[JNL_SUPER_CHECKSUM] = P_JOURNAL_CHECKSUM,
		[JNL_SUPER_GEOMETRY] = P_JOURNAL_GEOMETRY,
		[JNL_SUPER_SHORT] = P_JOURNAL_SHORT
	};

	report(c, j->fault == JNL_PLACE_SUPER ? supers[j->super_fault] :
	       places[j->fault], (uint64_t)j->error);
}

static void report_damage(struct check *c, const struct jnl_log *log)
{
	static const enum problem_code codes[] = {
		[JNL_BAD_DESCRIPTOR] = P_JOURNAL_BAD_DESCRIPTOR,
		[JNL_BAD_COMMIT] = P_JOURNAL_BAD_COMMIT,
		[JNL_BAD_REVOKE] = P_JOURNAL_BAD_REVOKE,
		[JNL_BAD_TARGET] = P_JOURNAL_BAD_TARGET,
		[JNL_BAD_DATA] = P_JOURNAL_BAD_DATA,
		[JNL_BAD_READ] = P_JOURNAL_BAD_READ
	};
	struct problem p = {
		.code = codes[log->damage], .value = log->damaged,
		.block = log->damaged_block
	};

	report_problem(c, &p);
	cli_worsen(c->cli, FSCK_CORRECTED);
}

/* Whatever was read from it may be another now. */
static bool open_anew(struct check *c)
{
	errcode_t err = e2dx_close(c->efs);

	c->efs = NULL;
	if (failed(c, err, "cannot close after replaying the journal"))
		return false;
	c->efs = check_open(c->cli, c->o);
	return c->efs;
}

/*
 * What cannot be done of fast commits keeps the journal, and everything, as it
 * is: Linux can replay it.
 */
static bool replay_fast(struct check *c, struct jnl_journal *j,
			const struct jnl_log *log)
{
	size_t records = 0;
	errcode_t err = jnl_recover_fast(j, log, &records);

	if (err) {
		cli_error(c->cli, c->o->device, err,
			  "cannot replay the fast commits (mount it once)");
		cli_worsen(c->cli, FSCK_LEFT | FSCK_ERROR);
	} else if (records && c->o->verbose) {
		printf("%s: %zu records of fast commits replayed\n",
		       c->o->device, records);
	}
	return !err;
}

static bool replay(struct check *c, struct jnl_journal *j)
{
	struct jnl_log log = { 0 };
	bool ok;

	interrupt_defer();
	printf("%s: recovering journal\n", c->o->device);
	fflush(stdout);
	ok = !failed(c, jnl_recover(j, &log), "cannot replay the journal") &&
	     open_anew(c);
	if (ok) {
		j->efs = c->efs;
		ok = replay_fast(c, j, &log) && !failed(c, jnl_finish(j, &log),
			     "cannot finish replaying the journal");
	}
	if (ok && log.damage)
		report_damage(c, &log);
	if (ok && c->o->verbose)
		printf("%s: %llu transactions replayed, %llu blocks written\n",
		       c->o->device, (unsigned long long)log.transactions,
		       (unsigned long long)log.written);
	c->replayed = true;
	jnl_log_free(&log);
	return ok;
}

/* Where the log holds something, but the superblock knows nothing of it. */
static bool left_over(struct check *c)
{
	return confirm(c, P_JOURNAL_NOT_EMPTY);
}

/*
 * A primary superblock that is torn or of another filesystem is not what to
 * replay by; whoever judges superblocks says so later.
 */
static bool super_in_doubt(struct check *c)
{
	struct problem_list *super = NULL;
	errcode_t err = facts_super(c->efs, &super);
	bool locks = err || problem_list_locks(super);

	problem_list_free(super);
	if (locks)
		cli_note(c->cli, c->o->device,
			 "nothing is replayed, since the superblock is in doubt");
	c->locked = c->locked || locks;
	return locks;
}

static bool judge(struct check *c, struct jnl_journal *j)
{
	bool due = ext2fs_has_feature_journal_needs_recovery(c->efs->fs->super);

	if (j->fault) {
		report_fault(c, j);
		return true;
	}
	if (!due && j->super.start)
		due = left_over(c);
	if (!j->external && j->super.users > 1)
		report(c, P_JOURNAL_USERS, j->super.users);
	if (!c->efs->writable) {
		if (due)
			cli_note(c->cli, c->o->device,
				 "the journal is not replayed with -n; checked as it stands");
		else if (j->super.error)
			report(c, P_JOURNAL_ERROR, j->super.error);
		return true;
	}
	if ((due || j->super.error) && (c->locked || super_in_doubt(c)))
		return true;
	if (due)
		return check_can_ask(c->cli, c->o) && replay(c, j);
	if (!j->super.error || j->super.start)
		return true;
	cli_note(c->cli, c->o->device, "its journal noted an error");
	interrupt_defer();
	return !failed(c, jnl_take_error(j), "cannot mark the filesystem");
}

/* The mark without a journal means nothing. */
static bool without_journal(struct check *c)
{
	struct ext2_super_block *sb = c->efs->fs->super;

	if (!ext2fs_has_feature_journal_needs_recovery(sb) ||
	    !confirm(c, P_JOURNAL_NONE))
		return true;
	interrupt_defer();
	ext2fs_clear_feature_journal_needs_recovery(sb);
	if (failed(c, e2dx_super_write(c->efs), "cannot write the superblock"))
		return false;
	c->changed = true;
	cli_worsen(c->cli, FSCK_CORRECTED);
	return true;
}

/* A replay may have brought the journal's inode back. */
static bool judge_inode(struct check *c, const struct jnl_journal *j)
{
	struct jnl_journal *again = NULL;
	bool damaged = j->from_copy;

	if (damaged && c->replayed) {
		if (failed(c, jnl_open(c->efs, c->o->journal, &again),
			   "cannot start"))
			return false;
		damaged = again->from_copy;
		jnl_close(again);
	}
	if (damaged)
		report(c, P_JOURNAL_COPY, 0);
	return true;
}

bool check_journal(struct check *c)
{
	struct jnl_journal *j = NULL;
	bool ok;

	if (!ext2fs_has_feature_journal(c->efs->fs->super))
		return without_journal(c);
	if (failed(c, jnl_open(c->efs, c->o->journal, &j), "cannot start"))
		return false;
	ok = judge(c, j) && judge_inode(c, j);
	jnl_close(j);
	return ok;
}
