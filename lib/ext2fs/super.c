/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The superblock and its copies. */
#include "ext2fs/fs.h"

bool e2dx_unsigned_chars(const struct e2dx_fs *efs)
{
	return efs->fs->super->s_flags & EXT2_FLAGS_UNSIGNED_HASH;
}
