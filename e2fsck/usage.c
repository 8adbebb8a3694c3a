/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each user, group and project has. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/inode.h"
#include "htree/ondisk.h"
#include "usage.h"
#include "xattr_facts.h"

#define I_PROJECT	0x9c	/* 32 bits, where the inode reaches so far */

static int compare_ids(const void *a, const void *b)
{
	const struct usage *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Sort by id, and make one of those with the same. */
static void compact(struct list *l)
{
	struct usage *v = l->v;
	size_t n = 0;

	list_sort(l, sizeof(*v), compare_ids);
	for (size_t i = 0; i < l->n; i++) {
		if (n && v[n - 1].id == v[i].id) {
			v[n - 1].space += v[i].space;
			v[n - 1].inodes += v[i].inodes;
			v[n - 1].link_space += v[i].link_space;
			v[n - 1].links += v[i].links;
		} else {
			v[n++] = v[i];
		}
	}
	l->n = n;
}

/*
 * Most inodes of a group are of one owner; where owners alternate the list
 * grows, and is merged whenever it has doubled.
 */
static errcode_t add(struct usage_part *p, int type, const struct usage *more)
{
	struct list *l = &p->of[type];
	struct usage *u = l->v;

	if (l->n && u[l->n - 1].id == more->id) {
		u += l->n - 1;
	} else {
		if (l->n >= 64 && l->n >= 2 * p->compact[type]) {
			compact(l);
			p->compact[type] = l->n;
		}
		u = list_add(l, sizeof(*u));
		if (!u)
			return ENOMEM;
		u->id = more->id;
	}
	u->space += more->space;
	u->inodes += more->inodes;
	u->link_space += more->link_space;
	u->links += more->links;
	return 0;
}

static uint32_t id_of(enum e2dx_quota_type type, const uint8_t *raw,
		      size_t size, const struct ext2_inode_large *inode)
{
	switch (type) {
	case E2DX_QUOTA_USER:
		return inode_uid(*inode);
	case E2DX_QUOTA_GROUP:
		return inode_gid(*inode);
	default:
		if (size < I_PROJECT + 4 || E2DX_I_EXTRA_ISIZE +
		    htree_le16(raw + E2DX_I_EXTRA_ISIZE) < I_PROJECT + 4)
			return 0;
		return htree_le32(raw + I_PROJECT);
	}
}

/* Bytes that i_blocks counts. */
static uint64_t bytes_of(const struct e2dx_fs *efs,
			 const struct ext2_inode_large *inode)
{
	uint64_t n = inode->i_blocks;

	if (!ext2fs_has_feature_huge_file(efs->fs->super))
		return n * 512;
	n |= (uint64_t)inode->osd2.linux2.l_i_blocks_hi << 32;
	return inode->i_flags & EXT4_HUGE_FILE_FL ? n * efs->fs->blocksize :
						    n * 512;
}

/* The filesystem's own inodes belong to nobody; values to their owners. */
static bool counts(const struct facts *f, const struct e2dx_seen_inode *seen)
{
	const struct ext2_super_block *sb = f->efs->fs->super;

	if (!(seen->flags & E2DX_INODE_USED) ||
	    (seen->ino != EXT2_ROOT_INO && seen->ino < EXT2_FIRST_INO(sb)) ||
	    (seen->inode->i_flags & EXT4_EA_INODE_FL) ||
	    (ext2fs_has_feature_orphan_file(f->efs->fs->super) &&
	     seen->ino == sb->s_orphan_file_inum))
		return false;
	for (int t = 0; t < E2DX_QUOTA_TYPES; t++)
		if (seen->ino == e2dx_quota_inode(f->efs,
						  (enum e2dx_quota_type)t))
			return false;
	return true;
}

errcode_t usage_note(struct facts *f, const struct e2dx_seen_inode *seen)
{
	struct usage_part **p = &f->usage_parts[seen->group];
	size_t size = EXT2_INODE_SIZE(f->efs->fs->super);
	struct usage more = { .inodes = 1 };
	errcode_t err = 0;

	if (!ext2fs_has_feature_quota(f->efs->fs->super) || !counts(f, seen))
		return 0;
	if (!*p && !(*p = calloc(1, sizeof(**p))))
		return ENOMEM;
	more.space = bytes_of(f->efs, seen->inode);
	if (seen->inode->i_flags & EXT4_INLINE_DATA_FL &&
	    LINUX_S_ISLNK(seen->inode->i_mode)) {
		more.link_space = more.space;
		more.links = 1;
	}
	for (int t = 0; !err && t < E2DX_QUOTA_TYPES; t++) {
		enum e2dx_quota_type type = (enum e2dx_quota_type)t;

		if (!e2dx_quota_inode(f->efs, type))
			continue;
		more.id = id_of(type, seen->raw, size, seen->inode);
		err = add(*p, t, &more);
	}
	return err;
}

/*
 * A value in an inode of its own is one more inode of the owner's; its space
 * is in the owner's i_blocks already.
 */
static errcode_t add_values(struct facts *f, enum e2dx_quota_type type,
			    struct usage_part *sum)
{
	const struct charge *c = f->charges.v;
	size_t size = EXT2_INODE_SIZE(f->efs->fs->super);
	struct ext2_inode_large inode;
	uint8_t *raw = malloc(size);
	errcode_t err = raw ? 0 : ENOMEM;
	struct usage more = { 0 };

	for (size_t i = 0; !err && i < f->charges.n; i++) {
		err = e2dx_inode_load(f->efs, c[i].ino, raw);
		if (err)
			break;
		e2dx_inode_decode(f->efs, raw, &inode);
		more.id = id_of(type, raw, size, &inode);
		more.inodes = c[i].values;
		err = add(sum, type, &more);
	}
	free(raw);
	return err;
}

errcode_t usage_sum(struct facts *f, enum e2dx_quota_type type,
		    struct list *out)
{
	struct usage_part sum;
	errcode_t err = 0;

	memset(&sum, 0, sizeof(sum));
	for (dgrp_t g = 0; !err && g < f->efs->fs->group_desc_count; g++) {
		const struct list *l = f->usage_parts[g] ?
				       &f->usage_parts[g]->of[type] : NULL;
		const struct usage *u = l ? l->v : NULL;

		for (size_t i = 0; l && !err && i < l->n; i++)
			err = add(&sum, type, &u[i]);
	}
	if (!err)
		err = add_values(f, type, &sum);
	compact(&sum.of[type]);
	*out = sum.of[type];
	return err;
}

void usage_free(struct facts *f)
{
	for (dgrp_t g = 0; f->usage_parts && g < f->efs->fs->group_desc_count;
	     g++) {
		for (int t = 0; f->usage_parts[g] && t < E2DX_QUOTA_TYPES; t++)
			list_free(&f->usage_parts[g]->of[t]);
		free(f->usage_parts[g]);
	}
	free(f->usage_parts);
}
