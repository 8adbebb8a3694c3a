/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files and directories that lie in their inodes. */
#include "check_inode.h"
#include "ext2fs/inline.h"

/*
 * The room for data is 60 bytes in i_block, and an attribute's value.  A file
 * may be longer: the rest reads as zeros, until something is written there.
 */
void check_inline(struct inode_check *c)
{
	const struct e2dx_seen_inode *seen = c->seen;
	uint64_t size = EXT2_I_SIZE(seen->inode);
	size_t more;
	uint64_t room;

	/* An attribute that is not there is check_xattr()'s to tell. */
	if (!LINUX_S_ISDIR(seen->inode->i_mode) ||
	    !e2dx_inline_value(seen->efs, seen->raw, &more))
		return;
	room = E2DX_I_BLOCK_SIZE + (uint64_t)more;
	if (size != room)
		inode_problem(c, (struct problem){
			.code = P_INODE_INLINE_SIZE, .value = size,
			.expected = room });
}
