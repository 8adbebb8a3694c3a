/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between the files that find a journal. */
#ifndef E2DX_JOURNAL_LOCATE_PRIV_H
#define E2DX_JOURNAL_LOCATE_PRIV_H

#include "journal/locate.h"

/* Linux takes no journal that has less blocks. */
#define JNL_SHORTEST	1024

/* Fill in the runs, from the inode or its copy. (locate_inode.c)  ENOMEM. */
errcode_t jnl_open_inode(struct jnl_journal *j);

/* Open the device. (locate_device.c)  ENOMEM. */
errcode_t jnl_open_device(struct jnl_journal *j, const char *device);

/* Read and check the superblock at j->base; `blocks`: of the journal. */
errcode_t jnl_load_super(struct jnl_journal *j, uint64_t blocks);

#endif
