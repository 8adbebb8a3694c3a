/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Replaying a journal into its filesystem, in an order that a power cut at
 * any write leaves to be done again.
 */
#ifndef E2DX_JOURNAL_RECOVER_H
#define E2DX_JOURNAL_RECOVER_H

#include "journal/locate.h"

/*
 * First: find the transactions and write their blocks, synced.  The journal and the
 * superblock's needs_recovery stay, so it can be done again.  The filesystem has
 * to be opened anew after it, since any of its metadata may be another.  *log
 * says what was found; jnl_log_free() is due in every case.  ENOMEM, I/O errors
 * of writing.
 */
errcode_t jnl_recover(struct jnl_journal *j, struct jnl_log *log);

/*
 * Then: what was fast committed behind the last transaction, done to j->efs,
 * the filesystem as opened anew.  Errors of fc_replay(); E2DX_ET_UNSUPPORTED
 * for records that are not known.  Then the journal is to be kept.
 */
errcode_t jnl_recover_fast(struct jnl_journal *j, const struct jnl_log *log,
			   size_t *records);

/*
 * Last: empty the journal, then clear needs_recovery, synced each; before that,
 * where the log was damaged or the journal noted an error, mark the filesystem
 * as one with errors.  j->efs is the filesystem as opened anew.
 */
errcode_t jnl_finish(struct jnl_journal *j, const struct jnl_log *log);

/*
 * An empty journal that noted an error: mark the filesystem, then clear the
 * note.  Synced.
 */
errcode_t jnl_take_error(struct jnl_journal *j);

#endif
