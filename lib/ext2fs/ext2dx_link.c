/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libext2dx.so: libext2fs' ext2fs_link().  The directory gets an index when it
 * outgrows its first block and keeps it; it grows by itself, so that
 * EXT2_ET_DIR_NO_SPACE is hardly ever seen.
 */
#include <errno.h>
#include <string.h>
#include "ext2fs/ext2dx_priv.h"
#include "htree/change.h"
#include "htree/dirent.h"

struct link {
	ext2_filsys fs;
	ext2_ino_t dir;
	const char *name;
	size_t len;
	ext2_ino_t ino;
	int type;
};

/*
 * One way for "." and "..", and for directories that lie in their inode.
 * Stock takes a name that is there already; nothing good comes of that.
 */
static errcode_t link_linear(const struct link *l)
{
	const struct ext2dx_wanted w = { .name = l->name, .len = l->len };
	ext2_ino_t found;
	errcode_t err = ext2dx_linear_lookup(l->fs, l->dir, &w, &found);

	if (err == EXT2_ET_FILE_NOT_FOUND)
		return ext2dx_linear_link(l->fs, l->dir, l->name, l->len,
					  l->ino, l->type);
	return err ? err : EXT2_ET_FILE_EXISTS;
}

static errcode_t insert(const struct link *l, struct ext2dx_dir *d)
{
	const uint8_t *name = (const uint8_t *)l->name;
	struct htree_dirent e = {
		.ino = l->ino, .name = name,
		.name_len = (uint8_t)l->len, .file_type = (uint8_t)l->type
	};
	errcode_t err;

	if (ext2dx_dir_inline(d) || htree_name_dot(name, l->len))
		return d->dir.indexed ? EXT2_ET_FILE_EXISTS : link_linear(l);
	/* The key of what would have to be stored is not known. */
	if (htree_dir_stores_hash(&d->dir))
		return EXT2_ET_DIRHASH_UNSUPP;
	d->check_leaves = false;	/* htree_insert() does */
	err = htree_insert(&d->dir, &d->blocks, &e);
	if (!err && d->inode.i_flags & EXT2_INDEX_FL && !d->dir.indexed)
		err = ext2dx_set_indexed(&d->blocks, false);
	return ext2dx_error(err);
}

/* Open and insert; `strays`: so many last blocks are there to be used. */
static errcode_t attempt(const struct link *l, uint32_t strays,
			 struct ext2dx_dir *d)
{
	errcode_t err = ext2dx_dir_open(l->fs, l->dir, d);

	if (!err && strays) {
		d->blocks.count -= strays;
		d->strays = strays;
		d->strays_known = true;
	}
	if (!err)
		err = insert(l, d);
	return err;
}

static errcode_t link_name(const struct link *l)
{
	struct ext2dx_dir d;
	errcode_t err = attempt(l, 0, &d);

	if (err == EXT2_ET_DIR_NO_SPACE && ext2dx_dir_inline(&d)) {
		/* What does not fit in the inode moves to a block. */
		err = ext2fs_expand_dir(l->fs, l->dir);
		if (!err)
			err = attempt(l, 0, &d);
	}
	if (err == EXT2_ET_DIR_NO_SPACE && d.strays_met)
		err = attempt(l, d.strays_met, &d);
	return err;
}

errcode_t ext2fs_link(ext2_filsys fs, ext2_ino_t dir, const char *name,
		      ext2_ino_t ino, int flags)
{
	struct link l = {
		.fs = fs, .dir = dir, .name = name,
		.len = name ? strlen(name) : 0, .ino = ino
	};

	EXT2_CHECK_MAGIC(fs, EXT2_ET_MAGIC_EXT2FS_FILSYS);
	if (!(fs->flags & EXT2_FLAG_RW))
		return EXT2_ET_RO_FILSYS;
	if (!l.len)
		return EXT2_ET_INVALID_ARGUMENT;
	if (l.len > EXT2_NAME_LEN)
		return ENAMETOOLONG;
	if (!ino)
		return EXT2_ET_BAD_INODE_NUM;
	if (ext2fs_has_feature_filetype(fs->super))
		l.type = flags & 7;
	return link_name(&l);
}
