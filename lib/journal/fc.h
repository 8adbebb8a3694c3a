/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fast commits: the changes behind the last transaction, as records. */
#ifndef E2DX_JOURNAL_FC_H
#define E2DX_JOURNAL_FC_H

#include "journal/log.h"

enum fc_tag {
	FC_ADD_RANGE = 1, FC_DEL_RANGE, FC_CREAT, FC_LINK, FC_UNLINK,
	FC_INODE, FC_PAD, FC_TAIL, FC_HEAD
};

/* One record, validated. */
struct fc_op {
	enum fc_tag tag;	/* FC_ADD_RANGE to FC_INODE */
	uint32_t ino;		/* the inode it is about */
	uint32_t parent;	/* names: the directory */
	uint32_t first, count;	/* ranges: logical blocks; count is not 0 */
	uint64_t physical;	/* FC_ADD_RANGE */
	bool unwritten;
	size_t at, len;		/* in fc_log.bytes: a name, or an inode's bytes */
};

struct fc_log {
	struct fc_op *v;	/* owned */
	size_t n, capacity;
	uint8_t *bytes;		/* owned */
	size_t used, room;
	bool unknown;		/* features or records that are not known */
};

/*
 * Read the fast commits that follow transaction `tid` - 1: all up to the first
 * one that is not whole, whose checksum is wrong, or that is of another
 * transaction.  ENOMEM.  fc_free() is due in every case.
 */
errcode_t fc_scan(const struct jnl_super *super, const struct jnl_io *io,
		  uint32_t tid, struct fc_log *out);
void fc_free(struct fc_log *log);

#endif
