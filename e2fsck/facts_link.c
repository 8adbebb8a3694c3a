/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connectivity and link counts, when every directory was read. */
#include <errno.h>
#include <stdlib.h>
#include "facts.h"

/* The most links that a directory counts; with more it says 1 (dir_nlink). */
#define DIR_LINKS_MAX	65000

enum walk_state {
	WALK_NEW,
	WALK_ON_WAY,	/* on the way that is walked now */
	WALK_DONE
};

/* ---- counting */

static struct inode_links *links_of(const struct facts *f, ext2_ino_t ino)
{
	uint32_t per_group = f->efs->fs->super->s_inodes_per_group;
	struct inode_links *group = f->links_of[(ino - 1) / per_group];

	return group ? &group[(ino - 1) % per_group] : NULL;
}

errcode_t facts_note_links(struct facts *f, const struct e2dx_seen_inode *seen)
{
	uint32_t per_group = f->efs->fs->super->s_inodes_per_group;
	struct inode_links **group = &f->links_of[seen->group];
	struct inode_links *l;

	if (!(seen->flags & E2DX_INODE_USED))
		return 0;
	if (!*group && !(*group = calloc(per_group, sizeof(**group))))
		return ENOMEM;
	l = &(*group)[(seen->ino - 1) % per_group];
	l->links = seen->inode->i_links_count;
	return 0;
}

void facts_name(struct facts *f, ext2_ino_t ino)
{
	struct inode_links *l = links_of(f, ino);
	uint16_t was, now;

	if (!l)
		return;
	was = __atomic_load_n(&l->names, __ATOMIC_RELAXED);
	do {
		if (was == NAMES_MOST)
			return;
		now = (uint16_t)(was + 1);
	} while (!__atomic_compare_exchange_n(&l->names, &was, now, true,
					      __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
}

void facts_name_soon(const struct facts *f, ext2_ino_t ino)
{
	__builtin_prefetch(links_of(f, ino), 1);
}

uint16_t facts_names(const struct facts *f, ext2_ino_t ino)
{
	const struct inode_links *l = links_of(f, ino);

	return l ? l->names : 0;
}

bool facts_no_link(const struct facts *f, ext2_ino_t ino)
{
	const struct inode_links *l = links_of(f, ino);

	return l && !l->links && !l->names && ino != EXT2_ROOT_INO;
}

/* ---- connectivity */

/* The directory that has this one's name; NULL: none, or it is the root. */
static struct dir_facts *parent_of(const struct facts *f,
				   const struct dir_facts *d)
{
	if (d->ino == EXT2_ROOT_INO || !d->parent_low)
		return NULL;
	return facts_find_dir(f, d->parent_low);
}

/*
 * Walk up until the root, a directory without a name, or one that was walked
 * before.  Each directory is stepped on twice at most, whatever the names say.
 */
static errcode_t walk_up(struct facts *f, struct dir_facts *d)
{
	struct dir_facts *at = d;
	struct problem p = { .code = P_LINK_LOOP };

	while (at && at->walk == WALK_NEW) {
		at->walk = WALK_ON_WAY;
		at = parent_of(f, at);
	}
	p.ino = at && at->walk == WALK_ON_WAY ? at->ino : 0;
	for (at = d; at && at->walk == WALK_ON_WAY; at = parent_of(f, at))
		at->walk = WALK_DONE;
	return p.ino ? problem_list_add(&f->links, &p) : 0;
}

static errcode_t check_names(struct facts *f, const struct dir_facts *d)
{
	uint16_t names = facts_names(f, d->ino);
	struct problem p = { .code = P_LINK_NO_NAME, .ino = d->ino,
			     .value = d->dotdot };

	if (d->ino == EXT2_ROOT_INO || names == 1 || facts_no_link(f, d->ino))
		return 0;
	if (names > 1) {
		p.code = P_LINK_NAMES;
		p.value = names;
	}
	return problem_list_add(&f->links, &p);
}

static errcode_t check_connectivity(struct facts *f)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < f->n_dirs; i++) {
		err = check_names(f, &f->dirs[i]);
		if (!err)
			err = walk_up(f, &f->dirs[i]);
	}
	return err;
}

/* ---- link counts */

/*
 * A directory's own "." is a link, and its ".." one of its parent: of the one
 * that has its name, since ".." is set to that; else of the one that it names.
 */
static void count_dots(struct facts *f)
{
	for (size_t i = 0; i < f->n_dirs; i++) {
		const struct dir_facts *d = &f->dirs[i];
		ext2_ino_t parent = d->parent_low ? d->parent_low : d->dotdot;

		if (facts_no_link(f, d->ino))
			continue;
		if (d->ino == EXT2_ROOT_INO)
			parent = EXT2_ROOT_INO;
		facts_name(f, d->ino);
		if (facts_find_dir(f, parent))
			facts_name(f, parent);
	}
}

/*
 * Linux sets an indexed directory's count to 1 when it has too many
 * subdirectories, and leaves it at 1 when some of them go.
 */
static enum problem_code dir_fault(const struct facts *f,
				   const struct dir_facts *d,
				   const struct inode_links *l, uint16_t *want)
{
	bool many = l->names > DIR_LINKS_MAX;

	if (d->ino != EXT2_ROOT_INO && !d->parent_low)
		return P_NONE;	/* it has no name: that was said */
	*want = l->names;
	if (many && !ext2fs_has_feature_dir_nlink(f->efs->fs->super))
		return P_LINK_OVERFLOW;
	if (many)
		*want = 1;
	return l->links == *want || (l->links == 1 && d->indexed) ?
	       P_NONE : P_LINK_COUNT;
}

/* What has names and links by other rules than files have. */
static bool exempt(const struct facts *f, ext2_ino_t ino,
		   const struct inode_links *l)
{
	const struct e2dx_survey *s = f->survey;
	const struct ext2_super_block *sb = f->efs->fs->super;

	return (!l->links && !l->names) ||
	       (ino < s->first_ino && !l->names) ||
	       ino == s->quota_ino[0] || ino == s->quota_ino[1] ||
	       ino == s->quota_ino[2] ||
	       (ext2fs_has_feature_orphan_file(f->efs->fs->super) &&
		ino == sb->s_orphan_file_inum);
}

enum problem_code facts_link_fault(const struct facts *f, ext2_ino_t ino,
				   uint16_t *want)
{
	const struct inode_links *l = links_of(f, ino);
	uint8_t byte = f->survey->inode[ino];
	const struct dir_facts *d;

	if (!l || !(byte & E2DX_INODE_USED) ||
	    (ino != EXT2_ROOT_INO && exempt(f, ino, l)))
		return P_NONE;
	d = (byte & E2DX_INODE_TYPE) == EXT2_FT_DIR ? facts_find_dir(f, ino)
						    : NULL;
	if (d)
		return dir_fault(f, d, l, want);
	*want = l->names;
	if (l->links == l->names)
		return P_NONE;
	return l->names ? P_LINK_COUNT : P_LINK_UNATTACHED;
}

static errcode_t check_links(struct facts *f, ext2_ino_t ino,
			     const struct inode_links *l)
{
	uint16_t want = 0;
	struct problem p = { .ino = ino, .value = l->links };

	p.code = facts_link_fault(f, ino, &want);
	p.expected = want;
	return p.code ? problem_list_add(&f->links, &p) : 0;
}

static errcode_t check_group(struct facts *f, dgrp_t g)
{
	const struct inode_links *l = f->links_of[g];
	ext2_ino_t ino = g * f->survey->inodes_per_group + 1;
	errcode_t err = 0;

	for (uint32_t i = 0; !err && l && i < f->survey->group[g].read; i++)
		if (l[i].links != l[i].names || l[i].links > DIR_LINKS_MAX)
			err = check_links(f, ino + i, &l[i]);
	return err;
}

errcode_t facts_links(struct facts *f)
{
	errcode_t err = check_connectivity(f);

	if (!err)
		count_dots(f);
	for (dgrp_t g = 0; !err && g < f->survey->groups; g++)
		err = check_group(f, g);
	return err;
}
