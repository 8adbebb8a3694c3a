/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drives the replacement of directories for tests, without a program's
 * options and refusals around it.
 *
 *   rehash IMAGE siphash|half_md4|tea|legacy|linear	convert all directories
 *   rehash IMAGE rekey SEED-BYTE			all seed bytes to this
 *   rehash IMAGE inline INODE-NUMBER		rewrite a directory in its inode
 *
 * One line for each event.  Exit status: 0 done, 1 some directories were
 * not, 2 an error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/replace.h"
#include "htree/verify.h"

static void failed(void *ctx, ext2_ino_t ino, errcode_t why)
{
	(void)ctx;
	printf("failed %u: %s\n", ino, error_message(why));
}

static void linear(void *ctx, ext2_ino_t ino, errcode_t why)
{
	(void)ctx;
	printf("linear %u: %s\n", ino, error_message(why));
}

static const struct e2dx_convert_events events = {
	.failed = failed, .linear = linear
};

static errcode_t set_seed(void *ctx, struct e2dx_fs *efs)
{
	memset(efs->fs->super->s_hash_seed, atoi(ctx),
	       sizeof(efs->fs->super->s_hash_seed));
	return e2dx_super_write_all(efs, E2DX_SB_HASH_SEED, NULL);
}

struct inline_copy {
	struct htree_entries entries;
	errcode_t err;
};

static void copy_entry(void *ctx, const struct htree_dirent *d, int dot)
{
	struct inline_copy *c = ctx;

	if (!dot && !c->err)
		c->err = htree_entries_add(&c->entries, d);
}

/* Read it, reverse its entries, put it back. */
static errcode_t rewrite_inline(struct e2dx_replacer *r, struct e2dx_fs *efs,
				ext2_ino_t ino)
{
	static const struct htree_verify_ops ops = { .entry = copy_entry };
	struct htree_build_options o = { .indexed = false };
	struct htree_verify_result result;
	struct htree_build_result built;
	struct inline_copy c = { .err = 0 };
	struct htree_memory out;
	struct e2dx_dir *d;
	errcode_t err = e2dx_dir_open(efs, ino, &d);

	if (err)
		return err;
	htree_entries_init(&c.entries);
	htree_memory_init(&out, efs->fs->blocksize);
	err = htree_verify_inline(&d->dir, d->inline_parts, d->inline_lengths,
				  &ops, &c, &result);
	err = err ? err : c.err;
	for (size_t i = 0; i < c.entries.n / 2; i++) {
		struct htree_entry *other = &c.entries.v[c.entries.n - 1 - i];
		struct htree_entry keep = c.entries.v[i];

		c.entries.v[i] = *other;
		*other = keep;
	}
	o.parent = result.parent;
	if (!err)
		err = htree_build(&d->dir, &c.entries, &o, &out.blocks, &built);
	if (!err)
		err = e2dx_replace_dir(r, ino, &out, false);
	printf("%zu entries\n", c.entries.n);
	htree_entries_free(&c.entries);
	htree_memory_free(&out);
	e2dx_dir_close(d);
	return err;
}

static errcode_t work(struct e2dx_replacer *r, struct e2dx_fs *efs, char **argv,
		      uint64_t *failures)
{
	int version = dirhash_version_from_text(argv[2]);

	if (!strcmp(argv[2], "rekey"))
		return e2dx_rekey(r, true, false, set_seed, argv[3], &events,
				  failures);
	if (!strcmp(argv[2], "linear"))
		return e2dx_convert(r, false, 1, NULL, NULL, &events, failures);
	if (!strcmp(argv[2], "inline"))
		return rewrite_inline(r, efs, (ext2_ino_t)atoi(argv[3]));
	return e2dx_convert(r, true, version, NULL, NULL, &events, failures);
}

static errcode_t run(struct e2dx_fs *efs, char **argv, uint64_t *failures)
{
	struct e2dx_survey *survey;
	struct e2dx_replacer *r;
	errcode_t err, end;

	err = e2dx_survey(efs, 1, NULL, NULL, &survey);
	if (err)
		return err;
	err = e2dx_replace_begin(efs, survey, &r);
	if (!err) {
		err = work(r, efs, argv, failures);
		end = e2dx_replace_end(r);
		err = err ? err : end;
	}
	e2dx_survey_free(survey);
	return err;
}

int main(int argc, char **argv)
{
	struct e2dx_open_options o = { .writable = true };
	struct e2dx_fs *efs;
	uint64_t failures = 0;
	errcode_t err;

	if (argc < 3 || (argc < 4 && (!strcmp(argv[2], "rekey") ||
				      !strcmp(argv[2], "inline")))) {
		fprintf(stderr, "usage: rehash IMAGE HASH|linear|rekey BYTE|"
			"inline INODE\n");
		return 2;
	}
	initialize_ext2_error_table();
	initialize_e2dx_error_table();
	err = e2dx_open(argv[1], &o, &efs);
	if (!err) {
		errcode_t closing;

		err = run(efs, argv, &failures);
		closing = e2dx_close(efs);
		err = err ? err : closing;
	}
	if (err) {
		fprintf(stderr, "rehash: %s: %s\n", argv[1],
			error_message(err));
		return 2;
	}
	return failures ? 1 : 0;
}
