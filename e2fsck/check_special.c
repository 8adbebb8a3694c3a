/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inodes that are the filesystem's own. */
#include "check_inode.h"

/* Does a feature use this inode?  A code for what is wrong with its type. */
static enum problem_code named_by_super(const struct inode_check *c)
{
	struct ext2_super_block *sb = c->seen->efs->fs->super;
	ext2_ino_t ino = c->seen->ino;

	if (ext2fs_has_feature_journal(sb) && ino == sb->s_journal_inum)
		return P_INODE_JOURNAL_MODE;
	if (ext2fs_has_feature_orphan_file(sb) &&
	    ino == sb->s_orphan_file_inum)
		return P_INODE_ORPHAN_MODE;
	if (!ext2fs_has_feature_quota(sb))
		return P_NONE;
	if (ino == sb->s_usr_quota_inum || ino == sb->s_grp_quota_inum ||
	    (ext2fs_has_feature_project(sb) && ino == sb->s_prj_quota_inum))
		return P_INODE_QUOTA_MODE;
	return P_NONE;
}

void check_named(struct inode_check *c)
{
	enum problem_code code = named_by_super(c);

	if (code && !LINUX_S_ISREG(c->seen->inode->i_mode))
		inode_problem(c, (struct problem){
			.code = code, .value = c->seen->inode->i_mode });
}

/* A file without a name, as far as it goes: no owner, no links, no type. */
static void check_bad_blocks(struct inode_check *c)
{
	const struct ext2_inode_large *inode = c->seen->inode;

	if (inode->i_mode || inode->i_uid || inode->i_gid ||
	    inode->i_links_count ||
	    (inode->i_flags & EXT4_INLINE_DATA_FL) || inode->i_file_acl)
		inode_problem(c, (struct problem){ .code = P_INODE_BAD_BLOCKS });
}

/* For a feature that is not there, and so without blocks. */
static void check_idle(struct inode_check *c)
{
	const struct ext2_inode_large *inode = c->seen->inode;

	if (inode->i_blocks || inode->i_block[0] || inode->i_links_count)
		inode_problem(c, (struct problem){
			.code = P_INODE_RESERVED_DATA,
			.value = inode->i_blocks });
}

static bool mode_allowed(const struct inode_check *c)
{
	uint16_t mode = c->seen->inode->i_mode;

	switch (c->seen->ino) {
	case EXT2_BOOT_LOADER_INO:	/* whoever installs one may */
		return !LINUX_S_ISDIR(mode);
	case EXT2_RESIZE_INO:
		return !mode || LINUX_S_ISREG(mode);
	default:
		return !mode;
	}
}

void check_reserved(struct inode_check *c)
{
	const struct e2dx_seen_inode *seen = c->seen;
	bool named = named_by_super(c) != P_NONE;

	switch (seen->ino) {
	case EXT2_BAD_INO:
		check_bad_blocks(c);
		break;
	case EXT4_USR_QUOTA_INO:
	case EXT4_GRP_QUOTA_INO:
	case EXT2_JOURNAL_INO:
		if (named)
			check_index_flag(c);
		else
			check_idle(c);
		return;
	default:
		if (!named && !mode_allowed(c))
			inode_problem(c, (struct problem){
				.code = P_INODE_RESERVED_MODE,
				.value = seen->inode->i_mode });
		check_index_flag(c);
		/* check_map() does it for those in use. */
		if (!(seen->flags & E2DX_INODE_USED)) {
			check_size_limit(c);
			check_blocks(c);
		}
	}
}
