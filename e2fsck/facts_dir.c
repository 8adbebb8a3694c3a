/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The facts of one directory: verified by itself, then against the survey. */
#include <string.h>
#include "ext2fs/threads.h"
#include "facts.h"

/* One directory, or a part of it, by one thread. */
struct scan {
	struct facts *f;
	struct dir_facts *d;
	const struct htree_dir *dir;
	uint64_t policy;	/* its encryption policy; 0: none */
	struct problem_list *problems;	/* become the directory's */
	ext2_ino_t lost_found;		/* the last entry of that name */
	errcode_t err;
};

enum problem_code entry_fault(const struct facts *f, uint32_t ino)
{
	uint8_t byte;

	if (!ino || ino > f->survey->inodes_count)
		return P_DIR + HTREE_F_INODE_RANGE;
	if (ino != EXT2_ROOT_INO && ino < EXT2_GOOD_OLD_FIRST_INO)
		return P_ENTRY_RESERVED;
	byte = e2dx_survey_inode(f->survey, ino);
	if (byte & E2DX_INODE_EXCLUDED)
		return P_ENTRY_EXCLUDED;
	if (!(byte & E2DX_INODE_USED))
		return P_ENTRY_UNUSED;
	if (ino == EXT2_ROOT_INO)
		return P_ENTRY_ROOT;
	/*
	 * Every mkfs reserves just those below 11.  A superblock that says
	 * more is rather wrong than right about an inode that has a name.
	 */
	if (ino < EXT2_FIRST_INODE(f->efs->fs->super))
		return P_ENTRY_BELOW_FIRST;
	return P_NONE;
}

int entry_type(const struct facts *f, uint32_t ino)
{
	if (!ino || ino > f->survey->inodes_count)
		return 0;
	return f->survey->inode[ino] & E2DX_INODE_TYPE;
}

static void on_finding(void *ctx, const struct htree_finding *x)
{
	struct scan *s = ctx;
	struct problem p = {
		.code = P_DIR + x->code, .ino = s->d->ino, .block = x->block,
		.offset = x->offset, .value = x->value,
		.expected = x->expected, .name = x->name,
		.name_len = x->name_len
	};

	if (x->code == HTREE_F_DUPLICATE && s->dir->encrypted)
		p.code = P_DUPLICATE_ENCRYPTED;
	if (!s->err)
		s->err = problem_list_add(&s->problems, &p);
}

/* This directory has a name for directory `ino`. */
static void note_parent(struct scan *s, ext2_ino_t ino)
{
	struct dir_facts *child = facts_find_dir(s->f, ino);

	if (!child)
		return;
	pthread_mutex_lock(&s->f->lock);
	if (!child->parent_low || s->d->ino < child->parent_low)
		child->parent_low = s->d->ino;
	if (s->d->ino > child->parent_high)
		child->parent_high = s->d->ino;
	pthread_mutex_unlock(&s->f->lock);
}

static void note_lost_found(struct scan *s, const struct htree_dirent *e)
{
	static const char name[] = "lost+found";

	if (s->d->ino == EXT2_ROOT_INO && e->name_len == sizeof(name) - 1 &&
	    !memcmp(e->name, name, sizeof(name) - 1))
		s->lost_found = e->ino;
}

/* The Hurd keeps no type in its entries, whatever the feature says. */
static bool has_types(const struct scan *s)
{
	return s->dir->filetype &&
	       s->f->efs->fs->super->s_creator_os != EXT2_OS_HURD;
}

/* "." and ".." are directories, or say nothing. */
static void check_dot_type(struct scan *s, const struct htree_dirent *e)
{
	struct problem p = {
		.code = P_DIR + HTREE_D_DOT_LAYOUT, .ino = s->d->ino,
		.block = e->block, .offset = e->offset, .name = e->name,
		.name_len = e->name_len
	};

	if (has_types(s) && e->file_type && e->file_type != EXT2_FT_DIR)
		s->err = problem_list_add(&s->problems, &p);
}

static void on_entry(void *ctx, const struct htree_dirent *e, int dot)
{
	struct scan *s = ctx;
	struct problem p = {
		.ino = s->d->ino, .block = e->block, .offset = e->offset,
		.value = e->ino, .name = e->name, .name_len = e->name_len
	};
	int type;

	if (!s->err && dot)
		check_dot_type(s, e);
	if (s->err || dot)
		return;
	p.code = entry_fault(s->f, e->ino);
	/* The verifier has said so already. */
	if (p.code == P_DIR + HTREE_F_INODE_RANGE)
		return;
	type = entry_type(s->f, e->ino);
	if (!p.code && e->ino == s->d->ino)
		p.code = P_ENTRY_SELF;
	if (!p.code || p.code == P_ENTRY_BELOW_FIRST)
		facts_name(s->f, e->ino);
	if (!p.code && type == EXT2_FT_DIR) {
		note_parent(s, e->ino);
		note_lost_found(s, e);
	}
	if (!p.code && s->policy)
		p.code = policy_fault(s->f, s->policy, e->ino);
	if (!p.code && has_types(s) && type && type != e->file_type) {
		p.code = e->file_type ? P_ENTRY_TYPE : P_ENTRY_TYPE_NONE;
		p.value = e->file_type;
		p.expected = (uint64_t)type;
	}
	if (p.code)
		s->err = problem_list_add(&s->problems, &p);
}

static void add_totals(struct facts *f, const struct e2dx_dir *dir,
		       const struct htree_verify_result *r)
{
	struct totals *t = &f->totals;

	pthread_mutex_lock(&f->lock);
	t->entries += r->entries;
	if (dir->inline_data)
		t->inline_dirs++;
	else
		t->blocks += dir->blocks.count;
	if (dir->dir.indexed && r->version >= 0) {
		t->indexed++;
		if (r->indirect_levels >= 0 &&
		    r->indirect_levels < HTREE_MAX_LEVELS)
			t->by_level[r->indirect_levels]++;
	} else {
		t->linear++;
	}
	pthread_mutex_unlock(&f->lock);
}

static errcode_t unchecked(struct dir_facts *d, enum problem_code code,
			   errcode_t why)
{
	struct problem p = { .code = code, .ino = d->ino,
			     .value = (uint64_t)why };

	return problem_list_add(&d->problems, &p);
}

static void on_soon(void *ctx, uint32_t ino)
{
	const struct scan *s = ctx;

	if (!ino || ino > s->f->survey->inodes_count)
		return;
	__builtin_prefetch(&s->f->survey->inode[ino]);
	facts_name_soon(s->f, ino);
}

/* What a part has becomes the whole's, behind what that has. */
static errcode_t take_part(struct scan *whole, struct scan *part)
{
	errcode_t err = problem_list_append(&whole->problems, part->problems);

	problem_list_free(part->problems);
	if (part->lost_found)
		whole->lost_found = part->lost_found;
	return err ? err : part->err;
}

static errcode_t verify_divided(struct scan *s, struct e2dx_dir *dir,
				const struct htree_verify_ops *ops,
				unsigned threads,
				struct htree_verify_result *result)
{
	struct scan part[HTREE_VERIFY_PARTS], end = *s;
	void *ctx[HTREE_VERIFY_PARTS];
	unsigned n = htree_verify_parts(dir->blocks.count);
	const struct htree_verify_crew crew = {
		.threads = threads, .run = e2dx_run_threads, .part = ctx
	};
	errcode_t err, joined;

	for (unsigned i = 0; i < n; i++) {
		part[i] = *s;
		ctx[i] = &part[i];
	}
	err = htree_verify_divided(&dir->dir, &dir->blocks, ops, &end, &crew,
				   result);
	for (unsigned i = 0; i < n; i++) {
		joined = take_part(s, &part[i]);
		err = err ? err : joined;
	}
	joined = take_part(s, &end);
	return err ? err : joined;
}

static bool is_large(const struct e2dx_dir *dir)
{
	return !dir->inline_data && htree_verify_parts(dir->blocks.count) > 1;
}

static errcode_t verify(struct scan *s, struct e2dx_dir *dir, unsigned threads,
			struct htree_verify_result *result)
{
	static const struct htree_verify_ops ops = {
		.finding = on_finding, .entry = on_entry, .soon = on_soon
	};
	errcode_t err;

	s->dir = &dir->dir;
	if (is_large(dir))
		return verify_divided(s, dir, &ops, threads, result);
	err = e2dx_dir_verify(dir, &ops, s, result);
	return err ? err : s->err;
}

errcode_t facts_dir(struct facts *f, struct dir_facts *d, unsigned threads)
{
	struct htree_verify_result result;
	struct e2dx_dir *dir;
	struct scan s = { .f = f, .d = d };
	errcode_t err;

	err = e2dx_dir_open(f->efs, d->ino, &dir);
	if (err)
		return unchecked(d, P_DIR_UNCHECKED, err);
	if (!threads && is_large(dir)) {
		e2dx_dir_read_ahead(dir);
		d->large = true;
		e2dx_dir_close(dir);
		return 0;
	}
	if (f->policies.n)
		s.policy = facts_policy(f, d->ino);
	err = verify(&s, dir, threads, &result);
	d->problems = s.problems;
	if (s.lost_found)
		f->lost_found = s.lost_found;
	if (!err && dir->map_damaged)
		err = unchecked(d, P_DIR_MAP, 0);
	if (!err && dir->size_wrong)
		err = unchecked(d, P_DIR_SIZE, 0);
	if (!err && facts_stale_hash(f, d->ino))
		err = unchecked(d, P_DIR_INLINE_HASH, 0);
	if (!err) {
		d->dotdot = result.parent;
		d->indexed = dir->dir.indexed;
		add_totals(f, dir, &result);
	}
	e2dx_dir_close(dir);
	return err;
}
