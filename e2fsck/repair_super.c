/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Problems of the superblock and of ownership: reported, decided, repaired. */
#include "e2fsck.h"
#include "interrupt.h"
#include "report.h"

/* Change the superblock in memory; says what is to be written. */
static unsigned apply(struct ext2_super_block *s, const struct problem *p)
{
	const uint32_t signs = EXT2_FLAGS_SIGNED_HASH | EXT2_FLAGS_UNSIGNED_HASH;

	switch (p->code) {
	case P_SUPER_HASH_HOLE:
	case P_SUPER_HASH_UNKNOWN:
		s->s_def_hash_version = (uint8_t)p->expected;
		/* Neither flag means signed: say so, and no index changes. */
		if (!(s->s_flags & signs))
			s->s_flags |= EXT2_FLAGS_SIGNED_HASH;
		return E2DX_SB_HASH_VERSION | E2DX_SB_HASH_FLAGS;
	case P_SUPER_BACKUP_HASH:
		return E2DX_SB_HASH_VERSION | E2DX_SB_HASH_FLAGS;
	default:
		return 0;
	}
}

static void write_super(struct check *c, unsigned fields)
{
	unsigned skipped = 0;
	errcode_t err;

	interrupt_defer();
	if (fields)
		err = e2dx_super_write_all(c->efs, fields, &skipped);
	else
		err = e2dx_super_write(c->efs);
	if (err) {
		cli_error(c->cli, c->o->device, err,
			  "cannot write the superblock");
		cli_worsen(c->cli, FSCK_LEFT | FSCK_ERROR);
		return;
	}
	c->changed = true;
	cli_worsen(c->cli, FSCK_CORRECTED);
	if (skipped)
		cli_note(c->cli, c->o->device,
			 "%u backup superblocks are none and were left alone",
			 skipped);
}

void check_super(struct check *c)
{
	const struct problem_list *l = c->facts.super;
	unsigned fields = 0;
	bool any = false, backups = false;

	for (size_t i = 0; l && i < l->n; i++) {
		report_nth(c, l, i);
		/* What is written to every copy is asked once. */
		if (l->v[i].code == P_SUPER_BACKUP_HASH && backups)
			continue;
		if (problem_info(l->v[i].code)->severity == S_NOTE)
			continue;
		if (!decide(&c->decider, &l->v[i])) {
			cli_worsen(c->cli, FSCK_LEFT);
			continue;
		}
		backups = backups || l->v[i].code == P_SUPER_BACKUP_HASH;
		fields |= apply(c->efs->fs->super, &l->v[i]);
		any = true;
	}
	report_list(c, c->facts.ownership);
	if (any)
		write_super(c, fields);
}
