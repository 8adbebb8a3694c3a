/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every inode that the survey comes by, put to its checks. */
#include "check_inode.h"
#include "usage.h"

void inode_problem(struct inode_check *c, struct problem p)
{
	p.ino = c->seen->ino;
	if (!c->err)
		c->err = problem_list_add(c->out, &p);
}

void facts_inode(void *ctx, const struct e2dx_seen_inode *seen)
{
	struct facts *f = ctx;
	struct inode_check c = {
		.f = f, .seen = seen, .out = &f->inodes[seen->group]
	};

	c.err = facts_note_links(f, seen);
	check_inode(&c);
	check_xattr(&c);
	if (!c.err)
		c.err = usage_note(f, seen);
	if (c.err)
		__atomic_store_n(&f->err, c.err, __ATOMIC_RELAXED);
}

/*
 * Does it lie scattered where it could lie in one row?  A file as large as a
 * group cannot, for the metadata between groups; bad blocks and the resize
 * inode's lie where they must.
 */
static bool counts_as_scattered(const struct e2dx_seen_inode *seen)
{
	return seen->scattered && seen->ino != EXT2_RESIZE_INO &&
	       seen->ino != EXT2_BAD_INO &&
	       seen->data_blocks + seen->meta_blocks <
	       seen->efs->fs->super->s_blocks_per_group;
}

static void note_scattered(struct facts *f, const struct e2dx_seen_inode *seen)
{
	bool dir = (seen->flags & E2DX_INODE_TYPE) == EXT2_FT_DIR;

	if (counts_as_scattered(seen))
		__atomic_add_fetch(dir ? &f->scattered_dirs :
				   &f->scattered_files, 1, __ATOMIC_RELAXED);
}

void facts_map(void *ctx, const struct e2dx_seen_inode *seen)
{
	struct facts *f = ctx;
	struct inode_check c = {
		.f = f, .seen = seen, .out = &f->maps[seen->group]
	};

	check_map(&c);
	note_scattered(f, seen);
	if (c.err)
		__atomic_store_n(&f->err, c.err, __ATOMIC_RELAXED);
}

void facts_forget_maps(void *ctx)
{
	struct facts *f = ctx;

	f->scattered_files = f->scattered_dirs = 0;
	for (dgrp_t g = 0; g < f->efs->fs->group_desc_count; g++) {
		problem_list_free(f->maps[g]);
		f->maps[g] = NULL;
	}
}
