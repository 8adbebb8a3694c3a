/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Going through all inodes. */
#include "debugfs.h"

/* The last inode of a group that may be in use, as the descriptors say. */
static ext2_ino_t group_end(ext2_filsys fs, dgrp_t group)
{
	ext2_ino_t per_group = fs->super->s_inodes_per_group;
	ext2_ino_t end = per_group;

	if (ext2fs_has_group_desc_csum(fs)) {
		ext2_ino_t unused = ext2fs_bg_itable_unused(fs, group);

		if (ext2fs_bg_flags_test(fs, group, EXT2_BG_INODE_UNINIT))
			end = 0;
		else if (unused <= per_group)
			end = per_group - unused;
	}
	return group * per_group + end;
}

errcode_t inode_scan(struct debugfs *d,
		     errcode_t (*each)(void *ctx, ext2_ino_t ino,
				       const struct ext2_inode_large *inode),
		     void (*unreadable)(void *ctx, ext2_ino_t ino,
					errcode_t err),
		     void *ctx)
{
	ext2_filsys fs = d->efs->fs;
	ext2_ino_t per_group = fs->super->s_inodes_per_group;
	struct ext2_inode_large inode;
	errcode_t err;

	for (dgrp_t g = 0; g < fs->group_desc_count; g++) {
		ext2_ino_t ino = g * per_group + 1, end = group_end(fs, g);

		for (; ino <= end; ino++) {
			err = e2dx_inode_read(d->efs, ino, &inode);
			if (err && unreadable)
				unreadable(ctx, ino, err);
			if (err || !inode.i_links_count)
				continue;
			err = each(ctx, ino, &inode);
			if (err)
				return err;
		}
	}
	return 0;
}
