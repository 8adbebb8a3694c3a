/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of tune2fs, read as a whole before anything is opened. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <e2p/e2p.h>
#include "tune2fs.h"
#include "config.h"

/*
 * Every letter of e2fsprogs 1.47's tune2fs, with its argument, so that a
 * command line written for it is understood up to the option that this
 * program does not have.
 */
static const char letters[] = ":c:e:fg:i:jlm:o:r:s:u:C:E:I:J:L:M:O:Q:T:U:z:V";

enum { OPTION_HELP = 256 };
static const struct option long_options[] = {
	{ "help", no_argument, NULL, OPTION_HELP },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 }
};

/* -E keys of e2fsprogs that are not here. */
static const char *const other_keys[] = {
	"clear_mmp", "mmp_update_interval", "stride", "stripe_width",
	"stripe-width", "encoding", "encoding_flags", "mount_opts",
	"orphan_file_size", "force_fsck", "test_fs", "^test_fs", NULL
};

struct parse {
	const struct cli *c;
	struct tune_options *o;
};

static void usage(const struct cli *c, FILE *f)
{
	fprintf(f,
"Usage: %s [-f] [-l] [-L LABEL] [-U UUID|clear|random|time]\n"
"               [-E hash_alg=ALG,hash_seed=UUID|clear|random|time,rehash]\n"
"               [-O [^]dir_index,[^]large_dir] DEVICE\n"
"  -l                 list the superblock\n"
"  -L LABEL           set the volume label (16 bytes), also when mounted\n"
"  -U UUID            set the UUID\n"
"  -E hash_alg=ALG    default hash of new indexes: legacy, half_md4, tea, siphash\n"
"  -E hash_seed=UUID  the seed of hashes; every index is made anew\n"
"  -E rehash          rebuild every directory with the default hash now\n"
"  -O [^]dir_index    switch indexes on; with ^, make all directories linear\n"
"  -O [^]large_dir    directories of three index levels and more than 2 GiB\n"
"  -f                 accepted; nothing that is refused here can be forced\n"
"  -V, --version      print the version\n"
"  --help             print this text\n", c->program);
}

static int refuse(const struct cli *c, const char *what, const char *why)
{
	cli_error(c, what, 0, "%s", why);
	return 1;
}

static const char *const not_here =
	"not an option of this program; e2fsprogs' own tune2fs has it";

static int set_hash_alg(struct parse *p, const char *value)
{
	int version = value ? dirhash_version_from_text(value) : -1;
	char quoted[4 * 64 + 1];

	if (version >= 0 && dirhash_on_disk(version)) {
		p->o->hash_alg = version;
		return 0;
	}
	if (version >= 0)
		cli_error(p->c, "-E hash_alg", 0,
			  "%s may not stand on disk (the superblock's flags say whether names are signed or unsigned); valid are: legacy, half_md4, tea, siphash",
			  dirhash_version_name(version));
	else
		cli_error(p->c, "-E hash_alg", 0,
			  "unknown hash '%s'; valid are: legacy, half_md4, tea, siphash",
			  value ? cli_quote(quoted, value, strnlen(value, 64)) : "");
	return 1;
}

static int set_hash_seed(struct parse *p, const char *value)
{
	if (!value || !cli_parse_uuid(value, p->o->seed))
		return refuse(p->c, "-E hash_seed",
			      "needs a UUID, or 'random', 'time' or 'clear'");
	p->o->set_seed = true;
	return 0;
}

static int set_extended(void *ctx, char *key, char *value)
{
	struct parse *p = ctx;
	char what[64];

	if (!strcmp(key, "hash_alg"))
		return set_hash_alg(p, value);
	if (!strcmp(key, "hash_seed"))
		return set_hash_seed(p, value);
	if (!strcmp(key, "rehash") && !value) {
		p->o->rehash = true;
		return 0;
	}
	snprintf(what, sizeof(what), "-E %s", key);
	for (const char *const *k = other_keys; *k; k++)
		if (!strcmp(key, *k))
			return refuse(p->c, what, not_here);
	return refuse(p->c, what,
		      "unknown; valid are: hash_alg=, hash_seed=, rehash");
}

static int set_feature(void *ctx, char *key, char *value)
{
	struct parse *p = ctx;
	enum tune_switch to = *key == '^' ? TUNE_CLEAR : TUNE_SET;
	char *name = key + (*key == '^' || *key == '+');
	char what[64];
	unsigned mask;
	int type;

	if (!value && !strcmp(name, "dir_index")) {
		p->o->dir_index = to;
		return 0;
	}
	if (!value && !strcmp(name, "large_dir")) {
		p->o->large_dir = to;
		return 0;
	}
	snprintf(what, sizeof(what), "-O %s", key);
	if (!value && !e2p_string2feature(name, &type, &mask))
		return refuse(p->c, what, not_here);
	return refuse(p->c, what,
		      "unknown feature; valid are: [^]dir_index, [^]large_dir");
}

/* An option whose list was empty would otherwise pass as one that did all. */
static int list_of(struct parse *p, const char *letter, char *list,
		   int (*set)(void *ctx, char *key, char *value))
{
	if (!list[strspn(list, ",")])
		return refuse(p->c, letter, "an empty list");
	return cli_suboptions(list, set, p);
}

static int bad_letter(struct parse *p, int letter, const char *why)
{
	char what[3] = { '-', (char)letter, '\0' };

	return refuse(p->c, what, why);
}

static int set_option(struct parse *p, int letter, const char *word)
{
	struct tune_options *o = p->o;

	switch (letter) {
	case 'l':
		o->list = true;
		return 0;
	case 'f':
		o->force = true;
		return 0;
	case 'L':
		o->label = optarg;
		return 0;
	case 'U':
		o->set_uuid = cli_parse_uuid(optarg, o->uuid);
		return o->set_uuid ? 0 : bad_letter(p, 'U',
			"needs a UUID, or 'clear', 'random' or 'time'");
	case 'E':
		return list_of(p, "-E", optarg, set_extended);
	case 'O':
		return list_of(p, "-O", optarg, set_feature);
	case ':':
		return bad_letter(p, optopt, "needs an argument");
	case '?':
		if (optopt)
			return bad_letter(p, optopt, "unknown option");
		return refuse(p->c, word, "unknown option");
	default:
		return bad_letter(p, letter, not_here);
	}
}

bool tune_more_than_label(const struct tune_options *o)
{
	return o->set_uuid || tune_touches_hashing(o);
}

bool tune_touches_hashing(const struct tune_options *o)
{
	return o->hash_alg >= 0 || o->set_seed || o->rehash ||
	       o->dir_index != TUNE_KEEP || o->large_dir != TUNE_KEEP;
}

/* Options that cannot mean anything together. */
static bool consistent(const struct cli *c, const struct tune_options *o)
{
	if (o->rehash && o->dir_index == TUNE_CLEAR)
		return !refuse(c, "-O ^dir_index",
			       "makes every directory linear; -E rehash asks for indexes");
	if (o->hash_alg == DIRHASH_SIPHASH && o->set_seed &&
	    dirhash_seed_is_zero(o->seed))
		return !refuse(c, "-E hash_seed",
			       "siphash with a seed of zero has no secret key; give 'random'");
	return true;
}

bool tune_parse(const struct cli *c, int argc, char **argv,
		struct tune_options *o)
{
	struct parse p = { .c = c, .o = o };
	int letter;

	memset(o, 0, sizeof(*o));
	o->hash_alg = -1;
	while ((letter = getopt_long(argc, argv, letters, long_options,
				     NULL)) != -1) {
		if (letter == OPTION_HELP || letter == 'V') {
			if (letter == 'V')
				printf("tune2fs (e2dx) %s\n", PACKAGE_VERSION);
			else
				usage(c, stdout);
			o->done = true;
			return true;
		}
		if (set_option(&p, letter, argv[optind - 1]))
			return false;
	}
	if (argc - optind != 1 || (!o->list && !o->label &&
				   !tune_more_than_label(o))) {
		usage(c, stderr);
		return false;
	}
	o->argument = argv[optind];
	return consistent(c, o);
}
