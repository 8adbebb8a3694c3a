/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files and directories that come and go, within a replacer's session.  A new
 * one is whole on the device before anything can name it; one that goes is
 * no longer named.
 */
#ifndef E2DX_CREATE_H
#define E2DX_CREATE_H

#include "ext2fs/replace.h"

struct e2dx_new {
	uint16_t mode;		/* type and permissions */
	uint32_t uid, gid;
	int64_t mtime;		/* seconds since 1970; all four times */
	uint16_t links;
	uint64_t size;		/* bytes of its data */
	/*
	 * Fill buf with the next len bytes of the data; they are asked for in
	 * order, `size` of them.
	 */
	errcode_t (*data)(void *ctx, void *buf, size_t len);
	void *ctx;
};

/*
 * Make an inode near the inode `parent`; its number to *ino.  Errors:
 * E2DX_ET_NO_SPACE, EXT2_ET_INODE_ALLOC_FAIL, EXT2_ET_FILE_TOO_BIG, those of
 * n->data: then nothing is held.
 */
errcode_t e2dx_create(struct e2dx_replacer *r, ext2_ino_t parent,
		      const struct e2dx_new *n, ext2_ino_t *ino);

/* An empty directory in `parent`, whose link count is left to the caller. */
errcode_t e2dx_create_dir(struct e2dx_replacer *r, ext2_ino_t parent,
			  const struct e2dx_new *n, ext2_ino_t *ino);

/*
 * Free an inode, its blocks and its attributes.  Nothing names it.
 * E2DX_ET_UNSUPPORTED where attributes may lie in inodes of their own.
 */
errcode_t e2dx_delete(struct e2dx_replacer *r, ext2_ino_t ino);

/* Set an inode's link count.  Synced. */
errcode_t e2dx_set_links(struct e2dx_replacer *r, ext2_ino_t ino,
			 uint32_t links);

#endif
