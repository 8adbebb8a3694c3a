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

#define PRIMARY_OFFSET 1024	/* bytes, whatever the block size */

/* Offsets of the fields that are written or compared, and their bytes. */
struct field {
	unsigned offset, size;
};

static const struct {
	unsigned bit;
	struct field at;
} fields_of[] = {
	{ E2DX_SB_HASH_VERSION, { 0xfc, 1 } },
	{ E2DX_SB_HASH_SEED, { 0xec, 16 } },
	{ E2DX_SB_LABEL, { 0x78, 16 } },
	{ E2DX_SB_UUID, { 0x68, 16 } },
};

/* A copy that differs in one of these is of another filesystem, or stale. */
static const struct field geometry[] = {
	{ 0x00, 8 },		/* inodes, blocks */
	{ 0x14, 8 },		/* first data block, block size */
	{ 0x1c, 4 },		/* cluster size */
	{ 0x20, 12 },		/* blocks, clusters, inodes a group */
	{ 0x38, 2 },		/* magic number */
	{ 0x58, 2 },		/* inode size */
	{ 0x150, 4 },		/* blocks, high half */
};

#define SB_COMPAT	0x5c
#define SB_INCOMPAT	0x60
#define SB_RO_COMPAT	0x64
#define SB_FLAGS	0x160
#define HASH_FLAGS	(EXT2_FLAGS_SIGNED_HASH | EXT2_FLAGS_UNSIGNED_HASH)

/* State of the primary alone, though it is kept among the features. */
#define PRIMARY_INCOMPAT	EXT3_FEATURE_INCOMPAT_RECOVER
#define PRIMARY_RO_COMPAT	EXT4_FEATURE_RO_COMPAT_ORPHAN_PRESENT

bool e2dx_unsigned_chars(const struct e2dx_fs *efs)
{
	return efs->fs->super->s_flags & EXT2_FLAGS_UNSIGNED_HASH;
}

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
		const struct field *f = &fields_of[i].at;

		if (fields & fields_of[i].bit)
			memcpy(to + f->offset, from + f->offset, f->size);
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

static bool same_filesystem(const uint8_t *a, const uint8_t *b)
{
	for (size_t i = 0; i < sizeof(geometry) / sizeof(geometry[0]); i++)
		if (memcmp(a + geometry[i].offset, b + geometry[i].offset,
			   geometry[i].size))
			return false;
	return true;
}

static errcode_t write_primary(struct e2dx_fs *efs, uint8_t *sb)
{
	errcode_t err;

	e2dx_super_csum_set(sb);
	err = io_channel_write_byte(efs->fs->io, PRIMARY_OFFSET, E2DX_SB_SIZE,
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

static errcode_t read_primary(const struct e2dx_fs *efs, uint8_t *sb)
{
	uint8_t head[PRIMARY_OFFSET + E2DX_SB_SIZE];
	errcode_t err;

	err = io_channel_read_blk64(efs->fs->io, 0, -(int)sizeof(head), head);
	if (!err)
		memcpy(sb, head + PRIMARY_OFFSET, E2DX_SB_SIZE);
	return err;
}

/*
 * Change one backup.  *skipped counts those that are no good: they cannot be
 * made good by fields alone.
 */
static errcode_t update_backup(struct e2dx_fs *efs, dgrp_t group,
			       const uint8_t *want, unsigned fields,
			       unsigned *skipped)
{
	io_channel io = efs->fs->io;
	blk64_t block = ext2fs_group_first_block2(efs->fs, group);
	uint8_t sb[E2DX_SB_SIZE];

	if (io_channel_read_blk64(io, block, -E2DX_SB_SIZE, sb) ||
	    !same_filesystem(sb, want) || !e2dx_super_csum_ok(sb)) {
		++*skipped;
		return 0;
	}
	copy_fields(sb, want, fields);
	e2dx_super_csum_set(sb);
	return io_channel_write_blk64(io, block, -E2DX_SB_SIZE, sb);
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
	if (read_primary(efs, sb) || !same_filesystem(sb, want) ||
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
