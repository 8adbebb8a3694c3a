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
	"Usage: e2fsck [-n|-y|-p|-a] [-f] [-D] [-F] [-v] [-t[t]] [-b SUPERBLOCK [-B BLOCKSIZE]]\n"
	"              [-j JOURNAL] [-z UNDO_FILE] [-C FD] [-E OPTION,...] DEVICE\n"
	"       e2fsck -V | --help\n";

static const char help_text[] =
	"Check an ext2, ext3 or ext4 filesystem.\n\n"
	"  -n            change nothing: every question is answered no\n"
	"  -y            answer yes to every question\n"
	"  -p, -a        repair what puts no name at stake, ask nothing\n"
	"  -f            check even if the filesystem is marked clean\n"
	"  -D            rebuild every directory with the default hash, compacted\n"
	"  -F            forget what the kernel has cached of the device first\n"
	"  -v            say more\n"
	"  -t, -tt       say what it took, with -tt each pass\n"
	"  -b BLOCK      use the copy of the superblock at this block\n"
	"  -B BYTES      the block size\n"
	"  -j DEVICE     where the external journal is\n"
	"  -z FILE       keep what is overwritten, for e2undo\n"
	"  -C FD         report progress to this descriptor; 0: draw a bar;\n"
	"                -FD: only from SIGUSR1 on (SIGUSR2 ends it)\n"
	"  -E OPTIONS    threads=N: check with N threads; journal_only: replay the\n"
	"                journal, no more; fixes_only: no -D\n"
	"  -V            print the version\n\n"
	"Exit status, the sum of: 0 no faults, 1 faults repaired, 4 faults left,\n"
	"8 operational error, 16 usage error, 32 cancelled.\n";

/* What stock e2fsck does and this one does not: refused, never ignored. */
static const struct {
	char letter;
	const char *what;
} unsupported[] = {
	{ 'c', "looking for bad blocks" },
	{ 'l', "adding to the list of bad blocks" },
	{ 'L', "setting the list of bad blocks" },
};

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
	cli_error(c, "-p/-a, -n, -y", 0, "only one of them may be given");
	return usage(c);
}

static bool extended_number(const char *value, unsigned long max,
			    unsigned long *n)
{
	char *end;

	if (!value || *value == '-')
		return false;
	errno = 0;
	*n = strtoul(value, &end, 0);
	return !errno && end != value && !*end && *n <= max;
}

/* Those of stock that change what is done to a filesystem. */
static bool known_elsewhere(const char *key)
{
	static const char *const keys[] = {
		"fragcheck", "discard", "bmap2extent", "check_encoding",
		"unshare_blocks"
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcmp(key, keys[i]))
			return true;
	return false;
}

/*
 * Those of stock that are about how it works, or say what is done here in any
 * case: extents are not optimised, nothing is discarded, counts take as much
 * memory as they take.
 */
static bool harmless(const char *key)
{
	static const char *const keys[] = {
		"nodiscard", "no_optimize_extents", "optimize_extents",
		"inode_count_fullmap", "no_inode_count_fullmap"
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcmp(key, keys[i]))
			return true;
	return false;
}

enum extended_result { EXT_OK, EXT_UNKNOWN, EXT_VALUE, EXT_UNSUPPORTED };

struct extended {
	struct options *o;
	const char *key;	/* of what is wrong */
};

/* One of the -E list. */
static int set_extended(void *ctx, char *key, char *value)
{
	struct extended *x = ctx;
	unsigned long n = 0;

	x->key = key;
	if (!strcmp(key, "threads")) {
		if (!extended_number(value, 1024, &n) || !n)
			return EXT_VALUE;
		x->o->threads = (unsigned)n;
		return EXT_OK;
	}
	if (!strcmp(key, "readahead_kb"))
		return extended_number(value, ULONG_MAX / 1024, &n) ? EXT_OK :
		       EXT_VALUE;
	if (!strcmp(key, "ea_ver"))
		return extended_number(value, 2, &n) && n ? EXT_OK : EXT_VALUE;
	if (known_elsewhere(key))
		return EXT_UNSUPPORTED;
	if (!strcmp(key, "journal_only"))
		x->o->journal_only = true;
	else if (!strcmp(key, "fixes_only"))
		x->o->fixes_only = true;
	else if (!harmless(key))
		return EXT_UNKNOWN;
	return value ? EXT_VALUE : EXT_OK;
}

static bool extended(struct cli *c, struct options *o, char *list)
{
	static const char *const why[] = {
		[EXT_UNKNOWN] = "no such option",
		[EXT_VALUE] = "wrong value",
		[EXT_UNSUPPORTED] = "not supported yet"
	};
	struct extended x = { .o = o };
	char *copy = strdup(list);
	int result;

	if (!copy) {
		cli_error(c, "-E", ENOMEM, "cannot start");
		cli_worsen(c, FSCK_ERROR);
		return false;
	}
	result = cli_suboptions(copy, set_extended, &x);
	if (result)
		cli_error(c, "-E", 0, "%s: %s", x.key, why[result]);
	free(copy);
	return result ? usage(c) : true;
}

static bool bad_option(struct cli *c, int option)
{
	const char name[3] = { '-', (char)option, '\0' };

	for (size_t i = 0; i < sizeof(unsupported) / sizeof(unsupported[0]); i++)
		if (option == unsupported[i].letter) {
			cli_error(c, name, 0, "not supported yet: %s",
				  unsupported[i].what);
			return usage(c);
		}
	if (option)
		cli_error(c, name, 0, "no such option");
	else
		cli_error(c, NULL, 0, "no such option");
	return usage(c);
}

/* A descriptor, or its negative to begin when SIGUSR1 comes. */
static bool progress(struct cli *c, struct options *o, const char *text)
{
	unsigned long long n;

	o->progress_later = *text == '-';
	if (!number(c, 'C', text + o->progress_later, INT_MAX, &n))
		return false;
	o->progress_fd = (int)n;
	return true;
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
		return progress(c, o, optarg);
	case 'I':
	case 'P':	/* how stock reads; here it does not matter */
		return number(c, option, optarg, ULLONG_MAX, &n);
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

static bool missing(struct cli *c, int option)
{
	const char name[3] = { '-', (char)option, '\0' };

	cli_error(c, name, 0, "needs a value");
	return usage(c);
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
		o->timing++;
		return true;
	case 'F':
		o->flush = true;
		return true;
	case 'k':	/* what -c would leave; */
	case 'd':	/* output for stock's developers; */
	case 'r':	/* and what fsck(8) of old passed on */
		return true;
	case 'V':
		printf("e2fsck (e2dx) %s\n", PACKAGE_VERSION);
		return false;
	case 'h':
		printf("%s\n%s", usage_line, help_text);
		return false;
	case ':':
		return missing(c, optopt);
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
		cli_error(c, "-n, -D", 0, "they exclude each other");
		return usage(c);
	}
	if (o->mode == MODE_NO && o->undo_file) {
		cli_error(c, "-n, -z", 0, "they exclude each other");
		return usage(c);
	}
	if (o->fixes_only && o->optimize) {
		cli_error(c, "-D, -E fixes_only", 0, "they exclude each other");
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
	while ((option = getopt_long(argc, argv, ":nypafDFkdrvtVb:B:j:z:C:E:I:P:", longs,
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
