/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between the files that do fast commits to a filesystem. */
#ifndef E2DX_JOURNAL_FC_PRIV_H
#define E2DX_JOURNAL_FC_PRIV_H

#include "ext2fs/inode_write.h"
#include "ext2fs/replace_priv.h"
#include "htree/ondisk.h"
#include "journal/fc_map.h"
#include "journal/fc_replay.h"

/* One inode that records speak of, on its way to what they make of it. */
struct fc_inode {
	ext2_ino_t ino;
	ext2_ino_t parent;	/* the last name's directory */
	uint8_t *raw;		/* owned; the map in it is the old one */
	uint8_t *old;		/* owned; as on disk */
	bool fresh;		/* was not in use: has no old map */
	bool created;
	bool dirty;		/* raw differs */
	bool listed;		/* is an orphan already */
	bool recount;		/* a directory whose subdirectories changed */
	struct fc_range *v;	/* old map, then the records' ranges; owned */
	size_t n, capacity;
	size_t n_old;		/* of the old map, among them */
	struct fc_ranges map;	/* what they leave; owned */
	struct e2dx_pieces before, data;	/* clusters: all that it had;
						   those of data that it has */
};

struct fc_state {
	struct e2dx_fs *efs;
	const struct fc_log *log;
	struct fc_inode *inodes;	/* by number; owned */
	size_t n;
	struct e2dx_survey *survey;	/* owned */
	struct e2dx_replacer *r;
};

/* The inode of this number; every record's is there. */
struct fc_inode *fc_find(struct fc_state *s, ext2_ino_t ino);

static inline uint32_t fc_mode(const struct fc_inode *x)
{
	return htree_le16(x->raw + E2DX_I_MODE);
}

static inline bool fc_is_dir(const struct fc_inode *x)
{
	return LINUX_S_ISDIR(fc_mode(x));
}

static inline bool fc_has_extents(const struct fc_inode *x)
{
	return e2dx_inode_flags(x->raw) & EXT4_EXTENTS_FL;
}

/* Work out every inode, and refuse what cannot be, in memory. (fc_plan.c) */
errcode_t fc_plan(struct fc_state *s);
void fc_plan_free(struct fc_state *s);

/* Write an inode with its map, and mark what it has. (fc_write.c) */
errcode_t fc_write_inode(struct fc_state *s, struct fc_inode *x);

/* Names, and what follows from them. (fc_names.c) */
errcode_t fc_names(struct fc_state *s);

#endif
