/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the programs share: messages, exit status, option lists, progress. */
#ifndef E2DX_CLI_H
#define E2DX_CLI_H

#include <stdbool.h>
#include <stdio.h>
#include "ext2fs/fs.h"

struct cli {
	const char *program;	/* argv[0]'s last part */
	int status;		/* exit status so far; see cli_worsen() */
};

/* Start: names the program, sets the locale, adds the error tables. */
void cli_init(struct cli *c, const char *argv0);

/* The status is a set of bits as fsck(8): it gains bits, never loses one. */
void cli_worsen(struct cli *c, int bits);

/*
 * `program: object: what: why` on stderr.  object may be NULL; err 0 leaves
 * out the why.  Control characters of object and format arguments that come from an image are the
 * caller's to escape: cli_quote().
 */
void cli_error(const struct cli *c, const char *object, errcode_t err,
	       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same shape, for what is no failure. */
void cli_note(const struct cli *c, const char *object, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * A name of any bytes as printable text: bytes outside printable ASCII and
 * valid UTF-8, and the backslash, as \xHH; cli_unquote() reads it back.
 * `out` has room for 4 * len + 1.  Returns out.
 */
char *cli_quote(char *out, const void *name, size_t len);

/* The reverse; returns the length, or -1 for a malformed \x. */
int cli_unquote(uint8_t *out, size_t out_size, const char *text);

/*
 * Split a -E list ("a=b,c") in place: calls set(ctx, key, value or NULL) for
 * each; stops at and returns the first non-zero result.
 */
int cli_suboptions(char *list, int (*set)(void *ctx, char *key, char *value),
		   void *ctx);

/* "clear", "random", "time" or a UUID's text; false where it is none. */
bool cli_parse_uuid(const char *text, uint8_t uuid[16]);

/* A progress bar on a terminal, or the -C FD protocol of fsck(8). */
struct cli_progress {
	int fd;			/* -1: none; 0: a bar on stdout; else lines to fd */
	const char *device;
	int pass;
	int shown;		/* last permille drawn, -1 none */
	long delay_ms;		/* the bar only after this time; init: 0 */
	long start_ms;		/* when init was called */
};
void cli_progress_init(struct cli_progress *p, int fd, const char *device);
void cli_progress_show(struct cli_progress *p, int pass, uint64_t done,
		       uint64_t total);
void cli_progress_clear(struct cli_progress *p);

/*
 * The device that an argument names, as a new string (the caller frees it):
 * LABEL=... and UUID=... are looked up, anything else is itself.  NULL, with
 * a message, where nothing has that label or UUID.
 */
char *cli_device(const struct cli *c, const char *argument);

/*
 * e2dx_open() with a message that helps where it fails (what lies on the
 * device instead, which option may get further).  NULL then; the status is
 * the caller's to worsen.
 */
struct e2dx_fs *cli_open(const struct cli *c, const char *device,
			 const struct e2dx_open_options *o);

/*
 * Print a superblock (host order, any bytes) on stdout, the lines as stock
 * tune2fs -l and dumpe2fs -h have them.
 */
errcode_t cli_show_super(const struct cli *c, const char *device,
			 const struct ext2_super_block *super);

/* Say why a filesystem (`why` of e2dx_write_refusal(), with its detail) is
   not written to, and what to do about it. */
void cli_refused(const struct cli *c, const char *device, errcode_t why,
		 const char *detail);

/* May the filesystem be written?  Says why where it may not. */
bool cli_may_write(const struct cli *c, const struct e2dx_fs *efs);

#endif
