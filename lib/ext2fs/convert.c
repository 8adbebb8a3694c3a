/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rebuild every directory, with another hash or none. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/rebuild.h"
#include "ext2fs/replace_priv.h"
#include "htree/walk.h"

struct job {
	struct e2dx_replacer *r;
	bool indexed;
	int version;
	e2dx_convert_filter wanted;
	void *wanted_ctx;
	const struct e2dx_convert_events *events;
	uint64_t failures;
	ext2_ino_t lost_found;	/* 0: there is none */
};

void e2dx_tell_failed(const struct e2dx_convert_events *v, ext2_ino_t ino,
		      errcode_t why)
{
	if (v && v->failed)
		v->failed(v->ctx, ino, why);
}

void e2dx_tell_linear(const struct e2dx_convert_events *v, ext2_ino_t ino,
		      errcode_t why)
{
	if (v && v->linear)
		v->linear(v->ctx, ino, why);
}

void e2dx_tell_progress(const struct e2dx_convert_events *v, uint64_t done,
			uint64_t total)
{
	if (v && v->progress)
		v->progress(v->ctx, done, total);
}

/* The directory that fsck puts what it found into: named so in the root. */
static ext2_ino_t find_lost_found(struct e2dx_fs *efs)
{
	static const char name[] = "lost+found";
	struct htree_dirent entry = { 0 };
	struct e2dx_dir *root;
	uint8_t *buf;
	ext2_ino_t ino = 0;

	if (e2dx_dir_open(efs, EXT2_ROOT_INO, &root))
		return 0;
	buf = malloc(efs->fs->blocksize);
	if (buf && !root->inline_data &&
	    !htree_lookup(&root->dir, &root->blocks, (const uint8_t *)name,
			  sizeof(name) - 1, buf, &entry))
		ino = entry.ino;
	free(buf);
	e2dx_dir_close(root);
	return ino;
}

/*
 * lost+found was made large so that fsck finds room there when nothing else
 * is free: it never gets fewer blocks.  An index cannot be padded, so where one
 * would be smaller it becomes, or stays, linear.
 */
static errcode_t build_lost_found(const struct job *j, struct e2dx_rebuild *b)
{
	uint32_t before = b->d->blocks.count;
	errcode_t err = 0;

	if (b->d->dir.indexed && j->indexed) {
		err = e2dx_rebuild_build(b, true, j->version, 0);
		if (err || b->out.blocks.count >= before)
			return err;
	}
	return e2dx_rebuild_build(b, false, j->version, before);
}

static errcode_t rebuild(struct job *j, ext2_ino_t ino, struct e2dx_rebuild *b)
{
	errcode_t err = e2dx_rebuild_read(b);

	if (!err && ino == j->lost_found)
		err = build_lost_found(j, b);
	else if (!err)
		err = e2dx_rebuild_build(b, j->indexed, j->version, 0);
	if (!err && !e2dx_rebuild_same(b))
		err = e2dx_replace_dir(j->r, ino, &b->out, b->result.indexed);
	if (!err && b->linear)
		e2dx_tell_linear(j->events, ino, b->linear);
	return err;
}

static bool is_wanted(const struct job *j, struct e2dx_rebuild *b)
{
	if (b->d->inline_data)
		return false;
	if (!j->wanted)
		return true;
	return j->wanted(j->wanted_ctx, &b->d->dir, e2dx_rebuild_version(b),
			 b->d->blocks.count);
}

/* Errors are of the whole command; those of one directory are events. */
static errcode_t convert_one(struct job *j, ext2_ino_t ino)
{
	struct e2dx_rebuild b;
	errcode_t err = e2dx_rebuild_begin(j->r->efs, ino, &b);

	if (!err && is_wanted(j, &b))
		err = rebuild(j, ino, &b);
	if (b.linear && !err)
		j->failures++;
	e2dx_rebuild_end(&b);
	if (!err)
		return 0;
	if (j->r->failed || err == ENOMEM)
		return err;
	j->failures++;
	e2dx_tell_failed(j->events, ino, err);
	return 0;
}

errcode_t e2dx_convert(struct e2dx_replacer *r, bool indexed, int version,
		       e2dx_convert_filter wanted, void *wanted_ctx,
		       const struct e2dx_convert_events *events,
		       uint64_t *failures)
{
	struct job j = {
		.r = r, .indexed = indexed, .version = version,
		.wanted = wanted, .wanted_ctx = wanted_ctx, .events = events,
		.lost_found = find_lost_found(r->efs)
	};
	size_t total = r->survey->n_dirs;
	errcode_t err = 0;

	for (size_t i = 0; i < total && !err; i++) {
		err = convert_one(&j, r->survey->dirs[i]);
		e2dx_tell_progress(events, i + 1, total);
	}
	if (!err)
		err = e2dx_replace_flush(r);
	*failures = j.failures;
	return err;
}
