/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libext2dx.so: libext2fs' ext2fs_lookup(), through the index.  Where the
 * index is damaged, the directory has none, or it stores hashes whose key is
 * not known, block after block.
 */
#include <stdlib.h>
#include "ext2fs/ext2dx_priv.h"
#include "htree/walk.h"

static errcode_t lookup_blocks(struct ext2dx_dir *d, const char *name,
			       size_t len, uint8_t *buf, ext2_ino_t *ino)
{
	struct htree_dirent e;
	errcode_t err;

	err = htree_lookup(&d->dir, &d->blocks, (const uint8_t *)name, len, buf,
			   &e);
	if (!err)
		*ino = e.ino;
	return ext2dx_error(err);
}

errcode_t ext2dx_dir_lookup(struct ext2dx_dir *d, const char *name, size_t len,
			    void *buf, ext2_ino_t *ino)
{
	const struct ext2dx_wanted w = { .name = name, .len = len };
	uint8_t *own = NULL;
	errcode_t err;

	if (len == 0 || len > EXT2_NAME_LEN)
		return EXT2_ET_FILE_NOT_FOUND;
	if (ext2dx_dir_inline(d))
		return ext2dx_linear_lookup(d->view.fs, d->dir.ino, &w, ino);
	if (!buf)
		buf = own = malloc(d->blocks.block_size);
	if (!buf)
		return EXT2_ET_NO_MEMORY;
	err = lookup_blocks(d, name, len, buf, ino);
	free(own);
	return err;
}

errcode_t ext2fs_lookup(ext2_filsys fs, ext2_ino_t dir, const char *name,
			int namelen, char *buf, ext2_ino_t *inode)
{
	struct ext2dx_dir d;
	errcode_t err = ext2dx_dir_open(fs, dir, &d);

	if (!err)
		err = ext2dx_dir_lookup(&d, name,
					namelen > 0 ? (size_t)namelen : 0, buf,
					inode);
	return err;
}
