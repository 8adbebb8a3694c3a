/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dx_hash: the hash of names.  What the options do not say comes from the
 * directory (-d), then from the filesystem, then from defaults.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <e2p/e2p.h>
#include "debugfs.h"
#include "ext2fs/nls.h"
#include "ext2fs/xattr.h"
#include "htree/walk.h"

/* fscrypt's version 2 context: the last field is the nonce. */
#define CONTEXT_V2_SIZE 40

struct request {
	const char *algorithm, *seed, *encoding, *dir, *key;
	bool fold;
};

/* What the names are hashed with; `fold` is what hasher.fold points to. */
struct setup {
	struct dirhasher hasher;
	struct dirhash_fold fold;
	int version;		/* as for dirhasher_init() */
	uint8_t seed[DIRHASH_SEED_SIZE];
	bool has_fold;
};

static int unknown_algorithm(struct debugfs *d, const char *text)
{
	char list[200];
	size_t used = 0;

	list[0] = '\0';
	for (int v = 0; dirhash_known(v) && used < sizeof(list); v++)
		used += (size_t)snprintf(list + used, sizeof(list) - used,
					 "%s%s", v ? ", " : "",
					 dirhash_version_name(v));
	return dbg_fail(d, text, E2DX_ET_HASH_UNKNOWN,
			"the hashes are %s", list);
}

/* A named 0 to 2 has the filesystem's sign, as the kernel would have it. */
static int take_algorithm(struct debugfs *d, const char *text, struct setup *s)
{
	int version = dirhash_version_from_text(text);

	if (version < 0)
		return unknown_algorithm(d, text);
	s->version = version;
	if (d->efs && dirhash_on_disk(version))
		s->version = dirhash_effective(version,
					       e2dx_unsigned_chars(d->efs));
	return 0;
}

static int take_seed(struct debugfs *d, const char *text, struct setup *s)
{
	/* Words that stand for a seed elsewhere name none here. */
	if (!strchr(text, '-') || !cli_parse_uuid(text, s->seed))
		return dbg_fail(d, text, 0, "not a seed (a UUID)");
	return 0;
}

static int take_encoding(struct debugfs *d, const char *text, struct setup *s)
{
	int encoding = e2p_str2encoding(text);
	errcode_t err;

	if (encoding < 0)
		return dbg_fail(d, text, 0,
				"unknown encoding; there are utf8 and utf8-12.1");
	err = e2dx_fold_init(encoding, &s->fold);
	if (err)
		return dbg_fail(d, text, err, "cannot fold names");
	s->has_fold = true;
	return 0;
}

static void from_filesystem(struct debugfs *d, struct setup *s)
{
	struct ext2_super_block *sb = d->efs->fs->super;
	int version = sb->s_def_hash_version;

	/* A damaged default is told only where nothing else is asked for. */
	s->version = dirhash_on_disk(version) ?
		     dirhash_effective(version, e2dx_unsigned_chars(d->efs)) :
		     -1;
	memcpy(s->seed, sb->s_hash_seed, sizeof(s->seed));
	if (d->efs->has_fold) {
		s->fold = d->efs->fold;
		s->has_fold = true;
	}
}

/* The whole of a key file; too long a one is left to its user to refuse. */
static errcode_t read_key(const char *file,
			  uint8_t key[DIRHASH_MASTER_KEY_MAX + 1], size_t *len)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	errcode_t err = 0;
	ssize_t n = 1;

	*len = 0;
	if (fd < 0)
		return errno;
	while (n > 0 && *len <= DIRHASH_MASTER_KEY_MAX) {
		n = read(fd, key + *len, DIRHASH_MASTER_KEY_MAX + 1 - *len);
		if (n > 0)
			*len += (size_t)n;
	}
	if (n < 0)
		err = errno;
	close(fd);
	return err;
}

/* The directory's own key: from the master key and the directory's nonce. */
static int take_key(struct debugfs *d, const struct request *r,
		    ext2_ino_t ino, struct setup *s)
{
	uint8_t master[DIRHASH_MASTER_KEY_MAX + 1], *context;
	size_t master_len, len;
	errcode_t err;

	err = read_key(r->key, master, &master_len);
	if (err)
		return dbg_fail(d, r->key, err, "cannot read the key");
	err = e2dx_xattr_get(d->efs, ino, E2DX_XATTR_ENCRYPTION, "c", &context,
			     &len);
	if (err)
		return dbg_fail(d, r->dir, err, "no encryption context");
	if (len != CONTEXT_V2_SIZE || context[0] != 2)
		err = E2DX_ET_UNSUPPORTED;
	else
		err = dirhash_fscrypt_key(master, master_len, context + len -
					  DIRHASH_NONCE_SIZE, s->seed);
	free(context);
	if (err == E2DX_ET_UNSUPPORTED)
		return dbg_fail(d, r->dir, err,
				"not a version 2 encryption context");
	return err ? dbg_fail(d, r->key, err, "cannot derive the hash key") : 0;
}

/* The version in the root, or the default where there is no index. */
static int directory_version(struct debugfs *d, const char *object,
			     struct e2dx_dir *dir, struct setup *s)
{
	struct htree_root root;
	errcode_t err;

	if (dir->inline_data || !dir->dir.indexed)
		return 0;
	err = htree_read_root(&dir->dir, &dir->blocks, &root);
	/* The version counts, whatever else the root says. */
	if (err == E2DX_ET_DAMAGED && dirhash_on_disk(root.version))
		err = 0;
	if (err)
		return dbg_fail(d, object, err, "no hash version in its index");
	s->version = dirhash_effective(root.version, dir->dir.unsigned_chars);
	return 0;
}

static int from_open_directory(struct debugfs *d, const struct request *r,
			       struct e2dx_dir *dir, struct setup *s,
			       bool *fold)
{
	*fold |= dir->dir.casefold;
	if (!htree_dir_stores_hash(&dir->dir)) {
		if (r->key)
			return dbg_fail(d, r->dir, 0,
					"-k is for directories that are encrypted and casefolded");
		return directory_version(d, r->dir, dir, s);
	}
	if (!r->key)
		return dbg_fail(d, r->dir, 0,
				"encrypted and casefolded: its hashes need the master key (-k)");
	s->version = DIRHASH_SIPHASH;
	return take_key(d, r, dir->dir.ino, s);
}

static int from_directory(struct debugfs *d, const struct request *r,
			  struct setup *s, bool *fold)
{
	struct e2dx_dir *dir;
	int status;

	if (directory_argument(d, r->dir, &dir))
		return 1;
	status = from_open_directory(d, r, dir, s, fold);
	e2dx_dir_close(dir);
	return status;
}

static int set_up(struct debugfs *d, const struct request *r, struct setup *s)
{
	bool fold = r->fold;
	errcode_t err;

	memset(s, 0, sizeof(*s));
	s->version = DIRHASH_LEGACY;
	if (d->efs)
		from_filesystem(d, s);
	if (r->dir && from_directory(d, r, s, &fold))
		return 1;
	if ((r->algorithm && take_algorithm(d, r->algorithm, s)) ||
	    (r->seed && take_seed(d, r->seed, s)) ||
	    (r->encoding && take_encoding(d, r->encoding, s)))
		return 1;
	if (fold && !s->has_fold)
		return dbg_fail(d, "-c", 0,
				"the encoding is not known; name it with -e");
	err = dirhasher_init(&s->hasher, s->version, s->seed,
			     fold ? &s->fold : NULL);
	return err ? dbg_fail(d, d->device, err,
			      "cannot use the superblock's default hash") : 0;
}

static int hash_name(struct debugfs *d, const struct setup *s,
		     const char *text)
{
	uint8_t name[DIRHASH_NAME_MAX];
	struct dirhash hash;
	size_t len;
	errcode_t err = name_argument(text, name, &len);

	if (!err)
		err = dirhash_name(&s->hasher, name, len, &hash);
	if (err)
		return dbg_fail(d, text, err, "cannot be hashed");
	printf("Hash of %s is 0x%x (minor 0x%x)\n", text, hash.hash,
	       hash.minor_hash);
	return 0;
}

static bool take_option(struct request *r, int c)
{
	switch (c) {
	case 'h': r->algorithm = optarg; return true;
	case 's': r->seed = optarg; return true;
	case 'c': r->fold = true; return true;
	case 'e': r->encoding = optarg; return true;
	case 'd': r->dir = optarg; return true;
	case 'k': r->key = optarg; return true;
	default: return false;
	}
}

int command_dx_hash(struct debugfs *d, int argc, char **argv)
{
	struct request r = { 0 };
	struct setup s;
	int c, status;

	while ((c = getopt(argc, argv, "h:s:ce:d:k:")) >= 0)
		if (!take_option(&r, c))
			return command_usage(d, argv);
	if (optind == argc)
		return command_usage(d, argv);
	if (r.dir && !d->efs)
		return dbg_fail(d, argv[0], 0, "-d needs an open filesystem");
	if (r.key && !r.dir)
		return dbg_fail(d, argv[0], 0, "-k needs the directory (-d)");
	if (set_up(d, &r, &s))
		return 1;
	for (status = 0; optind < argc; optind++)
		status |= hash_name(d, &s, argv[optind]);
	return status;
}
