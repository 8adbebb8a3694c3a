/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Edit a directory's list of entries: drop what names nothing, set types,
 * give new names.  A name goes only where its inode is none or, in encrypted
 * directories, where another entry names the same inode.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "htree/dirent.h"
#include "repair_dir.h"
#include "report.h"

enum edit_state {
	E_KEEP,		/* the name stands */
	E_CHANGED,	/* it was changed: another's right to it comes first */
	E_NEW_NAME	/* it must have another one */
};

static bool wanted(const struct dir_edit *x, enum problem_code code)
{
	return x->plan->fix[problem_kind(code)];
}

static void tell(struct dir_edit *x, size_t i, enum problem_code code)
{
	size_t len = x->e->v[i].name_len;
	struct problem p = {
		.code = code, .ino = x->dir->ino, .block = x->e->v[i].block,
		.value = x->e->v[i].ino, .name = htree_entry_name(x->e, i),
		.name_len = (uint8_t)len
	};

	report_problem(x->c, &p);
	x->plan->left = true;
}

static void drop(struct dir_edit *x, size_t i)
{
	x->e->v[i].ino = 0;
	x->edited = true;
}

static void new_name(struct dir_edit *x, size_t i, enum edit_state how)
{
	x->state[i] = (uint8_t)how;
	x->edited = true;
}

/*
 * What is left of "." or ".." under a damaged name: one of the first two
 * entries, where that one is missing and made anew, and of its inode.  Kept, it
 * would be a second name of a directory.
 */
static bool was_dot(const struct dir_edit *x, size_t i)
{
	const struct htree_entry *v = &x->e->v[i];

	if (i > 1 || v->block)
		return false;
	return (v->ino == x->dir->ino &&
		wanted(x, P_DIR + HTREE_D_DOT_MISSING)) ||
	       (v->ino == x->parent &&
		wanted(x, P_DIR + HTREE_D_DOTDOT_MISSING));
}

/* Drop the entry if it names nothing, else see to its type. */
static void edit_inode(struct dir_edit *x, size_t i)
{
	struct htree_entry *v = &x->e->v[i];
	enum problem_code fault = entry_fault(&x->c->facts, v->ino);
	int type = entry_type(&x->c->facts, v->ino);

	if (!fault && v->ino == x->dir->ino)
		fault = P_ENTRY_SELF;
	if ((fault && wanted(x, fault)) || was_dot(x, i)) {
		drop(x, i);
	} else if (!fault && type && x->dir->filetype &&
		   wanted(x, v->file_type ? P_ENTRY_TYPE : P_ENTRY_TYPE_NONE)) {
		v->file_type = (uint8_t)type;
		x->edited = true;
	}
}

/* A stray "." or "..": a link to itself or its parent is no name. */
static void edit_dot(struct dir_edit *x, size_t i)
{
	struct htree_entry *v = &x->e->v[i];

	if (v->ino == x->dir->ino || v->ino == x->parent)
		drop(x, i);
	else if (x->dir->encrypted)
		tell(x, i, P_STRAY_DOT_KEPT);
	else
		new_name(x, i, E_NEW_NAME);
}

static errcode_t edit_name(struct dir_edit *x, size_t i)
{
	struct htree_entry *v = &x->e->v[i];
	uint8_t name[DIRHASH_NAME_MAX];
	size_t len = v->name_len;
	errcode_t err;

	memcpy(name, htree_entry_name(x->e, i), len);
	if (htree_name_dot(name, len)) {
		if (wanted(x, P_DIR + HTREE_F_STRAY_DOT))
			edit_dot(x, i);
		return 0;
	}
	if (x->dir->encrypted ||
	    (!wanted(x, P_DIR + HTREE_F_NAME_CHARS) &&
	     !wanted(x, P_DIR + HTREE_F_ENCODING)))
		return 0;
	if (!names_make_valid(x->dir, name, len))
		return 0;
	err = htree_entry_rename(x->e, i, name, len);
	new_name(x, i, htree_name_dot(name, len) ? E_NEW_NAME : E_CHANGED);
	return err;
}

/* ---- duplicates */

/* Is this the only name that the inode says it has, or a directory's? */
static bool one_name_only(const struct dir_edit *x, ext2_ino_t ino)
{
	struct ext2_inode inode;

	if (entry_type(&x->c->facts, ino) == EXT2_FT_DIR)
		return true;
	return !ext2fs_read_inode(x->c->efs->fs, ino, &inode) &&
	       inode.i_links_count <= 1;
}

/*
 * Entry i has the name of entry `other`.  An entry that says the same twice
 * goes where that is all it says: in encrypted directories, and where the
 * inode has one name.  Others get another name.
 */
static void edit_duplicate(struct dir_edit *x, size_t i, size_t other)
{
	bool same = x->e->v[i].ino == x->e->v[other].ino;

	if (x->dir->encrypted) {
		if (same)
			drop(x, i);
		else
			tell(x, i, P_DUPLICATE_KEPT);
		return;
	}
	if (same && one_name_only(x, x->e->v[i].ino))
		drop(x, i);
	else
		new_name(x, i, E_NEW_NAME);
}

/*
 * First every name that stands is taken, then new ones are made: none that
 * is made takes one that stands further on.
 */
static errcode_t edit_duplicates(struct dir_edit *x)
{
	bool wants = wanted(x, P_DIR + HTREE_F_DUPLICATE) ||
		     wanted(x, P_DUPLICATE_ENCRYPTED);
	errcode_t err = 0;

	for (size_t i = 0; i < x->e->n; i++) {
		size_t other;

		if (!x->e->v[i].ino || x->state[i] != E_KEEP)
			continue;
		other = names_take(&x->names, i);
		if (other != i && wants)
			edit_duplicate(x, i, other);
	}
	for (size_t i = 0; !err && i < x->e->n; i++) {
		if (!x->e->v[i].ino || x->state[i] == E_KEEP ||
		    (x->state[i] == E_CHANGED && names_take(&x->names, i) == i))
			continue;
		err = names_rename(&x->names, i);
	}
	return err;
}

errcode_t edit_entries(struct dir_edit *x)
{
	errcode_t err = 0;

	x->state = calloc(x->e->n ? x->e->n : 1, 1);
	if (!x->state)
		return ENOMEM;
	for (size_t i = 0; !err && i < x->e->n; i++) {
		edit_inode(x, i);
		if (x->e->v[i].ino)
			err = edit_name(x, i);
	}
	if (!err)
		err = names_init(&x->names, x->dir, x->e);
	if (!err)
		err = edit_duplicates(x);
	names_free(&x->names);
	if (!err)
		htree_entries_compact(x->e);
	free(x->state);
	x->state = NULL;
	return err;
}
