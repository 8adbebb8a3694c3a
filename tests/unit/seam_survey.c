/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The survey against an outside judge: on healthy images made by mke2fs the
 * block bitmap is exactly what is owned; damage is found where it is put.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ext2fs/inode.h"
#include "ext2fs/survey.h"
#include "seam_image.h"
#include "suite.h"

static const struct {
	const char *options, *size;
} kinds[] = {
	{ "-t ext2 -b 1024", "40M" },
	{ "-t ext2 -b 1024 -O ^resize_inode -r 0 -O none", "40M" },
	{ "-t ext3 -b 1024", "40M" },
	{ "-t ext3 -b 4096 -g 1024", "40M" },
	{ "-t ext4 -b 1024", "40M" },
	{ "-t ext4 -b 2048 -I 128", "40M" },
	{ "-t ext4 -b 4096 -I 4096 -N 4000", "300M" },
	{ "-t ext4 -b 4096 -N 100000", "140M" },
	{ "-t ext4 -b 65536", "400M" },
	{ "-t ext4 -O bigalloc -C 16384 -b 4096", "300M" },
	{ "-t ext4 -O bigalloc -C 65536 -b 1024", "48M" },
	/* The resize inode names a block too many in group 1. */
	{ "-t ext4 -O bigalloc -C 16384 -b 1024", "200M" },
	{ "-t ext4 -O meta_bg,^resize_inode -b 1024", "48M" },
	{ "-t ext4 -O meta_bg,^resize_inode,64bit -b 1024 -g 1024", "48M" },
	{ "-t ext4 -O ^flex_bg -b 1024", "40M" },
	{ "-t ext4 -O sparse_super2,^resize_inode -b 1024", "48M" },
	{ "-t ext4 -O sparse_super2 -E num_backup_sb=1 -b 1024", "48M" },
	{ "-t ext4 -O ^64bit,^metadata_csum,uninit_bg -b 1024", "48M" },
	{ "-t ext4 -O ^64bit,^metadata_csum,^uninit_bg -b 1024", "48M" },
	{ "-t ext4 -O 64bit,^metadata_csum -b 1024", "48M" },
	{ "-t ext4 -O ^metadata_csum,metadata_csum_seed,metadata_csum -b 1024", "40M" },
	{ "-t ext4 -O inline_data -b 1024", "40M" },
	{ "-t ext4 -O ea_inode -b 1024", "40M" },
	{ "-t ext4 -O quota,project -E quotatype=usrquota:grpquota:prjquota -I 256 -b 1024", "40M" },
	{ "-t ext4 -O mmp -b 1024", "40M" },
	{ "-t ext4 -O orphan_file -b 1024", "40M" },
	{ "-t ext4 -O casefold,encrypt,large_dir -b 1024", "40M" },
	{ "-t ext4 -O ^sparse_super,^resize_inode -b 1024 -g 2048", "40M" },
	{ "-t ext4 -E lazy_itable_init=1 -b 1024", "48M" },
	{ "-t ext4 -O ^extents,^64bit -b 1024", "40M" },
	{ "-t ext4 -E resize=4000000 -b 1024", "40M" },
	{ "-t ext4 -b 1024 -O fast_commit -J size=8", "48M" },
	{ "-t ext4 -b 1024 -l bad", "48M" },
};
#define KINDS ((int)(sizeof(kinds) / sizeof(kinds[0])))

static bool bit(const uint64_t *set, uint64_t i)
{
	return set[i / 64] >> i % 64 & 1;
}

static struct e2dx_survey *survey(struct e2dx_fs *efs, unsigned threads)
{
	struct e2dx_survey *s;

	ck_assert_int_eq(e2dx_survey(efs, threads, NULL, NULL, &s), 0);
	return s;
}

/* Check's assertions write to a file each: not one a block. */
static void compare_blocks(ext2_filsys fs, const struct e2dx_survey *s)
{
	uint64_t blocks = ext2fs_blocks_count(fs->super);

	for (uint64_t b = fs->super->s_first_data_block; b < blocks; b++) {
		uint64_t c = b >> fs->cluster_ratio_bits;
		bool used = ext2fs_test_block_bitmap2(fs->block_map, b);

		if (bit(s->bitmap, c) != used)
			ck_abort_msg("bitmap at %llu", (unsigned long long)b);
		if (bit(s->owned, c) != used)
			ck_abort_msg("%llu is %sowned", (unsigned long long)b,
				     used ? "not " : "");
	}
}

/* Used, of a type; or neither used nor anything but excluded. */
static bool flags_right(uint8_t flags, bool used)
{
	if (!used)
		return !(flags & ~E2DX_INODE_EXCLUDED);
	return (flags & E2DX_INODE_USED) && (flags & E2DX_INODE_TYPE);
}

static void compare_inodes(ext2_filsys fs, const struct e2dx_survey *s)
{
	size_t dirs = 0;

	ck_assert_uint_eq(s->inodes_count, fs->super->s_inodes_count);
	for (ext2_ino_t i = EXT2_FIRST_INO(fs->super); i <= s->inodes_count; i++) {
		bool used = ext2fs_test_inode_bitmap2(fs->inode_map, i);

		if (!flags_right(e2dx_survey_inode(s, i), used))
			ck_abort_msg("inode %u: %x", i, s->inode[i]);
		if (used && !ext2fs_check_directory(fs, i)) {
			dirs++;
			ck_assert_int_eq(s->inode[i] & E2DX_INODE_TYPE,
					 EXT2_FT_DIR);
		}
	}
	/* The root is no ordinary inode. */
	ck_assert_uint_eq(s->n_dirs, dirs + 1);
	ck_assert_uint_eq(s->dirs[0], EXT2_ROOT_INO);
	for (size_t i = 1; i < s->n_dirs; i++)
		ck_assert_uint_lt(s->dirs[i - 1], s->dirs[i]);
}

START_TEST(healthy)
{
	const char *path;
	struct e2dx_survey *s;
	struct e2dx_fs *efs;
	ext2_filsys fs;

	ck_assert_int_eq(seam_run("echo 40000 >%s", seam_path("bad")), 0);
	path = seam_make("img", kinds[_i].options, kinds[_i].size);
	efs = seam_open(path, false);
	fs = seam_stock(path);
	s = survey(efs, 2);
	compare_blocks(fs, s);
	compare_inodes(fs, s);
	ck_assert_msg(e2dx_survey_sound(s), "%s: %s", kinds[_i].options,
		      e2dx_survey_reason(s));
	e2dx_survey_free(s);
	ext2fs_free(fs);
	ck_assert_int_eq(e2dx_close(efs), 0);
	unlink(path);
}
END_TEST

/* Byte offset of an inode. */
static uint64_t inode_at(struct e2dx_fs *efs, ext2_ino_t ino)
{
	ext2_filsys fs = efs->fs;
	uint32_t per = fs->super->s_inodes_per_group;

	return ext2fs_inode_table_loc(fs, (ino - 1) / per) * fs->blocksize +
	       (uint64_t)((ino - 1) % per) * EXT2_INODE_SIZE(fs->super);
}

static const char plain[] = "-t ext4 -O ^metadata_csum,^extents,^64bit -b 1024";

START_TEST(freed)
{
	const char *path = seam_make("img", plain, "40M");
	struct e2dx_fs *efs;
	struct e2dx_survey *s;
	ext2_filsys fs = seam_stock(path);
	ext2_ino_t ino = seam_inode(fs, "large");
	blk64_t block;

	ck_assert_int_eq(ext2fs_bmap2(fs, ino, NULL, NULL, 0, 5, NULL, &block), 0);
	ck_assert_int_eq(seam_run("/sbin/debugfs -w -R 'freeb %llu 3' %s 2>&-",
				  (unsigned long long)block, path), 0);
	ck_assert_int_eq(seam_run("/sbin/debugfs -w -R 'freei <%u>' %s 2>&-",
				  ino, path), 0);
	efs = seam_open(path, false);
	s = survey(efs, 1);
	ck_assert(!e2dx_survey_sound(s));
	ck_assert_uint_eq(s->owned_free, 3);
	ck_assert_uint_eq(s->first_owned_free, block);
	ck_assert_uint_eq(s->inodes_free, 1);
	ck_assert_uint_eq(s->first_inode_free, ino);
	ck_assert_uint_eq(s->shared, 0);
	e2dx_survey_free(s);
	e2dx_close(efs);
	ext2fs_free(fs);
}
END_TEST

/* A block of `large` given to `hole` file and directory too. */
START_TEST(shared)
{
	const char *path = seam_make("img", plain, "40M");
	struct e2dx_fs *efs = seam_open(path, false);
	ext2_filsys fs = seam_stock(path);
	ext2_ino_t large = seam_inode(fs, "large"), many = seam_inode(fs, "many");
	ext2_ino_t holes = seam_inode(fs, "holes");
	struct e2dx_survey *s;
	uint8_t le[4];
	blk64_t block;

	ck_assert_int_eq(ext2fs_bmap2(fs, large, NULL, NULL, 0, 7, NULL, &block), 0);
	for (int i = 0; i < 4; i++)
		le[i] = (uint8_t)(block >> 8 * i);
	/* i_block[0] of the directory. */
	seam_poke(path, inode_at(efs, many) + 0x28, le, 4);
	s = survey(efs, 2);
	ck_assert(!e2dx_survey_sound(s));
	ck_assert_uint_eq(s->shared, 1);
	ck_assert_uint_eq(s->first_shared, block);
	ck_assert(s->inode[large] & E2DX_INODE_SHARED);
	ck_assert(s->inode[many] & E2DX_INODE_SHARED);
	ck_assert(!(s->inode[holes] & E2DX_INODE_SHARED));
	ck_assert_uint_eq(s->first_shared_inode, large < many ? large : many);
	e2dx_survey_free(s);
	ext2fs_free(fs);
	e2dx_close(efs);
}
END_TEST

/* A file that claims a block of an inode table, and one beyond the end. */
START_TEST(metadata_claimed)
{
	const char *path = seam_make("img", plain, "40M");
	struct e2dx_fs *efs = seam_open(path, false);
	ext2_filsys fs = seam_stock(path);
	ext2_ino_t many = seam_inode(fs, "many"), large = seam_inode(fs, "large");
	uint64_t table = ext2fs_inode_table_loc(fs, 1);
	struct e2dx_survey *s;
	uint8_t le[4];

	for (int i = 0; i < 4; i++)
		le[i] = (uint8_t)(table >> 8 * i);
	seam_poke(path, inode_at(efs, many) + 0x28, le, 4);
	seam_poke(path, inode_at(efs, large) + 0x2c, "\xff\xff\xff\x7f", 4);
	s = survey(efs, 2);
	ck_assert_uint_eq(s->shared, 1);
	ck_assert_uint_eq(s->first_shared, table);
	ck_assert_uint_eq(s->first_shared_inode, many);
	ck_assert_uint_eq(s->inodes_bad, 1);
	ck_assert_uint_eq(s->first_inode_bad, large);
	ck_assert(s->inode[large] & E2DX_INODE_BAD);
	e2dx_survey_free(s);
	ext2fs_free(fs);
	e2dx_close(efs);
}
END_TEST

/* With checksums: a bitmap, a descriptor and an inode changed by one bit. */
START_TEST(checksums)
{
	const char *path = seam_make("img", "-t ext4 -b 1024", "40M");
	struct e2dx_fs *efs = seam_open(path, false);
	ext2_filsys fs = seam_stock(path);
	ext2_ino_t ino = seam_inode(fs, "large");
	struct e2dx_survey *s;

	/* The last block of group 0, which is free, called used. */
	seam_poke(path, ext2fs_block_bitmap_loc(fs, 0) * 1024 + 1023, "\x80", 1);
	s = survey(efs, 1);
	ck_assert_uint_eq(s->bitmaps_bad, 1);
	ck_assert(!e2dx_survey_sound(s));
	e2dx_survey_free(s);
	seam_poke(path, ext2fs_block_bitmap_loc(fs, 0) * 1024 + 1023, "\0", 1);
	seam_poke(path, inode_at(efs, ino) + 0x10, "x", 1);
	s = survey(efs, 1);
	ck_assert_uint_eq(s->bitmaps_bad, 0);
	ck_assert_uint_eq(s->inodes_bad, 1);
	ck_assert_uint_eq(s->first_inode_bad, ino);
	e2dx_survey_free(s);
	e2dx_close(efs);
	/* Group 2's itable_unused: now it excludes nobody. */
	seam_poke(path, 2048 + 2 * 64 + 0x1c, "\1", 1);
	efs = seam_open(path, false);
	s = survey(efs, 1);
	ck_assert_uint_eq(s->descriptors_bad, 1);
	ck_assert(!(e2dx_survey_inode(s, 2 * fs->super->s_inodes_per_group + 1)
		    & E2DX_INODE_EXCLUDED));
	e2dx_survey_free(s);
	ext2fs_free(fs);
	e2dx_close(efs);
}
END_TEST

/* Old contents of a lazily initialised table own nothing. */
START_TEST(excluded)
{
	const char *path = seam_make("img", "-t ext4 -b 1024 -N 8192 -O ^flex_bg",
				     "40M");
	struct e2dx_fs *efs = seam_open(path, false);
	ext2_ino_t ino = efs->fs->super->s_inodes_per_group * 4;
	struct e2dx_survey *s;
	uint8_t stale[128] = { 0xff, 0x81, [0x1a] = 1 };

	memset(stale + 0x28, 0x11, 60);
	seam_poke(path, inode_at(efs, ino), stale, sizeof(stale));
	s = survey(efs, 0);
	ck_assert_int_eq(e2dx_survey_inode(s, ino), E2DX_INODE_EXCLUDED);
	ck_assert(e2dx_survey_sound(s));
	e2dx_survey_free(s);
	e2dx_close(efs);
}
END_TEST

/*
 * Every inode maps the same tree of indirect blocks that all point to one
 * another: linear work or none.
 */
START_TEST(hostile)
{
	const char *path = seam_make("img", "-t ext2 -b 1024 -N 30000", "60M");
	struct e2dx_fs *efs = seam_open(path, false);
	ext2_ino_t last = efs->fs->super->s_inodes_count;
	uint8_t block[1024], raw[128] = { 0xff, 0x81, [0x1a] = 1 };
	struct e2dx_survey *s;

	for (int i = 0; i < 256; i++) {
		uint32_t to = 40000 + (uint32_t)i;

		for (int j = 0; j < 4; j++)
			block[4 * i + j] = (uint8_t)(to >> 8 * j);
	}
	for (unsigned b = 40000; b < 40256; b++)
		seam_poke(path, b * 1024, block, sizeof(block));
	for (int i = 0; i < 15; i++)
		memcpy(raw + 0x28 + 4 * i, block + 4 * i, 4);
	for (ext2_ino_t i = 11; i <= last; i++)
		seam_poke(path, inode_at(efs, i), raw, sizeof(raw));
	s = survey(efs, 2);
	/* What the inodes name themselves; the rest has been claimed once. */
	ck_assert_uint_ge(s->shared, 15);
	ck_assert(s->inode[last] & E2DX_INODE_SHARED);
	e2dx_survey_free(s);
	e2dx_close(efs);
}
END_TEST

int main(void)
{
	TCase *c = make_case("survey");

	seam_dir();
	tcase_add_loop_test(c, healthy, 0, KINDS);
	tcase_add_test(c, freed);
	tcase_add_test(c, shared);
	tcase_add_test(c, metadata_claimed);
	tcase_add_test(c, checksums);
	tcase_add_test(c, excluded);
	tcase_add_test(c, hostile);
	return run_case("survey", c);
}
