/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -E hash_alg, hash_seed, rehash: the default hash, the seed, and the
 * directories that they are for.
 *
 * Linux refuses a filesystem whose default is siphash, and calls a siphash
 * directory damaged where the default is another.  So that no power cut
 * leaves a filesystem that Linux mounts and finds damaged, the default goes
 * first on the way to siphash, and last on the way back.
 */
#include <string.h>
#include <uuid/uuid.h>
#include "tune2fs.h"

static const struct ext2_super_block *super(const struct tune *t)
{
	return t->efs->fs->super;
}

/* s_hash_seed as on disk; libext2fs holds it as four words of the machine. */
static void get_seed(const struct tune *t, uint8_t seed[16])
{
	uint32_t words[4];

	for (int i = 0; i < 4; i++)
		words[i] = ext2fs_cpu_to_le32(super(t)->s_hash_seed[i]);
	memcpy(seed, words, sizeof(words));
}

static void put_seed(struct ext2_super_block *sb, const uint8_t seed[16])
{
	uint32_t words[4];

	memcpy(words, seed, sizeof(words));
	for (int i = 0; i < 4; i++)
		sb->s_hash_seed[i] = ext2fs_le32_to_cpu(words[i]);
}

static bool seed_is_zero(const struct tune *t)
{
	uint8_t seed[16];

	get_seed(t, seed);
	return dirhash_seed_is_zero(seed);
}

static bool seed_differs(const struct tune *t)
{
	uint8_t seed[16];

	get_seed(t, seed);
	return memcmp(seed, t->o.seed, sizeof(seed)) != 0;
}

/* The default hash that the command ends with. */
static int target(const struct tune *t)
{
	return t->o.hash_alg >= 0 ? t->o.hash_alg : t->old_default;
}

static bool to_siphash(const struct tune *t)
{
	return t->o.hash_alg == DIRHASH_SIPHASH;
}

static bool leaves_siphash(const struct tune *t)
{
	return t->old_default == DIRHASH_SIPHASH && t->o.hash_alg >= 0 &&
	       !to_siphash(t);
}

/*
 * An index needs a seed and a default; a filesystem made without dir_index
 * has none, so number 0 there is no wish for legacy.
 */
static void plan_for_new_dir_index(struct tune *t)
{
	if (t->o.dir_index != TUNE_SET ||
	    ext2fs_has_feature_dir_index(t->efs->fs->super))
		return;
	if (seed_is_zero(t) && !t->o.set_seed) {
		uuid_generate_random(t->o.seed);
		t->o.set_seed = true;
	}
	if (t->old_default == DIRHASH_LEGACY && t->o.hash_alg < 0)
		t->o.hash_alg = DIRHASH_HALF_MD4;
}

static void plan_secret_seed(struct tune *t)
{
	if (!to_siphash(t) || t->o.set_seed ||
	    !seed_is_zero(t))
		return;
	uuid_generate_random(t->o.seed);
	t->o.set_seed = true;
	t->made_secret = true;
}

static bool plan_refused(const struct tune *t)
{
	bool indexes = ext2fs_has_feature_dir_index(t->efs->fs->super) ||
		       t->o.dir_index == TUNE_SET;

	if (t->o.set_seed && target(t) == DIRHASH_SIPHASH &&
	    dirhash_seed_is_zero(t->o.seed))
		cli_error(&t->cli, t->device, 0,
			  "hash_seed: siphash with a seed of zero has no secret key; give 'random'");
	else if (t->o.rehash && !indexes)
		cli_error(&t->cli, t->device, 0,
			  "rehash: the dir_index feature is not set; add -O dir_index");
	else if (t->o.rehash && !dirhash_on_disk(target(t)))
		cli_error(&t->cli, t->device, 0,
			  "rehash: the superblock's default hash is number %d, which is damage; name one with hash_alg=",
			  t->old_default);
	else
		return false;
	return true;
}

bool tune_hash_plan(struct tune *t)
{
	struct ext2_super_block *sb = t->efs->fs->super;

	t->old_default = sb->s_def_hash_version;
	plan_for_new_dir_index(t);
	plan_secret_seed(t);
	if (plan_refused(t))
		return false;
	t->new_seed = t->o.set_seed && seed_differs(t);
	t->needs_survey = t->new_seed || t->o.rehash || leaves_siphash(t) ||
			  t->o.dir_index == TUNE_CLEAR ||
			  (t->o.large_dir == TUNE_CLEAR &&
			   ext2fs_has_feature_largedir(sb));
	return true;
}

static void warn_of_siphash(const struct tune *t)
{
	cli_note(&t->cli, t->device,
		 "warning: Linux 6.12 and later, and older kernels with the fix of CVE-2024-49968, refuse to mount a filesystem whose default directory hash is siphash");
	cli_note(&t->cli, t->device,
		 "warning: to go back: %s -E hash_alg=half_md4 %s",
		 t->cli.program, t->device);
}

static bool write_default(struct tune *t)
{
	t->efs->fs->super->s_def_hash_version = (uint8_t)t->o.hash_alg;
	return tune_super_write(t, E2DX_SB_HASH_VERSION);
}

/* Called by e2dx_rekey() while no index depends on the seed. */
static errcode_t write_seed(void *ctx, struct e2dx_fs *efs)
{
	struct tune *t = ctx;
	struct ext2_super_block *sb = efs->fs->super;
	unsigned fields = E2DX_SB_HASH_SEED;

	put_seed(sb, t->o.seed);
	if (to_siphash(t)) {
		sb->s_def_hash_version = DIRHASH_SIPHASH;
		fields |= E2DX_SB_HASH_VERSION;
	}
	return e2dx_super_write_all(efs, fields, &t->skipped);
}

static bool rekey(struct tune *t)
{
	struct e2dx_convert_events events = tune_events(t);
	uint64_t failures = 0;
	errcode_t err = e2dx_rekey(t->replacer, true, false, write_seed, t,
				   &events, &failures);

	if (!err)
		err = e2dx_replace_flush(t->replacer);
	cli_progress_clear(&t->progress);
	if (err)
		cli_error(&t->cli, t->device, err, "cannot change the hash seed");
	tune_report_skipped(t, t->skipped);
	if (failures)
		cli_worsen(&t->cli, 1);
	return !err;
}

/* An index whose root does not tell may be one too. */
static bool is_siphash(void *ctx, const struct htree_dir *dir, int root_version,
		       uint32_t blocks)
{
	(void)ctx;
	(void)blocks;
	return dir->indexed && !htree_dir_stores_hash(dir) &&
	       (root_version == DIRHASH_SIPHASH ||
		!dirhash_on_disk(root_version));
}

static bool convert(struct tune *t)
{
	bool indexed = ext2fs_has_feature_dir_index(t->efs->fs->super);

	if (t->o.rehash)
		return tune_convert(t, indexed, target(t), NULL);
	return !leaves_siphash(t) ||
	       tune_convert(t, indexed, t->o.hash_alg, is_siphash);
}

static bool write_default_last(struct tune *t, bool converted)
{
	if (t->o.hash_alg < 0 || to_siphash(t))
		return true;
	if (!converted && leaves_siphash(t)) {
		cli_error(&t->cli, t->device, 0,
			  "the default hash stays siphash: not all siphash directories were rebuilt");
		return false;
	}
	return write_default(t);
}

bool tune_hash_apply(struct tune *t)
{
	bool converted;

	if (to_siphash(t))
		warn_of_siphash(t);
	if (t->made_secret)
		cli_note(&t->cli, t->device,
			 "the hash seed was zero, which is no secret: a random one is set");
	if (t->new_seed) {
		if (!rekey(t))
			return false;
	} else if (to_siphash(t) && !write_default(t)) {
		return false;
	}
	converted = convert(t);
	return write_default_last(t, converted) && converted;
}
