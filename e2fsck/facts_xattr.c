/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attributes, when every inode has been seen: the parts put together. */
#include <stdlib.h>
#include "xattr_facts.h"

static int compare_uses(const void *a, const void *b)
{
	const struct xattr_use *x = a, *y = b;

	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	return (x->ino > y->ino) - (x->ino < y->ino);
}

int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void free_part(struct xattr_part *p)
{
	list_free(&p->uses);
	list_free(&p->refs);
	list_free(&p->values);
	list_free(&p->policies);
	list_free(&p->differ);
	list_free(&p->stale);
}

static errcode_t take_part(struct facts *f, struct xattr_part *all,
			   const struct xattr_part *p)
{
	errcode_t err;

	err = list_append(&all->uses, &p->uses, sizeof(struct xattr_use));
	if (!err)
		err = list_append(&all->refs, &p->refs,
				  sizeof(struct xattr_ref));
	if (!err)
		err = list_append(&all->values, &p->values,
				  sizeof(struct xattr_value));
	if (!err)
		err = list_append(&f->policies, &p->policies,
				  sizeof(struct inode_policy));
	if (!err)
		err = list_append(&f->stale, &p->stale, sizeof(uint32_t));
	if (!err)
		err = list_append(&all->differ, &p->differ,
				  sizeof(struct blocks_differ));
	return err;
}

void facts_free_xattr_parts(struct facts *f)
{
	for (dgrp_t g = 0; f->xattr_parts && g < f->efs->fs->group_desc_count;
	     g++) {
		if (f->xattr_parts[g])
			free_part(f->xattr_parts[g]);
		free(f->xattr_parts[g]);
	}
	free(f->xattr_parts);
	f->xattr_parts = NULL;
}

static errcode_t put_together(struct facts *f, struct xattr_part *all)
{
	errcode_t err = 0;

	for (dgrp_t g = 0; !err && g < f->efs->fs->group_desc_count; g++)
		if (f->xattr_parts[g])
			err = take_part(f, all, f->xattr_parts[g]);
	facts_free_xattr_parts(f);
	list_sort(&all->uses, sizeof(struct xattr_use), compare_uses);
	return err;
}

bool facts_stale_hash(const struct facts *f, uint32_t ino)
{
	return f->stale.n && bsearch(&ino, f->stale.v, f->stale.n, sizeof(ino),
				     compare_numbers);
}

/* An encrypted inode has a context, in itself or in its block. */
static errcode_t check_contexts(struct facts *f)
{
	const struct inode_policy *v = f->policies.v;
	errcode_t err = 0;

	for (size_t i = 0; !err && i < f->policies.n; i++) {
		struct problem p = { .ino = v[i].ino };

		if (v[i].policy == POLICY_NONE)
			p.code = P_XATTR_NO_CONTEXT;
		else if (v[i].policy == POLICY_BAD)
			p.code = P_XATTR_BAD_CONTEXT;
		else
			continue;
		err = problem_list_add(&f->xattrs, &p);
	}
	return err;
}

errcode_t facts_xattrs(struct facts *f)
{
	struct xattr_sums s = { .block_refs = { NULL, 0, 0 } };
	errcode_t err;

	err = put_together(f, &s.all);
	if (!err)
		err = xattr_check_blocks(f, &s.all.uses, &s.block_refs);
	if (!err)
		err = xattr_check_values(f, &s);
	if (!err)
		err = check_contexts(f);
	list_free(&s.block_refs);
	free_part(&s.all);
	return err;
}
