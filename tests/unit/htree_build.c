/* SPDX-License-Identifier: GPL-2.0-or-later */
/* htree_build(), judged by htree_reader.c: layouts, levels, how full. */

#include "e2dx_err.h"
#include "build_fixture.h"
#include "htree/layout.h"
#include "htree/plan.h"

START_TEST(every_layout_indexed)
{
	static const int versions[] = { 0, 1, 2, 6 };
	struct htree_dir d = matrix_dir(_i);
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;
	size_t i;

	htree_entries_init(&e);
	for (i = 0; i < 200 + d.block_size / 6; i++)
		add(&e, i, 1 + i * i % 255, (uint32_t)(i * 40503 % 9973) * 2);
	build(&d, &e, versions[_i / 8 % 4], &res, &r);
	ck_assert(res.indexed);
	ck_assert_uint_gt(r.n_leaves, 2);
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

START_TEST(every_layout_linear)
{
	struct htree_dir d = matrix_dir(_i);
	struct htree_build_options o = { false, 99, BUILD_PARENT, 0 };
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;
	size_t i, l;

	htree_entries_init(&e);
	for (i = 0; i < 200 + d.block_size / 8; i++)
		add(&e, i, 1 + i * i % 255, 0);
	build_as(&d, &e, &o, &res, &r);
	ck_assert(!res.indexed);
	ck_assert_uint_gt(res.blocks, 2);
	/* Entries in their order, no leaf that could take the next one too. */
	for (i = 0; i < e.n; i++)
		EXPECT(r.v[i].ino == e.v[i].ino);
	for (l = 0; l + 1 < r.n_leaves; l++)
		ck_assert_uint_gt(r.leaves[l].used + htree_record_size(&d,
					r.v[r.leaves[l + 1].first].len),
				  htree_leaf_room(&d));
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

/* Leaves whose level is just full, and one more. */
static void boundary(struct htree_dir *d, size_t per_leaf, size_t leaves,
		     size_t len, int levels)
{
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;

	fill(&e, leaves * per_leaf, len);
	build(d, &e, 6, &res, &r);
	ck_assert_uint_eq(r.n_leaves, leaves);
	ck_assert_int_eq(res.indirect_levels, levels);
	reading_free(&r);
	add(&e, e.n, len, 0x7ffffff0);
	build(d, &e, 6, &res, &r);
	ck_assert_uint_eq(r.n_leaves, leaves + 1);
	ck_assert_int_eq(res.indirect_levels, levels + 1);
	reading_free(&r);
	htree_entries_free(&e);
}

START_TEST(level_boundary_root)
{
	struct htree_dir d = a_dir(1024u << _i);
	size_t per_leaf;

	store_hashes(&d);
	per_leaf = (htree_leaf_room(&d) - htree_leaf_room(&d) / 8) / 272;
	if (_i == 0)
		per_leaf = 2;		/* a quarter is kept free there */
	boundary(&d, per_leaf, htree_root_limit(&d), 252, 0);
}
END_TEST

START_TEST(level_boundary_nodes)
{
	struct htree_dir d = a_dir(1024);

	store_hashes(&d);
	d.max_indirect = 2;
	ck_assert_uint_eq(htree_root_limit(&d), 123);
	ck_assert_uint_eq(htree_node_limit(&d), 125);
	boundary(&d, 2, 123 * 125, 252, 1);
}
END_TEST

START_TEST(limits)
{
	struct htree_dir d = a_dir(1024);

	ck_assert_uint_eq(htree_root_limit(&d), 123);
	ck_assert_uint_eq(htree_node_limit(&d), 126);
	d.metadata_csum = false;
	ck_assert_uint_eq(htree_root_limit(&d), 124);
	ck_assert_uint_eq(htree_node_limit(&d), 127);
	d.encrypted = true;
	ck_assert_uint_eq(htree_node_limit(&d), 127);
	d.casefold = true;
	ck_assert_uint_eq(htree_root_limit(&d), 124);
	ck_assert_uint_eq(htree_node_limit(&d), 126);
	d.block_size = 4096;
	ck_assert_uint_eq(htree_root_limit(&d), 508);
	d.encrypted = false;
	ck_assert_uint_eq(htree_node_limit(&d), 511);
	d.block_size = 65536;
	ck_assert_uint_eq(htree_root_limit(&d), 8188);
	ck_assert_uint_eq(htree_node_limit(&d), 8191);
}
END_TEST

/* Too many for leaves with slack: full leaves; too many for these: refused. */
START_TEST(full_leaves_then_refused)
{
	struct htree_dir d = a_dir(1024);
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;

	d.max_indirect = 0;
	fill(&e, 123 * 3, 252);
	build(&d, &e, 1, &res, &r);
	ck_assert_uint_eq(r.n_leaves, 123);
	ck_assert_int_eq(res.indirect_levels, 0);
	reading_free(&r);
	add(&e, e.n, 252, 0);
	ck_assert_int_eq(build_error(&d, &e, 1), E2DX_ET_DIR_FULL);
	d.max_indirect = 1;
	build(&d, &e, 1, &res, &r);
	ck_assert_int_eq(res.indirect_levels, 1);
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

START_TEST(plans)
{
	struct htree_dir d = a_dir(1024);
	struct htree_plan p;
	int l;
	uint32_t i, share;

	ck_assert_int_eq(htree_plan_index(&d, 123 * 126, &p), 0);
	ck_assert_int_eq(p.interior, 1);
	ck_assert_uint_eq(p.count[0], 123);
	ck_assert_int_eq(htree_plan_index(&d, 123 * 126 + 1, &p),
			 E2DX_ET_DIR_FULL);
	d.max_indirect = 2;
	ck_assert_int_eq(htree_plan_index(&d, 123 * 126 + 1, &p), 0);
	ck_assert_int_eq(p.interior, 2);
	ck_assert_int_eq(htree_plan_index(&d, 123 * 126 * 126, &p), 0);
	ck_assert_uint_eq(p.blocks, 1 + 123 + 123 * 126 + 123 * 126 * 126);
	ck_assert_uint_eq(p.start[2], 1 + 123 + 123 * 126);
	ck_assert_int_eq(htree_plan_index(&d, 123 * 126 * 126 + 1, &p),
			 E2DX_ET_DIR_FULL);
	/* No node above its limit, none empty, all children in order. */
	ck_assert_int_eq(htree_plan_index(&d, 1234567, &p), 0);
	for (l = 0; l < p.interior; l++) {
		ck_assert_uint_eq(htree_plan_child(&p, l, 0), 0);
		ck_assert_uint_eq(htree_plan_child(&p, l, p.count[l]),
				  p.count[l + 1]);
		for (i = 0; i < p.count[l]; i++) {
			share = htree_plan_child(&p, l, i + 1) -
				htree_plan_child(&p, l, i);
			EXPECT(share >= 1 && share <= 126 - 126 / 8);
		}
	}
}
END_TEST

/* Block numbers have 28 bits; without large_dir a directory ends at 2 GiB. */
START_TEST(plans_too_large)
{
	struct htree_dir d = a_dir(65536);
	struct htree_plan p;

	ck_assert_uint_eq(htree_plan_max_blocks(&d, true), 1u << 15);
	ck_assert_uint_eq(htree_plan_max_blocks(&d, false), 1u << 15);
	ck_assert_int_eq(htree_plan_index(&d, 32762, &p), 0);
	ck_assert_uint_eq(p.blocks, 1u << 15);
	ck_assert_int_eq(htree_plan_index(&d, 32763, &p), E2DX_ET_DIR_FULL);
	d.max_indirect = 2;
	ck_assert_uint_eq(htree_plan_max_blocks(&d, true), 1u << 28);
	ck_assert_int_eq(htree_plan_index(&d, 1u << 27, &p), 0);
	ck_assert_int_eq(htree_plan_index(&d, (1u << 28) - 2, &p),
			 E2DX_ET_DIR_FULL);
	ck_assert_int_eq(htree_plan_index(&d, (uint64_t)1 << 33, &p),
			 E2DX_ET_DIR_FULL);
}
END_TEST

START_TEST(one_block)
{
	struct htree_dir d = a_dir(1024u << _i);
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;
	size_t n;

	/* Nothing at all. */
	htree_entries_init(&e);
	build(&d, &e, 1, &res, &r);
	ck_assert_uint_eq(res.blocks, 1);
	ck_assert(!res.indexed);
	reading_free(&r);
	/* Just full: the dots, n of 20, and one of what is left. */
	for (n = 0; (n + 2) * 20 + 36 <= htree_leaf_room(&d); n++)
		add(&e, n, 12, 0);
	add(&e, n, htree_leaf_room(&d) - 24 - 20 * n - 8, 0);
	build(&d, &e, 1, &res, &r);
	ck_assert_uint_eq(res.blocks, 1);
	ck_assert(!res.indexed);
	ck_assert_uint_eq(r.leaves[0].used, htree_leaf_room(&d));
	reading_free(&r);
	add(&e, n + 1, 1, 0);
	build(&d, &e, 1, &res, &r);
	ck_assert(res.indexed);
	ck_assert_uint_eq(res.blocks, 3);
	ck_assert_int_eq(res.indirect_levels, 0);
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

START_TEST(min_blocks)
{
	struct htree_dir d = matrix_dir(_i);
	struct htree_build_options o = { true, 1, BUILD_PARENT, 16 };
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;

	htree_entries_init(&e);
	build_as(&d, &e, &o, &res, &r);
	ck_assert_uint_eq(res.blocks, 16);
	ck_assert(!res.indexed);
	reading_free(&r);
	add(&e, 1, 255, 2);
	add(&e, 2, 1, 4);
	build_as(&d, &e, &o, &res, &r);
	ck_assert_uint_eq(res.blocks, 16);
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

/* Each leaf but the last takes one more name without a split. */
START_TEST(slack)
{
	static const size_t lengths[] = { 1, 6, 40, 120, 200, 230 };
	struct htree_dir d = a_dir(_i % 2 ? 4096 : 1024);
	size_t len = lengths[_i / 2], i;
	uint32_t room = htree_leaf_room(&d), record;
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;

	fill(&e, 3000, len);
	record = htree_record_size(&d, len < 4 ? 4 : (uint32_t)len);
	build(&d, &e, 2, &res, &r);
	for (i = 0; i + 1 < r.n_leaves; i++) {
		ck_assert_uint_le(r.leaves[i].used + record, room);
		ck_assert_uint_le(r.leaves[i].used, room - room / 8);
		/* Not more empty than that needs. */
		ck_assert_uint_gt(r.leaves[i].used + record,
				  room - room / 4 - 4);
	}
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

START_TEST(renamed)
{
	struct htree_dir d = a_dir(1024);
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;
	size_t i;

	fill(&e, 500, 20);
	for (i = 0; i < e.n; i += 3)
		ck_assert_int_eq(htree_entry_rename(&e, i,
			(const uint8_t *)"a new name of forty-five bytes, no less ~"
			"xyzw", 1 + i % 45), 0);
	e.v[7].ino = 0;
	build(&d, &e, 1, &res, &r);
	ck_assert_uint_eq(r.n, 499);
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

int main(void)
{
	TCase *t = make_case("build");

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, every_layout_indexed, 0, 7 * 8);
	tcase_add_loop_test(t, every_layout_linear, 0, 7 * 8);
	tcase_add_loop_test(t, level_boundary_root, 0, 3);
	tcase_add_test(t, level_boundary_nodes);
	tcase_add_test(t, limits);
	tcase_add_test(t, full_leaves_then_refused);
	tcase_add_test(t, plans);
	tcase_add_test(t, plans_too_large);
	tcase_add_loop_test(t, one_block, 0, 7);
	tcase_add_loop_test(t, min_blocks, 0, 7 * 8);
	tcase_add_loop_test(t, slack, 0, 12);
	tcase_add_test(t, renamed);
	return run_case("htree_build", t);
}
