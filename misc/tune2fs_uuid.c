/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -U: the filesystem's UUID, and the checksums that are made from it. */
#include <string.h>
#include <uuid/uuid.h>
#include "ext2fs/desc.h"
#include "tune2fs.h"

static bool external_journal(struct ext2_super_block *sb)
{
	return ext2fs_has_feature_journal(sb) &&
	       (!sb->s_journal_inum || sb->s_journal_dev ||
		!uuid_is_null(sb->s_journal_uuid));
}

/* Does anything else on the disk depend on the UUID?  With the remedy. */
static const char *uuid_refusal(struct ext2_super_block *sb)
{
	if (ext2fs_has_feature_stable_inodes(sb))
		return "stable_inodes is set: encrypted files may depend on the UUID; only copying them to another filesystem gets round that";
	if (external_journal(sb))
		return "its external journal knows it by its UUID; remove the journal with e2fsprogs' own 'tune2fs -O ^has_journal', set the UUID, and add the journal again with -J device=";
	if (ext2fs_has_feature_csum_seed(sb))
		return NULL;
	if (ext2fs_has_feature_metadata_csum(sb))
		return "the UUID is part of every metadata checksum; set metadata_csum_seed first (e2fsprogs' own 'tune2fs -O metadata_csum_seed')";
	if (ext2fs_has_feature_ea_inode(sb))
		return "the UUID is part of the checksums of attribute values (ea_inode); only with metadata_csum_seed can it change";
	return NULL;
}

static bool has_group_checksums(struct ext2_super_block *sb)
{
	return ext2fs_has_feature_gdt_csum(sb) &&
	       !ext2fs_has_feature_metadata_csum(sb);
}

/* A wrong checksum must not become a right one unseen. */
static bool group_checksums_right(struct tune *t)
{
	ext2_filsys fs = t->efs->fs;

	for (dgrp_t g = 0; g < fs->group_desc_count; g++) {
		if (ext2fs_group_desc_csum_verify(fs, g))
			continue;
		cli_error(&t->cli, t->device, 0,
			  "the UUID is not changed: the descriptor of group %u has a wrong checksum (run e2fsck first)",
			  g);
		return false;
	}
	return true;
}

bool tune_uuid_allowed(struct tune *t)
{
	const char *why = uuid_refusal(t->efs->fs->super);

	if (why) {
		cli_error(&t->cli, t->device, 0, "the UUID is not changed: %s",
			  why);
		return false;
	}
	return !has_group_checksums(t->efs->fs->super) ||
	       group_checksums_right(t);
}

/*
 * Between the new UUID and the new checksums the two do not agree, so the
 * filesystem is not valid meanwhile: after a power cut e2fsck comes first.
 */
static bool write_with_descriptors(struct tune *t)
{
	struct ext2_super_block *sb = t->efs->fs->super;
	uint16_t state = sb->s_state;
	errcode_t err;

	sb->s_state &= (uint16_t)~EXT2_VALID_FS;
	if (!tune_super_write(t, E2DX_SB_UUID))
		return false;
	err = e2dx_descs_write_all(t->efs);
	sb->s_state = state;
	if (!err)
		err = e2dx_super_write(t->efs);
	if (err)
		cli_error(&t->cli, t->device, err,
			  "cannot write the group descriptors; run e2fsck");
	return !err;
}

bool tune_uuid_write(struct tune *t)
{
	struct ext2_super_block *sb = t->efs->fs->super;

	memcpy(sb->s_uuid, t->o.uuid, sizeof(sb->s_uuid));
	return has_group_checksums(sb) ? write_with_descriptors(t) :
					 tune_super_write(t, E2DX_SB_UUID);
}
