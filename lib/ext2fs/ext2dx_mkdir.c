/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libext2dx.so: libext2fs' ext2fs_mkdir(), whose link counts do not overflow.
 * The parent may grow before the name is in it, so the new directory's block
 * is marked as used first; where the name does not get in, nothing of the new
 * directory is left.
 */
#include <errno.h>
#include <string.h>
#include "ext2fs/ext2dx_priv.h"
#include "ext2fs/links.h"

struct newdir {
	ext2_filsys fs;
	ext2_ino_t parent, ino;
	const char *name;		/* NULL: no entry in the parent */
	struct ext2_inode inode;
	blk64_t block;			/* 0: it lies in its inode */
};

static errcode_t count_one_more(ext2_filsys fs, struct ext2_inode *inode)
{
	uint32_t links = inode->i_links_count;
	errcode_t err = e2dx_links_add(fs->super, &links);

	inode->i_links_count = (__u16)links;
	return err;
}

static errcode_t check_name(const struct newdir *n)
{
	size_t len = strlen(n->name);
	ext2_ino_t found;
	errcode_t err;

	if (!len)
		return EXT2_ET_INVALID_ARGUMENT;
	if (len > EXT2_NAME_LEN)
		return ENAMETOOLONG;
	err = ext2fs_lookup(n->fs, n->parent, n->name, (int)len, NULL, &found);
	if (err == EXT2_ET_FILE_NOT_FOUND)
		return 0;
	return err ? err : EXT2_ET_DIR_EXISTS;
}

/* May there be one more?  A root that is its own parent is not there yet. */
static errcode_t check_parent(const struct newdir *n)
{
	struct ext2_inode inode;
	errcode_t err;

	if (n->parent == n->ino)
		return 0;
	err = ext2fs_read_inode(n->fs, n->parent, &inode);
	if (err)
		return err;
	if (!LINUX_S_ISDIR(inode.i_mode))
		return EXT2_ET_NO_DIRECTORY;
	return count_one_more(n->fs, &inode);
}

static errcode_t count_in_parent(const struct newdir *n)
{
	struct ext2_inode inode;
	errcode_t err;

	if (n->parent == n->ino)
		return 0;
	err = ext2fs_read_inode(n->fs, n->parent, &inode);
	if (!err)
		err = count_one_more(n->fs, &inode);
	return err ? err : ext2fs_write_inode(n->fs, n->parent, &inode);
}

/* ---- a directory that lies in its inode, as new ones do with inline_data */

static errcode_t write_inline(struct newdir *n)
{
	errcode_t err;

	n->inode.i_flags |= EXT4_INLINE_DATA_FL;
	n->inode.i_size = sizeof(n->inode.i_block);
	err = ext2fs_new_dir_inline_data(n->fs, n->ino, n->parent,
					 n->inode.i_block);
	if (!err)
		err = ext2fs_write_new_inode(n->fs, n->ino, &n->inode);
	return err ? err : ext2fs_inline_data_init(n->fs, n->ino);
}

/* ---- one that has a block */

static errcode_t map_block(struct newdir *n)
{
	ext2_extent_handle_t handle;
	errcode_t err;

	err = ext2fs_extent_open2(n->fs, n->ino, &n->inode, &handle);
	if (err)
		return err;
	err = ext2fs_extent_set_bmap(handle, 0, n->block, 0);
	ext2fs_extent_free(handle);
	return err;
}

static errcode_t write_inode(struct newdir *n)
{
	bool extents = ext2fs_has_feature_extents(n->fs->super);
	errcode_t err;

	n->inode.i_size = n->fs->blocksize;
	err = ext2fs_iblk_set(n->fs, &n->inode, 1);
	if (err)
		return err;
	if (extents)
		n->inode.i_flags |= EXT4_EXTENTS_FL;
	else
		n->inode.i_block[0] = (__u32)n->block;
	err = ext2fs_write_new_inode(n->fs, n->ino, &n->inode);
	return err || !extents ? err : map_block(n);
}

static errcode_t write_block(struct newdir *n)
{
	char *data;
	errcode_t err;

	err = ext2fs_new_dir_block(n->fs, n->ino, n->parent, &data);
	if (err)
		return err;
	err = ext2fs_write_dir_block4(n->fs, n->block, data, 0, n->ino);
	ext2fs_free_mem(&data);
	return err;
}

static errcode_t write_with_block(struct newdir *n)
{
	blk64_t goal = ext2fs_find_inode_goal(n->fs, n->ino, &n->inode, 0);
	errcode_t err;

	err = ext2fs_new_block2(n->fs, goal, NULL, &n->block);
	if (err) {
		n->block = 0;
		return err;
	}
	ext2fs_block_alloc_stats2(n->fs, n->block, +1);
	/* The block's checksum is made of the inode's generation. */
	err = write_inode(n);
	return err ? err : write_block(n);
}

static void undo(struct newdir *n)
{
	struct ext2_inode zero;

	memset(&zero, 0, sizeof(zero));
	ext2fs_write_inode(n->fs, n->ino, &zero);
	if (n->block)
		ext2fs_block_alloc_stats2(n->fs, n->block, -1);
}

static errcode_t create(struct newdir *n)
{
	errcode_t err;

	n->inode.i_mode = (__u16)(LINUX_S_IFDIR |
				  (0777 & ~(unsigned)n->fs->umask));
	n->inode.i_links_count = 2;
	if (ext2fs_has_feature_inline_data(n->fs->super) &&
	    n->ino >= EXT2_FIRST_INO(n->fs->super))
		err = write_inline(n);
	else
		err = write_with_block(n);
	if (!err && n->name)
		err = ext2fs_link(n->fs, n->parent, n->name, n->ino,
				  EXT2_FT_DIR);
	if (err) {
		undo(n);
		return err;
	}
	ext2fs_inode_alloc_stats2(n->fs, n->ino, +1, 1);
	return count_in_parent(n);
}

errcode_t ext2fs_mkdir(ext2_filsys fs, ext2_ino_t parent, ext2_ino_t inum,
		       const char *name)
{
	struct newdir n = {
		.fs = fs, .parent = parent, .ino = inum, .name = name
	};
	errcode_t err;

	EXT2_CHECK_MAGIC(fs, EXT2_ET_MAGIC_EXT2FS_FILSYS);
	if (!(fs->flags & EXT2_FLAG_RW))
		return EXT2_ET_RO_FILSYS;
	err = check_parent(&n);
	if (!err && name && parent != inum)
		err = check_name(&n);
	if (!err && !inum)
		err = ext2fs_new_inode(fs, parent, LINUX_S_IFDIR | 0755, NULL,
				       &n.ino);
	return err ? err : create(&n);
}
