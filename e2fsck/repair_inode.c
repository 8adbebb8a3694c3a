/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that were deleted while they were open, where no journal kept a list
 * of them: no links, no names, no deletion time.  Given one they are free.
 */
#include <stdlib.h>
#include <time.h>
#include "e2fsck.h"
#include "ext2fs/inode.h"
#include "ext2fs/inode_write.h"
#include "ext2fs/quota_file.h"
#include "htree/ondisk.h"
#include "interrupt.h"
#include "report.h"

/* Show all of them; the first, or NULL. */
static const struct problem *show(const struct check *c)
{
	const struct problem *first = NULL;

	for (dgrp_t g = 0; g < c->efs->fs->group_desc_count; g++) {
		const struct problem_list *l = c->facts.inodes[g];

		for (size_t i = 0; l && i < l->n; i++) {
			if (l->v[i].code != P_INODE_ZERO_DTIME)
				continue;
			report_nth(c, l, i);
			first = first ? first : &l->v[i];
		}
	}
	return first;
}

/* With a name it is a file whose count is wrong: check_links(). */
static bool is_deleted(const struct check *c, ext2_ino_t ino)
{
	const struct e2dx_survey *s = c->facts.survey;

	for (int t = 0; t < E2DX_QUOTA_TYPES; t++)
		if (ino == s->quota_ino[t])
			return false;
	return ino >= s->first_ino && (s->inode[ino] & E2DX_INODE_USED) &&
	       facts_no_link(&c->facts, ino);
}

static errcode_t set_time(struct check *c, ext2_ino_t ino, uint8_t *raw)
{
	errcode_t err = e2dx_inode_load(c->efs, ino, raw);

	if (err || htree_le32(raw + E2DX_I_DTIME) ||
	    htree_le16(raw + E2DX_I_LINKS))
		return err;
	htree_put_le32(raw + E2DX_I_DTIME, (uint32_t)time(NULL));
	e2dx_inode_seal(c->efs, ino, raw);
	return e2dx_inode_store(c->efs, ino, raw);
}

/*
 * Each inode is one write.  A cut before the bitmaps are made anew leaves
 * blocks marked that nobody has.
 */
static errcode_t set_times(struct check *c)
{
	const struct e2dx_survey *s = c->facts.survey;
	uint8_t *raw = malloc(EXT2_INODE_SIZE(c->efs->fs->super));
	errcode_t err = raw ? 0 : EXT2_ET_NO_MEMORY;

	for (dgrp_t g = 0; g < s->groups; g++)
		for (uint32_t i = 1; !err && i <= s->group[g].read; i++)
			if (is_deleted(c, g * s->inodes_per_group + i))
				err = set_time(c, g * s->inodes_per_group + i,
					       raw);
	free(raw);
	if (!err)
		err = io_channel_flush(c->efs->fs->io);
	ext2fs_flush_icache(c->efs->fs);
	return err;
}

bool check_deleted(struct check *c)
{
	const struct problem *first = show(c);
	errcode_t err;

	if (!first)
		return false;
	/* While there is a list, some of them may be on it. */
	if (c->efs->fs->super->s_last_orphan || !decide(&c->decider, first)) {
		cli_worsen(c->cli, FSCK_LEFT);
		return false;
	}
	interrupt_defer();
	err = set_times(c);
	if (err) {
		cli_error(c->cli, c->o->device, err,
			  "cannot release deleted inodes");
		cli_worsen(c->cli, FSCK_LEFT | FSCK_ERROR);
	}
	c->changed = true;
	cli_worsen(c->cli, FSCK_CORRECTED);
	return true;
}
