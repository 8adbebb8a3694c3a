/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing: the session, and names added and removed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "debugfs.h"
#include "ext2fs/living.h"
#include "htree/change.h"

/* Before the first write the owner of every block is known. */
static int begin(struct debugfs *d)
{
	errcode_t err;

	err = e2dx_survey(d->efs, 0, NULL, NULL, &d->survey);
	if (err)
		return dbg_fail(d, d->device, err, "cannot read the metadata");
	if (!e2dx_survey_sound(d->survey))
		return dbg_fail(d, d->device, 0, "nothing is written: %s; "
				"run e2fsck first",
				e2dx_survey_reason(d->survey));
	err = e2dx_replace_begin(d->efs, d->survey, &d->writer);
	if (err)
		return dbg_fail(d, d->device, err, "nothing is written");
	return 0;
}

int writing_begin(struct debugfs *d)
{
	int failed;

	if (d->writer)
		return 0;
	if (!d->efs->writable)
		return dbg_fail(d, d->device, 0,
				"opened for reading only (see -w)");
	failed = begin(d);
	if (failed) {
		e2dx_survey_free(d->survey);
		d->survey = NULL;
	}
	return failed;
}

int writing_end(struct debugfs *d)
{
	errcode_t err = 0;

	if (d->writer)
		err = e2dx_replace_end(d->writer);
	e2dx_survey_free(d->survey);
	d->writer = NULL;
	d->survey = NULL;
	return err ? dbg_fail(d, d->device, err, "cannot finish writing") : 0;
}

int place_argument(struct debugfs *d, const char *text, struct place *p)
{
	const char *slash = strrchr(text, '/');
	char *directory;
	errcode_t err;
	int failed;

	p->text = text;
	err = name_argument(slash ? slash + 1 : text, p->name, &p->len);
	if (err)
		return dbg_fail(d, text, err, "not a name");
	if (!p->len || htree_name_dot(p->name, p->len))
		return dbg_fail(d, text, 0, "not a name");
	p->dir = d->cwd;
	if (!slash)
		return 0;
	directory = strndup(text, (size_t)(slash - text) + 1);
	if (!directory)
		return dbg_fail(d, text, ENOMEM, "cannot look it up");
	failed = path_argument(d, directory, &p->dir);
	free(directory);
	return failed;
}

static int fail(struct debugfs *d, const struct place *p, errcode_t err,
		const char *what)
{
	/* The error's own text does not say which limit it is. */
	if (err == E2DX_ET_DIR_FULL)
		return dbg_fail(d, p->text, err, "cannot %s the name in directory "
				"inode %u, whose index has all its levels",
				what, p->dir);
	return dbg_fail(d, p->text, err, "cannot %s the name", what);
}

int name_add(struct debugfs *d, const struct place *p, ext2_ino_t ino, int type)
{
	struct htree_dirent e = {
		.ino = ino, .name = p->name, .name_len = (uint8_t)p->len,
		.file_type = (uint8_t)type
	};
	struct e2dx_living *l;
	errcode_t err = e2dx_living_open(d->writer, p->dir, &l);

	if (!err) {
		err = htree_insert(&l->dir, &l->blocks, &e);
		if (!err)
			err = l->blocks.ops->barrier(&l->blocks);
		e2dx_living_close(l);
	}
	return err ? fail(d, p, err, "add") : 0;
}

int name_remove(struct debugfs *d, const struct place *p)
{
	struct e2dx_living *l;
	errcode_t err = e2dx_living_open(d->writer, p->dir, &l);

	if (!err) {
		err = htree_remove(&l->dir, &l->blocks, p->name, p->len,
				   HTREE_SHRINK);
		if (!err)
			err = l->blocks.ops->barrier(&l->blocks);
		e2dx_living_close(l);
	}
	return err ? fail(d, p, err, "remove") : 0;
}
