/* SPDX-License-Identifier: GPL-2.0-or-later */
/* debugfs: look into an ext2/3/4 filesystem.  Arguments and exit status. */
#include "config.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "debugfs.h"

struct arguments {
	const char *request;	/* -R */
	const char *file;	/* -f */
	const char *device;
	struct e2dx_open_options open;
};

static void usage(FILE *f)
{
	fputs("usage: debugfs [-w] [-c] [-n] [-b BLOCKSIZE] [-s SUPERBLOCK]\n"
	      "               [-R REQUEST | -f FILE] [DEVICE]\n"
	      "       debugfs -V | --help\n"
	      "\n"
	      "  -R REQUEST     run one request and exit\n"
	      "  -f FILE        run the requests of FILE (-: standard input) and exit\n"
	      "  -w             open for writing\n"
	      "  -c             read neither bitmaps nor group descriptors' checks\n"
	      "  -n             open in spite of wrong checksums\n"
	      "  -b, -s         block size and block number of a superblock copy\n"
	      "  -V             show the version\n"
	      "\n"
	      "Exit status: 0, or 1 where a request failed.  \"help\" lists the requests.\n",
	      f);
}

static void version(void)
{
	const char *number, *date;

	ext2fs_get_library_version(&number, &date);
	fprintf(stderr, "debugfs (e2dx) %s\n\tusing libext2fs %s of %s\n",
		PACKAGE_VERSION, number, date);
}

static const struct option long_options[] = {
	{ "help", no_argument, NULL, 'H' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 }
};

static bool option_number(struct debugfs *d, const char *text, const char *what,
			  uint64_t max, uint64_t *value)
{
	if (parse_number(text, value) && *value && *value <= max)
		return true;
	dbg_fail(d, text, 0, "not a %s", what);
	return false;
}

/* One option; returns -1 to go on, else the exit status. */
static int take_option(struct debugfs *d, struct arguments *a, int c)
{
	uint64_t n;

	switch (c) {
	case 'R': a->request = optarg; return -1;
	case 'f': a->file = optarg; return -1;
	case 'w': a->open.writable = true; return -1;
	case 'c': a->open.catastrophic = true; return -1;
	case 'n': a->open.ignore_csum = true; return -1;
	case 'b':
		if (!option_number(d, optarg, "block size", 65536, &n))
			return 1;
		a->open.block_size = (unsigned)n;
		return -1;
	case 's':
		if (!option_number(d, optarg, "block number", UINT64_MAX, &n))
			return 1;
		a->open.superblock = n;
		return -1;
	case 'V': version(); return 0;
	case 'H': usage(stdout); return 0;
	default: usage(stderr); return 1;
	}
}

static int parse_arguments(struct debugfs *d, struct arguments *a,
			   int argc, char **argv)
{
	int c, status = -1;

	while ((c = getopt_long(argc, argv, "R:f:wcnb:s:V", long_options,
				NULL)) >= 0 && status < 0)
		status = take_option(d, a, c);
	if (status >= 0)
		return status;
	if (argc - optind > 1) {
		usage(stderr);
		return 1;
	}
	a->device = argv[optind];
	if (a->open.superblock && !a->open.block_size)
		return dbg_fail(d, "-s", 0, "needs the block size too (-b)");
	return -1;
}

/* What was asked for, from wherever it was asked. */
static int run(struct debugfs *d, const struct arguments *a)
{
	bool terminal = !a->request && !a->file && isatty(STDIN_FILENO);
	int status = 0;

	if (a->device)
		status = filesystem_open(d, a->device, &a->open);
	/* Only a person can do something about it. */
	if (status && !terminal)
		return status;
	if (a->request)
		return request_run(d, a->request);
	if (a->file)
		return request_run_file(d, a->file);
	return terminal ? interactive_run(d) : request_run_file(d, "-");
}

int main(int argc, char **argv)
{
	struct debugfs d = { .cwd = EXT2_ROOT_INO };
	struct arguments a = { 0 };
	int status;

	cli_init(&d.cli, argv[0]);
	status = parse_arguments(&d, &a, argc, argv);
	if (status < 0)
		status = run(&d, &a);
	if (filesystem_close(&d))
		status = 1;
	if (fclose(stdout))
		status = 1;
	return status;
}
