/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connectivity and link counts: reported; counts are set where that is safe. */
#include <stdlib.h>
#include "e2fsck.h"
#include "ext2fs/inode_write.h"
#include "htree/ondisk.h"
#include "interrupt.h"
#include "report.h"

/* The most links that Linux gives a file. */
#define FILE_LINKS_MAX	65000

/*
 * Is every name known?  Where a directory could not be read whole, a count
 * would become too low, and the last name but one take the file with it.
 */
static bool names_known(const struct check *c)
{
	const struct facts *f = &c->facts;

	for (size_t i = 0; i < f->n_dirs; i++)
		if (problem_list_faults(f->dirs[i].problems))
			return false;
	return !problem_list_count(f->links, P_LINK_NO_NAME) &&
	       !problem_list_count(f->links, P_LINK_LOOP) &&
	       !problem_list_count(f->links, P_LINK_NAMES);
}

static errcode_t set_count(struct check *c, ext2_ino_t ino, uint16_t want,
			   uint8_t *raw)
{
	errcode_t err = e2dx_inode_load(c->efs, ino, raw);

	if (err)
		return err;
	htree_put_le16(raw + E2DX_I_LINKS, want);
	e2dx_inode_seal(c->efs, ino, raw);
	return e2dx_inode_store(c->efs, ino, raw);
}

/* Each inode is one write, and right by itself: no order is needed. */
static errcode_t set_counts(struct check *c)
{
	const struct e2dx_survey *s = c->facts.survey;
	uint8_t *raw = malloc(EXT2_INODE_SIZE(c->efs->fs->super));
	errcode_t err = raw ? 0 : EXT2_ET_NO_MEMORY;

	for (dgrp_t g = 0; g < s->groups; g++)
		for (uint32_t i = 1; !err && i <= s->group[g].read; i++) {
			ext2_ino_t ino = g * s->inodes_per_group + i;
			uint16_t want = 0;

			if (facts_link_fault(&c->facts, ino, &want) !=
			    P_LINK_COUNT)
				continue;
			if (want > FILE_LINKS_MAX)
				cli_worsen(c->cli, FSCK_LEFT);
			else
				err = set_count(c, ino, want, raw);
		}
	free(raw);
	if (!err)
		err = io_channel_flush(c->efs->fs->io);
	ext2fs_flush_icache(c->efs->fs);
	return err;
}

static void repair_counts(struct check *c)
{
	errcode_t err;

	interrupt_defer();
	err = set_counts(c);
	if (err) {
		cli_error(c->cli, c->o->device, err,
			  "cannot set the link counts");
		cli_worsen(c->cli, FSCK_LEFT | FSCK_ERROR);
		return;
	}
	c->changed = true;
	cli_worsen(c->cli, FSCK_CORRECTED);
}

void check_links(struct check *c)
{
	const struct problem_list *l = c->facts.links;
	const struct problem *count = NULL;

	for (size_t i = 0; l && i < l->n; i++) {
		report_nth(c, l, i);
		if (l->v[i].code == P_LINK_COUNT)
			count = &l->v[i];
		else
			cli_worsen(c->cli, FSCK_LEFT);
	}
	if (!count)
		return;
	if (names_known(c) && decide(&c->decider, count))
		repair_counts(c);
	else
		cli_worsen(c->cli, FSCK_LEFT);
}
