/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The repair of one directory: collect, edit the list, build, replace. */
#ifndef E2FSCK_REPAIR_DIR_H
#define E2FSCK_REPAIR_DIR_H

#include "e2fsck.h"
#include "names.h"

/* What was decided about one directory. */
struct dir_plan {
	bool fix[DIR_KINDS];	/* by problem_kind(): this edit is wanted */
	bool rebuild;		/* a fault that only a rebuild repairs */
	bool left;		/* something stays wrong */
};

/* The entries of a directory on the way to its repaired state. */
struct dir_edit {
	struct check *c;
	struct dir_plan *plan;
	const struct htree_dir *dir;
	struct htree_entries *e;	/* not owned */
	ext2_ino_t parent;	/* for ".." */
	bool edited;		/* an entry was changed or dropped */
	uint8_t *state;		/* an enum edit_state for each entry */
	struct names names;
};

/*
 * Replace the directory by a repaired copy.  Returns whether that was done;
 * messages and the status of what was not are given.  Sets plan->left where
 * something could not be repaired.
 */
bool repair_dir(struct check *c, struct dir_facts *d, struct dir_plan *plan);

/* Apply the plan's edits to the collected entries. (edit_dir.c) */
errcode_t edit_entries(struct dir_edit *x);

#endif
