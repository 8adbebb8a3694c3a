/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -U: the filesystem's UUID, and the checksums that are made from it. */
#include <stdlib.h>
#include <string.h>
#include <uuid/uuid.h>
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
 * All descriptor blocks as the disk has them (the caller frees).  libext2fs
 * keeps them in the machine's byte order.
 */
static void *disk_descriptors(ext2_filsys fs)
{
	size_t size = (size_t)fs->desc_blocks * fs->blocksize;
	char *copy = malloc(size);

	if (!copy)
		return NULL;
	memcpy(copy, fs->group_desc, size);
	if (ext2fs_cpu_to_le16(1) != 1)
		for (size_t at = 0; at + EXT2_DESC_SIZE(fs->super) <= size;
		     at += EXT2_DESC_SIZE(fs->super))
			ext2fs_swap_group_desc2(fs, (void *)(copy + at));
	return copy;
}

/* Those blocks of the descriptor table that group g keeps a copy of. */
static errcode_t write_copies(ext2_filsys fs, dgrp_t g, const char *table)
{
	blk64_t old_start = 0, meta = 0;
	blk_t in_row = (blk_t)fs->desc_blocks;
	errcode_t err = ext2fs_super_and_bgd_loc2(fs, g, NULL, &old_start,
						  &meta, NULL);

	if (ext2fs_has_feature_meta_bg(fs->super) &&
	    fs->super->s_first_meta_bg < in_row)
		in_row = fs->super->s_first_meta_bg;
	if (!err && old_start && in_row)
		err = io_channel_write_blk64(fs->io, old_start, (int)in_row,
					     table);
	if (!err && meta)
		err = io_channel_write_blk64(fs->io, meta, 1, table +
			(size_t)(g / EXT2_DESC_PER_BLOCK(fs->super)) *
			fs->blocksize);
	return err;
}

/* Every group descriptor's checksum anew, in the primary table and backups. */
static errcode_t write_descriptors(ext2_filsys fs)
{
	errcode_t err = 0;
	char *table;

	for (dgrp_t g = 0; g < fs->group_desc_count; g++)
		ext2fs_group_desc_csum_set(fs, g);
	table = disk_descriptors(fs);
	if (!table)
		return EXT2_ET_NO_MEMORY;
	for (dgrp_t g = 0; !err && g < fs->group_desc_count; g++)
		err = write_copies(fs, g, table);
	free(table);
	return err ? err : io_channel_flush(fs->io);
}

/*
 * Between the new UUID and the new checksums the two do not agree, so the
 * filesystem is not valid meanwhile: after a power cut e2fsck comes first.
 */
static bool write_with_descriptors(struct tune *t)
{
	ext2_filsys fs = t->efs->fs;
	uint16_t state = fs->super->s_state;
	errcode_t err;

	fs->super->s_state &= (uint16_t)~EXT2_VALID_FS;
	if (!tune_super_write(t, E2DX_SB_UUID))
		return false;
	err = write_descriptors(fs);
	fs->super->s_state = state;
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
