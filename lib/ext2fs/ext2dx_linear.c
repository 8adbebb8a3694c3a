/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libext2dx.so: names found, added and removed entry by entry, as
 * ext2fs_dir_iterate2() shows them.  For directories that lie in their inode,
 * which it alone can read and write, for "." and "..", and for entries
 * that are meant by their inode number.
 */
#include <string.h>
#include "ext2fs/ext2dx_priv.h"

struct linear {
	ext2_filsys fs;
	struct ext2dx_wanted wanted;
	struct ext2_dir_entry *last;	/* the record before, wherever it was */
	ext2_ino_t ino;			/* found, or to be added */
	int type;			/* of the one to be added */
	bool done;
	errcode_t err;
};

static bool is_wanted(const struct ext2dx_wanted *w,
		      const struct ext2_dir_entry *e)
{
	if (!e->inode || (w->ino && e->inode != w->ino))
		return false;
	return !w->name ||
	       ((size_t)ext2fs_dirent_name_len(e) == w->len &&
		!memcmp(e->name, w->name, w->len));
}

/*
 * All that libext2fs' iterator passes and nobody here needs goes away here.
 * A step returns DIRENT_*.
 */
struct iteration {
	int (*step)(struct linear *l, struct ext2_dir_entry *e);
	struct linear *l;
};

static int iterate_step(ext2_ino_t dir, int kind, struct ext2_dir_entry *e,
			int offset, int size, char *buf, void *ctx)
{
	struct iteration *i = ctx;
	int result = i->step(i->l, e);

	(void)dir, (void)kind, (void)offset, (void)size, (void)buf;
	if (i->l->err)
		return DIRENT_ABORT;
	i->l->last = e;
	return result;
}

static errcode_t iterate(struct linear *l, ext2_ino_t dir, int flags,
			 int (*step)(struct linear *l,
				     struct ext2_dir_entry *e))
{
	struct iteration i = { .step = step, .l = l };
	errcode_t err = ext2fs_dir_iterate2(l->fs, dir, flags, NULL,
					    iterate_step, &i);

	return err ? err : l->err;
}

static int look(struct linear *l, struct ext2_dir_entry *e)
{
	if (!is_wanted(&l->wanted, e))
		return 0;
	l->ino = e->inode;
	l->done = true;
	return DIRENT_ABORT;
}

errcode_t ext2dx_linear_lookup(ext2_filsys fs, ext2_ino_t dir,
			       const struct ext2dx_wanted *w, ext2_ino_t *ino)
{
	struct linear l = { .fs = fs, .wanted = *w };
	errcode_t err = iterate(&l, dir, 0, look);

	if (l.done)
		*ino = l.ino;
	return l.done ? 0 : err ? err : EXT2_ET_FILE_NOT_FOUND;
}

/*
 * Does `e` follow the last record, in the same block?  The first record of a
 * block, or of a part of an inode, follows none.
 */
static bool follows(struct linear *l, struct ext2_dir_entry *e, unsigned *before)
{
	if (!l->last)
		return false;
	l->err = ext2fs_get_rec_len(l->fs, l->last, before);
	return !l->err && (char *)l->last + *before == (char *)e;
}

static int take_out(struct linear *l, struct ext2_dir_entry *e)
{
	unsigned before, len;

	if (!is_wanted(&l->wanted, e))
		return 0;
	if (follows(l, e, &before)) {
		l->err = ext2fs_get_rec_len(l->fs, e, &len);
		if (!l->err)
			l->err = ext2fs_set_rec_len(l->fs, before + len,
						    l->last);
	} else {
		e->inode = 0;
	}
	l->done = !l->err;
	return DIRENT_ABORT | DIRENT_CHANGED;
}

errcode_t ext2dx_linear_unlink(ext2_filsys fs, ext2_ino_t dir,
			       const struct ext2dx_wanted *w)
{
	struct linear l = { .fs = fs, .wanted = *w };
	errcode_t err = iterate(&l, dir, DIRENT_FLAG_INCLUDE_EMPTY, take_out);

	return err ? err : l.done ? 0 : EXT2_ET_DIR_NO_SPACE;
}

static int put_in(struct linear *l, struct ext2_dir_entry *e)
{
	unsigned need = ext2fs_dir_rec_len((__u8)l->wanted.len, 0), used, len;

	l->err = ext2fs_get_rec_len(l->fs, e, &len);
	used = e->inode
	     ? ext2fs_dir_rec_len((__u8)ext2fs_dirent_name_len(e), 0) : 0;
	if (l->err || len < used || len - used < need)
		return 0;
	if (used) {
		l->err = ext2fs_set_rec_len(l->fs, used, e);
		e = (struct ext2_dir_entry *)((char *)e + used);
		if (!l->err)
			l->err = ext2fs_set_rec_len(l->fs, len - used, e);
		if (l->err)
			return 0;
	}
	e->inode = l->ino;
	ext2fs_dirent_set_name_len(e, (int)l->wanted.len);
	ext2fs_dirent_set_file_type(e, l->type);
	memcpy(e->name, l->wanted.name, l->wanted.len);
	l->done = true;
	return DIRENT_ABORT | DIRENT_CHANGED;
}

errcode_t ext2dx_linear_link(ext2_filsys fs, ext2_ino_t dir, const char *name,
			     size_t len, ext2_ino_t ino, int type)
{
	struct linear l = {
		.fs = fs, .wanted = { .name = name, .len = len },
		.ino = ino, .type = type
	};
	errcode_t err = iterate(&l, dir, DIRENT_FLAG_INCLUDE_EMPTY, put_in);

	return err ? err : l.done ? 0 : EXT2_ET_DIR_NO_SPACE;
}
