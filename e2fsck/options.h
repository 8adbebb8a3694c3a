/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line as one struct. */
#ifndef E2FSCK_OPTIONS_H
#define E2FSCK_OPTIONS_H

#include "cli/cli.h"
#include "decide.h"

/* Exit bits of fsck(8). */
enum {
	FSCK_OK = 0, FSCK_CORRECTED = 1, FSCK_LEFT = 4, FSCK_ERROR = 8,
	FSCK_USAGE = 16, FSCK_CANCELLED = 32
};

struct options {
	const char *device;
	enum answer_mode mode;		/* -n -y -p/-a; MODE_ASK with none */
	bool force;			/* -f */
	bool optimize;			/* -D */
	bool verbose;			/* -v */
	unsigned timing;		/* -t; 2: each pass too */
	bool flush;			/* -F: forget what is cached of it */
	bool progress_later;		/* -C -FD: from SIGUSR1 on */
	bool journal_only;		/* -E journal_only */
	bool fixes_only;		/* -E fixes_only */
	unsigned long long superblock;	/* -b: block of a copy; 0: primary */
	unsigned block_size;		/* -B: bytes; 0: found out */
	const char *undo_file;		/* -z */
	const char *journal;		/* -j: device of the journal; NULL */
	int progress_fd;		/* -C; -1: none */
	unsigned threads;		/* -E threads=; 0: one a core */
};

/*
 * Fill *o from the command line.  Returns true to go on; false where all is
 * said already (help, version, an error): the status is in *c.
 */
bool options_parse(struct cli *c, int argc, char **argv, struct options *o);

#endif
