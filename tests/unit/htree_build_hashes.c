/* SPDX-License-Identifier: GPL-2.0-or-later */
/* htree_build() and equal hashes: groups over several leaves. */

#include "build_fixture.h"

/* All entries with one hash: every leaf but the first begins within it. */
START_TEST(one_hash)
{
	struct htree_dir d = a_dir(1024u << _i);
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;
	size_t i;

	store_hashes(&d);
	d.max_indirect = 2;
	htree_entries_init(&e);
	for (i = 0; i < 6000; i++)
		add(&e, i, 200, 0x1234568);
	build(&d, &e, 6, &res, &r);
	ck_assert_uint_eq(r.straddling, r.n_leaves - 1);
	if (_i == 0)
		ck_assert_uint_gt(r.nodes, 10);
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

/* Groups of equal hashes of every size from 1 to 12, over two levels. */
START_TEST(hash_groups)
{
	struct htree_dir d = a_dir(1024);
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;
	uint32_t group, i;
	size_t n = 0;

	store_hashes(&d);
	htree_entries_init(&e);
	for (group = 0; group < 800; group++)
		for (i = 0; i < 1 + group % 12; i++)
			add(&e, n++, 60 + i, 0xfffffff8 - group * 4096);
	build(&d, &e, 6, &res, &r);
	ck_assert_int_eq(res.indirect_levels, 1);
	ck_assert_uint_gt(r.straddling, 100);
	ck_assert_uint_lt(r.straddling, r.n_leaves - 50);
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

/*
 * Names that collide under legacy, found by trying: pairs only, an odd name
 * before them, eight to a leaf, so that each leaf ends within a pair.
 */
START_TEST(legacy_collisions)
{
	struct htree_dir d = a_dir(1024);
	struct htree_build_result res;
	struct htree_entries all, e;
	struct dirhasher h;
	struct reading r;
	size_t i, pairs = 0;

	htree_entries_init(&e);
	fill(&all, 240000, 100);
	ck_assert_int_eq(htree_dir_hasher(&d, 0, &h), 0);
	ck_assert_int_eq(htree_entries_hash(&all, &h), 0);
	ck_assert_int_eq(htree_entries_sort(&all), 0);
	for (i = 0; i + 1 < all.n && pairs < 400; i++) {
		struct htree_dirent x = { .file_type = 1 };
		size_t k;

		if (i && all.v[i].hash.hash != all.v[i + 1].hash.hash)
			continue;
		for (k = i; k < i + (i ? 2 : 1); k++) {
			x.ino = (uint32_t)k + 20;
			x.name = htree_entry_name(&all, k);
			x.name_len = all.v[k].name_len;
			ck_assert_int_eq(htree_entries_add(&e, &x), 0);
		}
		pairs += i > 0;
		i += i > 0;
	}
	ck_assert_uint_ge(pairs, 8);
	build(&d, &e, 0, &res, &r);
	ck_assert(res.indexed);
	ck_assert_uint_ge(r.straddling, 2);
	ck_assert_uint_eq(r.straddling, r.n_leaves - 1);
	reading_free(&r);
	htree_entries_free(&all);
	htree_entries_free(&e);
}
END_TEST

/* A stored hash with a damaged bit 0 still sorts into a sound index. */
START_TEST(stored_bit_zero)
{
	struct htree_dir d = a_dir(1024);
	struct htree_build_options o = { true, 6, BUILD_PARENT, 0 };
	struct htree_build_result res;
	struct htree_memory m;
	struct htree_entries e;
	struct reading r;
	size_t i;

	store_hashes(&d);
	htree_entries_init(&e);
	for (i = 0; i < 200; i++)
		add(&e, i, 100, 0x1000 + (i > 100));
	htree_memory_init(&m, 1024);
	ck_assert_int_eq(htree_build(&d, &e, &o, &m.blocks, &res), 0);
	ck_assert(reading_get(&d, true, m.data, res.blocks, &r));
	check_entries(&d, &e, &r);
	for (i = 1; i < r.n_leaves; i++)
		ck_assert_uint_eq(r.leaves[i].bound, 0x1001);
	reading_free(&r);
	htree_memory_free(&m);
	htree_entries_free(&e);
}
END_TEST

int main(void)
{
	TCase *t = make_case("build");

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, one_hash, 0, 7);
	tcase_add_test(t, hash_groups);
	tcase_add_test(t, legacy_collisions);
	tcase_add_test(t, stored_bit_zero);
	return run_case("htree_build_hashes", t);
}
