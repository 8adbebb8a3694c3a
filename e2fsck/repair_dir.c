/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The repair of one directory: collect, edit the list, build, replace. */
#include "ext2fs/rebuild.h"
#include "repair_dir.h"

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
	static const struct htree_verify_ops ops = { .entry = on_entry };
	struct collect k = { .e = e };
	errcode_t err = e2dx_dir_verify(dir, &ops, &k, result);

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
static errcode_t examine(struct e2dx_rebuild *b)
{
	static const struct htree_verify_ops ops = { .entry = NULL };
	struct htree_dir now = b->d->dir;
	struct htree_verify_result result;
	errcode_t err;

	now.indexed = b->result.indexed;
	err = htree_verify(&now, &b->out.blocks, &ops, NULL, &result);
	if (!err && result.entries != b->entries.n)
		err = E2DX_ET_DAMAGED;
	return err;
}

static errcode_t build(struct check *c, struct e2dx_rebuild *b)
{
	ext2_ino_t ino = b->d->dir.ino;
	/* lost+found's blocks are there for names to come: all are kept. */
	bool keep = ino == c->facts.lost_found;
	errcode_t err;

	err = e2dx_rebuild_build(b, !keep, check_default_version(c),
				 keep ? b->d->blocks.count : 0);
	if (!err && b->linear)
		cli_note(c->cli, c->o->device,
			 "directory inode %u: too large for an index; it gets none",
			 ino);
	return err ? err : examine(b);
}

static errcode_t repair_open_dir(struct dir_edit *x, struct e2dx_rebuild *b,
				 const struct dir_facts *d)
{
	struct htree_verify_result found;
	errcode_t err;

	x->dir = &b->d->dir;
	x->e = &b->entries;
	err = collect(b->d, x->e, &found);
	x->parent = b->parent = parent_of(x->c, d, x->plan);
	if (!err)
		err = edit_entries(x);
	/* Names that cannot be changed are no reason to write it again. */
	if (err || !(x->edited || x->plan->rebuild))
		return err;
	err = build(x->c, b);
	return err ? err : e2dx_replace_dir(x->c->replacer, d->ino, &b->out,
					    b->result.indexed);
}

bool repair_dir(struct check *c, struct dir_facts *d, struct dir_plan *plan)
{
	struct dir_edit x = { .c = c, .plan = plan };
	struct e2dx_rebuild b;
	errcode_t err = e2dx_rebuild_begin(c->efs, d->ino, &b);

	if (!err)
		err = repair_open_dir(&x, &b, d);
	e2dx_rebuild_end(&b);
	if (!err)
		return x.edited || plan->rebuild;
	cli_error(c->cli, c->o->device, err,
		  "directory inode %u: not repaired", d->ino);
	plan->left = true;
	return false;
}
