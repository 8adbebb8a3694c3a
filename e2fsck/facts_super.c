/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The superblock's hash fields and checksum, in every copy. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "facts.h"
#include "htree/crc32c.h"
#include "htree/ondisk.h"

#define SUPER_SIZE	1024
#define SUPER_MAGIC	0xef53

/* Byte offsets in a superblock. */
enum {
	SB_MAGIC = 56, SB_INCOMPAT = 96, SB_UUID = 104,
	SB_HASH_VERSION = 252, SB_CSUM_SEED = 624, SB_CHECKSUM = 1020
};

/* What a primary shares with its backups for as long as it lives. */
static const struct { unsigned offset, len; } identity[] = {
	{ 0, 8 },		/* inodes, blocks */
	{ 20, 8 },		/* first data block, block size */
	{ 32, 12 },		/* blocks, clusters and inodes per group */
	{ 88, 2 },		/* inode size */
	{ 336, 4 },		/* blocks, high half */
};

static bool is_super(const struct e2dx_fs *efs, const uint8_t *b)
{
	if (htree_le16(b + SB_MAGIC) != SUPER_MAGIC)
		return false;
	return !ext2fs_has_feature_metadata_csum(efs->fs->super) ||
	       htree_crc32c(~0U, b, SB_CHECKSUM) == htree_le32(b + SB_CHECKSUM);
}

static bool default_is_bad(int version)
{
	return !dirhash_on_disk(version);
}

static bool same_identity(const struct e2dx_fs *efs, const uint8_t *a,
			  const uint8_t *b)
{
	/* Linux itself sets and clears the journal's flag in the primary. */
	uint32_t mask = ~(uint32_t)EXT3_FEATURE_INCOMPAT_RECOVER;
	bool seeded = ext2fs_has_feature_csum_seed(efs->fs->super);

	for (size_t i = 0; i < sizeof(identity) / sizeof(identity[0]); i++)
		if (memcmp(a + identity[i].offset, b + identity[i].offset,
			   identity[i].len))
			return false;
	if ((htree_le32(a + SB_INCOMPAT) ^ htree_le32(b + SB_INCOMPAT)) & mask)
		return false;
	/* Whichever of the two every checksum hangs on. */
	if (seeded)
		return !memcmp(a + SB_CSUM_SEED, b + SB_CSUM_SEED, 4);
	return !memcmp(a + SB_UUID, b + SB_UUID, 16);
}

/* One backup, at block `block`. */
static errcode_t check_backup(struct e2dx_fs *efs, uint64_t block,
			      const uint8_t *primary, const uint8_t *backup,
			      struct problem_list **out)
{
	struct problem p = { .code = P_SUPER_BACKUP_HASH, .block = block,
			     .value = backup[SB_HASH_VERSION] };

	if (!is_super(efs, backup))
		return 0;
	if (default_is_bad(backup[SB_HASH_VERSION])) {
		errcode_t err = problem_list_add(out, &p);

		if (err)
			return err;
	}
	if (!efs->stock_csum_bad || same_identity(efs, primary, backup))
		return 0;
	p.code = P_SUPER_DIFFERS;
	return problem_list_add(out, &p);
}

static errcode_t check_backups(struct e2dx_fs *efs, struct problem_list **out)
{
	uint8_t primary[SUPER_SIZE], backup[SUPER_SIZE];
	errcode_t err;

	err = io_channel_set_blksize(efs->fs->io, SUPER_SIZE);
	if (!err)
		err = io_channel_read_blk64(efs->fs->io, 1, 1, primary);
	io_channel_set_blksize(efs->fs->io, (int)efs->fs->blocksize);
	for (dgrp_t g = 1; !err && g < efs->fs->group_desc_count; g++) {
		blk64_t block = ext2fs_group_first_block2(efs->fs, g);

		if (!ext2fs_bg_has_super(efs->fs, g))
			continue;
		/* One that cannot be read is not in use. */
		if (!io_channel_read_blk64(efs->fs->io, block, -SUPER_SIZE,
					   backup))
			err = check_backup(efs, block, primary, backup, out);
	}
	return err;
}

static bool differs(const struct problem_list *l)
{
	for (size_t i = 0; l && i < l->n; i++)
		if (l->v[i].code == P_SUPER_DIFFERS)
			return true;
	return false;
}

errcode_t facts_super(struct e2dx_fs *efs, struct problem_list **out)
{
	int version = efs->fs->super->s_def_hash_version;
	struct problem p = { .value = (uint64_t)version };
	errcode_t err = 0;

	if (default_is_bad(version)) {
		bool hole = dirhash_known(version);

		p.code = hole ? P_SUPER_HASH_HOLE : P_SUPER_HASH_UNKNOWN;
		p.expected = hole ? (uint64_t)dirhash_disk_version(version) :
			     DIRHASH_HALF_MD4;
		err = problem_list_add(out, &p);
	}
	if (!err)
		err = check_backups(efs, out);
	if (!err && efs->stock_csum_bad && !differs(*out)) {
		p.code = P_SUPER_CHECKSUM;
		err = problem_list_add(out, &p);
	}
	return err;
}
