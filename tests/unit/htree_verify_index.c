/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * htree_verify, the index: each finding has a small directory that shows it and
 * nothing else, made from a healthy one that shows nothing.
 */
#include <stdio.h>
#include <string.h>
#include "e2dx_err.h"
#include "expect.h"
#include "suite.h"

static void teardown(void)
{
	hand_free(&h);
}

START_TEST(test_root_fields)
{
	uint8_t *p;

	indexed(_i, 0);
	p = hand_block(&h, 0);
	p[24] = 1;
	hand_seal(&h);
	EXPECT(HTREE_X_ROOT);
	p[24] = 0;
	p[29] = 0;
	hand_seal(&h);
	EXPECT(HTREE_X_ROOT);
	p[29] = 8;
	p[31] = 1;
	hand_seal(&h);
	EXPECT(HTREE_X_ROOT);
	p[31] = 0x82;		/* Linux and stock e2fsck ignore these */
	hand_seal(&h);
	HEALTHY();
	p[31] = 0;
	for (int v = 3; v < 256; v += v == 5 ? 2 : 1) {
		p[28] = (uint8_t)v;
		hand_seal(&h);
		EXPECT(HTREE_X_VERSION);
		if (v == 9)
			v = 250;
	}
	all_names();
	hand_free(&h);

	hand_init(&h, 1024, _i);
	hand_indexed(&h, 0, DIRHASH_SIPHASH);
	EXPECT(HTREE_X_VERSION_FOREIGN);
	h.dir.default_version = DIRHASH_SIPHASH;
	HEALTHY();
	hand_free(&h);

	hand_init(&h, 1024, _i);
	h.dir.encrypted = h.dir.casefold = true;
	hand_indexed(&h, 0, DIRHASH_HALF_MD4);
	EXPECT(HTREE_X_VERSION);
	hand_block(&h, 0)[28] = 6;
	hand_seal(&h);
	HEALTHY();
}
END_TEST

START_TEST(test_levels)
{
	uint8_t *p;

	indexed(_i, 0);
	p = hand_block(&h, 0);
	for (int levels = 2; levels < 256; levels += 63) {
		p[30] = (uint8_t)levels;
		hand_seal(&h);
		if (levels == 2)
			EXPECT(HTREE_X_LEVELS, HTREE_X_NODE);
		else
			EXPECT(HTREE_X_LEVELS);
		all_names();
	}
	p[30] = 1;
	hand_seal(&h);
	EXPECT(HTREE_X_NODE);
	all_names();
	h.dir.max_indirect = 2;
	p[30] = 2;
	hand_seal(&h);
	EXPECT(HTREE_X_NODE);
	p[30] = 3;
	hand_seal(&h);
	EXPECT(HTREE_X_LEVELS);
	all_names();
}
END_TEST

START_TEST(test_limit_count)
{
	unsigned room;
	uint32_t block;

	indexed(_i & 1, 1);
	block = _i & 2 ? HAND_LEAVES + 1 : 0;
	room = hand_room_entries(&h, block);
	hand_limit(&h, block, room - 1, block ? 3 : 2);
	hand_seal(&h);
	EXPECT(HTREE_X_LIMIT);
	hand_limit(&h, block, room + 1, block ? 3 : 2);
	hand_seal(&h);
	if (_i & 1)
		EXPECT(HTREE_X_LIMIT, HTREE_X_NO_TAIL);
	else
		EXPECT(HTREE_X_LIMIT);
	hand_limit(&h, block, 0xffff, block ? 3 : 2);
	if (_i & 1)
		EXPECT(HTREE_X_LIMIT, HTREE_X_NO_TAIL);
	else
		EXPECT(HTREE_X_LIMIT);
	hand_limit(&h, block, room, 0);
	hand_seal(&h);
	EXPECT(HTREE_X_COUNT);
	all_names();
	hand_limit(&h, block, room, 0xffff);
	EXPECT(HTREE_X_COUNT);
	all_names();
	hand_limit(&h, block, room, block ? 3 : 2);
	hand_seal(&h);
	HEALTHY();
	/* One entry less: its block is not reached, the rest is whole. */
	hand_limit(&h, block, room, block ? 2 : 1);
	hand_seal(&h);
	EXPECT(HTREE_X_UNREFERENCED);
}
END_TEST

START_TEST(test_order)
{
	uint32_t one, two;
	uint8_t *t;

	indexed(_i, 0);
	t = hand_table(&h, 0);
	one = hand_get32(t + 8);
	two = hand_get32(t + 16);
	hand_put32(t + 8, two);
	hand_put32(t + 16, one);
	hand_seal(&h);
	EXPECT(HTREE_X_ORDER, HTREE_X_HASH_RANGE);
	hand_put32(t + 8, one);
	hand_put32(t + 16, two);
	hand_seal(&h);
	HEALTHY();
	hand_free(&h);

	/* Over a node's end: its last hash is above its parent's next one. */
	indexed(_i, 1);
	t = hand_table(&h, HAND_LEAVES + 1);
	one = hand_get32(t + 16);
	hand_put32(t + 16, hand_get32(hand_table(&h, 0) + 8) + 2);
	hand_seal(&h);
	EXPECT(HTREE_X_ORDER, HTREE_X_HASH_RANGE);
	/* And its second one below what its parent says of it. */
	hand_put32(t + 16, one);
	t = hand_table(&h, HAND_LEAVES + 2);
	hand_put32(t + 8, hand_get32(hand_table(&h, 0) + 8) - 2);
	hand_seal(&h);
	EXPECT(HTREE_X_ORDER, HTREE_X_HASH_RANGE);
}
END_TEST

START_TEST(test_children)
{
	uint8_t *t;

	indexed(_i, 0);
	t = hand_table(&h, 0);
	hand_put32(t + 12, 0);
	hand_seal(&h);
	EXPECT(HTREE_X_BLOCK, HTREE_X_UNREFERENCED);
	hand_put32(t + 12, HAND_LEAVES + 1);
	hand_seal(&h);
	EXPECT(HTREE_X_BLOCK, HTREE_X_UNREFERENCED);
	hand_put32(t + 12, 5);
	hand_seal(&h);
	EXPECT(HTREE_X_TWICE, HTREE_X_UNREFERENCED, HTREE_X_HASH_RANGE);
	all_names();
	hand_put32(t + 12, 0xf0000002);		/* the low 28 bits count */
	hand_seal(&h);
	HEALTHY();
	hand_resize(&h, HAND_LEAVES + 2);
	hand_fill(&h, HAND_LEAVES + 1, 0, 300,
		  (const char *const []){ "more", NULL });
	hand_seal(&h);
	EXPECT(HTREE_X_UNREFERENCED);
	hand_free(&h);

	/* A node that names itself, the root, its sibling. */
	indexed(_i, 1);
	t = hand_table(&h, HAND_LEAVES + 1);
	hand_put32(t + 12, HAND_LEAVES + 1);
	hand_seal(&h);
	EXPECT(HTREE_X_TWICE, HTREE_X_UNREFERENCED);
	hand_put32(t + 12, 0);
	hand_seal(&h);
	EXPECT(HTREE_X_BLOCK, HTREE_X_UNREFERENCED);
	all_names();
}
END_TEST

START_TEST(test_node_record)
{
	uint8_t *p;

	indexed(_i, 1);
	p = hand_block(&h, HAND_LEAVES + 1);
	hand_put32(p, 77);
	hand_seal(&h);
	EXPECT(HTREE_X_NODE, HTREE_F_NAME_LEN, _i ? HTREE_L_TAIL_MISSING :
	       HTREE_F_NAME_LEN);
	all_names();
	hand_put32(p, 0);
	hand_put16(p + 4, 12);		/* by its limit it is one */
	hand_seal(&h);
	EXPECT(HTREE_X_NODE);
	all_names();
}
END_TEST

START_TEST(test_hash_range)
{
	struct seen s;
	uint32_t bound;
	uint8_t *t;

	indexed(_i & 1, _i >> 1);
	t = hand_table(&h, _i >> 1 ? HAND_LEAVES + 1 : 0);
	bound = hand_get32(t + 8);
	hand_put32(t + 8, bound - 2);		/* loose is fine */
	hand_seal(&h);
	HEALTHY();
	hand_put32(t + 8, bound | 1);		/* so is a bit left over */
	hand_seal(&h);
	HEALTHY();
	hand_put32(t + 8, bound + 2);
	hand_seal(&h);
	EXPECT(HTREE_X_HASH_RANGE);
	verify(&h.m.blocks, &s);
	ck_assert_uint_eq(s.last.block, 2);
	hand_put32(t + 8, h.names[HAND_LEAF - 1].hash.hash - 2);
	hand_seal(&h);
	EXPECT(HTREE_X_HASH_RANGE);
	hand_put32(t + 8, bound);
	h.dir.seed[3] ^= 1;
	hand_seal(&h);
	EXPECT(HTREE_X_HASH_RANGE);
}
END_TEST

/* The last name of leaf 1 has the hash with which leaf 2 begins. */
START_TEST(test_continuation)
{
	uint32_t last;
	uint8_t *t;

	indexed(_i & 1, _i >> 1);
	t = hand_table(&h, _i >> 1 ? HAND_LEAVES + 1 : 0);
	last = h.names[HAND_LEAF - 1].hash.hash;
	hand_put32(t + 8, last);
	hand_seal(&h);
	EXPECT(HTREE_X_CONTINUATION);
	hand_put32(t + 8, last | 1);
	hand_seal(&h);
	HEALTHY();
	hand_free(&h);
	if (!(_i >> 1))
		return;
	/* The same over the end of a node. */
	indexed(_i & 1, 1);
	last = h.names[HAND_NAMES / 2 - 1].hash.hash;
	hand_put32(hand_table(&h, 0) + 8, last);
	hand_seal(&h);
	EXPECT(HTREE_X_CONTINUATION);
	hand_put32(hand_table(&h, 0) + 8, last | 1);
	hand_seal(&h);
	HEALTHY();
}
END_TEST

/* A collision over three leaves: equal hashes in a node, all with the bit. */
START_TEST(test_long_collision)
{
	static const uint8_t no_seed[16];
	uint32_t offset[4] = { 0, 0, 0, 0 }, hash = 0x1234;

	hand_init(&h, 1024, _i);
	h.dir.encrypted = h.dir.casefold = h.dir.indexed = true;
	memcpy(h.dir.seed, no_seed, 16);
	hand_resize(&h, 4);
	for (uint32_t b = 1; b < 4; b++) {
		for (uint32_t i = 0; i < 5; i++) {
			uint8_t *p = hand_block(&h, b) + offset[b];
			char name[20];

			snprintf(name, sizeof(name), "ciphertext-%02u-%02u",
				 b, i);
			offset[b] = hand_record(&h, b, offset[b], 100,
				i == 4 ? hand_room(&h) - offset[b] : 32, name);
			hand_put32(p + 24, hash);
		}
	}
	hand_root(&h, 0, DIRHASH_SIPHASH, 3);
	hand_entry(&h, 0, 0, 0, 1);
	hand_entry(&h, 0, 1, hash | 1, 2);
	hand_entry(&h, 0, 2, hash | 1, 3);
	hand_seal(&h);
	HEALTHY();
	hand_entry(&h, 0, 2, hash, 3);
	hand_seal(&h);
	EXPECT(HTREE_X_CONTINUATION, HTREE_X_ORDER);
}
END_TEST

START_TEST(test_index_checksum)
{
	indexed(true, 1);
	hand_block(&h, 0)[1023] ^= 0x10;
	EXPECT(HTREE_X_CHECKSUM);
	hand_seal(&h);
	HEALTHY();
	hand_block(&h, HAND_LEAVES + 2)[1023] ^= 0x10;
	EXPECT(HTREE_X_CHECKSUM);
	hand_seal(&h);
	hand_block(&h, 0)[24 + 3] = 1;
	EXPECT(HTREE_X_CHECKSUM, HTREE_X_ROOT);
}
END_TEST

/* INDEX_FL where no index is, or where none may be. */
START_TEST(test_no_index)
{
	struct seen s;

	linear(_i);
	h.dir.indexed = true;
	EXPECT(HTREE_X_NO_FEATURE);
	verify(&h.m.blocks, &s);
	ck_assert_uint_eq(s.entries, 5);
	hand_free(&h);
	indexed(_i, 1);
	h.dir.dir_index = false;
	EXPECT(HTREE_X_NO_FEATURE);
	all_names();
	hand_free(&h);
	/* The flag is gone, the blocks are as they were. */
	indexed(_i, 1);
	h.dir.indexed = false;
	if (_i)
		EXPECT(HTREE_L_TAIL_MISSING);
	else
		HEALTHY();
	all_names();
}
END_TEST

/* A root whose ".." is short must neither lose nor invent entries. */
START_TEST(test_short_dotdot)
{
	struct seen s;

	indexed(_i & 1, 0);
	hand_put16(hand_block(&h, 0) + 16, 12);
	hand_seal(&h);
	EXPECT(HTREE_D_DOT_LAYOUT);
	all_names();
	hand_put16(hand_block(&h, 0) + 16, 0xfff0);
	hand_seal(&h);
	EXPECT(HTREE_D_DOT_LAYOUT);
	verify(&h.m.blocks, &s);
	ck_assert_uint_eq(s.entries, HAND_NAMES);
}
END_TEST

int main(void)
{
	TCase *c = make_case("verify");

	tcase_add_checked_fixture(c, NULL, teardown);
	tcase_add_loop_test(c, test_root_fields, 0, 2);
	tcase_add_loop_test(c, test_levels, 0, 2);
	tcase_add_loop_test(c, test_limit_count, 0, 4);
	tcase_add_loop_test(c, test_order, 0, 2);
	tcase_add_loop_test(c, test_children, 0, 2);
	tcase_add_loop_test(c, test_node_record, 0, 2);
	tcase_add_loop_test(c, test_hash_range, 0, 4);
	tcase_add_loop_test(c, test_continuation, 0, 4);
	tcase_add_loop_test(c, test_long_collision, 0, 2);
	tcase_add_test(c, test_index_checksum);
	tcase_add_loop_test(c, test_no_index, 0, 2);
	tcase_add_loop_test(c, test_short_dotdot, 0, 2);
	return run_case("htree_verify_index", c);
}
