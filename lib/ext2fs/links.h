/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A directory's link count.  More subdirectories than a count can tell are
 * told by a count of 1, with dir_nlink: so Linux, and so e2fsck.
 */
#ifndef E2DX_LINKS_H
#define E2DX_LINKS_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <ext2fs/ext2fs.h>

/* One subdirectory more: the count after it to *links.  EMLINK. */
static inline errcode_t e2dx_links_add(const struct ext2_super_block *sb,
				       uint32_t *links)
{
	bool countless = sb->s_feature_ro_compat &
			 EXT4_FEATURE_RO_COMPAT_DIR_NLINK;

	if (*links == 1 && countless)
		return 0;
	if (*links < EXT2_LINK_MAX)
		++*links;
	else if (countless)
		*links = 1;
	else
		return EMLINK;
	return 0;
}

/* One less; a directory has never less than its own two, or the 1 above. */
static inline void e2dx_links_subtract(uint32_t *links)
{
	if (*links > 2)
		--*links;
}

#endif
