/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The log of a journal: found whole transactions, and their blocks copied to
 * where they belong.  Knows no filesystem: reads and writes are the caller's.
 */
#ifndef E2DX_JOURNAL_LOG_H
#define E2DX_JOURNAL_LOG_H

#include "journal/revoke.h"
#include "journal/super.h"

struct jnl_io {
	/* Read a block of the journal. */
	errcode_t (*read)(void *ctx, uint32_t block, uint8_t *data);
	/* May a block of the filesystem be written to at all? */
	bool (*allowed)(void *ctx, uint64_t block);
	/* Write it. */
	errcode_t (*write)(void *ctx, uint64_t block, const uint8_t *data);
	void *ctx;
};

/* What is wrong with a log, beyond that it ends somewhere. */
enum jnl_damage {
	JNL_SOUND,
	JNL_BAD_DESCRIPTOR,	/* wrong checksum of a descriptor block */
	JNL_BAD_COMMIT,		/* wrong checksum of a commit block, or of what
				   it commits */
	JNL_BAD_REVOKE,		/* a revoke block counts more than it holds */
	JNL_BAD_TARGET,		/* a tag names a block that cannot be written */
	JNL_BAD_DATA,		/* wrong checksum of a block's copy */
	JNL_BAD_READ		/* a block of the log cannot be read */
};

struct jnl_log {
	const struct jnl_super *super;	/* not owned */
	struct jnl_io io;
	uint32_t end;		/* number of the first transaction not replayed */
	uint64_t transactions;	/* whole ones before it */
	enum jnl_damage damage;	/* the first */
	uint32_t damaged;	/* transaction that has it */
	uint64_t damaged_block;	/* of the filesystem, with BAD_TARGET and BAD_DATA */
	uint64_t written;	/* blocks, by jnl_log_replay() */
	uint64_t skipped;	/* blocks whose copies are BAD_DATA or BAD_READ */
	struct jnl_revokes revokes;	/* owned */
	uint8_t *block, *data;	/* one block each; owned */
};

/*
 * Find out what is to be replayed: every transaction up to the end of the log
 * or up to the first one that is damaged.  A damaged log is no error.  Reads
 * each block of the log no more than twice; takes 32 bytes at most for each
 * revoked block.  ENOMEM.  jnl_log_free() is due in every case.
 */
errcode_t jnl_log_scan(struct jnl_log *log, const struct jnl_super *super,
		       const struct jnl_io *io);

/*
 * Write the blocks.  Not synced; may be done again, from the start, as often
 * as it takes.  A copy that has a wrong checksum or cannot be read is skipped and
 * makes the log damaged.  Errors of writing end it.
 */
errcode_t jnl_log_replay(struct jnl_log *log);

void jnl_log_free(struct jnl_log *log);

#endif
