/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The resize inode and the MMP block.
 *
 * The resize inode keeps room behind the group descriptors.  It has a double
 * indirect block only.  Each reserved block of the first group is an indirect
 * block of it: the one that would hold descriptor block n stands at n modulo
 * the entries of a block, and lists its copies in the groups with a backup, in
 * their order.
 */
#include <errno.h>
#include <stdlib.h>
#include "ext2fs/inode.h"
#include "ext2fs/supercheck.h"
#include "facts_reserved.h"
#include "htree/crc32c.h"
#include "htree/ondisk.h"

#define MMP_MAGIC	0x004d4d50u	/* "PMM" */
#define MMP_CSUM	0x3fc		/* offset: the last of 1024 bytes */
#define MMP_SIZE	1024

static errcode_t found(struct facts *f, enum problem_code code, uint64_t value,
		       uint64_t expected)
{
	struct problem p = {
		.code = code, .value = value, .expected = expected
	};

	return problem_list_add(&f->groups, &p);
}

/* Nothing but the double indirect block, and a file in use. */
static bool inode_fits(const struct e2dx_fs *efs,
		       const struct ext2_inode_large *inode)
{
	for (int i = 0; i < EXT2_N_BLOCKS; i++)
		if (i != EXT2_DIND_BLOCK && inode->i_block[i])
			return false;
	return inode->i_links_count == 1 && LINUX_S_ISREG(inode->i_mode) &&
	       !(inode->i_flags & EXT4_EXTENTS_FL) &&
	       e2dx_blocks_valid(efs, inode->i_block[EXT2_DIND_BLOCK], 1);
}

/* Do the entries of the reserved block name its copies? */
static bool copies_fit(const struct e2dx_fs *efs, uint64_t block,
		       const uint8_t *entries)
{
	ext2_filsys fs = efs->fs;
	uint32_t per_block = fs->blocksize / 4, n = 0;

	/* Groups 1, 3, 5, 7, 9 ...: logarithmic, but for few groups at all. */
	for (dgrp_t g = 1; g < fs->group_desc_count && n < per_block; g++) {
		if (!ext2fs_bg_has_super(fs, g))
			continue;
		if (htree_le32(entries + 4 * n++) != block +
		    (uint64_t)g * fs->super->s_blocks_per_group)
			return false;
	}
	return true;
}

/* Is the tree below the double indirect block as the geometry has it? */
static errcode_t tree_fits(const struct e2dx_fs *efs, uint64_t dind, bool *fits)
{
	ext2_filsys fs = efs->fs;
	uint32_t per_block = fs->blocksize / 4;
	uint64_t first = fs->super->s_first_data_block + 1 + fs->desc_blocks;
	uint8_t *top = malloc(2 * (size_t)fs->blocksize), *low;

	if (!top)
		return ENOMEM;
	/* Behind the boot block, though it counts as the first data block. */
	if (fs->blocksize == E2DX_SB_PRIMARY && !fs->super->s_first_data_block)
		first++;
	low = top + fs->blocksize;
	*fits = !io_channel_read_blk64(fs->io, dind, 1, top);
	for (uint32_t i = 0; *fits && i < fs->super->s_reserved_gdt_blocks; i++) {
		uint32_t slot = (uint32_t)((fs->desc_blocks + i) % per_block);

		*fits = htree_le32(top + 4 * (size_t)slot) == first + i &&
			e2dx_blocks_valid(efs, first + i, 1) &&
			!io_channel_read_blk64(fs->io, first + i, 1, low) &&
			copies_fit(efs, first + i, low);
	}
	free(top);
	return 0;
}

errcode_t facts_resize_inode(struct facts *f)
{
	ext2_filsys fs = f->efs->fs;
	struct ext2_inode_large inode;
	bool fits = false;
	errcode_t err;

	if (fs->super->s_inodes_count < EXT2_RESIZE_INO)
		return 0;
	/* A table out of place is reported by its descriptor. */
	if (e2dx_inode_read(f->efs, EXT2_RESIZE_INO, &inode))
		return 0;
	if (!ext2fs_has_feature_resize_inode(fs->super)) {
		return inode.i_block[EXT2_DIND_BLOCK] ?
		       found(f, P_GROUP_RESIZE_IDLE, 0, 0) : 0;
	}
	/* That they exclude each other is said already. */
	if (ext2fs_has_feature_meta_bg(fs->super) ||
	    !fs->super->s_reserved_gdt_blocks)
		return 0;
	if (inode_fits(f->efs, &inode)) {
		err = tree_fits(f->efs, inode.i_block[EXT2_DIND_BLOCK], &fits);
		if (err)
			return err;
	}
	return fits ? 0 : found(f, P_GROUP_RESIZE_INODE, 0, 0);
}

errcode_t facts_mmp(struct facts *f)
{
	ext2_filsys fs = f->efs->fs;
	uint64_t block = fs->super->s_mmp_block;
	uint8_t mmp[MMP_SIZE];
	uint32_t sum;

	if (!ext2fs_has_feature_mmp(fs->super) ||
	    !e2dx_blocks_valid(f->efs, block, 1) ||
	    io_channel_read_blk64(fs->io, block, -MMP_SIZE, mmp))
		return 0;	/* a place that cannot be: facts_fields.c */
	if (htree_le32(mmp) != MMP_MAGIC)
		return found(f, P_GROUP_MMP_MAGIC, htree_le32(mmp), MMP_MAGIC);
	if (!ext2fs_has_feature_metadata_csum(fs->super))
		return 0;
	sum = htree_crc32c(fs->csum_seed, mmp, MMP_CSUM);
	if (sum == htree_le32(mmp + MMP_CSUM))
		return 0;
	return found(f, P_GROUP_MMP_CSUM, htree_le32(mmp + MMP_CSUM), sum);
}
