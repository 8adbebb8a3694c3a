/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests: a line is split, its command found and run. */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "debugfs.h"

int dbg_fail(struct debugfs *d, const char *object, errcode_t err,
	     const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	/* Keep the order of what the two streams say. */
	fflush(stdout);
	cli_error(&d->cli, object, err, "%s", text);
	return 1;
}

static int run_split(struct debugfs *d, int argc, char **argv)
{
	const struct debugfs_command *c = command_find(argv[0]);

	if (!c)
		return dbg_fail(d, argv[0], 0,
				"unknown command; \"help\" lists them");
	if (c->needs_open && !d->efs)
		return dbg_fail(d, argv[0], 0, "no filesystem is open");
	optind = 0;	/* glibc: begin anew, also inside an argument */
	opterr = 0;
	return c->run(d, argc, argv);
}

int request_run(struct debugfs *d, const char *line)
{
	char **argv;
	int argc = split_line(line, &argv), status = 0;

	if (argc < 0)
		return dbg_fail(d, NULL, 0, "unbalanced quotes");
	if (argc > 0)
		status = run_split(d, argc, argv);
	free(argv);
	if (fflush(stdout) || ferror(stdout)) {
		errcode_t err = errno;

		clearerr(stdout);
		return dbg_fail(d, "standard output", err, "cannot write");
	}
	return status;
}

int request_run_file(struct debugfs *d, const char *file)
{
	bool in = !strcmp(file, "-");
	FILE *f = in ? stdin : fopen(file, "r");
	char *line = NULL;
	size_t size = 0;
	ssize_t len;
	int status = 0;

	if (!f)
		return dbg_fail(d, file, errno, "cannot read commands");
	while (!d->quit && (len = getline(&line, &size, f)) > 0) {
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		if (line[0] == '#') {
			printf("%s\n", line);
			continue;
		}
		printf("debugfs: %s\n", line);
		status |= request_run(d, line);
	}
	if (ferror(f))
		status = dbg_fail(d, file, errno, "cannot read commands");
	free(line);
	if (!in)
		fclose(f);
	return status;
}
