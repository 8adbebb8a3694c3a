/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An inode's own fields: is each what its type and the features allow? */
#include "check_inode.h"
#include "ext2fs/inode.h"
#include "ext2fs/quota_file.h"
#include "htree/ondisk.h"

/* Flags that libext2fs 1.47 has other names for, or none. */
#define FLAG_IMAGIC	0x00002000u

/* Whatever ordinary inodes may have is none of these. */
#define FLAGS_WATCHED	(FLAG_IMAGIC | EXT2_INDEX_FL | EXT4_EXTENTS_FL | \
			 EXT4_INLINE_DATA_FL | EXT4_CASEFOLD_FL)

static void problem(struct inode_check *c, enum problem_code code,
		    uint64_t value)
{
	inode_problem(c, (struct problem){ .code = code, .value = value });
}

/*
 * A small deletion time is a link of the orphan list, whose order is kept in
 * i_dtime.  Not where the clock of whoever made the filesystem was as low.
 */
static bool is_orphan_link(const struct inode_check *c)
{
	const struct ext2_super_block *sb = c->seen->efs->fs->super;
	uint32_t dtime = c->seen->inode->i_dtime;

	return dtime && dtime < sb->s_inodes_count &&
	       sb->s_wtime >= sb->s_inodes_count &&
	       (!sb->s_mkfs_time || sb->s_mkfs_time >= sb->s_inodes_count);
}

/* The index flag; on inodes of the filesystem's own too. */
void check_index_flag(struct inode_check *c)
{
	uint32_t flags = c->seen->inode->i_flags;

	if (!(flags & EXT2_INDEX_FL))
		return;
	if (!LINUX_S_ISDIR(c->seen->inode->i_mode))
		problem(c, P_INODE_INDEX_TYPE, flags);
	else if (!ext2fs_has_feature_dir_index(c->seen->efs->fs->super))
		problem(c, P_INODE_INDEX_FEATURE, flags);
}

static void check_casefold(struct inode_check *c)
{
	uint32_t flags = c->seen->inode->i_flags;

	if (!(flags & EXT4_CASEFOLD_FL))
		return;
	if (!LINUX_S_ISDIR(c->seen->inode->i_mode))
		problem(c, P_INODE_CASEFOLD_TYPE, flags);
	else if (!ext2fs_has_feature_casefold(c->seen->efs->fs->super))
		problem(c, P_INODE_CASEFOLD_FEATURE, flags);
}

/* Is there an extent tree where the flag says that there are numbers? */
static bool extents_unflagged(const struct inode_check *c)
{
	const uint8_t *root = c->seen->raw + E2DX_I_BLOCK;

	return e2dx_inode_has_map(c->seen->inode) &&
	       !extent_header_fault(root, E2DX_I_BLOCK_SIZE,
				    extent_depth(root), true);
}

static void check_extents_feature(struct inode_check *c)
{
	uint32_t flags = c->seen->inode->i_flags;

	if (flags & EXT4_EXTENTS_FL &&
	    !ext2fs_has_feature_extents(c->seen->efs->fs->super))
		problem(c, P_INODE_EXTENTS_FEATURE, flags);
}

static void check_map_flags(struct inode_check *c)
{
	struct ext2_super_block *sb = c->seen->efs->fs->super;
	const struct ext2_inode_large *inode = c->seen->inode;
	uint32_t flags = inode->i_flags;
	bool in_line = flags & EXT4_INLINE_DATA_FL;
	bool extents = flags & EXT4_EXTENTS_FL;
	bool plain = LINUX_S_ISREG(inode->i_mode) ||
		     LINUX_S_ISDIR(inode->i_mode) ||
		     LINUX_S_ISLNK(inode->i_mode);

	if (in_line && !ext2fs_has_feature_inline_data(sb))
		problem(c, P_INODE_INLINE_FEATURE, flags);
	else if (in_line && extents)
		problem(c, P_INODE_INLINE_EXTENTS, flags);
	else if (in_line && !plain)
		problem(c, P_INODE_INLINE_TYPE, flags);
	check_extents_feature(c);
	if (extents && ext2fs_has_feature_extents(sb) && !in_line && (!plain ||
		  (LINUX_S_ISLNK(inode->i_mode) && !e2dx_inode_has_map(inode))))
		problem(c, P_INODE_EXTENTS_TYPE, flags);
	if (!extents && !in_line && ext2fs_has_feature_extents(sb) &&
	    extents_unflagged(c))
		problem(c, P_INODE_EXTENTS_MISSING, flags);
}

static void check_flags(struct inode_check *c)
{
	struct ext2_super_block *sb = c->seen->efs->fs->super;
	uint32_t flags = c->seen->inode->i_flags;

	if (flags & FLAG_IMAGIC && !ext2fs_has_feature_imagic_inodes(sb))
		problem(c, P_INODE_IMAGIC, flags);
	check_index_flag(c);
	check_casefold(c);
	check_map_flags(c);
}

/*
 * The room that an inode takes beyond 128 bytes: at least the two fields that
 * say so, at most the whole inode, and a multiple of four.  0 stands for an
 * inode of an older Linux.
 */
static void check_extra(struct inode_check *c)
{
	uint32_t room = EXT2_INODE_SIZE(c->seen->efs->fs->super) -
			EXT2_GOOD_OLD_INODE_SIZE;
	uint32_t extra = c->seen->inode->i_extra_isize;

	if (room && extra && (extra < 4 || extra > room || extra % 4))
		problem(c, P_INODE_EXTRA_ISIZE, extra);
}

/* Fields that nothing uses, or not with these features. */
static void check_zero(struct inode_check *c)
{
	struct ext2_super_block *sb = c->seen->efs->fs->super;
	const struct ext2_inode_large *inode = c->seen->inode;

	if (inode->i_faddr)
		problem(c, P_INODE_FADDR, inode->i_faddr);
	if (sb->s_creator_os == EXT2_OS_HURD)
		return;		/* the two below are its own */
	if (inode->osd2.linux2.l_i_file_acl_high &&
	    !ext2fs_has_feature_64bit(sb))
		problem(c, P_INODE_ACL_HIGH,
			inode->osd2.linux2.l_i_file_acl_high);
	if (inode->osd2.linux2.l_i_blocks_hi &&
	    !ext2fs_has_feature_huge_file(sb))
		problem(c, P_INODE_BLOCKS_HIGH,
			inode->osd2.linux2.l_i_blocks_hi);
}

/*
 * Devices, pipes and sockets have no size.  Linux does not clear the rest of
 * i_block behind a device's number, so that means nothing; except where the
 * immutable flag stands too, which nobody gives a device.
 */
static void check_special_file(struct inode_check *c)
{
	const struct ext2_inode_large *inode = c->seen->inode;

	if (EXT2_I_SIZE(inode))
		problem(c, P_INODE_SPECIAL_SIZE, EXT2_I_SIZE(inode));
	if (!(inode->i_flags & EXT2_IMMUTABLE_FL))
		return;
	for (int i = 4; i < EXT2_N_BLOCKS; i++)
		if (inode->i_block[i]) {
			problem(c, P_INODE_SPECIAL_DATA, (uint64_t)i);
			return;
		}
}

static void check_size(struct inode_check *c)
{
	struct ext2_super_block *sb = c->seen->efs->fs->super;
	const struct ext2_inode_large *inode = c->seen->inode;

	switch (c->seen->flags & E2DX_INODE_TYPE) {
	case EXT2_FT_REG_FILE:
		if (EXT2_I_SIZE(inode) >= 0x80000000u &&
		    !ext2fs_has_feature_large_file(sb))
			problem(c, P_INODE_LARGE_FILE, EXT2_I_SIZE(inode));
		break;
	case EXT2_FT_DIR:
		if (inode->i_size_high && !ext2fs_has_feature_largedir(sb))
			problem(c, P_INODE_DIR_SIZE_HIGH, inode->i_size_high);
		break;
	case EXT2_FT_SYMLINK:
		break;
	default:
		check_special_file(c);
	}
}

/* The one for projects has no number kept for it, and maybe no links. */
static bool is_quota_file(const struct inode_check *c)
{
	for (int t = 0; t < E2DX_QUOTA_TYPES; t++)
		if (c->seen->ino == e2dx_quota_inode(c->seen->efs,
						     (enum e2dx_quota_type)t))
			return true;
	return false;
}

/* Attributes that others may have too, and that count who has them. */
static bool shares_attributes(const struct inode_check *c)
{
	const struct e2dx_seen_inode *seen = c->seen;
	ext2_filsys fs = seen->efs->fs;
	uint64_t block = ext2fs_file_acl_block(fs, (const struct ext2_inode *)
					       seen->inode);
	uint8_t head[8];	/* a magic number, a count */

	if (ext2fs_has_feature_ea_inode(fs->super))
		return true;
	if (!block)
		return false;
	return !e2dx_blocks_valid(seen->efs, block, 1) ||
	       io_channel_read_blk64(fs->io, block, -(int)sizeof(head), head) ||
	       htree_le32(head + 4) != 1;
}

/* One in use that is not of the filesystem's own. */
static void check_ordinary(struct inode_check *c)
{
	const struct ext2_inode_large *inode = c->seen->inode;

	if (!inode->i_links_count) {
		/* With a deletion time it waits on the orphan list. */
		if (!inode->i_dtime && !is_quota_file(c))
			problem(c, shares_attributes(c) ?
				P_INODE_ZERO_DTIME_VALUES :
				P_INODE_ZERO_DTIME, 0);
		return;
	}
	if (inode->i_dtime && !is_orphan_link(c))
		problem(c, P_INODE_DTIME, inode->i_dtime);
	check_extra(c);
	if (!(c->seen->flags & E2DX_INODE_TYPE)) {
		problem(c, P_INODE_MODE, inode->i_mode);
		return;
	}
	if (inode->i_flags & FLAGS_WATCHED ||
	    e2dx_inode_has_map(inode))
		check_flags(c);
	check_zero(c);
	check_size(c);
}

void check_inode(struct inode_check *c)
{
	const struct e2dx_seen_inode *seen = c->seen;

	if (!seen->csum_ok)
		problem(c, P_INODE_CHECKSUM, 0);
	if (seen->inode->i_dtime && is_orphan_link(c))
		problem(c, P_INODE_LOW_DTIME, seen->inode->i_dtime);
	check_named(c);
	if (inode_is_reserved(seen->ino)) {
		check_casefold(c);
		check_extents_feature(c);
		check_reserved(c);
	} else if (seen->flags & E2DX_INODE_USED) {
		check_ordinary(c);
	}
}
