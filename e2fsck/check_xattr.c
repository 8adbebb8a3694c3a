/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An inode's extended attributes: those in the inode are checked at once, what
 * lies in other places is noted for facts_xattrs().
 */
#include <errno.h>
#include <stdlib.h>
#include "xattr_facts.h"

struct xattr_part *xattr_part(struct inode_check *c)
{
	struct xattr_part **p = &c->f->xattr_parts[c->seen->group];

	if (!*p)
		*p = calloc(1, sizeof(**p));
	if (!*p && !c->err)
		c->err = ENOMEM;
	return *p;
}

static void *add(struct inode_check *c, struct list *l, size_t size)
{
	void *v = list_add(l, size);

	if (!v && !c->err)
		c->err = ENOMEM;
	return v;
}

/* Rebuilding the directory drops the hash: for facts_dir(). */
static void note_stale(struct inode_check *c)
{
	struct xattr_part *part = xattr_part(c);
	uint32_t *ino = part ? add(c, &part->stale, sizeof(*ino)) : NULL;

	if (ino)
		*ino = c->seen->ino;
}

/* Attributes in the inode: the policy they hold, or POLICY_NONE. */
static uint64_t check_area(struct inode_check *c)
{
	const struct e2dx_seen_inode *seen = c->seen;
	struct xattr_visit v = {
		.f = c->f, .out = c->out, .ino = seen->ino,
		.generation = seen->inode->i_generation,
		.directory = (seen->flags & E2DX_INODE_TYPE) == EXT2_FT_DIR
	};
	struct e2dx_xattr_area a;
	struct list refs = { NULL, 0, 0 };
	struct xattr_part *part;
	errcode_t err;

	v.refs = &refs;
	err = e2dx_xattr_area_inode(seen->efs, seen->raw, &a) ?
	      xattr_visit_area(&v, &a) : 0;
	/* Even where i_block has room for all of it, the attribute is there. */
	if ((seen->inode->i_flags & EXT4_INLINE_DATA_FL) && !v.data)
		inode_problem(c, (struct problem){ .code = P_XATTR_NO_DATA });
	if (v.stale)
		note_stale(c);
	if (!err && refs.n) {
		part = xattr_part(c);
		if (part)
			err = list_append(&part->refs, &refs,
					  sizeof(struct xattr_ref));
	}
	list_free(&refs);
	if (err && !c->err)
		c->err = err;
	return v.policy;
}

static void note_block(struct inode_check *c, bool wants_context)
{
	const struct e2dx_seen_inode *seen = c->seen;
	uint64_t block = e2dx_inode_file_acl(seen->efs, seen->inode);
	struct xattr_part *part;
	struct xattr_use *use;

	if (!block)
		return;
	if (!e2dx_blocks_valid(seen->efs, block, 1)) {
		inode_problem(c, (struct problem){
			.code = P_XATTR_BLOCK_RANGE, .block = block });
		return;
	}
	if (!ext2fs_has_feature_xattr(seen->efs->fs->super)) {
		inode_problem(c, (struct problem){
			.code = P_XATTR_NO_FEATURE, .block = block });
		return;
	}
	part = xattr_part(c);
	use = part ? add(c, &part->uses, sizeof(*use)) : NULL;
	if (use)
		*use = (struct xattr_use){ block, seen->ino, wants_context };
}

/* This inode is a value: what it says of itself. */
static void note_value(struct inode_check *c)
{
	const struct ext2_inode_large *inode = c->seen->inode;
	struct xattr_part *part = xattr_part(c);
	struct xattr_value *v = part ? add(c, &part->values, sizeof(*v)) : NULL;

	if (!v)
		return;
	*v = (struct xattr_value){
		.ino = c->seen->ino, .hash = inode->i_atime,
		.references = (uint64_t)inode->i_ctime << 32 |
			      inode->osd1.linux1.l_i_version,
		.parent = inode->i_mtime, .generation = inode->i_generation,
		.uncounted = inode->i_atime == inode->i_ctime
	};
}

static void note_policy(struct inode_check *c, uint64_t policy)
{
	struct xattr_part *part = xattr_part(c);
	struct inode_policy *p = part ? add(c, &part->policies, sizeof(*p)) :
					NULL;

	if (p)
		*p = (struct inode_policy){ c->seen->ino, policy };
}

void xattr_blocks_differ(struct inode_check *c, uint64_t found,
			 uint64_t expected, uint32_t sectors)
{
	struct xattr_part *part = xattr_part(c);
	struct blocks_differ *d = part ? add(c, &part->differ, sizeof(*d)) :
					 NULL;

	if (d)
		*d = (struct blocks_differ){ c->seen->ino, sectors, found,
					     expected };
}

void check_xattr(struct inode_check *c)
{
	const struct ext2_inode_large *inode = c->seen->inode;
	bool encrypted = inode->i_flags & EXT4_ENCRYPT_FL;
	uint64_t policy;

	if (!(c->seen->flags & E2DX_INODE_USED))
		return;
	policy = check_area(c);
	note_block(c, encrypted && !policy);
	if (inode->i_flags & EXT4_EA_INODE_FL)
		note_value(c);
	if (encrypted)
		note_policy(c, policy);
}
