/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * htree_verify, blocks and records: each finding has a small directory that shows it and
 * nothing else, made from a healthy one that shows nothing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "e2dx_err.h"
#include "expect.h"
#include "htree/build.h"
#include "suite.h"

static void teardown(void)
{
	hand_free(&h);
}

/* ---- what is healthy */

START_TEST(test_healthy)
{
	struct htree_verify_result r;
	struct seen s;

	linear(_i & 1);
	HEALTHY();
	r = verify(&h.m.blocks, &s);
	ck_assert_uint_eq(r.self, 12);
	ck_assert_uint_eq(r.parent, 2);
	ck_assert_int_eq(r.version, -1);
	ck_assert_uint_eq(r.entries, 5);
	ck_assert_uint_eq(s.dots, 2);
	hand_free(&h);

	indexed(_i & 1, _i >> 1);
	HEALTHY();
	r = verify(&h.m.blocks, &s);
	ck_assert_int_eq(r.version, DIRHASH_HALF_MD4);
	ck_assert_int_eq(r.indirect_levels, _i >> 1);
	ck_assert_uint_eq(r.entries, HAND_NAMES);
	all_names();
}
END_TEST

/* Versions, sign, large blocks, no filetype. */
START_TEST(test_healthy_kinds)
{
	static const int versions[] = { 0, 1, 2, 6 };

	for (int i = 0; i < 4; i++) {
		hand_init(&h, 2048, true);
		h.dir.default_version = versions[i];
		h.dir.unsigned_chars = i & 1;
		h.dir.filetype = !(i & 2);
		hand_indexed(&h, 1, versions[i]);
		HEALTHY();
		hand_free(&h);
	}
	hand_init(&h, 65536, true);
	hand_indexed(&h, 1, DIRHASH_TEA);
	HEALTHY();
	hand_free(&h);
	hand_init(&h, 1024, true);
	h.dir.encrypted = h.dir.casefold = true;
	hand_indexed(&h, 1, DIRHASH_SIPHASH);
	HEALTHY();
}
END_TEST

struct hashes {
	struct dirhasher hasher;
	size_t n;
};

static void hash_of_entry(void *ctx, const struct htree_dirent *d, int dot)
{
	struct hashes *t = ctx;
	struct dirhash want;

	if (dot)
		return;
	t->n++;
	if (dirhash_name(&t->hasher, d->name, d->name_len, &want) ||
	    !d->has_hash || dirhash_compare(&want, &d->hash))
		ck_abort_msg("wrong hash of %.*s", d->name_len, d->name);
}

static void no_finding(void *ctx, const struct htree_finding *f)
{
	(void)ctx;
	ck_abort_msg("%s", htree_finding_text(f->code));
}

/* Thousands of names in a block: hashed together, each gets its own. */
START_TEST(test_hashes)
{
	static const struct htree_verify_ops ops = {
		.finding = no_finding, .entry = hash_of_entry
	};
	static const int versions[] = { 0, 1, 2, 6 };
	struct htree_build_options options = {
		.indexed = true, .parent = 2, .version = versions[_i]
	};
	struct htree_build_result built;
	struct htree_verify_result r;
	struct htree_entries e;
	struct hashes t = { .n = 0 };
	char name[16];

	hand_init(&h, 65536, true);
	h.dir.indexed = true;
	h.dir.default_version = versions[_i];
	htree_entries_init(&e);
	for (unsigned i = 0; i < 20000; i++) {
		struct htree_dirent d = {
			.ino = 13, .name = (const uint8_t *)name,
			.name_len = (uint8_t)snprintf(name, sizeof(name),
						      "%x", i * 12345)
		};

		ck_assert_int_eq(htree_entries_add(&e, &d), 0);
	}
	ck_assert_int_eq(htree_build(&h.dir, &e, &options, &h.m.blocks,
				     &built), 0);
	ck_assert_int_eq(htree_dir_hasher(&h.dir, versions[_i], &t.hasher), 0);
	ck_assert_int_eq(htree_verify(&h.dir, &h.m.blocks, &ops, &t, &r), 0);
	ck_assert_uint_eq(t.n, 20000);
	htree_entries_free(&e);
}
END_TEST

/* Linux leaves a leaf's tail in the root's reserved word. */
START_TEST(test_stale_tail_in_root)
{
	struct seen s;

	indexed(true, 0);
	memcpy(hand_block(&h, 0) + 1024 - 8, "\x0c\0\0\xde", 4);
	hand_seal(&h);
	HEALTHY();
	verify(&h.m.blocks, &s);
	ck_assert_uint_eq(s.dots, 2);
}
END_TEST

START_TEST(test_blocks)
{
	linear(_i);
	expect_on(hand_failing(&h, 1, E2DX_ET_HOLE),
		  (const int []){ HTREE_B_HOLE, 0 });
	expect_on(hand_failing(&h, 1, EIO),
		  (const int []){ HTREE_B_UNREADABLE, 0 });
	hand_free(&h);
	/* A missing leaf is no fault of the index too. */
	indexed(_i, 0);
	expect_on(hand_failing(&h, 2, E2DX_ET_HOLE),
		  (const int []){ HTREE_B_HOLE, 0 });
	hand_resize(&h, 0);
	EXPECT(HTREE_D_DOT_MISSING, HTREE_D_DOTDOT_MISSING, HTREE_X_NO_FEATURE);
}
END_TEST

/* ---- records */

START_TEST(test_records)
{
	uint8_t *first;

	linear(_i);
	first = hand_block(&h, 1);
	hand_put16(first + 4, 10);
	hand_seal(&h);
	EXPECT(HTREE_F_REC_LEN);
	hand_put16(first + 4, 2000);
	hand_seal(&h);
	EXPECT(HTREE_F_REC_LEN);
	hand_put16(first + 4, hand_size(&h, "delta"));
	hand_seal(&h);
	HEALTHY();
	first[6] = 0;
	hand_seal(&h);
	EXPECT(HTREE_F_NAME_LEN);
	first[6] = 60;
	hand_seal(&h);
	EXPECT(HTREE_F_NAME_LEN);
	first[6] = 5;
	first[9] = '/';
	hand_seal(&h);
	EXPECT(HTREE_F_NAME_CHARS);
	first[9] = 0;
	hand_seal(&h);
	EXPECT(HTREE_F_NAME_CHARS);
	h.dir.encrypted = true;		/* ciphertext may hold both */
	HEALTHY();
	h.dir.encrypted = false;
	first[9] = 'e';
	hand_put32(first, 4001);
	hand_seal(&h);
	EXPECT(HTREE_F_INODE_RANGE);
	hand_put32(first, 4000);
	hand_seal(&h);
	HEALTHY();
	h.dir.inodes_count = 0;
	hand_put32(first, 4001);
	hand_seal(&h);
	HEALTHY();
}
END_TEST

/* A damaged record hides none of those after it. */
START_TEST(test_salvage)
{
	struct seen s;

	linear(_i);
	hand_put16(hand_block(&h, 1) + 4, 3);
	hand_seal(&h);
	verify(&h.m.blocks, &s);
	ck_assert_uint_eq(s.code[HTREE_F_REC_LEN], 1);
	ck_assert_uint_eq(s.entries, 5);
}
END_TEST

START_TEST(test_stored_hash_room)
{
	static const char *const names[] = { "ciphertext-of-16-b", NULL };

	hand_init(&h, 1024, _i);
	h.dir.encrypted = h.dir.casefold = true;
	hand_resize(&h, 1);
	hand_fill(&h, 0, hand_dots(&h), 100, names);
	hand_seal(&h);
	HEALTHY();
	/* The record ends where its hash should stand. */
	hand_record(&h, 0, 24, 100, 28, names[0]);
	hand_record(&h, 0, 52, 0, hand_room(&h) - 52, "");
	hand_seal(&h);
	EXPECT(HTREE_F_HASH_ROOM);
	h.dir.casefold = false;
	HEALTHY();
	/* A hash that no name has: bit 0 set, or above the last one. */
	h.dir.casefold = true;
	hand_fill(&h, 0, 24, 100, names);
	hand_put32(hand_block(&h, 0) + 24 + 28, 0x1001);
	hand_seal(&h);
	EXPECT(HTREE_F_HASH_ROOM);
	hand_put32(hand_block(&h, 0) + 24 + 28, 0xfffffffe);
	hand_seal(&h);
	EXPECT(HTREE_F_HASH_ROOM);
	hand_put32(hand_block(&h, 0) + 24 + 28, 0xfffffffc);
	hand_seal(&h);
	HEALTHY();
}
END_TEST

START_TEST(test_encoding)
{
	linear(_i);
	h.dir.casefold = h.dir.strict = true;
	h.dir.fold = &hand_fold;
	HEALTHY();
	hand_block(&h, 1)[8] = 0xff;
	hand_seal(&h);
	EXPECT(HTREE_F_ENCODING);
	h.dir.strict = false;
	HEALTHY();
}
END_TEST

static void two_names(const char *a, const char *b)
{
	const char *const first[] = { a, NULL }, *const second[] = { b, NULL };

	hand_resize(&h, 2);
	hand_fill(&h, 0, hand_dots(&h), 100, first);
	hand_fill(&h, 1, 0, 200, second);
	hand_seal(&h);
}

START_TEST(test_duplicates)
{
	struct seen s;
	char name[256];

	hand_init(&h, 1024, _i);
	two_names("equal", "equal");
	EXPECT(HTREE_F_DUPLICATE);
	verify(&h.m.blocks, &s);
	ck_assert_uint_eq(s.last.block, 1);
	ck_assert_uint_eq(s.last.offset, 0);
	ck_assert_uint_eq(s.last.value, 24);	/* block 0, offset 24 */
	two_names("equal", "equaL");
	HEALTHY();
	h.dir.casefold = true;
	h.dir.fold = &hand_fold;
	EXPECT(HTREE_F_DUPLICATE);
	two_names("Readme", "README");
	EXPECT(HTREE_F_DUPLICATE);
	/* Ciphertext is compared as it stands. */
	h.dir.encrypted = true;
	two_names("ciphertext of 16", "ciphertext of 16");
	EXPECT(HTREE_F_DUPLICATE);
	two_names("ciphertext of 16", "Ciphertext of 16");
	HEALTHY();
	h.dir.casefold = h.dir.encrypted = false;
	memset(name, 'n', 255);
	name[255] = 0;
	two_names(name, name);
	EXPECT(HTREE_F_DUPLICATE);
}
END_TEST

/* Many equal names, and many that only their legacy hash makes equal. */
START_TEST(test_duplicate_flood)
{
	enum { N = 60000 };
	struct htree_verify_result r;
	clock_t start = clock();
	struct seen s;

	hand_init(&h, 65536, false);
	h.dir.inodes_count = 0;
	for (int pass = 0; pass < 2; pass++) {
		uint32_t offset, block = 0;
		char name[20];

		hand_resize(&h, 24);
		offset = hand_dots(&h);
		for (uint32_t i = 0; i < N; i++) {
			uint32_t size = hand_size(&h, "nnnnnnnn");

			snprintf(name, sizeof(name), "n%07u", pass ? i : 7);
			if (offset + 2 * size > 65536)
				size = 65536 - offset;
			offset = hand_record(&h, block, offset, 100 + i,
					     i + 1 == N ? 65536 - offset :
					     size, name);
			if (offset == 65536) {
				offset = 0;
				block++;
			}
		}
		if (offset)
			block++;
		hand_resize(&h, block);
		r = verify(&h.m.blocks, &s);
		ck_assert_uint_eq(r.entries, N);
		ck_assert_uint_eq(s.code[HTREE_F_DUPLICATE], pass ? 0 : N - 1);
	}
	ck_assert_msg(clock() - start < 5 * CLOCKS_PER_SEC, "too slow");
}
END_TEST

START_TEST(test_dots)
{
	uint8_t *p;

	linear(_i);
	p = hand_block(&h, 0);
	p[8] = 'x';
	hand_seal(&h);
	EXPECT(HTREE_D_DOT_MISSING);
	p[8] = '.';
	p[20] = 'x';
	hand_seal(&h);
	EXPECT(HTREE_D_DOTDOT_MISSING);
	p[20] = '.';
	hand_put32(p, 13);
	hand_seal(&h);
	EXPECT(HTREE_D_DOT_INODE);
	hand_put32(p, 0);
	hand_seal(&h);
	EXPECT(HTREE_D_DOT_MISSING);
	hand_put32(p, 12);
	hand_put32(p + 12, 0);
	hand_seal(&h);
	EXPECT(HTREE_D_DOTDOT_MISSING);
	hand_put32(p + 12, 4001);
	hand_seal(&h);
	EXPECT(HTREE_F_INODE_RANGE);
	hand_put32(p + 12, 2);
	p[9] = 'x';			/* no NUL after "." */
	hand_seal(&h);
	EXPECT(HTREE_D_DOT_LAYOUT);
	p[9] = 0;
	hand_put16(p + 4, 16);		/* "." reaches into ".." */
	hand_seal(&h);
	EXPECT(HTREE_D_DOT_LAYOUT);
	hand_put16(p + 4, 12);
	hand_seal(&h);
	HEALTHY();
	hand_record(&h, 1, 0, 12, hand_size(&h, "delta"), "..");
	hand_seal(&h);
	EXPECT(HTREE_F_STRAY_DOT);
}
END_TEST

START_TEST(test_leaf_tails)
{
	linear(true);
	hand_block(&h, 1)[1024 - 1] ^= 1;
	EXPECT(HTREE_L_CHECKSUM);
	hand_seal(&h);
	h.dir.csum_seed ^= 1;
	EXPECT(HTREE_L_CHECKSUM);
	h.dir.csum_seed ^= 1;
	HEALTHY();
	hand_block(&h, 1)[1024 - 5] = 0;
	EXPECT(HTREE_L_TAIL_MISSING);
	hand_put16(hand_block(&h, 1) + 16 + 4, 1024 - 16);
	EXPECT(HTREE_L_TAIL_MISSING);
}
END_TEST

/* ---- inline directories */

START_TEST(test_inline)
{
	uint8_t first[60] = { 2 }, second[24] = { 0 };
	const uint8_t *const parts[2] = { first, second };
	size_t lengths[2] = { sizeof(first), sizeof(second) };
	struct htree_verify_result r;
	struct seen s = { .entries = 0 };

	hand_init(&h, 1024, _i);
	hand_put32(first + 4, 20);
	hand_put16(first + 8, 56);
	first[10] = 1;
	first[12] = 'a';
	hand_put32(second, 21);
	hand_put16(second + 4, 24);
	second[6] = 1;
	second[8] = 'b';
	ck_assert_int_eq(htree_verify_inline(&h.dir, parts, lengths, &seen_ops, &s,
					     &r), 0);
	ck_assert_uint_eq(r.findings, 0);
	ck_assert_uint_eq(r.entries, 2);
	ck_assert_uint_eq(r.parent, 2);

	second[8] = 'a';
	ck_assert_int_eq(htree_verify_inline(&h.dir, parts, lengths, &seen_ops, &s,
					     &r), 0);
	ck_assert_uint_eq(s.code[HTREE_F_DUPLICATE], 1);
	ck_assert_uint_eq(s.last.block, 1);
	ck_assert_uint_eq(r.findings, 1);

	second[4] = 13;
	first[0] = 0;
	h.dir.indexed = true;
	ck_assert_int_eq(htree_verify_inline(&h.dir, parts, lengths, &seen_ops, &s,
					     &r), 0);
	ck_assert_uint_eq(s.code[HTREE_F_REC_LEN], 1);
	ck_assert_uint_eq(s.code[HTREE_D_DOTDOT_MISSING], 1);
	ck_assert_uint_eq(s.code[HTREE_X_NO_FEATURE], 1);

	lengths[0] = 3;
	lengths[1] = 0;
	ck_assert_int_eq(htree_verify_inline(&h.dir, parts, lengths, &seen_ops, &s,
					     &r), 0);
	ck_assert_uint_eq(r.entries, 0);
}
END_TEST

/* ---- collecting, and any bytes at all */

START_TEST(test_collect)
{
	struct htree_verify_result r;
	struct htree_entries e;
	struct dirhash *stored;

	htree_entries_init(&e);
	indexed(_i, 1);
	ck_assert_int_eq(htree_collect(&h.dir, &h.m.blocks, &e, NULL, NULL, &r),
			 0);
	ck_assert_uint_eq(e.n, HAND_NAMES);
	ck_assert_uint_eq(r.findings, 0);
	for (size_t i = 0; i < e.n; i++) {
		stored = &e.v[i].hash;
		ck_assert_uint_eq(stored->hash, h.names[i].hash.hash);
		ck_assert_uint_eq(e.v[i].ino, h.names[i].ino);
		ck_assert_mem_eq(htree_entry_name(&e, i), h.names[i].name,
				 e.v[i].name_len);
	}
	htree_entries_free(&e);
}
END_TEST

static uint32_t next_random(void)
{
	static uint32_t x = 2463534242u;

	x ^= x << 13;
	x ^= x >> 17;
	return x ^= x << 5;
}

/* A few bytes changed anywhere: it must end, and read only what is there. */
START_TEST(test_corruption)
{
	uint8_t *good;
	size_t size;
	struct seen s;

	indexed(_i & 1, _i >> 1);
	size = (size_t)h.m.blocks.count * 1024;
	good = malloc(size);
	ck_assert_ptr_nonnull(good);
	memcpy(good, h.m.data, size);
	for (int round = 0; round < 4000; round++) {
		uint32_t n = 1 + next_random() % 8;

		memcpy(h.m.data, good, size);
		while (n--) {
			/* Half of them where structure is: in the index. */
			size_t at = next_random() % (n & 1 ? 96 : size);

			h.m.data[at] = (uint8_t)next_random();
		}
		if (next_random() & 1)
			hand_seal(&h);
		verify(&h.m.blocks, &s);
	}
	free(good);
}
END_TEST

START_TEST(test_texts)
{
	for (int i = 0; i <= HTREE_FINDING_MAX; i++) {
		enum htree_finding_code code = (enum htree_finding_code)i;

		ck_assert_ptr_nonnull(htree_finding_text(code));
		if (i < HTREE_FINDING_MAX)
			ck_assert_str_ne(htree_finding_text(code),
					 "unknown fault");
	}
	ck_assert_int_eq(htree_finding_remedy(HTREE_X_COUNT),
			 HTREE_REMEDY_INDEX);
	ck_assert_int_eq(htree_finding_remedy(HTREE_F_DUPLICATE),
			 HTREE_REMEDY_ENTRIES);
}
END_TEST

int main(void)
{
	TCase *c = make_case("verify");

	tcase_add_checked_fixture(c, NULL, teardown);
	tcase_add_loop_test(c, test_healthy, 0, 4);
	tcase_add_test(c, test_healthy_kinds);
	tcase_add_loop_test(c, test_hashes, 0, 4);
	tcase_add_test(c, test_stale_tail_in_root);
	tcase_add_loop_test(c, test_blocks, 0, 2);
	tcase_add_loop_test(c, test_records, 0, 2);
	tcase_add_loop_test(c, test_salvage, 0, 2);
	tcase_add_loop_test(c, test_stored_hash_room, 0, 2);
	tcase_add_loop_test(c, test_encoding, 0, 2);
	tcase_add_loop_test(c, test_duplicates, 0, 2);
	tcase_add_test(c, test_duplicate_flood);
	tcase_add_loop_test(c, test_dots, 0, 2);
	tcase_add_test(c, test_leaf_tails);
	tcase_add_loop_test(c, test_inline, 0, 2);
	tcase_add_loop_test(c, test_collect, 0, 2);
	tcase_add_loop_test(c, test_corruption, 0, 4);
	tcase_add_test(c, test_texts);
	return run_case("htree_verify", c);
}
