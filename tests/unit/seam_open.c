/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening whatever the superblock's bytes are, writing its copies, refusing,
 * undo files, and the io manager under all of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ext2fs/map.h"
#include "ext2fs/supercheck.h"
#include "ext2fs/survey.h"
#include "htree/ondisk.h"
#include "seam_image.h"
#include "suite.h"

static void read_at(const char *path, uint64_t offset, void *data, size_t n)
{
	int fd = open(path, O_RDONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pread(fd, data, n, (off_t)offset), (ssize_t)n);
	close(fd);
}

/* ---- opening */

static const char *const fuzz_kinds[] = {
	"-t ext4 -b 1024", "-t ext2 -b 1024 -g 1024",
	"-t ext4 -b 4096 -O bigalloc,^metadata_csum,^64bit -C 16384",
	"-t ext4 -b 2048 -O meta_bg,^resize_inode,^metadata_csum",
};
#define FUZZ_ROUNDS 400

/* A small generator of its own: the same bytes everywhere. */
static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* Fields that matter are few: half of the changes go there. */
static void change(uint8_t *sb, uint32_t *state)
{
	static const uint16_t likely[] = {
		0x00, 0x03, 0x04, 0x07, 0x14, 0x18, 0x1c, 0x20, 0x21, 0x23, 0x24,
		0x28, 0x29, 0x2b, 0x4c, 0x54, 0x58, 0x59, 0x5c, 0x60, 0x61, 0x62,
		0x64, 0x65, 0x66, 0xce, 0xcf, 0xfe, 0xff, 0x104, 0x105, 0x150,
		0x168, 0x174, 0x175, 0x24c, 0x250, 0x27c
	};
	uint32_t at = next_random(state) % 1024;

	if (next_random(state) & 1)
		at = likely[next_random(state) %
			    (sizeof(likely) / sizeof(likely[0]))];
	if (next_random(state) & 1)
		sb[at] ^= (uint8_t)(1u << next_random(state) % 8);
	else
		sb[at] = (uint8_t)next_random(state);
}

static void use(struct e2dx_fs *efs)
{
	struct e2dx_survey *s;
	struct e2dx_dir *d;
	char detail[100];

	if (!e2dx_survey(efs, 2, NULL, NULL, &s)) {
		for (size_t i = 0; i < s->n_dirs && i < 20; i++)
			if (!e2dx_dir_open(efs, s->dirs[i], &d))
				e2dx_dir_close(d);
		e2dx_survey_free(s);
	}
	e2dx_write_refusal(efs, detail, sizeof(detail));
}

START_TEST(random_superblocks)
{
	const char *path = seam_make("img", fuzz_kinds[_i], "24M");
	struct e2dx_open_options o = { .ignore_csum = true };
	uint8_t good[1024], sb[1024];
	uint32_t state = 12345u + (uint32_t)_i;
	struct e2dx_fs *efs;
	int opened = 0;

	read_at(path, 1024, good, sizeof(good));
	for (int i = 0; i < FUZZ_ROUNDS; i++) {
		memcpy(sb, good, sizeof(sb));
		for (uint32_t n = next_random(&state) % 4 + 1; n; n--)
			change(sb, &state);
		seam_poke(path, 1024, sb, sizeof(sb));
		o.journal_device = i & 1;
		if (e2dx_open(path, &o, &efs))
			continue;
		opened++;
		use(efs);
		e2dx_close(efs);
	}
	ck_assert_int_gt(opened, FUZZ_ROUNDS / 10);
	ck_assert_int_lt(opened, FUZZ_ROUNDS);
}
END_TEST

/* Descriptors, bitmaps, inodes, mapping blocks: whatever lies in front. */
START_TEST(random_metadata)
{
	enum { AREA = 3 << 20, ROUNDS = 100 };
	const char *path = seam_make("img", fuzz_kinds[_i], "24M");
	struct e2dx_open_options o = { .ignore_csum = true };
	uint8_t *good = malloc(AREA), *bytes = malloc(AREA);
	uint32_t state = 54321u + (uint32_t)_i;
	struct e2dx_fs *efs;

	ck_assert(good && bytes);
	read_at(path, 2048, good, AREA);
	for (int i = 0; i < ROUNDS; i++) {
		/* Descriptors often, the rest anywhere. */
		uint32_t area = i % 2 ? 4096 : AREA;

		memcpy(bytes, good, AREA);
		for (uint32_t n = i % 2 ? 5 : 2000; n; n--)
			bytes[next_random(&state) % area] =
				(uint8_t)next_random(&state);
		seam_poke(path, 2048, bytes, AREA);
		ck_assert_int_eq(e2dx_open(path, &o, &efs), 0);
		use(efs);
		e2dx_close(efs);
	}
	free(bytes);
	free(good);
}
END_TEST

START_TEST(answers)
{
	const char *path = seam_make("img", "-t ext4 -b 1024", "24M");
	struct e2dx_open_options o = { 0 };
	struct e2dx_survey *s;
	struct e2dx_fs *efs;

	ck_assert_int_eq(e2dx_open(seam_path("none"), &o, &efs), ENOENT);
	ck_assert_int_eq(seam_run(": >%s", seam_path("empty")), 0);
	ck_assert_int_eq(e2dx_open(seam_path("empty"), &o, &efs),
			 E2DX_ET_NOT_EXT);
	ck_assert_int_eq(seam_run("truncate -s 1M %s", seam_path("zero")), 0);
	ck_assert_int_eq(e2dx_open(seam_path("zero"), &o, &efs), E2DX_ET_NOT_EXT);
	/* A name with a question mark is a name. */
	ck_assert_int_eq(seam_run("cp %s '%s'", path, seam_path("a?offset=1")), 0);
	ck_assert_int_eq(e2dx_open(seam_path("a?offset=1"), &o, &efs), 0);
	ck_assert_uint_eq(efs->device_bytes, 24 << 20);
	e2dx_close(efs);
	/* A backup, and a place where there is none. */
	o.superblock = 8193;
	ck_assert_int_eq(e2dx_open(path, &o, &efs), EINVAL);
	o.block_size = 1024;
	ck_assert_int_eq(e2dx_open(path, &o, &efs), 0);
	e2dx_close(efs);
	o.superblock = 16385;
	ck_assert_int_eq(e2dx_open(path, &o, &efs), E2DX_ET_NOT_EXT);
	/* A checksum is an answer of its own. */
	o = (struct e2dx_open_options){ 0 };
	seam_poke(path, 1024 + 0x78, "label", 5);
	ck_assert_int_eq(e2dx_open(path, &o, &efs), E2DX_ET_CHECKSUM);
	o.ignore_csum = true;
	ck_assert_int_eq(e2dx_open(path, &o, &efs), 0);
	ck_assert(efs->stock_csum_bad);
	e2dx_close(efs);
	/* Unknown features open, and are not written to. */
	seam_poke(path, 1024 + 0x62, "\x80", 1);
	ck_assert_int_eq(e2dx_open(path, &o, &efs), 0);
	e2dx_close(efs);
	/* Cut short: a little, and behind the descriptors. */
	ck_assert_int_eq(truncate(path, 20 << 20), 0);
	ck_assert_int_eq(e2dx_open(path, &o, &efs), 0);
	ck_assert_int_eq(e2dx_survey(efs, 1, NULL, NULL, &s), 0);
	ck_assert(s->short_device && !e2dx_survey_sound(s));
	e2dx_survey_free(s);
	e2dx_close(efs);
	ck_assert_int_eq(truncate(path, 1 << 20), 0);
	ck_assert_int_eq(e2dx_open(path, &o, &efs), 0);
	ck_assert_int_eq(e2dx_survey(efs, 1, NULL, NULL, &s), EXT2_ET_SHORT_READ);
	use(efs);
	e2dx_close(efs);
	ck_assert_int_eq(truncate(path, 2048), 0);
	ck_assert_int_ne(e2dx_open(path, &o, &efs), 0);
}
END_TEST

START_TEST(journal_device)
{
	struct e2dx_open_options o = { 0 };
	struct e2dx_survey *s;
	struct e2dx_fs *efs;

	ck_assert_int_eq(seam_run("/sbin/mke2fs -qF -O journal_dev -b 1024 %s 8M",
				  seam_path("journal")), 0);
	ck_assert_int_eq(e2dx_open(seam_path("journal"), &o, &efs),
			 EXT2_ET_UNSUPP_FEATURE);
	o.journal_device = true;
	ck_assert_int_eq(e2dx_open(seam_path("journal"), &o, &efs), 0);
	ck_assert_int_eq(e2dx_survey(efs, 1, NULL, NULL, &s),
			 E2DX_ET_UNSUPPORTED);
	ck_assert_int_eq(e2dx_write_refusal(efs, NULL, 0), E2DX_ET_FEATURE);
	e2dx_close(efs);
}
END_TEST

/* ---- refusing */

static errcode_t refusal(const char *path, char *detail, size_t size)
{
	struct e2dx_open_options o = { .ignore_csum = true };
	struct e2dx_fs *efs;
	errcode_t why;

	ck_assert_int_eq(e2dx_open(path, &o, &efs), 0);
	why = e2dx_write_refusal(efs, detail, size);
	e2dx_close(efs);
	return why;
}

/* The answer with these bits of a superblock's byte turned over. */
static errcode_t refuse_with(const char *path, unsigned offset, uint8_t bits,
			     const char *detail)
{
	char text[200];
	uint8_t was, now;
	errcode_t why;

	read_at(path, 1024 + offset, &was, 1);
	now = was ^ bits;
	seam_poke(path, 1024 + offset, &now, 1);
	why = refusal(path, text, sizeof(text));
	ck_assert_msg(strstr(text, detail), "'%s' instead of '%s'", text, detail);
	/* A short buffer is no overflow. */
	ck_assert_int_eq(refusal(path, text, 4), why);
	ck_assert_uint_lt(strlen(text), 4);
	seam_poke(path, 1024 + offset, &was, 1);
	return why;
}

START_TEST(refused)
{
	const char *p = seam_make("img", "-t ext4 -b 1024 -O ^metadata_csum,^64bit",
				  "24M");

	ck_assert_int_eq(refusal(p, NULL, 0), 0);
	/* s_state: valid off, errors on. */
	ck_assert_int_eq(refuse_with(p, 0x3a, 1, ""), E2DX_ET_UNCLEAN);
	ck_assert_int_eq(refuse_with(p, 0x3a, 2, ""), E2DX_ET_UNCLEAN);
	ck_assert_int_eq(refuse_with(p, 0xe8, 14, ""), E2DX_ET_UNCLEAN);
	ck_assert_int_eq(refuse_with(p, 0x66, 1, ""), E2DX_ET_UNCLEAN);
	ck_assert_int_eq(refuse_with(p, 0x60, 4, ""), E2DX_ET_RECOVERY);
	ck_assert_int_eq(refuse_with(p, 0x61, 1, ""), E2DX_ET_MMP);
	ck_assert_int_eq(refuse_with(p, 0x65, 0x40, "shared_blocks"),
			 E2DX_ET_FEATURE);
	ck_assert_int_eq(refuse_with(p, 0x65, 0x10, "read-only"), E2DX_ET_FEATURE);
	ck_assert_int_eq(refuse_with(p, 0x61, 0x10, "dirdata"), E2DX_ET_FEATURE);
	ck_assert_int_eq(refuse_with(p, 0x63, 0x80, "FEATURE_I31"),
			 E2DX_ET_FEATURE);
	/* An unknown compatible feature is no bar. */
	ck_assert_int_eq(refuse_with(p, 0x5f, 0x40, ""), 0);
	/* Casefolding by an encoding that nobody knows. */
	ck_assert_int_eq(refuse_with(p, 0x62, 2, "casefold"), E2DX_ET_FEATURE);
}
END_TEST

/* ---- superblock copies */

static const struct {
	const char *options;
	unsigned copies;	/* beside the primary, in 60 MiB */
} copy_kinds[] = {
	{ "-t ext4 -b 1024", 4 },			/* 1 3 5 7 */
	{ "-t ext4 -b 1024 -O ^metadata_csum", 4 },
	{ "-t ext2 -b 1024 -O ^sparse_super,^resize_inode", 7 },
	{ "-t ext4 -b 1024 -O sparse_super2", 2 },
	{ "-t ext4 -b 4096 -g 2048", 4 },
	{ "-t ext4 -b 1024 -O meta_bg,^resize_inode", 4 },
};

/* How many copies stock dumpe2fs finds with this text in them. */
static int copies_with(const char *path, unsigned block_size, uint64_t per_group,
		       const char *text)
{
	int found = 0;

	for (int g = 1; g < 8; g++)
		found += !seam_run("/sbin/dumpe2fs -h -o superblock=%llu "
				   "-o blocksize=%u %s 2>&1 | grep -q '%s'",
				   (unsigned long long)(g * per_group +
							(block_size == 1024)),
				   block_size, path, text);
	return found;
}

START_TEST(copies)
{
	const char *path = seam_make("img", copy_kinds[_i].options, "60M");
	struct e2dx_fs *efs = seam_open(path, true);
	struct ext2_super_block *sb = efs->fs->super;
	unsigned bs = efs->fs->blocksize, skipped = 99;
	uint64_t per_group = sb->s_blocks_per_group;

	sb->s_def_hash_version = EXT2_HASH_TEA;
	memset(sb->s_hash_seed, 0x5a, sizeof(sb->s_hash_seed));
	memcpy(sb->s_volume_name, "copies\0\0\0", 9);
	/* Not asked for: stays what it was. */
	memset(sb->s_uuid, 1, sizeof(sb->s_uuid));
	ck_assert_int_eq(e2dx_super_write_all(efs, E2DX_SB_HASH_VERSION |
					      E2DX_SB_HASH_SEED | E2DX_SB_LABEL,
					      &skipped), 0);
	ck_assert_int_eq(e2dx_close(efs), 0);
	ck_assert_uint_eq(skipped, 0);
	ck_assert_int_eq(copies_with(path, bs, per_group,
				     "hash:.*tea"), copy_kinds[_i].copies);
	ck_assert_int_eq(copies_with(path, bs, per_group, "Seed:.*5a5a5a5a-5a5a"),
			 copy_kinds[_i].copies);
	ck_assert_int_eq(copies_with(path, bs, per_group, "name: *copies"),
			 copy_kinds[_i].copies);
	ck_assert_int_eq(copies_with(path, bs, per_group, "UUID: *01010101"), 0);
	ck_assert_int_eq(seam_run("/sbin/dumpe2fs -h %s 2>&1 | grep -q 'name: *copies'",
				  path), 0);
	ck_assert_int_eq(seam_run("/sbin/e2fsck -fn %s >%s.log 2>&1", path, path), 0);
	unlink(path);
}
END_TEST

START_TEST(bad_copy)
{
	const char *path = seam_make("img", "-t ext4 -b 1024", "60M");
	struct e2dx_fs *efs = seam_open(path, true);
	uint8_t before[1024], after[1024];
	unsigned skipped = 0;

	/* Group 3's copy: wrong checksum. */
	seam_poke(path, (3 * 8192 + 1) * 1024 + 0x78, "zzz", 3);
	read_at(path, (3 * 8192 + 1) * 1024, before, 1024);
	efs->fs->super->s_def_hash_version = EXT2_HASH_TEA;
	ck_assert_int_eq(e2dx_super_write_all(efs, E2DX_SB_HASH_VERSION,
					      &skipped), 0);
	ck_assert_uint_eq(skipped, 1);
	read_at(path, (3 * 8192 + 1) * 1024, after, 1024);
	ck_assert_mem_eq(before, after, 1024);
	e2dx_close(efs);
}
END_TEST

/* The primary is gone: opened by a copy, it is made whole again. */
START_TEST(by_copy)
{
	const char *path = seam_make("img", "-t ext4 -b 1024", "60M");
	struct e2dx_open_options o = {
		.writable = true, .superblock = 8193, .block_size = 1024
	};
	uint8_t zero[1024] = { 0 };
	struct e2dx_fs *efs;

	seam_poke(path, 1024, zero, sizeof(zero));
	ck_assert_int_eq(e2dx_open(path, &o, &efs), 0);
	ck_assert_int_eq(e2dx_super_write(efs), 0);
	ck_assert_int_eq(e2dx_close(efs), 0);
	read_at(path, 1024, zero, sizeof(zero));
	ck_assert(e2dx_super_csum_ok(zero));
	ck_assert_uint_eq(htree_le16(zero + 0x5a), 0);
	/* Free counts of a copy are old: a repair, no damage. */
	ck_assert_int_le(seam_run("/sbin/e2fsck -fp %s >%s.log 2>&1", path, path), 1);
	efs = seam_open(path, false);
	ck_assert_int_eq(e2dx_super_write(efs), EXT2_ET_RO_FILSYS);
	ck_assert_int_eq(e2dx_super_write_all(efs, 1, NULL), EXT2_ET_RO_FILSYS);
	e2dx_close(efs);
}
END_TEST

/* ---- io */

/* libext2fs 1.47's undo manager never frees its map of written blocks. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:ext2fs_alloc_generic_bmap";
}

START_TEST(undo)
{
	const char *path = seam_make("img", "-t ext4 -b 1024", "60M");
	const char *undo_file = seam_path("undo");
	struct e2dx_open_options o = {
		.writable = true, .undo_file = undo_file
	};
	struct e2dx_fs *efs;
	uint8_t block[1024];

	ck_assert_int_eq(seam_run("cp %s %s.orig", path, path), 0);
	ck_assert_int_eq(e2dx_open(path, &o, &efs), 0);
	memset(block, 0x77, sizeof(block));
	for (int i = 0; i < 50; i++)
		ck_assert_int_eq(io_channel_write_blk64(efs->fs->io,
				 30000 + 37 * i, 1, block), 0);
	memcpy(efs->fs->super->s_volume_name, "undo me", 8);
	ck_assert_int_eq(e2dx_super_write_all(efs, E2DX_SB_LABEL, NULL), 0);
	ck_assert_int_eq(e2dx_close(efs), 0);
	ck_assert_int_eq(seam_run("cmp -s %s %s.orig", path, path), 1);
	ck_assert_int_eq(seam_run("/sbin/e2undo %s %s >%s.log 2>&1", undo_file,
				  path, path), 0);
	ck_assert_int_eq(seam_run("cmp %s %s.orig", path, path), 0);
}
END_TEST

START_TEST(channel)
{
	const char *path = seam_path("channel");
	uint8_t data[4096], back[4096];
	io_channel io;

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 7);
	ck_assert_int_eq(seam_run("rm -f %s; truncate -s 10000 %s", path, path), 0);
	ck_assert_int_eq(e2dx_io_manager->open(seam_path("none"), 0, &io), ENOENT);
	ck_assert_int_eq(e2dx_io_manager->open(path, IO_FLAG_RW |
					       IO_FLAG_EXCLUSIVE, &io), 0);
	ck_assert_int_eq(io_channel_set_blksize(io, 0), EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(io_channel_set_blksize(io, 2048), 0);
	ck_assert_int_eq(io_channel_write_blk64(io, 1, 2, data), 0);
	ck_assert_int_eq(io_channel_read_blk64(io, 2, 1, back), 0);
	ck_assert_mem_eq(back, data + 2048, 2048);
	/* Negative: bytes. */
	ck_assert_int_eq(io_channel_write_blk64(io, 3, -5, "hello"), 0);
	ck_assert_int_eq(io_channel_read_blk64(io, 3, -5, back), 0);
	ck_assert_mem_eq(back, "hello", 5);
	ck_assert_int_eq(io_channel_write_byte(io, 9999, 1, "x"), 0);
	ck_assert_int_eq(io_channel_read_blk64(io, 4, -1808, back), 0);
	ck_assert_int_eq(back[1807], 'x');
	/* Past the end, far past the end. */
	ck_assert_int_eq(io_channel_read_blk64(io, 4, 1, back),
			 EXT2_ET_SHORT_READ);
	ck_assert_int_eq(io_channel_read_blk64(io, 1ULL << 60, 1, back),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(io_channel_write_blk64(io, ~0ULL, 1, data),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(io_channel_flush(io), 0);
	ck_assert_int_eq(io_channel_close(io), 0);
	ck_assert_int_eq(e2dx_io_manager->open(path, 0, &io), 0);
	ck_assert_int_eq(io_channel_write_blk64(io, 0, 1, data), EBADF);
	ck_assert_int_eq(io_channel_close(io), 0);
}
END_TEST

int main(void)
{
	TCase *c = make_case("open");

	seam_dir();
	tcase_set_timeout(c, 120);
	tcase_add_loop_test(c, random_superblocks, 0,
			    sizeof(fuzz_kinds) / sizeof(fuzz_kinds[0]));
	tcase_add_loop_test(c, random_metadata, 0,
			    sizeof(fuzz_kinds) / sizeof(fuzz_kinds[0]));
	tcase_add_test(c, answers);
	tcase_add_test(c, journal_device);
	tcase_add_test(c, refused);
	tcase_add_loop_test(c, copies, 0,
			    sizeof(copy_kinds) / sizeof(copy_kinds[0]));
	tcase_add_test(c, bad_copy);
	tcase_add_test(c, by_copy);
	tcase_add_test(c, undo);
	tcase_add_test(c, channel);
	return run_case("open", c);
}
