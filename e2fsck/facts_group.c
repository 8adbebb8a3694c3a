/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group descriptors: where they put bitmaps and tables, their checksums, and
 * what they say was never initialised.  Two that share a block are found by
 * the survey, which claims every block of them.
 */
#include "ext2fs/findsuper.h"
#include "facts.h"
#include "facts_reserved.h"

static errcode_t found(struct facts *f, enum problem_code code, dgrp_t g,
		       uint64_t value, uint64_t expected)
{
	struct problem p = {
		.code = code, .group = g, .value = value, .expected = expected
	};

	return problem_list_add(&f->groups, &p);
}

static errcode_t check_places(struct facts *f, dgrp_t g)
{
	static const enum problem_code codes[] = {
		[E2DX_BLOCK_BITMAP] = P_GROUP_BLOCK_BITMAP,
		[E2DX_INODE_BITMAP] = P_GROUP_INODE_BITMAP,
		[E2DX_INODE_TABLE] = P_GROUP_INODE_TABLE
	};
	errcode_t err = 0;

	for (int i = E2DX_BLOCK_BITMAP; !err && i <= E2DX_INODE_TABLE; i++) {
		enum e2dx_piece piece = (enum e2dx_piece)i;

		if (!e2dx_piece_in_place(f->efs, g, piece) ||
		    e2dx_piece_on_head(f->efs, g, piece))
			err = found(f, codes[i], g,
				    e2dx_piece_at(f->efs, g, piece), 0);
	}
	return err;
}

/* libext2fs computes it in the descriptor itself, and puts it back. */
static errcode_t check_checksum(struct facts *f, dgrp_t g)
{
	ext2_filsys fs = f->efs->fs;

	if (ext2fs_group_desc_csum_verify(fs, g))
		return 0;
	return found(f, P_GROUP_CHECKSUM, g, ext2fs_bg_checksum(fs, g),
		     ext2fs_group_desc_csum(fs, g));
}

/*
 * Marks without a checksum to trust them by mean nothing, and the kernel does
 * not look at them; those that deny inodes in use are damage all the same.
 */
static errcode_t check_marks_unsummed(struct facts *f, dgrp_t g)
{
	ext2_filsys fs = f->efs->fs;
	const uint16_t marks = EXT2_BG_INODE_UNINIT | EXT2_BG_BLOCK_UNINIT;
	uint32_t per_group = fs->super->s_inodes_per_group;
	uint32_t unused = ext2fs_bg_itable_unused(fs, g);
	uint32_t free_inodes = ext2fs_bg_free_inodes_count(fs, g);

	if (!unused && !(ext2fs_bg_flags(fs, g) & marks))
		return 0;
	if (ext2fs_bg_flags_test(fs, g, EXT2_BG_INODE_UNINIT))
		unused = per_group;
	return found(f, unused > free_inodes ? P_GROUP_UNUSED :
		     P_GROUP_UNINIT_PLAIN, g, unused, free_inodes);
}

static errcode_t check_marks(struct facts *f, dgrp_t g)
{
	ext2_filsys fs = f->efs->fs;
	uint32_t unused = ext2fs_bg_itable_unused(fs, g);
	uint32_t free_inodes = ext2fs_bg_free_inodes_count(fs, g);
	uint32_t most = fs->super->s_inodes_per_group;
	errcode_t err = 0;

	if (!ext2fs_has_group_desc_csum(fs))
		return check_marks_unsummed(f, g);
	if (free_inodes < most)
		most = free_inodes;
	if (unused > most)
		err = found(f, P_GROUP_UNUSED, g, unused, most);
	if (!err && g == fs->group_desc_count - 1 &&
	    ext2fs_bg_flags_test(fs, g, EXT2_BG_BLOCK_UNINIT))
		err = found(f, P_GROUP_LAST, g, 0, 0);
	return err;
}

errcode_t facts_groups(struct facts *f)
{
	errcode_t err = 0;

	for (dgrp_t g = 0; !err && g < f->efs->fs->group_desc_count; g++) {
		err = check_places(f, g);
		if (!err)
			err = check_checksum(f, g);
		if (!err)
			err = check_marks(f, g);
	}
	if (!err)
		err = facts_resize_inode(f);
	return err ? err : facts_mmp(f);
}
