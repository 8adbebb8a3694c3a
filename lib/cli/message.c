/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages in one shape, and the exit status that only worsens. */
#define _GNU_SOURCE
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

void cli_init(struct cli *c, const char *argv0)
{
	const char *slash = argv0 ? strrchr(argv0, '/') : NULL;

	c->program = slash ? slash + 1 : argv0 ? argv0 : "e2dx";
	c->status = 0;
	setlocale(LC_ALL, "");
	add_error_table(&et_ext2_error_table);
	add_error_table(&et_e2dx_error_table);
}

void cli_worsen(struct cli *c, int bits)
{
	c->status |= bits;
}

/*
 * What comes from a command line or a file of commands must not steer a
 * terminal any more than a name from an image, which is quoted before.
 */
static void put_text(const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20 || c == 0x7f)
			fprintf(stderr, "\\x%02x", c);
		else
			fputc(c, stderr);
	}
}

static void put_line(const struct cli *c, const char *object, errcode_t err,
		     const char *format, va_list args)
{
	char *text = NULL;

	/* In this order where both go to one file. */
	fflush(stdout);
	fprintf(stderr, "%s: ", c->program);
	if (object) {
		put_text(object);
		fputs(": ", stderr);
	}
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	put_text(text ? text : format);
	free(text);
	if (err)
		fprintf(stderr, ": %s", error_message(err));
	fputc('\n', stderr);
}

void cli_error(const struct cli *c, const char *object, errcode_t err,
	       const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put_line(c, object, err, format, args);
	va_end(args);
}

void cli_note(const struct cli *c, const char *object, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put_line(c, object, 0, format, args);
	va_end(args);
}
