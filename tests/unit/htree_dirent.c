/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records, tails and checksums: parser, salvage, writer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "htree/csum.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/ondisk.h"
#include "htree_reader.h"
#include "suite.h"

#define EXPECT(c)	do { if (!(c)) ck_abort_msg("%s", #c); } while (0)

static uint8_t block[65536];

static struct htree_dir a_dir(uint32_t block_size)
{
	struct htree_dir d = {
		.ino = 20, .inodes_count = 5000, .csum_seed = 0xfeedf00d,
		.block_size = block_size, .filetype = true
	};

	memset(block, 0, sizeof(block));
	return d;
}

/* A record by its raw fields. */
static void put(uint32_t at, uint32_t ino, uint32_t rec_len, uint32_t name_len,
		uint32_t type, const char *name)
{
	uint8_t *p = block + at;

	p[0] = (uint8_t)ino;
	p[1] = (uint8_t)(ino >> 8);
	p[2] = (uint8_t)(ino >> 16);
	p[3] = (uint8_t)(ino >> 24);
	p[4] = (uint8_t)rec_len;
	p[5] = (uint8_t)(rec_len >> 8);
	p[6] = (uint8_t)name_len;
	p[7] = (uint8_t)type;
	memcpy(p + 8, name, strlen(name));
}

/* One record at the beginning of a block, and what the parser says. */
struct parse_case {
	uint32_t ino, rec_len, name_len, type;
	const char *name;
	bool stored;
	enum htree_finding_code want;
};

static const struct parse_case parse_cases[] = {
	{ 12, 12, 1, 1, "a", false, HTREE_OK },
	{ 12, 1024, 1, 1, "a", false, HTREE_OK },
	{ 12, 12, 4, 1, "abcd", false, HTREE_OK },
	{ 12, 12, 5, 1, "abcde", false, HTREE_F_NAME_LEN },
	{ 12, 16, 5, 1, "abcde", false, HTREE_OK },
	{ 12, 0, 1, 1, "a", false, HTREE_F_REC_LEN },
	{ 12, 8, 1, 1, "a", false, HTREE_F_REC_LEN },
	{ 12, 13, 1, 1, "a", false, HTREE_F_REC_LEN },
	{ 12, 14, 1, 1, "a", false, HTREE_F_REC_LEN },
	{ 12, 1028, 1, 1, "a", false, HTREE_F_REC_LEN },
	{ 12, 65532, 1, 1, "a", false, HTREE_F_REC_LEN },
	{ 12, 65535, 1, 1, "a", false, HTREE_F_REC_LEN },
	{ 12, 1012, 1, 1, "a", false, HTREE_OK },
	{ 12, 1016, 1, 1, "a", false, HTREE_F_REC_LEN },
	{ 12, 1020, 1, 1, "a", false, HTREE_F_REC_LEN },
	{ 12, 12, 0, 1, "", false, HTREE_F_NAME_LEN },
	{ 12, 264, 255, 1, "a", false, HTREE_OK },
	{ 12, 260, 255, 1, "a", false, HTREE_F_NAME_LEN },
	{ 0, 12, 0, 0, "", false, HTREE_OK },
	{ 0, 1024, 0, 0, "", false, HTREE_OK },
	{ 0, 12, 1, 0, "a", false, HTREE_OK },
	{ 0, 12, 5, 0, "abcde", false, HTREE_F_NAME_LEN },
	{ 0, 0, 0, 0, "", false, HTREE_F_REC_LEN },
	{ 12, 20, 4, 1, "abcd", true, HTREE_OK },
	{ 12, 16, 4, 1, "abcd", true, HTREE_F_HASH_ROOM },
	{ 12, 20, 5, 1, "abcde", true, HTREE_F_HASH_ROOM },
	{ 12, 24, 5, 1, "abcde", true, HTREE_OK },
	{ 12, 1004, 5, 1, "abcde", true, HTREE_OK },
	{ 12, 1008, 5, 1, "abcde", true, HTREE_F_REC_LEN },
	{ 12, 1012, 5, 1, "abcde", true, HTREE_F_REC_LEN },
	{ 12, 272, 255, 1, "a", true, HTREE_OK },
	{ 12, 268, 255, 1, "a", true, HTREE_F_HASH_ROOM },
	{ 12, 12, 1, 2, ".", true, HTREE_OK },
	{ 12, 12, 2, 2, "..", true, HTREE_OK },
	{ 12, 12, 2, 2, ".a", true, HTREE_F_HASH_ROOM },
	{ 0, 20, 0, 0, "", true, HTREE_OK },
	{ 0, 16, 0, 0, "", true, HTREE_F_REC_LEN },
	{ 0, 12, 0, 0, "", true, HTREE_F_REC_LEN },
};

START_TEST(parse)
{
	const struct parse_case *c = &parse_cases[_i];
	struct htree_dir dir = a_dir(1024);
	struct htree_dirent d;

	dir.encrypted = dir.casefold = c->stored;
	put(0, c->ino, c->rec_len, c->name_len, c->type, c->name);
	ck_assert_int_eq(htree_dirent_parse(&dir, block, 1024, 0, &d), c->want);
	if (c->want != HTREE_OK)
		return;
	ck_assert_uint_eq(d.ino, c->ino);
	ck_assert_uint_eq(d.rec_len, c->rec_len);
	ck_assert_uint_eq(d.name_len, c->name_len);
	ck_assert_uint_eq(d.file_type, c->type);
	ck_assert(!d.name_len || d.name == block + 8);
	ck_assert_int_eq(d.has_hash, c->stored && c->ino && c->name[0] != '.');
}
END_TEST

/* rec_len's 16 bits in each block size; 0 where they are damage. */
START_TEST(rec_len_encodings)
{
	static const struct { uint32_t size, raw, want; } t[] = {
		{ 32768, 32768, 32768 }, { 32768, 0, 0 },
		{ 32768, 65535, 0 }, { 65536, 0, 65536 },
		{ 65536, 65535, 65536 }, { 65536, 65524, 65524 },
		{ 65536, 65528, 0 }, { 65536, 65532, 0 }, { 65536, 65534, 0 },
		{ 65536, 13, 0 }, { 65536, 14, 0 }, { 65536, 12, 12 },
	};
	struct htree_dirent d;
	struct htree_dir dir;
	size_t i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		dir = a_dir(t[i].size);
		put(0, 12, t[i].raw, 1, 1, "a");
		ck_assert_int_eq(htree_dirent_parse(&dir, block, t[i].size, 0, &d),
				 t[i].want ? HTREE_OK : HTREE_F_REC_LEN);
		if (t[i].want)
			ck_assert_uint_eq(d.rec_len, t[i].want);
	}
	/* The two low bits are bits 16 and 17. */
	put(0, 12, 13, 1, 1, "a");
	ck_assert_uint_eq(htree_rec_len_load(&dir, block), 12 + 65536);
	htree_rec_len_store(&dir, block, 65536);
	ck_assert_uint_eq(block[4] + 256u * block[5], 65535);
	htree_rec_len_store(&dir, block, 65532);
	ck_assert_uint_eq(block[4] + 256u * block[5], 65532);
}
END_TEST

/* Without the filetype feature name_len has 16 bits. */
START_TEST(no_filetype)
{
	struct htree_dir dir = a_dir(1024);
	struct htree_dirent d;

	dir.filetype = false;
	put(0, 12, 1024, 1, 0, "a");
	ck_assert_int_eq(htree_dirent_parse(&dir, block, 1024, 0, &d), HTREE_OK);
	ck_assert_uint_eq(d.file_type, 0);
	put(0, 12, 1024, 1, 1, "a");
	ck_assert_int_eq(htree_dirent_parse(&dir, block, 1024, 0, &d),
			 HTREE_F_NAME_LEN);
	ck_assert_uint_eq(d.name_len, 0);
}
END_TEST

START_TEST(contents)
{
	struct htree_dir dir = a_dir(1024);
	struct htree_dirent d;

	put(0, 5000, 1024, 3, 1, "a/b");
	ck_assert_int_eq(htree_dirent_parse(&dir, block, 1024, 0, &d), HTREE_OK);
	ck_assert_int_eq(htree_dirent_check(&dir, &d), HTREE_F_NAME_CHARS);
	dir.encrypted = true;
	ck_assert_int_eq(htree_dirent_check(&dir, &d), HTREE_OK);
	dir.encrypted = false;
	block[9] = 0;
	ck_assert_int_eq(htree_dirent_check(&dir, &d), HTREE_F_NAME_CHARS);
	block[9] = 0xff;
	ck_assert_int_eq(htree_dirent_check(&dir, &d), HTREE_OK);
	d.ino = 5001;
	ck_assert_int_eq(htree_dirent_check(&dir, &d), HTREE_F_INODE_RANGE);
	dir.inodes_count = 0;
	ck_assert_int_eq(htree_dirent_check(&dir, &d), HTREE_OK);
}
END_TEST

/* At every offset near the end, in a buffer of just the block's size. */
START_TEST(near_the_end)
{
	struct htree_dir dir = a_dir(1024);
	uint8_t *exact = malloc(1024);
	struct htree_dirent d;
	uint32_t at;

	ck_assert_ptr_nonnull(exact);
	memset(exact, 0xff, 1024);
	for (at = 1000; at <= 1030; at++)
		EXPECT(htree_dirent_parse(&dir, exact, 1024, at, &d) ==
		       HTREE_F_REC_LEN);
	free(exact);
}
END_TEST

/* ---- the iterator */

/* n records of 16 bytes, names "name-N", the last to the end of 1024. */
static void put_chain(uint32_t n)
{
	char name[16];
	uint32_t i;

	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "name-%02u", i);
		put(16 * i, 100 + i, i + 1 < n ? 16 : 1024 - 16 * i, 7, 1, name);
	}
}

/* What an iteration gave: one letter an item, faults as digits. */
static const char *items(const struct htree_dir *dir, uint32_t end)
{
	static char text[8192];
	enum htree_finding_code fault;
	struct htree_dirents it;
	struct htree_dirent d;
	uint32_t next = 0, n = 0;

	htree_dirents_begin(&it, dir, block, 9, 0, end);
	while (htree_dirents_next(&it, &d, &fault)) {
		/* Gapless, always forward, never past the end. */
		EXPECT(d.offset == next && d.rec_len > 0 && d.block == 9);
		next += d.rec_len;
		EXPECT(next <= end);
		if (fault == HTREE_OK)
			text[n++] = d.ino ? 'u' : '-';
		else
			text[n++] = d.ino ? 's' : 'X';
		EXPECT(!d.ino || d.name_len);
	}
	EXPECT(next == end);
	text[n] = 0;
	return text;
}

START_TEST(iterate)
{
	struct htree_dir dir = a_dir(1024);

	put_chain(8);
	ck_assert_str_eq(items(&dir, 1024), "uuuuuuuu");
	put(32, 0, 16, 0, 0, "");
	ck_assert_str_eq(items(&dir, 1024), "uu-uuuuu");
	dir.metadata_csum = true;
	ck_assert_uint_eq(htree_leaf_end(&dir, block), 1024);
	put(112, 107, 1012 - 112, 7, 1, "name-07");
	htree_leaf_csum_set(&dir, block);
	ck_assert_uint_eq(htree_leaf_end(&dir, block), 1012);
	ck_assert_str_eq(items(&dir, 1012), "uu-uuuuu");
}
END_TEST

/* Damage to record 3 of 8; each line: bytes set, and what is given then. */
START_TEST(salvage)
{
	static const struct {
		uint32_t at, n;
		uint8_t bytes[8];
		const char *want;
	} t[] = {
		/* rec_len alone: the entry is kept, and so are the others */
		{ 52, 2, { 0, 0 }, "uuusuuuu" },
		{ 52, 2, { 17, 0 }, "uuusuuuu" },
		{ 52, 2, { 0xfc, 0xff }, "uuusuuuu" },
		{ 52, 2, { 0xff, 0xff }, "uuusuuuu" },
		/* name_len: the entry is lost, no other */
		{ 54, 1, { 0 }, "uuuXuuuu" },
		{ 54, 1, { 200 }, "uuuXuuuu" },
		/* header and name */
		{ 48, 8, { 0 }, "uuuXuuuu" },
		{ 48, 8, { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
		  "uuuXuuuu" },
		/* rec_len wrong and inode out of range: not believed */
		{ 50, 4, { 1, 0, 0, 0 }, "uuuXuuuu" },
		/* rec_len leads into the next record, which stands in the
		   slack and reaches over its end */
		{ 52, 1, { 20 }, "uuusuuuu" },
		{ 52, 1, { 28 }, "uuusuuuu" },
	};
	struct htree_dir dir = a_dir(1024);
	size_t i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		put_chain(8);
		memcpy(block + t[i].at, t[i].bytes, t[i].n);
		ck_assert_str_eq(items(&dir, 1024), t[i].want);
	}
}
END_TEST

START_TEST(salvage_nothing)
{
	struct htree_dir dir = a_dir(1024);
	size_t i;

	ck_assert_str_eq(items(&dir, 1024), "X");
	for (i = 0; i < 1024; i++)
		block[i] = (uint8_t)"the contents of a file\n"[i % 23];
	ck_assert_str_eq(items(&dir, 1024), "X");
	memset(block, 0xff, 1024);
	ck_assert_str_eq(items(&dir, 1024), "X");
}
END_TEST

/* A name removed by lengthening the record before it stays removed. */
START_TEST(no_resurrection)
{
	struct htree_dir dir = a_dir(1024);

	put_chain(8);
	put(32, 102, 32, 7, 1, "name-02");
	ck_assert_str_eq(items(&dir, 1024), "uuuuuuu");
	block[16 * 6 + 4] = 1;
	ck_assert_str_eq(items(&dir, 1024), "uuuuusu");
}
END_TEST

/* Names in ciphertext may look like records; they are not searched. */
START_TEST(names_like_records)
{
	struct htree_dir dir = a_dir(1024);

	dir.encrypted = true;
	put(0, 100, 64, 48, 1, "");
	put(8, 101, 1016, 16, 1, "0123456789abcdef");
	put(64, 102, 960, 16, 1, "fedcba9876543210");
	ck_assert_str_eq(items(&dir, 1024), "uu");
	block[4] = 0;
	ck_assert_str_eq(items(&dir, 1024), "su");
}
END_TEST

START_TEST(salvage_stored)
{
	struct htree_dir dir = a_dir(1024);

	dir.encrypted = dir.casefold = true;
	put(0, 20, 12, 1, 2, ".");
	put(12, 2, 12, 2, 2, "..");
	put(24, 30, 32, 16, 1, "0123456789abcdef");
	put(56, 31, 24, 16, 1, "fedcba9876543210");
	put(80, 32, 944, 16, 1, "----------------");
	ck_assert_str_eq(items(&dir, 1024), "uuusu");
	/* Unused records too short for a hash: the next ones are found. */
	put(24, 0, 16, 0, 0, "");
	put(40, 0, 16, 0, 0, "");
	ck_assert_str_eq(items(&dir, 1024), "uuXsu");
}
END_TEST

/* A plain directory whose flags say that it stores hashes: no name is lost. */
START_TEST(hashless)
{
	struct htree_dir dir = a_dir(1024);
	uint32_t i;

	dir.encrypted = dir.casefold = true;
	for (i = 0; i < 20; i++)
		put(24 * i, 100 + i, i < 19 ? 24 : 1024 - 24 * i, 16, 1,
		    "0123456789abcdef");
	ck_assert_str_eq(items(&dir, 1024), "sssssssssssssssssssu");
}
END_TEST

/* Any bytes: it ends, without a step out of bounds (run under ASan too). */
START_TEST(any_bytes)
{
	static const uint32_t ends[] = { 1024, 1012, 60, 57, 12, 11, 1, 0 };
	struct htree_dir dir = a_dir(1024);
	uint32_t round, i, v = (uint32_t)_i * 7 + 1;

	dir.encrypted = _i & 1;
	dir.casefold = _i & 2;
	dir.filetype = _i & 4;
	dir.inodes_count = _i & 8 ? 0 : 300;
	for (round = 0; round < 400; round++) {
		for (i = 0; i < 1024; i++) {
			v = v * 1664525 + 1013904223;
			block[i] = (uint8_t)(v >> 24);
			/* mostly small numbers, so that some records fit */
			if (round % 4 && i % 4)
				block[i] &= (uint8_t)(i % 4 == 1 ? 1 : 0);
			if (round % 4 > 1 && i % 4 == 0)
				block[i] &= 0x1c;
		}
		items(&dir, ends[round % 8]);
	}
}
END_TEST

/* ---- the writer, and checksums */

START_TEST(written)
{
	struct htree_dir dir = a_dir(4096);
	struct htree_dirent d = { .file_type = 5, .hash = { 0x12345678, 9 } };
	struct htree_dirent got;
	uint8_t name[255];
	uint32_t size, len, i;

	dir.filetype = _i & 1;
	dir.encrypted = dir.casefold = _i & 2;
	for (i = 0; i < sizeof(name); i++)
		name[i] = (uint8_t)(i + 1);
	d.name = name;
	for (len = 1; len <= 255; len++) {
		memset(block, 0xaa, 4096);
		d.ino = len;
		d.name_len = (uint8_t)len;
		size = htree_record_size(&dir, len);
		htree_dirent_write(&dir, block, 40, size + 24, &d);
		EXPECT(!htree_dirent_parse(&dir, block, 4096, 40, &got));
		EXPECT(got.ino == len && got.rec_len == size + 24);
		EXPECT(got.name_len == len && !memcmp(got.name, name, len));
		EXPECT(got.file_type == (dir.filetype ? 5 : 0));
		EXPECT(got.has_hash == !!(_i & 2));
		EXPECT(!got.has_hash || !dirhash_compare(&got.hash, &d.hash));
		EXPECT(block[39] == 0xaa && block[40 + size] == 0xaa);
		for (i = 8 + len; i % 4; i++)
			EXPECT(block[40 + i] == 0);
	}
	memset(&d, 0, sizeof(d));
	htree_dirent_write(&dir, block, 0, 4096, &d);
	EXPECT(!htree_dirent_parse(&dir, block, 4096, 0, &got));
	EXPECT(got.ino == 0 && got.rec_len == 4096 && got.name_len == 0);
}
END_TEST

START_TEST(leaf_checksums)
{
	struct htree_dir dir = a_dir(1024u << _i);
	uint32_t bs = dir.block_size, i;

	put(0, 12, bs - 12, 1, 1, "a");
	htree_leaf_csum_set(&dir, block);
	ck_assert_mem_eq(block + bs - 12, "\0\0\0\0\0\0\0\0\0\0\0", 12);
	ck_assert(!htree_tail_present(&dir, block));
	dir.metadata_csum = true;
	ck_assert(!htree_leaf_csum_ok(&dir, block));
	htree_leaf_csum_set(&dir, block);
	ck_assert_mem_eq(block + bs - 12, "\0\0\0\0\014\0\0\336", 8);
	ck_assert_uint_eq(htree_le32(block + bs - 4),
			  reading_crc(dir.csum_seed, block, bs - 12));
	ck_assert(htree_leaf_csum_ok(&dir, block));
	for (i = 0; i < bs; i += i < 12 || i > bs - 16 ? 1 : 97) {
		block[i] ^= 4;
		EXPECT(!htree_leaf_csum_ok(&dir, block));
		block[i] ^= 4;
	}
}
END_TEST

START_TEST(index_checksums)
{
	struct htree_dir dir = a_dir(1024);
	uint32_t table = _i ? HTREE_ROOT_TABLE : HTREE_NODE_TABLE;
	uint32_t limit = _i ? 123 : 126, crc, i;
	uint8_t *tail = block + table + 8 * limit;

	for (i = 0; i < 1024; i++)
		block[i] = (uint8_t)(i * 7);
	htree_put_le16(block + table, limit);
	htree_put_le16(block + table + 2, 50);
	htree_put_le32(tail, 0x01020304);
	ck_assert(htree_index_csum_ok(&dir, block, table));
	dir.metadata_csum = true;
	ck_assert(!htree_index_csum_ok(&dir, block, table));
	htree_index_csum_set(&dir, block, table);
	crc = reading_crc(dir.csum_seed, block, table + 8 * 50);
	crc = reading_crc(crc, (const uint8_t *)"\4\3\2\1\0\0\0", 8);
	ck_assert_uint_eq(htree_le32(tail + 4), crc);
	ck_assert(htree_index_csum_ok(&dir, block, table));
	/* Entries beyond count are not covered, the last one is. */
	block[table + 8 * 50] ^= 1;
	ck_assert(htree_index_csum_ok(&dir, block, table));
	block[table + 8 * 50 - 1] ^= 1;
	ck_assert(!htree_index_csum_ok(&dir, block, table));
	block[table + 8 * 50 - 1] ^= 1;
	tail[0] ^= 1;
	ck_assert(!htree_index_csum_ok(&dir, block, table));
	tail[0] ^= 1;
	/* Limits and counts that leave no place for it. */
	htree_put_le16(block + table + 2, limit + 1);
	ck_assert(!htree_index_csum_ok(&dir, block, table));
	htree_put_le16(block + table, 0xffff);
	htree_put_le16(block + table + 2, 0xffff);
	ck_assert(!htree_index_csum_ok(&dir, block, table));
	htree_put_le16(block + table, limit + 1);
	htree_put_le16(block + table + 2, 50);
	ck_assert(!htree_index_fits(&dir, block, table));
	dir.metadata_csum = false;
	ck_assert(htree_index_fits(&dir, block, table));
}
END_TEST

int main(void)
{
	TCase *t = make_case("dirent");

	tcase_add_loop_test(t, parse, 0,
			    (int)(sizeof(parse_cases) / sizeof(parse_cases[0])));
	tcase_add_test(t, rec_len_encodings);
	tcase_add_test(t, no_filetype);
	tcase_add_test(t, contents);
	tcase_add_test(t, near_the_end);
	tcase_add_test(t, iterate);
	tcase_add_test(t, salvage);
	tcase_add_test(t, salvage_nothing);
	tcase_add_test(t, no_resurrection);
	tcase_add_test(t, names_like_records);
	tcase_add_test(t, salvage_stored);
	tcase_add_test(t, hashless);
	tcase_add_loop_test(t, any_bytes, 0, 16);
	tcase_add_loop_test(t, written, 0, 4);
	tcase_add_loop_test(t, leaf_checksums, 0, 7);
	tcase_add_loop_test(t, index_checksums, 0, 2);
	return run_case("htree_dirent", t);
}
