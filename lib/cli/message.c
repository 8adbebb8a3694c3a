/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages in one shape, and the exit status that only worsens. */
#include <locale.h>
#include <stdarg.h>
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

/* stdout first, so that the two stay in order where both go to one file. */
static void start_line(const struct cli *c, const char *object)
{
	fflush(stdout);
	fprintf(stderr, "%s: ", c->program);
	if (object)
		fprintf(stderr, "%s: ", object);
}

void cli_error(const struct cli *c, const char *object, errcode_t err,
	       const char *format, ...)
{
	va_list args;

	start_line(c, object);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	if (err)
		fprintf(stderr, ": %s", error_message(err));
	fputc('\n', stderr);
}

void cli_note(const struct cli *c, const char *object, const char *format, ...)
{
	va_list args;

	start_line(c, object);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}
