/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libext2dx.so: libext2fs' ext2fs_unlink(), through the index.  One block is
 * written, no entry moves and the directory keeps its blocks: the caller may
 * be inside ext2fs_dir_iterate() and write its copy of a block back.
 */
#include <string.h>
#include "ext2fs/ext2dx_priv.h"
#include "htree/change.h"
#include "htree/dirent.h"

static errcode_t by_name(struct ext2dx_dir *d, const struct ext2dx_wanted *w)
{
	ext2_ino_t found;
	errcode_t err;

	if (w->len == 0 || w->len > EXT2_NAME_LEN)
		return EXT2_ET_FILE_NOT_FOUND;
	if (w->ino) {
		err = ext2dx_dir_lookup(d, w->name, w->len, NULL, &found);
		if (err)
			return err;
		/* Stock's link() let a name stand twice. */
		if (found != w->ino)
			return ext2dx_linear_unlink(d->view.fs, d->dir.ino, w);
	}
	return ext2dx_error(htree_remove(&d->dir, &d->blocks,
					 (const uint8_t *)w->name, w->len,
					 HTREE_KEEP_BLOCKS));
}

static errcode_t unlink_entry(struct ext2dx_dir *d,
			      const struct ext2dx_wanted *w)
{
	bool dots = w->name && htree_name_dot((const uint8_t *)w->name, w->len);

	/* Block 0 of an index is no index without both. */
	if (dots && d->dir.indexed)
		return EXT2_ET_INVALID_ARGUMENT;
	if (!w->name || dots || ext2dx_dir_inline(d))
		return ext2dx_linear_unlink(d->view.fs, d->dir.ino, w);
	return by_name(d, w);
}

/* What is not there is, for ext2fs_unlink(), EXT2_ET_DIR_NO_SPACE. */
errcode_t ext2fs_unlink(ext2_filsys fs, ext2_ino_t dir, const char *name,
			ext2_ino_t ino, int flags)
{
	struct ext2dx_wanted w = {
		.name = name, .len = name ? strlen(name) : 0, .ino = ino
	};
	struct ext2dx_dir d;
	errcode_t err;

	EXT2_CHECK_MAGIC(fs, EXT2_ET_MAGIC_EXT2FS_FILSYS);
	if (!name && !ino)
		return EXT2_ET_INVALID_ARGUMENT;
	if (!(fs->flags & EXT2_FLAG_RW))
		return EXT2_ET_RO_FILSYS;
	if (name && flags & EXT2FS_UNLINK_FORCE)
		w.ino = 0;
	err = ext2dx_dir_open(fs, dir, &d);
	if (!err)
		err = unlink_entry(&d, &w);
	return err == EXT2_ET_FILE_NOT_FOUND ? EXT2_ET_DIR_NO_SPACE : err;
}
