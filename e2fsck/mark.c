/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The superblock's word that all was checked and is whole: written last. */
#include <stddef.h>
#include <string.h>
#include <time.h>
#include "e2fsck.h"
#include "interrupt.h"

/* What Linux noted of errors that it met, from the count on. */
static void forget_errors(struct ext2_super_block *s)
{
	size_t from = offsetof(struct ext2_super_block, s_error_count);
	size_t to = offsetof(struct ext2_super_block, s_last_error_func) +
		    sizeof(s->s_last_error_func);

	memset((uint8_t *)s + from, 0, to - from);
	s->s_first_error_time_hi = s->s_last_error_time_hi = 0;
	s->s_first_error_errcode = s->s_last_error_errcode = 0;
}

static void set_checked(struct ext2_super_block *s)
{
	uint64_t now = (uint64_t)time(NULL);

	s->s_state |= EXT2_VALID_FS;
	s->s_state &= (uint16_t)~EXT2_ERROR_FS;
	s->s_mnt_count = 0;
	s->s_lastcheck = (uint32_t)now;
	s->s_lastcheck_hi = (uint8_t)(now >> 32);
	if (s->s_error_count)
		forget_errors(s);
}

void check_mark(struct check *c)
{
	struct ext2_super_block *s = c->efs->fs->super;
	const int not_whole = FSCK_LEFT | FSCK_ERROR | FSCK_CANCELLED;
	bool valid = (s->s_state & EXT2_VALID_FS) &&
		     !(s->s_state & EXT2_ERROR_FS);
	errcode_t err;

	if (c->o->mode == MODE_NO || c->locked || interrupted() ||
	    (c->cli->status & not_whole))
		return;
	set_checked(s);
	err = e2dx_super_write(c->efs);
	if (err) {
		cli_error(c->cli, c->o->device, err,
			  "cannot write that it was checked");
		cli_worsen(c->cli, FSCK_LEFT | FSCK_ERROR);
	} else if (!valid) {
		c->changed = true;
		cli_worsen(c->cli, FSCK_CORRECTED);
	}
}
