/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where a filesystem's journal lies: in an inode or on a device of its own. */
#ifndef E2DX_JOURNAL_LOCATE_H
#define E2DX_JOURNAL_LOCATE_H

#include "ext2fs/map.h"
#include "journal/log.h"

/* Why there is no journal to be read. */
enum jnl_place_fault {
	JNL_PLACE_OK,
	JNL_PLACE_INODE,	/* its inode is not one of a journal */
	JNL_PLACE_NO_DEVICE,	/* no device has the journal's UUID */
	JNL_PLACE_DEVICE,	/* the device cannot be read; see `error` */
	JNL_PLACE_NOT_JOURNAL,	/* the device is no external journal */
	JNL_PLACE_UUID,		/* it is another one */
	JNL_PLACE_USER,		/* it does not know this filesystem, or knows
				   several */
	JNL_PLACE_SUPER		/* the journal's superblock; see `super_fault` */
};

/* Blocks of the journal that follow one another on the device. */
struct jnl_run {
	uint32_t logical;
	uint32_t count;
	uint64_t physical;
};

struct jnl_journal {
	struct e2dx_fs *efs;	/* not owned */
	enum jnl_place_fault fault;
	enum jnl_super_fault super_fault;
	errcode_t error;	/* with JNL_PLACE_DEVICE */
	bool external;
	bool from_copy;		/* its inode is damaged: the superblock's copy
				   of its map is used */
	io_channel io;		/* of an external journal; owned */
	uint32_t base;		/* block of its superblock */
	struct jnl_run *runs;	/* by logical block; owned */
	struct jnl_run *by_place;	/* the same by physical block; owned */
	size_t n_runs, last;	/* last: where the previous block was found */
	struct jnl_super super;
};

/*
 * Find the journal of a filesystem that has one.  `device`: an external
 * journal (NULL: looked for by its UUID).  What is wrong with the journal is told
 * by the faults in *out; errors are ENOMEM alone.  Owned by the caller.
 */
errcode_t jnl_open(struct e2dx_fs *efs, const char *device,
		   struct jnl_journal **out);
void jnl_close(struct jnl_journal *j);

/* What jnl_log_scan() takes, for this journal; `j` outlives it. */
struct jnl_io jnl_journal_io(struct jnl_journal *j);

/* Write j->super.raw to its place; then sync.  I/O errors. */
errcode_t jnl_write_super(struct jnl_journal *j);

#endif
