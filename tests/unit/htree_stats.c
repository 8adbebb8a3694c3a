/* SPDX-License-Identifier: GPL-2.0-or-later */
/* htree_stats against figures counted by hand. */
#include <string.h>
#include "e2dx_err.h"
#include "handmade.h"
#include "suite.h"

static struct hand h;

static void teardown(void)
{
	hand_free(&h);
}

static struct htree_stats stats(void)
{
	struct htree_stats s;

	ck_assert_int_eq(htree_stats(&h.dir, &h.m.blocks, &s), 0);
	return s;
}

static unsigned all_fill(const struct htree_stats *s)
{
	unsigned n = 0;

	for (int i = 0; i < 10; i++)
		n += s->fill[i];
	return n;
}

START_TEST(test_indexed)
{
	struct htree_stats s;
	uint32_t room;

	hand_init(&h, 1024, _i & 1);
	hand_indexed(&h, _i >> 1, DIRHASH_HALF_MD4);
	room = hand_room(&h);
	s = stats();
	ck_assert_int_eq(s.levels, 1 + (_i >> 1));
	ck_assert_int_eq(s.version, DIRHASH_HALF_MD4);
	ck_assert_uint_eq(s.entries, HAND_NAMES);
	ck_assert_uint_eq(s.blocks, h.m.blocks.count);
	ck_assert_uint_eq(s.leaves, HAND_LEAVES);
	ck_assert_uint_eq(s.nodes, _i >> 1 ? 3 : 1);
	ck_assert_uint_eq(s.leaf_bytes, HAND_LEAVES * room);
	ck_assert_uint_eq(s.leaf_bytes_used, HAND_NAMES * 16);
	ck_assert_uint_eq(s.fill[HAND_LEAF * 16 * 10 / room], HAND_LEAVES);
	ck_assert_uint_eq(all_fill(&s), HAND_LEAVES);
	ck_assert_uint_eq(s.equal_groups, 0);
	ck_assert_uint_eq(s.longest_chain, 0);
	ck_assert_uint_eq(s.straddling, 0);

	/* A bit in the parent speaks of the first leaf below it. */
	hand_put32(hand_table(&h, 0) + 8,
		   hand_get32(hand_table(&h, 0) + 8) | 1);
	ck_assert_uint_eq(stats().straddling, 1);
}
END_TEST

START_TEST(test_equal_hashes)
{
	struct htree_stats s;
	uint8_t *p;

	hand_init(&h, 1024, _i);
	h.dir.encrypted = h.dir.casefold = true;
	hand_indexed(&h, 0, DIRHASH_SIPHASH);
	/* Three names with the hash of the first, two with that of the fifth. */
	p = hand_block(&h, 1);
	memcpy(p + 24 + 16, p + 16, 4);
	memcpy(p + 48 + 16, p + 16, 4);
	memcpy(p + 5 * 24 + 16, p + 4 * 24 + 16, 4);
	s = stats();
	ck_assert_uint_eq(s.equal_groups, 2);
	ck_assert_uint_eq(s.longest_chain, 3);
	ck_assert_uint_eq(s.leaf_bytes_used, HAND_NAMES * 24);
}
END_TEST

START_TEST(test_linear)
{
	static const char *const full[] = {
		"a-name-of-28-bytes-for-this.", NULL
	}, *const none[] = { NULL };
	struct htree_stats s;
	uint32_t room, offset;

	hand_init(&h, 1024, _i);
	hand_resize(&h, 3);
	room = hand_room(&h);
	hand_fill(&h, 0, hand_dots(&h), 100, full);
	hand_fill(&h, 1, 0, 100, none);
	for (offset = 0; offset + 36 <= room; )
		offset = hand_record(&h, 2, offset, 100,
				     room - offset < 72 ? room - offset : 36,
				     full[0]);
	s = stats();
	ck_assert_int_eq(s.levels, 0);
	ck_assert_int_eq(s.version, -1);
	ck_assert_uint_eq(s.leaves, 3);
	ck_assert_uint_eq(s.nodes, 0);
	ck_assert_uint_eq(s.entries, 1 + room / 36);
	ck_assert_uint_eq(s.leaf_bytes, 3 * room - 24);
	ck_assert_uint_eq(s.leaf_bytes_used, 36 * (1 + room / 36));
	ck_assert_uint_eq(s.fill[0], 2);
	ck_assert_uint_eq(s.fill[9], 1);
}
END_TEST

START_TEST(test_damaged)
{
	hand_init(&h, 1024, _i);
	hand_indexed(&h, 1, DIRHASH_HALF_MD4);
	hand_block(&h, 0)[30] = 255;
	ck_assert_uint_eq(stats().entries, 0);
	hand_block(&h, 0)[30] = 1;
	hand_put32(hand_table(&h, 0) + 12, 0);
	ck_assert_uint_eq(stats().entries, HAND_NAMES / 2);
}
END_TEST

int main(void)
{
	TCase *c = make_case("stats");

	tcase_add_checked_fixture(c, NULL, teardown);
	tcase_add_loop_test(c, test_indexed, 0, 4);
	tcase_add_loop_test(c, test_equal_hashes, 0, 2);
	tcase_add_loop_test(c, test_linear, 0, 2);
	tcase_add_loop_test(c, test_damaged, 0, 2);
	return run_case("htree_stats", c);
}
