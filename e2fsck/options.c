/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of e2fsck. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "config.h"
#include "options.h"

static const char usage_line[] =
	"Usage: e2fsck [-n|-y|-p|-a] [-f] [-D] [-v] [-t] [-b SUPERBLOCK [-B BLOCKSIZE]]\n"
	"              [-j JOURNAL] [-z UNDO_FILE] [-C FD] [-E threads=N] DEVICE\n"
	"       e2fsck -V | --help\n";

static const char help_text[] =
	"Check the directories of an ext2, ext3 or ext4 filesystem and their indexes.\n\n"
	"  -n            change nothing: every question is answered no\n"
	"  -y            answer yes to every question\n"
	"  -p, -a        repair what puts no name at stake, ask nothing\n"
	"  -f            check even if the filesystem is marked clean\n"
	"  -D            rebuild every directory with the default hash, compacted\n"
	"  -v            say more\n"
	"  -t            say how long it took\n"
	"  -b BLOCK      use the copy of the superblock at this block\n"
	"  -B BYTES      the block size, for -b\n"
	"  -j DEVICE     where the external journal is\n"
	"  -z FILE       keep what is overwritten, for e2undo\n"
	"  -C FD         report progress to this descriptor; 0: draw a bar\n"
	"  -E threads=N  check with N threads\n"
	"  -V            print the version\n\n"
	"Exit status, the sum of: 0 no faults, 1 faults repaired, 4 faults left,\n"
	"8 operational error, 16 usage error, 32 cancelled.\n";

/* Options of stock e2fsck that this one does not have. */
static const char unsupported[] = "cdFGIklLrsSPR";

static bool usage(struct cli *c)
{
	fputs(usage_line, stderr);
	cli_worsen(c, FSCK_USAGE);
	return false;
}

static bool number(struct cli *c, int option, const char *text,
		   unsigned long long max, unsigned long long *out)
{
	const char name[3] = { '-', (char)option, '\0' };
	char *end;

	errno = 0;
	*out = strtoull(text, &end, 0);
	if (!errno && end != text && !*end && *text != '-' && *out <= max)
		return true;
	cli_error(c, name, 0, "'%s' is not a usable number", text);
	return usage(c);
}

static bool set_mode(struct cli *c, struct options *o, enum answer_mode mode)
{
	if (o->mode == MODE_ASK || o->mode == mode) {
		o->mode = mode;
		return true;
	}
	cli_error(c, NULL, 0,
		  "only one of the options -p/-a, -n and -y may be given");
	return usage(c);
}

/* One of the -E list. */
static int set_extended(void *ctx, char *key, char *value)
{
	struct options *o = ctx;
	char *end;
	unsigned long n;

	if (strcmp(key, "threads") || !value)
		return -1;
	n = strtoul(value, &end, 10);
	if (end == value || *end || !n || n > 1024)
		return -1;
	o->threads = (unsigned)n;
	return 0;
}

static bool extended(struct cli *c, struct options *o, char *list)
{
	char *copy = strdup(list);
	bool ok = copy && !cli_suboptions(copy, set_extended, o);

	free(copy);
	if (ok)
		return true;
	cli_error(c, "-E", 0, "'%s': only threads=N (1 to 1024) is known", list);
	return usage(c);
}

static bool bad_option(struct cli *c, int option)
{
	if (option && strchr(unsupported, option))
		cli_error(c, NULL, 0, "option -%c is not supported", option);
	else if (option)
		cli_error(c, NULL, 0, "option -%c is not known", option);
	else
		cli_error(c, NULL, 0, "unknown option");
	return usage(c);
}

static bool with_argument(struct cli *c, struct options *o, int option)
{
	unsigned long long n;

	switch (option) {
	case 'b':
		return number(c, 'b', optarg, ULLONG_MAX - 1, &o->superblock);
	case 'B':
		if (!number(c, 'B', optarg, 65536, &n))
			return false;
		o->block_size = (unsigned)n;
		if (n >= 1024 && !(n & (n - 1)))
			return true;
		cli_error(c, "-B", 0, "a block size is a power of two from 1024 to 65536");
		return usage(c);
	case 'C':
		if (!number(c, 'C', optarg, INT_MAX, &n))
			return false;
		o->progress_fd = (int)n;
		return true;
	case 'j':
		o->journal = optarg;
		return true;
	case 'z':
		o->undo_file = optarg;
		return true;
	default:
		return extended(c, o, optarg);
	}
}

static bool apply(struct cli *c, struct options *o, int option)
{
	switch (option) {
	case 'n':
		return set_mode(c, o, MODE_NO);
	case 'y':
		return set_mode(c, o, MODE_YES);
	case 'p':
	case 'a':
		return set_mode(c, o, MODE_PREEN);
	case 'f':
		o->force = true;
		return true;
	case 'D':
		o->optimize = true;
		return true;
	case 'v':
		o->verbose = true;
		return true;
	case 't':
		o->timing = true;
		return true;
	case 'V':
		printf("e2fsck (e2dx) %s\n", PACKAGE_VERSION);
		return false;
	case 'h':
		printf("%s\n%s", usage_line, help_text);
		return false;
	case ':':
		cli_error(c, NULL, 0, "option -%c needs a value", optopt);
		return usage(c);
	case '?':
		return bad_option(c, optopt);
	default:
		return with_argument(c, o, option);
	}
}

/* What only shows when all options are known. */
static bool consistent(struct cli *c, const struct options *o)
{
	if (o->mode == MODE_NO && o->optimize) {
		cli_error(c, NULL, 0, "-n and -D exclude each other");
		return usage(c);
	}
	if (o->mode == MODE_NO && o->undo_file) {
		cli_error(c, NULL, 0, "-n and -z exclude each other");
		return usage(c);
	}
	return true;
}

bool options_parse(struct cli *c, int argc, char **argv, struct options *o)
{
	static const struct option longs[] = {
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 }
	};
	int option;

	*o = (struct options){ .mode = MODE_ASK, .progress_fd = -1 };
	opterr = 0;
	while ((option = getopt_long(argc, argv, ":nypafDvtVb:B:j:z:C:E:", longs,
				     NULL)) != -1)
		if (!apply(c, o, option))
			return false;
	if (optind + 1 != argc) {
		cli_error(c, NULL, 0, "one device or image is to be named");
		return usage(c);
	}
	o->device = argv[optind];
	return consistent(c, o);
}
