/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbolic links: is the target as long as i_size says? */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "check_inode.h"
#include "ext2fs/inline.h"
#include "htree/ondisk.h"

/*
 * A target ends where i_size says, with no NUL before.  An encrypted one is a
 * length of two bytes and so much ciphertext.
 */
static bool target_sound(const struct inode_check *c, const uint8_t *target,
			 size_t room)
{
	uint64_t size = EXT2_I_SIZE(c->seen->inode);

	if (size > room)
		return false;
	if (c->seen->inode->i_flags & EXT4_ENCRYPT_FL)
		return size >= 2 && htree_le16(target) + 2u == size;
	return strnlen((const char *)target, room) == size;
}

/* In a block of its own: one block, in which a NUL follows. */
static bool slow_sound(struct inode_check *c)
{
	const struct e2dx_seen_inode *seen = c->seen;
	ext2_filsys fs = seen->efs->fs;
	struct e2dx_run run;
	uint8_t *block;
	bool sound;

	if (seen->data_blocks != 1 ||
	    EXT2_I_SIZE(seen->inode) >= fs->blocksize ||
	    e2dx_map_find(seen->efs, seen->ino, seen->inode, 0, &run))
		return false;
	block = malloc(fs->blocksize);
	if (!block) {
		c->err = ENOMEM;
		return true;
	}
	sound = !io_channel_read_blk64(fs->io, run.physical, 1, block) &&
		target_sound(c, block, fs->blocksize);
	free(block);
	return sound;
}

/* In the inode: the first 60 bytes in i_block, the rest an attribute. */
static bool inline_sound(struct inode_check *c)
{
	const struct e2dx_seen_inode *seen = c->seen;
	uint64_t size = EXT2_I_SIZE(seen->inode);
	size_t more;
	const uint8_t *value = e2dx_inline_value(seen->efs, seen->raw, &more);
	const uint8_t *first = seen->raw + E2DX_I_BLOCK;
	size_t len;

	if (seen->inode->i_flags & EXT4_ENCRYPT_FL)
		return size >= 2 && size <= E2DX_I_BLOCK_SIZE + more &&
		       htree_le16(first) + 2u == size;
	len = strnlen((const char *)first, E2DX_I_BLOCK_SIZE);
	if (len == E2DX_I_BLOCK_SIZE && value)
		len += strnlen((const char *)value, more);
	return len == size;
}

void check_link(struct inode_check *c)
{
	const struct ext2_inode_large *inode = c->seen->inode;
	bool sound;

	if (!EXT2_I_SIZE(inode) || inode->i_size_high)
		sound = false;
	else if (inode->i_flags & EXT4_INLINE_DATA_FL)
		sound = inline_sound(c);
	else if (e2dx_inode_has_map(inode))
		sound = slow_sound(c);
	else
		sound = target_sound(c, c->seen->raw + E2DX_I_BLOCK,
				     E2DX_I_BLOCK_SIZE);
	if (!sound)
		inode_problem(c, (struct problem){
			.code = P_INODE_LINK, .value = EXT2_I_SIZE(inode) });
}
