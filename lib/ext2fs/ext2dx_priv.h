/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What libext2dx's functions on directories share. */
#ifndef E2DX_EXT2DX_PRIV_H
#define E2DX_EXT2DX_PRIV_H

#include "ext2fs/map.h"
#include "htree/entry.h"

/*
 * A directory of a caller's filesystem, as numbered blocks.  All I/O goes
 * through the caller's io channel, all allocation through libext2fs.  Lives
 * for one call; must not be moved after ext2dx_dir_open().
 */
struct ext2dx_dir {
	struct htree_blocks blocks;	/* first member */
	struct htree_dir dir;
	struct e2dx_fs view;		/* of the caller's filesystem; fs is his */
	struct ext2_inode_large inode;	/* the first 128 bytes, host order */
	struct e2dx_run run;		/* of the map, found last; count 0: none */
	bool check_leaves;		/* a wrong checksum is an error */
	/*
	 * Blocks behind blocks.count that the index does not know: how many are
	 * there to be used, whether they were looked for, and how many resize
	 * met, which then failed: open again and take them off blocks.count.
	 */
	uint32_t strays;
	bool strays_known;
	uint32_t strays_met;
};

/*
 * Open.  EXT2_ET_NO_DIRECTORY; what ext2fs_read_inode() gives.
 * Nothing is to be closed.
 */
errcode_t ext2dx_dir_open(ext2_filsys fs, ext2_ino_t ino,
			  struct ext2dx_dir *d);

/* Set or clear INDEX_FL and write the inode. */
errcode_t ext2dx_set_indexed(struct htree_blocks *b, bool indexed);

/* The directory lies in its inode: only the functions below can do it. */
static inline bool ext2dx_dir_inline(const struct ext2dx_dir *d)
{
	return d->inode.i_flags & EXT4_INLINE_DATA_FL;
}

/* An error of the layers below as what callers of libext2fs expect. */
errcode_t ext2dx_error(errcode_t err);

/*
 * Find a name in an open directory.  buf: a block of scratch, or NULL.
 * EXT2_ET_FILE_NOT_FOUND.
 */
errcode_t ext2dx_dir_lookup(struct ext2dx_dir *d, const char *name, size_t len,
			    void *buf, ext2_ino_t *ino);

/* ---- entry after entry, through ext2fs_dir_iterate2() (ext2dx_linear.c) */

/* Which entry is meant; casefolded names only by their bytes. */
struct ext2dx_wanted {
	const char *name;	/* NULL: any */
	size_t len;
	ext2_ino_t ino;		/* 0: any */
};

/* EXT2_ET_FILE_NOT_FOUND. */
errcode_t ext2dx_linear_lookup(ext2_filsys fs, ext2_ino_t dir,
			       const struct ext2dx_wanted *w, ext2_ino_t *ino);

/* Merge its record into the one before it.  EXT2_ET_DIR_NO_SPACE: none. */
errcode_t ext2dx_linear_unlink(ext2_filsys fs, ext2_ino_t dir,
			       const struct ext2dx_wanted *w);

/* Add to the first room; EXT2_ET_DIR_NO_SPACE.  Not where there is an index. */
errcode_t ext2dx_linear_link(ext2_filsys fs, ext2_ino_t dir, const char *name,
			     size_t len, ext2_ino_t ino, int type);

#endif
