/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields of the superblock beyond its geometry, which was checked before it
 * was opened: what cannot be, and features that contradict each other.
 */
#include <string.h>
#include <time.h>
#include "facts.h"

struct fields {
	struct ext2_super_block *s;
	struct problem_list **out;
	errcode_t err;
};

static void found(struct fields *f, enum problem_code code, uint64_t value,
		  uint64_t expected)
{
	struct problem p = { .code = code, .value = value, .expected = expected };

	if (!f->err)
		f->err = problem_list_add(f->out, &p);
}

static void check_primary(struct fields *f, const struct e2dx_fs *efs)
{
	struct problem p = {
		.code = efs->primary_descs ? P_SUPER_PRIMARY :
			P_SUPER_PRIMARY_DESCS,
		.block = efs->superblock,
		.value = (uint64_t)efs->primary_fault
	};

	if (efs->primary_fault)
		f->err = problem_list_add(f->out, &p);
}

static void check_sizes(struct fields *f)
{
	struct ext2_super_block *s = f->s;
	uint64_t blocks = ext2fs_blocks_count(f->s);
	uint64_t reserved = ext2fs_r_blocks_count(f->s);
	uint32_t size = s->s_desc_size;

	if (reserved > blocks / 2)
		found(f, P_SUPER_RESERVED, reserved, blocks);
	/* With 64bit it is part of the geometry; without, it is not used. */
	if (!ext2fs_has_feature_64bit(f->s) &&
	    (size > EXT2_MIN_BLOCK_SIZE || (size & (size - 1))))
		found(f, P_SUPER_DESC_SIZE, size, EXT2_MIN_DESC_SIZE);
	if (ext2fs_has_feature_mmp(f->s) &&
	    (s->s_mmp_block <= s->s_first_data_block ||
	     s->s_mmp_block >= blocks))
		found(f, P_SUPER_MMP_BLOCK, s->s_mmp_block, 0);
}

/* Its inode, the UUID of its device, or neither. */
static void check_journal_place(struct fields *f)
{
	static const uint8_t zero[16];
	uint32_t ino = f->s->s_journal_inum;
	bool uuid = memcmp(f->s->s_journal_uuid, zero, sizeof(zero));

	if (!ext2fs_has_feature_journal(f->s)) {
		if (ino || uuid)
			found(f, P_SUPER_NO_JOURNAL, ino, 0);
	} else if (ino && uuid) {
		found(f, P_SUPER_TWO_JOURNALS, ino, 0);
	}
}

static void check_features(struct fields *f)
{
	struct ext2_super_block *s = f->s;
	bool sums = ext2fs_has_feature_metadata_csum(s);

	if (ext2fs_has_feature_orphan_file(s) &&
	    !ext2fs_has_feature_journal(s))
		found(f, P_SUPER_ORPHAN_JOURNAL, 0, 0);
	if (ext2fs_has_feature_orphan_present(s) &&
	    !ext2fs_has_feature_orphan_file(s))
		found(f, P_SUPER_ORPHAN_PRESENT, 0, 0);
	if (ext2fs_has_feature_resize_inode(s) && ext2fs_has_feature_meta_bg(s))
		found(f, P_SUPER_RESIZE_META, 0, 0);
	if (sums && ext2fs_has_feature_gdt_csum(s))
		found(f, P_SUPER_TWO_SUMS, 0, 0);
	if (!sums && ext2fs_has_feature_csum_seed(s))
		found(f, P_SUPER_SEED_IDLE, 0, 0);
	if (!ext2fs_has_feature_resize_inode(s) && s->s_reserved_gdt_blocks)
		found(f, P_SUPER_RESERVED_GDT, s->s_reserved_gdt_blocks, 0);
}

/* A clock that is wrong now, or was then: nothing is damaged by it. */
static void check_times(struct fields *f)
{
	uint64_t now = (uint64_t)time(NULL);

	if (f->s->s_mtime > now)
		found(f, P_SUPER_MOUNT_TIME, f->s->s_mtime, now);
	if (f->s->s_wtime > now)
		found(f, P_SUPER_WRITE_TIME, f->s->s_wtime, now);
}

static void check_extra(struct fields *f, enum problem_code code, uint32_t size)
{
	uint32_t most = EXT2_INODE_SIZE(f->s) - EXT2_GOOD_OLD_INODE_SIZE;

	if (most && (size > most || size % 4))
		found(f, code, size, most);
}

errcode_t facts_fields(const struct e2dx_fs *efs, struct problem_list **out)
{
	struct fields f = { .s = efs->fs->super, .out = out };

	check_primary(&f, efs);
	check_sizes(&f);
	check_features(&f);
	check_journal_place(&f);
	check_times(&f);
	check_extra(&f, P_SUPER_MIN_EXTRA, f.s->s_min_extra_isize);
	check_extra(&f, P_SUPER_WANT_EXTRA, f.s->s_want_extra_isize);
	return f.err;
}
