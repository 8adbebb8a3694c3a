/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quota files, against the usage that was counted. */
#include <string.h>
#include "ext2fs/inode.h"
#include "usage.h"

struct comparison {
	struct facts *f;
	const char *name;	/* of the type */
	struct list counted;	/* struct usage, by id */
};

static errcode_t report(struct comparison *c, enum problem_code code,
			uint32_t id, uint64_t value, uint64_t expected)
{
	struct problem p = {
		.code = code, .ino = id, .value = value, .expected = expected,
		.name = (const uint8_t *)c->name,
		.name_len = (uint8_t)strlen(c->name)
	};

	return problem_list_add(&c->f->quota, &p);
}

static struct usage *find(struct comparison *c, uint32_t id)
{
	struct usage *v = c->counted.v;
	size_t low = 0, high = c->counted.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (v[mid].id < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low < c->counted.n && v[low].id == id ? &v[low] : NULL;
}

/* With its links with inline data or without (struct usage). */
static bool fits(uint64_t value, uint64_t counted, uint64_t links)
{
	return value == counted || value == counted - links;
}

static errcode_t compare(void *ctx, const struct e2dx_quota_entry *e)
{
	struct comparison *c = ctx;
	struct usage *u = find(c, e->id), none = { 0 };
	errcode_t err = 0;

	if (!u)
		u = &none;
	u->seen = true;
	if (!fits(e->space, u->space, u->link_space))
		err = report(c, P_QUOTA_SPACE, e->id, e->space, u->space);
	if (!err && !fits(e->inodes, u->inodes, u->links))
		err = report(c, P_QUOTA_INODES, e->id, e->inodes, u->inodes);
	return err;
}

static errcode_t report_missing(struct comparison *c)
{
	const struct usage *v = c->counted.v;
	errcode_t err = 0;

	for (size_t i = 0; !err && i < c->counted.n; i++)
		if (!v[i].seen && v[i].inodes != v[i].links)
			err = report(c, P_QUOTA_MISSING, v[i].id, 0,
				     v[i].space);
	return err;
}

/* Inodes 3 and 4 are kept for quota; others are made as files are. */
static bool number_ok(const struct facts *f, ext2_ino_t ino)
{
	return ino == EXT4_USR_QUOTA_INO || ino == EXT4_GRP_QUOTA_INO ||
	       (ino >= EXT2_FIRST_INO(f->efs->fs->super) &&
		ino <= f->survey->inodes_count);
}

/*
 * Is it an inode below those for files that holds something?  The bad blocks
 * and the journal are what they are, whatever else names them.
 */
static bool holds_something(const struct facts *f, ext2_ino_t ino)
{
	struct ext2_inode_large inode;

	if (ino == EXT2_BAD_INO || ino == f->efs->fs->super->s_journal_inum ||
	    ino >= EXT2_FIRST_INO(f->efs->fs->super) ||
	    e2dx_inode_read(f->efs, ino, &inode))
		return false;
	return inode.i_links_count || inode.i_blocks || inode.i_block[0];
}

/* Without the feature a number still takes its inode away from files. */
static bool number_wrong(const struct facts *f, enum e2dx_quota_type type,
			 ext2_ino_t ino)
{
	bool feature = ext2fs_has_feature_quota(f->efs->fs->super);

	if (ino > f->survey->inodes_count)
		return feature;
	if (!number_ok(f, ino))
		return feature || ino == EXT2_ROOT_INO ||
		       (type == E2DX_QUOTA_PROJECT && holds_something(f, ino));
	return facts_names(f, ino);
}

static errcode_t check_file(struct comparison *c, enum e2dx_quota_type type,
			    ext2_ino_t ino)
{
	uint8_t byte = c->f->survey->inode[ino];
	errcode_t err;

	if (!(byte & E2DX_INODE_USED) ||
	    (byte & E2DX_INODE_TYPE) != EXT2_FT_REG_FILE)
		return report(c, P_QUOTA_NUMBER, 0, ino, 0);
	err = usage_sum(c->f, type, &c->counted);
	if (err)
		return err;
	err = e2dx_quota_read(c->f->efs, type, compare, c);
	if (err == E2DX_ET_DAMAGED)
		return report(c, P_QUOTA_FILE, 0, 0, 0);
	return err ? report(c, P_QUOTA_UNREADABLE, 0, (uint64_t)err, 0) :
		     report_missing(c);
}

errcode_t facts_quota(struct facts *f)
{
	static const char *const names[] = { "user", "group", "project" };
	errcode_t err = 0;

	const uint32_t numbers[] = {
		f->efs->fs->super->s_usr_quota_inum,
		f->efs->fs->super->s_grp_quota_inum,
		f->efs->fs->super->s_prj_quota_inum
	};

	for (int t = 0; !err && t < E2DX_QUOTA_TYPES; t++) {
		struct comparison c = { .f = f, .name = names[t] };
		enum e2dx_quota_type type = (enum e2dx_quota_type)t;

		if (numbers[t] && number_wrong(f, type, numbers[t]))
			err = report(&c, P_QUOTA_NUMBER, 0, numbers[t], 0);
		else if (e2dx_quota_inode(f->efs, type))
			err = check_file(&c, type, numbers[t]);
		list_free(&c.counted);
	}
	return err;
}
