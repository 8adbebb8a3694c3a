/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The repair of one directory: collect, edit the list, build, replace. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "repair_dir.h"

static void ignore_finding(void *ctx, const struct htree_finding *f)
{
	(void)ctx;
	(void)f;
}

struct collect {
	struct htree_entries *e;
	errcode_t err;
};

static void on_entry(void *ctx, const struct htree_dirent *d, int dot)
{
	struct collect *k = ctx;

	if (!dot && !k->err)
		k->err = htree_entries_add(k->e, d);
}

static errcode_t collect(struct e2dx_dir *dir, struct htree_entries *e,
			 struct htree_verify_result *result)
{
	static const struct htree_verify_ops ops = {
		.finding = ignore_finding, .entry = on_entry
	};
	struct collect k = { .e = e };
	errcode_t err = dir_scan(dir, &ops, &k, result);

	return err ? err : k.err;
}

/* Where ".." leads: to what it says, to who has a name for it, to the root. */
static ext2_ino_t parent_of(struct check *c, const struct dir_facts *d,
			    const struct dir_plan *plan)
{
	if (d->ino == EXT2_ROOT_INO)
		return EXT2_ROOT_INO;
	if (d->dotdot && facts_find_dir(&c->facts, d->dotdot) &&
	    !plan->fix[problem_kind(P_DOTDOT_WRONG)])
		return d->dotdot;
	if (d->parent_low)
		return d->parent_low;
	cli_note(c->cli, c->o->device,
		 "directory inode %u: nothing has a name for it; '..' becomes the root",
		 d->ino);
	return EXT2_ROOT_INO;
}

/*
 * Does the new directory verify, with every entry that went into it?  What
 * the plan leaves (duplicates of encrypted names) is no fault of the build.
 */
static errcode_t examine(const struct htree_dir *dir, struct htree_memory *m,
			 const struct htree_build_result *built, uint64_t n)
{
	static const struct htree_verify_ops ops = { .finding = ignore_finding };
	struct htree_dir now = *dir;
	struct htree_verify_result result;
	errcode_t err;

	memset(&result, 0, sizeof(result));
	now.indexed = built->indexed;
	err = htree_verify(&now, &m->blocks, &ops, NULL, &result);
	if (!err && result.entries != n)
		err = E2DX_ET_DAMAGED;
	return err;
}

static errcode_t build(struct dir_edit *x, struct e2dx_dir *dir,
		       struct htree_memory *m, struct htree_build_result *built)
{
	struct htree_build_options o = {
		.indexed = dir->dir.dir_index,
		.version = check_default_version(x->c), .parent = x->parent
	};
	errcode_t err;

	if (htree_dir_stores_hash(&dir->dir))
		o.version = DIRHASH_SIPHASH;
	if (dir->dir.ino == x->c->facts.lost_found) {
		/* Its blocks are there for names to come: all are kept. */
		o.indexed = false;
		o.min_blocks = dir->blocks.count;
	}
	err = htree_build(&dir->dir, &x->e, &o, &m->blocks, built);
	if (err == E2DX_ET_DIR_FULL && o.indexed) {
		cli_note(x->c->cli, x->c->o->device,
			 "directory inode %u: too large for an index; it gets none",
			 dir->dir.ino);
		o.indexed = false;
		err = htree_build(&dir->dir, &x->e, &o, &m->blocks, built);
	}
	if (!err)
		err = examine(&dir->dir, m, built, x->e.n);
	return err;
}

static errcode_t repair_open_dir(struct dir_edit *x, struct e2dx_dir *dir,
				 const struct dir_facts *d)
{
	struct htree_verify_result found;
	struct htree_build_result built;
	struct htree_memory m;
	errcode_t err;

	x->dir = &dir->dir;
	err = collect(dir, &x->e, &found);
	x->parent = parent_of(x->c, d, x->plan);
	if (!err)
		err = edit_entries(x);
	/* Names that cannot be changed are no reason to write it again. */
	if (err || !(x->edited || x->plan->rebuild))
		return err;
	memset(&m, 0, sizeof(m));
	htree_memory_init(&m, dir->dir.block_size);
	err = build(x, dir, &m, &built);
	if (!err)
		err = e2dx_replace_dir(x->c->replacer, dir->dir.ino, &m,
				       built.indexed);
	htree_memory_free(&m);
	return err;
}

bool repair_dir(struct check *c, struct dir_facts *d, struct dir_plan *plan)
{
	struct dir_edit x = { .c = c, .plan = plan };
	struct e2dx_dir *dir;
	errcode_t err;

	err = e2dx_dir_open(c->efs, d->ino, &dir);
	if (!err) {
		htree_entries_init(&x.e);
		err = repair_open_dir(&x, dir, d);
		htree_entries_free(&x.e);
		e2dx_dir_close(dir);
	}
	if (!err)
		return x.edited || plan->rebuild;
	cli_error(c->cli, c->o->device, err,
		  "directory inode %u: not repaired", d->ino);
	plan->left = true;
	return false;
}
