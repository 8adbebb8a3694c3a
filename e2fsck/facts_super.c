/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The superblock's hash fields and checksum, in every copy. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "facts.h"
#include "ext2fs/supercheck.h"
#include "htree/ondisk.h"

static bool default_is_bad(int version)
{
	return !dirhash_on_disk(version);
}

/* Has a backup all that a primary shares with it for as long as it lives? */
static bool same_identity(const struct e2dx_fs *efs, const uint8_t *a,
			  const uint8_t *b)
{
	/* Linux itself sets and clears the journal's flag in the primary. */
	uint32_t mask = ~(uint32_t)EXT3_FEATURE_INCOMPAT_RECOVER;
	bool seeded = ext2fs_has_feature_csum_seed(efs->fs->super);

	if (!e2dx_super_same_geometry(a, b))
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

	/* One that was never written, or is damaged, is not in use. */
	if (htree_le16(backup + SB_MAGIC) != EXT2_SUPER_MAGIC ||
	    !e2dx_super_csum_ok(backup))
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
	uint8_t primary[E2DX_SB_SIZE], backup[E2DX_SB_SIZE];
	errcode_t err = e2dx_super_read(efs, primary);

	for (dgrp_t g = 1; !err && g < efs->fs->group_desc_count; g++)
		/* One that cannot be read is not in use either. */
		if (ext2fs_bg_has_super(efs->fs, g) &&
		    !e2dx_super_read_backup(efs, g, backup))
			err = check_backup(efs, ext2fs_group_first_block2(
						efs->fs, g),
					   primary, backup, out);
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
	errcode_t err = facts_fields(efs, out);

	if (!err && default_is_bad(version)) {
		bool hole = dirhash_known(version);

		p.code = hole ? P_SUPER_HASH_HOLE : P_SUPER_HASH_UNKNOWN;
		p.expected = hole ? (uint64_t)dirhash_disk_version(version) :
			     DIRHASH_HALF_MD4;
		err = problem_list_add(out, &p);
	}
	/* A primary that is none is no measure for its copies. */
	if (!err && !efs->primary_fault)
		err = check_backups(efs, out);
	if (!err && efs->stock_csum_bad && !differs(*out)) {
		p.code = P_SUPER_CHECKSUM;
		err = problem_list_add(out, &p);
	}
	return err;
}
