/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replaying a journal into its filesystem, and the order of the writes. */
#include "journal/fc_replay.h"
#include "journal/recover.h"

errcode_t jnl_recover(struct jnl_journal *j, struct jnl_log *log)
{
	struct jnl_io io = jnl_journal_io(j);
	errcode_t err = jnl_log_scan(log, &j->super, &io);

	if (!err)
		err = jnl_log_replay(log);
	return err ? err : io_channel_flush(j->efs->fs->io);
}

errcode_t jnl_recover_fast(struct jnl_journal *j, const struct jnl_log *log,
			   size_t *records)
{
	struct jnl_io io = jnl_journal_io(j);
	struct fc_log fast;
	errcode_t err;

	*records = 0;
	/* Behind a damaged transaction they do not follow. */
	if (log->damage)
		return 0;
	err = fc_scan(&j->super, &io, log->end, &fast);
	if (!err && fast.unknown)
		err = E2DX_ET_UNSUPPORTED;
	if (!err)
		err = fc_replay(j->efs, &fast);
	*records = fast.n;
	fc_free(&fast);
	return err;
}

static errcode_t mark_errors(struct jnl_journal *j)
{
	j->efs->fs->super->s_state |= EXT2_ERROR_FS;
	return e2dx_super_write(j->efs);
}

errcode_t jnl_finish(struct jnl_journal *j, const struct jnl_log *log)
{
	errcode_t err = 0;

	/* The note of an error goes with the log: it is kept before that. */
	if (log->damage || j->super.error)
		err = mark_errors(j);
	/*
	 * No transaction that lies in the log has the next number, nor the
	 * one of fast commits.
	 */
	jnl_super_empty(&j->super, log->end + 1);
	if (!err)
		err = jnl_write_super(j);
	if (err)
		return err;
	/*
	 * Only now: without needs_recovery, and with a log, a filesystem would
	 * be mounted as it was before the replay.
	 */
	ext2fs_clear_feature_journal_needs_recovery(j->efs->fs->super);
	return e2dx_super_write(j->efs);
}

errcode_t jnl_take_error(struct jnl_journal *j)
{
	errcode_t err = mark_errors(j);

	jnl_super_empty(&j->super, j->super.sequence);
	return err ? err : jnl_write_super(j);
}
