/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of e2fsck. */
#ifndef E2FSCK_H
#define E2FSCK_H

#include "ext2fs/replace.h"
#include "clock.h"
#include "facts.h"
#include "options.h"

struct check {
	struct cli *cli;
	const struct options *o;
	struct e2dx_fs *efs;
	struct facts facts;
	struct decider decider;
	struct e2dx_replacer *replacer;	/* NULL until something is replaced */
	struct cli_progress progress;
	struct clock_mark mark;	/* when the pass began */
	int pass;		/* the one that is timed; 0: none */
	bool changed;		/* something was written */
	bool locked;		/* the journal forbids any writing */
	bool replayed;		/* the journal was, or orphans were released */
};

/*
 * The whole program on these arguments; returns its exit status.  May be
 * called again in the same process.  (program.c)
 */
int e2fsck_program(int argc, char **argv);

/*
 * Open for this run (open.c): NULL, with a message and the status, where it
 * cannot be opened or must not be written.
 */
struct e2dx_fs *check_open(struct cli *cli, const struct options *o);

/*
 * Questions need somebody to answer them: false, with a message and the
 * status, where they may be put and nobody is there. (program.c)
 */
bool check_can_ask(struct cli *cli, const struct options *o);

/*
 * Is it marked clean, and not due for a check by count or time?  `why` gets
 * the reason where there is one worth telling. (clean.c)
 */
bool check_marked_clean(const struct e2dx_fs *efs, char *why, size_t size);

/* The line of a filesystem that is clean, which scripts read. (clean.c) */
void check_report_clean(const char *device, struct ext2_super_block *s);

/*
 * Is there nothing to do?  Reads the primary superblock alone; false where
 * that is not enough to say so.  Prints the line. (clean.c)
 */
bool check_clean_at_once(const struct options *o);

/*
 * Where all was checked, and is whole now, the superblock says so: valid, no
 * errors, checked at this time, no mounts since.  The last write. (mark.c)
 */
void check_mark(struct check *c);

/*
 * Report the superblock's and ownership problems, decide, and repair what
 * was decided. (repair_super.c)
 */
void check_super(struct check *c);

/*
 * The same for deleted files that are not on any list of orphans.  True where
 * some were released: what was gathered is not so any more. (repair_inode.c)
 */
bool check_deleted(struct check *c);

/*
 * The same for bitmaps and counts, before anything is allocated by them.
 * (repair_bitmap.c)
 */
void check_bitmaps(struct check *c);

/* The same for every directory, in the order of inodes. (repair.c) */
void check_directories(struct check *c);

/* The same for connectivity and link counts, after those. (repair_link.c) */
void check_links(struct check *c);

/* -D. (optimize.c) */
void check_optimize(struct check *c);

/* Begin replacing, if that has not begun; false, with a message, where it
   cannot be. */
bool check_begin_replacing(struct check *c);

/* Bring the replacing to its end. */
void check_end_replacing(struct check *c);

/* The hash for indexes made anew: the superblock's default where it is one. */
int check_default_version(const struct check *c);

#endif
