/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the check found out, all of it before anything is asked or written. */
#ifndef E2FSCK_FACTS_H
#define E2FSCK_FACTS_H

#include <pthread.h>
#include "ext2fs/map.h"
#include "ext2fs/survey.h"
#include "htree/walk.h"
#include "list.h"
#include "problem_list.h"

/* One directory; kept small, since there may be millions. */
struct dir_facts {
	ext2_ino_t ino;
	ext2_ino_t dotdot;		/* as on disk; 0: missing */
	ext2_ino_t parent_low;		/* lowest and highest directory that */
	ext2_ino_t parent_high;		/* has a name for it; 0: none */
	bool indexed;
	uint8_t walk;			/* for facts_links() alone */
	struct problem_list *problems;	/* NULL: none */
	bool large;			/* verified by all threads together */
};

/*
 * An inode's links, beside its names: 4 bytes an inode, in groups where some
 * inode is in use.
 */
struct inode_links {
	uint16_t links;		/* i_links_count */
	uint16_t names;		/* entries; NAMES_MOST: so many or more */
};

#define NAMES_MOST	0xfffe

struct totals {
	uint64_t entries, blocks, linear, indexed, inline_dirs;
	uint64_t by_level[HTREE_MAX_LEVELS];	/* indexed, by indirect levels */
};

/* Told how far each pass is. */
struct facts_progress {
	void (*show)(void *ctx, int pass, uint64_t done, uint64_t total);
	void *ctx;
};

struct xattr_part;	/* xattr_facts.h */
struct usage_part;	/* usage.h */

struct facts {
	struct e2dx_fs *efs;			/* not owned */
	const struct facts_progress *progress;	/* NULL: none; not owned */
	struct e2dx_survey *survey;		/* owned */
	struct problem_list *super, *groups, *ownership;	/* owned */
	struct problem_list *links, *bitmaps, *quota;		/* owned */
	struct problem_list **inodes;	/* by group: what its inodes have */
	struct inode_links **links_of;	/* by group, then inode; NULL: all 0 */
	struct problem_list *xattrs;	/* what attributes elsewhere have; owned */
	struct xattr_part **xattr_parts;	/* by group, until all are seen */
	struct list policies;		/* struct inode_policy, by inode: 16 bytes
					   for each encrypted inode */
	struct list values;		/* uint32_t: inodes that attributes name
					   as their values; sorted */
	struct list stale;		/* uint32_t: directories whose bytes in
					   the inode have a wrong hash; sorted */
	struct list charges;		/* struct charge: owners of values in
					   inodes of their own, by inode */
	struct usage_part **usage_parts;	/* by group: for quota (usage.h) */
	struct problem_list **maps;	/* by group: what their maps have */
	struct dir_facts *dirs;			/* by inode number */
	size_t n_dirs;
	ext2_ino_t lost_found;			/* 0: none */
	struct totals totals;
	uint32_t scattered_files;	/* not in one row on disk; atomic */
	uint32_t scattered_dirs;
	errcode_t err;			/* the first of facts_inode(); atomic */
	bool locked;			/* some problem forbids any writing */
	pthread_mutex_t lock;		/* of totals, parents, lost_found */
};

/*
 * Gather everything, with efs->threads threads.  On an error facts_free() is
 * still due.
 */
errcode_t facts_gather(struct facts *f, struct e2dx_fs *efs,
		       const struct facts_progress *progress);
void facts_free(struct facts *f);

/* The superblock's problems alone, with its copies (facts_super.c). */
errcode_t facts_super(struct e2dx_fs *efs, struct problem_list **out);

/* Fields that contradict each other or cannot be (facts_fields.c). */
errcode_t facts_fields(const struct e2dx_fs *efs, struct problem_list **out);

/* What the survey shows of one inode, by one of many threads (facts_inode.c). */
void facts_inode(void *ctx, const struct e2dx_seen_inode *seen);

/* The same of its map; forgotten where clusters are claimed twice. */
void facts_map(void *ctx, const struct e2dx_seen_inode *seen);
void facts_forget_maps(void *ctx);

/*
 * The rest, each to its own list of *f: descriptors before the survey; links,
 * then bitmaps, then quota after the directories.
 */
errcode_t facts_groups(struct facts *f);	/* facts_group.c */
errcode_t facts_links(struct facts *f);		/* facts_link.c */
errcode_t facts_bitmaps(struct facts *f);	/* facts_bitmap.c */
errcode_t facts_quota(struct facts *f);		/* facts_quota.c */

/* Attributes, right after the survey: to f->xattrs, policies and values. */
errcode_t facts_xattrs(struct facts *f);	/* facts_xattr.c */
void facts_free_xattr_parts(struct facts *f);

/* How many attributes have this inode as their value. (xattr_values.c) */
uint32_t facts_value_references(const struct facts *f, uint32_t ino);

/* Has this directory a wrong hash of its bytes in the inode? (facts_xattr.c) */
bool facts_stale_hash(const struct facts *f, uint32_t ino);

/* An inode's encryption policy as a number; 0: none. (xattr_policy.c) */
uint64_t facts_policy(const struct facts *f, uint32_t ino);

/*
 * What is wrong with inode `ino` below a directory of this policy: a code, or
 * P_NONE.
 */
enum problem_code policy_fault(const struct facts *f, uint64_t dir,
			       uint32_t ino);

/*
 * Every problem of one directory (facts_dir.c).  With threads 0, called by
 * many threads at once: a directory that is worth dividing is only marked
 * `large`.  Else divided among so many.
 */
errcode_t facts_dir(struct facts *f, struct dir_facts *d, unsigned threads);

/*
 * Note one more name of an inode that is in use; called by many threads.
 * (facts_link.c)
 */
void facts_name(struct facts *f, ext2_ino_t ino);

/* How many that were; NAMES_MOST: so many or more. */
uint16_t facts_names(const struct facts *f, ext2_ino_t ino);

/*
 * Is it deleted, but open when the filesystem was left?  Such a one has
 * neither links nor names, and its ".." counts for nothing.
 */
bool facts_no_link(const struct facts *f, ext2_ino_t ino);

/* A name of this inode (in range) is to be noted soon. */
void facts_name_soon(const struct facts *f, ext2_ino_t ino);

/* Note the links of an inode that is in use, by the thread of its group. */
errcode_t facts_note_links(struct facts *f, const struct e2dx_seen_inode *seen);

/*
 * What is wrong with an inode's links, as facts_links() found it: P_NONE,
 * P_LINK_UNATTACHED, P_LINK_OVERFLOW, or P_LINK_COUNT, where *want is the
 * count that it should have.
 */
enum problem_code facts_link_fault(const struct facts *f, ext2_ino_t ino,
				   uint16_t *want);

/* The facts of a directory by its inode; NULL where it is none. */
struct dir_facts *facts_find_dir(const struct facts *f, ext2_ino_t ino);

/*
 * What is wrong with an entry that names `ino`, as the survey has it: a code,
 * or P_NONE.  `reserved`: numbers below it are the filesystem's own.
 */
enum problem_code entry_fault(const struct facts *f, uint32_t ino);

/* The file type that an entry for `ino` must have; 0 where it is not known. */
int entry_type(const struct facts *f, uint32_t ino);

#endif
