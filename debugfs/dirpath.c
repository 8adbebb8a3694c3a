/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a directory to its path, upwards through "..". */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "debugfs.h"
#include "htree/dirent.h"

#define MAX_DEPTH 4096	/* also what ends a loop of parents */

/* A path that grows at its front. */
struct front {
	char *text;		/* terminated; owned */
	size_t len;
	ext2_ino_t child;	/* whose name is looked for */
	const struct htree_dir *dir;	/* in this directory */
};

static errcode_t prepend(struct front *f, const char *name)
{
	size_t n = strlen(name);
	char *text = malloc(n + f->len + 2);

	if (!text)
		return ENOMEM;
	text[0] = '/';
	memcpy(text + 1, name, n);
	memcpy(text + 1 + n, f->text ? f->text : "", f->len + 1);
	free(f->text);
	f->text = text;
	f->len += n + 1;
	return 0;
}

static errcode_t match_child(void *ctx, const struct htree_dirent *e)
{
	struct front *f = ctx;
	char name[DBG_NAME_TEXT];
	errcode_t err;

	if (e->ino != f->child || htree_dirent_dot(e))
		return 0;
	err = prepend(f, entry_text(name, f->dir, e));
	return err ? err : EEXIST;
}

/* Put the name of *ino before the path and go to its parent. */
static errcode_t ascend(struct debugfs *d, struct front *f, ext2_ino_t *ino)
{
	struct dirscan_ops ops = { .entry = match_child };
	struct e2dx_dir *dir;
	errcode_t err = e2dx_dir_open(d->efs, *ino, &dir);

	if (err)
		return err;
	f->child = *ino;
	err = dirscan_parent(dir, ino);
	e2dx_dir_close(dir);
	if (!err)
		err = e2dx_dir_open(d->efs, *ino, &dir);
	if (err)
		return err;
	f->dir = &dir->dir;
	err = dirscan(dir, &ops, f);
	e2dx_dir_close(dir);
	return err == EEXIST ? 0 : err ? err : E2DX_ET_NOT_FOUND;
}

char *directory_path(struct debugfs *d, ext2_ino_t ino)
{
	struct front f = { NULL, 0, 0, NULL };
	errcode_t err = 0;

	if (ino == EXT2_ROOT_INO)
		return strdup("/");
	for (int i = 0; !err && ino != EXT2_ROOT_INO; i++)
		err = i < MAX_DEPTH ? ascend(d, &f, &ino) : ELOOP;
	if (!err)
		return f.text;
	free(f.text);
	return NULL;
}
