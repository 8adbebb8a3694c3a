/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ln, unlink, rm, kill_file. */
#include "debugfs.h"
#include "ext2fs/create.h"

/* As everywhere, the link count is left to those who know better. */
int command_ln(struct debugfs *d, int argc, char **argv)
{
	struct ext2_inode_large inode;
	struct place p;
	ext2_ino_t ino;

	if (argc != 3)
		return command_usage(d, argv);
	if (inode_argument(d, argv[1], &ino, &inode) ||
	    place_argument(d, argv[2], &p) || writing_begin(d))
		return 1;
	return name_add(d, &p, ino, e2dx_file_type(inode.i_mode));
}

int command_unlink(struct debugfs *d, int argc, char **argv)
{
	struct place p;

	if (argc != 2)
		return command_usage(d, argv);
	if (place_argument(d, argv[1], &p) || writing_begin(d))
		return 1;
	return name_remove(d, &p);
}

int command_rm(struct debugfs *d, int argc, char **argv)
{
	struct ext2_inode_large inode;
	struct place p;
	ext2_ino_t ino;
	errcode_t err;

	if (argc != 2)
		return command_usage(d, argv);
	if (place_argument(d, argv[1], &p) ||
	    inode_argument(d, argv[1], &ino, &inode))
		return 1;
	if (LINUX_S_ISDIR(inode.i_mode))
		return dbg_fail(d, argv[1], 0, "is a directory (see rmdir)");
	if (writing_begin(d) || name_remove(d, &p))
		return 1;
	if (inode.i_links_count > 1)
		err = e2dx_set_links(d->writer, ino, inode.i_links_count - 1u);
	else
		err = e2dx_delete(d->writer, ino);
	return err ? dbg_fail(d, argv[1], err, "the name is gone, but inode %u "
			      "cannot be released", ino) : 0;
}

int command_kill_file(struct debugfs *d, int argc, char **argv)
{
	ext2_ino_t ino;
	errcode_t err;

	if (argc != 2)
		return command_usage(d, argv);
	if (path_argument(d, argv[1], &ino))
		return 1;
	if (ino < EXT2_FIRST_INO(d->efs->fs->super))
		return dbg_fail(d, argv[1], 0, "is the filesystem's own");
	if (writing_begin(d))
		return 1;
	err = e2dx_delete(d->writer, ino);
	return err ? dbg_fail(d, argv[1], err, "cannot release inode %u", ino)
		   : 0;
}
