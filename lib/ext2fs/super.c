/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The superblock and its copies.  Each is written with one write of its 1024
 * bytes: libext2fs writes the primary in pieces, and a power cut between two
 * of them leaves it with a wrong checksum.
 */
#include <string.h>
#include "ext2fs/fs.h"
#include "ext2fs/supercheck.h"
#include "htree/ondisk.h"

/* Where the fields of a mask lie, and their bytes. */
static const struct {
	unsigned bit, offset, size;
} fields_of[] = {
	{ E2DX_SB_HASH_VERSION, SB_HASH_VERSION, 1 },
	{ E2DX_SB_HASH_SEED, SB_HASH_SEED, 16 },
	{ E2DX_SB_LABEL, SB_LABEL, 16 },
	{ E2DX_SB_UUID, SB_UUID, 16 },
};

#define HASH_FLAGS	(EXT2_FLAGS_SIGNED_HASH | EXT2_FLAGS_UNSIGNED_HASH)

/* State of the primary alone, though it is kept among the features. */
#define PRIMARY_INCOMPAT	EXT3_FEATURE_INCOMPAT_RECOVER
#define PRIMARY_RO_COMPAT	EXT4_FEATURE_RO_COMPAT_ORPHAN_PRESENT

/* The bytes of efs->fs->super as the primary has them, without checksum. */
static void encode(const struct e2dx_fs *efs, uint8_t *sb)
{
	static const uint16_t one = 1;
	struct ext2_super_block copy = *efs->fs->super;

	/* It may have been opened by a backup. */
	copy.s_block_group_nr = 0;
	if (!*(const uint8_t *)&one)
		ext2fs_swap_super(&copy);
	memcpy(sb, &copy, E2DX_SB_SIZE);
}

static void replace_bits(uint8_t *to, const uint8_t *from, uint32_t mask)
{
	htree_put_le32(to, (htree_le32(to) & ~mask) | (htree_le32(from) & mask));
}

static void copy_fields(uint8_t *to, const uint8_t *from, unsigned fields)
{
	for (size_t i = 0; i < sizeof(fields_of) / sizeof(fields_of[0]); i++) {
		unsigned at = fields_of[i].offset;

		if (fields & fields_of[i].bit)
			memcpy(to + at, from + at, fields_of[i].size);
	}
	if (fields & E2DX_SB_HASH_FLAGS)
		replace_bits(to + SB_FLAGS, from + SB_FLAGS, HASH_FLAGS);
	if (fields & E2DX_SB_FEATURES) {
		replace_bits(to + SB_COMPAT, from + SB_COMPAT, ~0u);
		replace_bits(to + SB_INCOMPAT, from + SB_INCOMPAT,
			     ~(uint32_t)PRIMARY_INCOMPAT);
		replace_bits(to + SB_RO_COMPAT, from + SB_RO_COMPAT,
			     ~(uint32_t)PRIMARY_RO_COMPAT);
	}
}

static errcode_t write_primary(struct e2dx_fs *efs, uint8_t *sb)
{
	errcode_t err;

	e2dx_super_csum_set(sb);
	err = io_channel_write_byte(efs->fs->io, E2DX_SB_PRIMARY, E2DX_SB_SIZE,
				    sb);
	if (err)
		return err;
	efs->stock_csum_bad = false;
	return io_channel_flush(efs->fs->io);
}

errcode_t e2dx_super_write(struct e2dx_fs *efs)
{
	uint8_t sb[E2DX_SB_SIZE];

	if (!efs->writable)
		return EXT2_ET_RO_FILSYS;
	encode(efs, sb);
	return write_primary(efs, sb);
}

errcode_t e2dx_super_read(const struct e2dx_fs *efs, uint8_t *sb)
{
	uint8_t head[E2DX_SB_PRIMARY + E2DX_SB_SIZE];
	errcode_t err;

	err = io_channel_read_blk64(efs->fs->io, 0, -(int)sizeof(head), head);
	if (!err)
		memcpy(sb, head + E2DX_SB_PRIMARY, E2DX_SB_SIZE);
	return err;
}

errcode_t e2dx_super_read_backup(const struct e2dx_fs *efs, dgrp_t group,
				 uint8_t *sb)
{
	blk64_t block = ext2fs_group_first_block2(efs->fs, group);

	return io_channel_read_blk64(efs->fs->io, block, -E2DX_SB_SIZE, sb);
}

/*
 * Change one backup.  *skipped counts those that are no good: they cannot be
 * made good by fields alone.
 */
static errcode_t update_backup(struct e2dx_fs *efs, dgrp_t group,
			       const uint8_t *want, unsigned fields,
			       unsigned *skipped)
{
	blk64_t block = ext2fs_group_first_block2(efs->fs, group);
	uint8_t sb[E2DX_SB_SIZE];

	if (e2dx_super_read_backup(efs, group, sb) ||
	    !e2dx_super_same_geometry(sb, want) || !e2dx_super_csum_ok(sb)) {
		++*skipped;
		return 0;
	}
	copy_fields(sb, want, fields);
	e2dx_super_csum_set(sb);
	return io_channel_write_blk64(efs->fs->io, block, -E2DX_SB_SIZE, sb);
}

errcode_t e2dx_super_write_all(struct e2dx_fs *efs, unsigned fields,
			       unsigned *skipped)
{
	uint8_t want[E2DX_SB_SIZE], sb[E2DX_SB_SIZE];
	unsigned bad = 0;
	errcode_t err, first;

	if (!efs->writable)
		return EXT2_ET_RO_FILSYS;
	encode(efs, want);
	/* A primary that is no good becomes what was opened in its place. */
	if (e2dx_super_read(efs, sb) || !e2dx_super_same_geometry(sb, want) ||
	    !e2dx_super_csum_ok(sb))
		memcpy(sb, want, sizeof(sb));
	copy_fields(sb, want, fields);
	/* Synced before the first backup is touched: one is always whole. */
	first = write_primary(efs, sb);
	for (dgrp_t g = 1; !first && g < efs->fs->group_desc_count; g++) {
		if (ext2fs_bg_has_super(efs->fs, g))
			first = update_backup(efs, g, want, fields, &bad);
	}
	err = io_channel_flush(efs->fs->io);
	if (skipped)
		*skipped = bad;
	return first ? first : err;
}
