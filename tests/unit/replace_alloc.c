/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding and taking free clusters, on bit arrays alone. */
#include <stdlib.h>
#include <string.h>
#include "e2dx_err.h"
#include "ext2fs/alloc.h"
#include "suite.h"

#define BASE 1		/* as with 1 KiB blocks: block 0 is outside */
#define PER_GROUP 256
#define GROUPS 8
#define END (BASE + GROUPS * PER_GROUP - 100)	/* a short last group */
#define WORDS (END / 64 + 1)

static uint64_t owned[WORDS], bitmap[WORDS];
static struct e2dx_space space;

static int get(const uint64_t *words, uint64_t at)
{
	return (int)(words[at / 64] >> (at % 64)) & 1;
}

static void use(uint64_t *words, uint64_t from, uint64_t end)
{
	for (; from < end; from++)
		words[from / 64] |= UINT64_C(1) << (from % 64);
}

static void start(void)
{
	ck_assert_int_eq(e2dx_space_init(&space, owned, bitmap, BASE, END,
					 PER_GROUP), 0);
}

static void setup(void)
{
	memset(owned, 0, sizeof(owned));
	memset(bitmap, 0, sizeof(bitmap));
}

static void teardown(void)
{
	e2dx_space_done(&space);
}

static uint64_t group_start(unsigned g)
{
	return BASE + g * PER_GROUP;
}

START_TEST(counts_and_ranges)
{
	uint64_t first, end;

	use(owned, BASE, BASE + 10);
	use(bitmap, BASE + 5, BASE + 20);
	start();
	ck_assert_uint_eq(space.groups, GROUPS);
	ck_assert_uint_eq(space.free, END - BASE - 20);
	e2dx_space_range(&space, GROUPS - 1, &first, &end);
	ck_assert_uint_eq(first, group_start(GROUPS - 1));
	ck_assert_uint_eq(end, END);
}
END_TEST

/* What only one of the two arrays calls free is not. */
START_TEST(both_must_be_free)
{
	struct e2dx_pieces p;

	use(owned, BASE, BASE + 64);
	use(bitmap, BASE + 64, BASE + 128);
	start();
	e2dx_pieces_init(&p);
	ck_assert_int_eq(e2dx_space_take(&space, 0, 3, UINT64_MAX, &p), 0);
	ck_assert_uint_eq(p.n, 1);
	ck_assert_uint_eq(p.v[0].first, BASE + 128);
	ck_assert(get(owned, BASE + 130) && get(bitmap, BASE + 130));
	ck_assert(!get(owned, BASE + 131) && !get(bitmap, BASE + 131));
	e2dx_space_give(&space, &p);
	ck_assert(!get(owned, BASE + 128) && !get(bitmap, BASE + 128));
	e2dx_pieces_free(&p);
}
END_TEST

START_TEST(contiguous_near_the_goal)
{
	struct e2dx_pieces p;

	/* The goal group has pieces of 4 only; the next one a run of 50. */
	for (uint64_t i = group_start(2); i < group_start(3); i += 8)
		use(bitmap, i, i + 4);
	use(bitmap, group_start(3), group_start(3) + 206);
	start();
	e2dx_pieces_init(&p);
	ck_assert_int_eq(e2dx_space_take(&space, 2, 50, UINT64_MAX, &p), 0);
	ck_assert_uint_eq(p.n, 1);
	ck_assert_uint_eq(p.v[0].first, group_start(3) + 206);
	e2dx_pieces_free(&p);
}
END_TEST

START_TEST(lazy_groups_last)
{
	struct e2dx_pieces p;

	start();
	memset(space.lazy, 1, GROUPS);
	space.lazy[5] = 0;
	e2dx_pieces_init(&p);
	ck_assert_int_eq(e2dx_space_take(&space, 0, PER_GROUP, UINT64_MAX, &p),
			 0);
	ck_assert_uint_eq(p.v[0].first, group_start(5));
	p.n = 0;
	/* Now only lazy ones are left. */
	ck_assert_int_eq(e2dx_space_take(&space, 3, 5, UINT64_MAX, &p), 0);
	ck_assert_uint_eq(p.v[0].first, group_start(3));
	e2dx_pieces_free(&p);
}
END_TEST

/* Everything in pieces: the longest are taken before the short ones. */
START_TEST(longest_pieces_first)
{
	struct e2dx_pieces p;

	use(bitmap, BASE, END);
	memset(bitmap, 0xff, sizeof(bitmap));
	for (unsigned g = 0; g < GROUPS; g++)
		for (unsigned i = 0; i < 4; i++)
			bitmap[(group_start(g) + i * 3) / 64] &=
				~(UINT64_C(1) << ((group_start(g) + i * 3) % 64));
	for (uint64_t i = group_start(6) + 64; i < group_start(6) + 96; i++)
		bitmap[i / 64] &= ~(UINT64_C(1) << (i % 64));
	start();
	ck_assert_uint_eq(space.free, GROUPS * 4 + 32);
	e2dx_pieces_init(&p);
	ck_assert_int_eq(e2dx_space_take(&space, 0, 34, UINT64_MAX, &p), 0);
	ck_assert_uint_eq(p.v[0].first, group_start(6) + 64);
	ck_assert_uint_eq(p.v[0].count, 32);
	ck_assert_uint_eq(e2dx_pieces_total(&p), 34);
	ck_assert_uint_eq(space.free, GROUPS * 4 - 2);
	e2dx_pieces_free(&p);
}
END_TEST

START_TEST(all_or_nothing)
{
	struct e2dx_pieces p;
	uint64_t before;

	use(bitmap, BASE + 10, END);
	start();
	before = space.free;
	e2dx_pieces_init(&p);
	ck_assert_int_eq(e2dx_space_take(&space, 4, 11, UINT64_MAX, &p),
			 E2DX_ET_NO_SPACE);
	/* Free, but behind the limit. */
	ck_assert_int_eq(e2dx_space_take(&space, 4, 10, BASE + 6, &p),
			 E2DX_ET_NO_SPACE);
	ck_assert_uint_eq(p.n, 0);
	ck_assert_uint_eq(space.free, before);
	ck_assert(!get(owned, BASE) && !get(owned, BASE + 9));
	ck_assert_int_eq(e2dx_space_take(&space, 4, 6, BASE + 6, &p), 0);
	ck_assert_uint_eq(p.v[0].first, BASE);
	p.n = 0;
	/* A limit does not make the group look full afterwards. */
	ck_assert_int_eq(e2dx_space_take(&space, 4, 4, UINT64_MAX, &p), 0);
	ck_assert_uint_eq(p.v[0].first, BASE + 6);
	ck_assert_uint_eq(space.free, 0);
	e2dx_pieces_free(&p);
}
END_TEST

/* Random takes and gives against a plain byte map. */
START_TEST(random_against_a_byte_map)
{
	static uint8_t model[END];
	struct e2dx_pieces held[64];
	uint64_t free_model;

	memset(model, 0, sizeof(model));
	srand(7);
	for (uint64_t i = BASE; i < END; i++)
		if (rand() % 3 == 0) {
			use(rand() % 2 ? owned : bitmap, i, i + 1);
			model[i] = 1;
		}
	start();
	for (int i = 0; i < 64; i++)
		e2dx_pieces_init(&held[i]);
	free_model = space.free;
	for (int round = 0; round < 4000; round++) {
		struct e2dx_pieces *p = &held[rand() % 64];
		uint64_t n = 1 + (uint64_t)(rand() % 60);

		if (p->n) {
			e2dx_space_give(&space, p);
			free_model += e2dx_pieces_total(p);
			for (size_t i = 0; i < p->n; i++)
				memset(model + p->v[i].first, 0, p->v[i].count);
			p->n = 0;
			continue;
		}
		if (e2dx_space_take(&space, (uint32_t)(rand() % GROUPS), n,
				    UINT64_MAX, p)) {
			ck_assert_uint_lt(free_model, n);
			continue;
		}
		ck_assert_uint_eq(e2dx_pieces_total(p), n);
		free_model -= n;
		for (size_t i = 0; i < p->n; i++)
			for (uint64_t c = 0; c < p->v[i].count; c++) {
				uint64_t at = p->v[i].first + c;

				ck_assert(at >= BASE && at < END);
				ck_assert_int_eq(model[at], 0);
				model[at] = 1;
			}
	}
	ck_assert_uint_eq(space.free, free_model);
	for (uint64_t i = BASE; i < END; i++)
		ck_assert_int_eq(model[i], get(owned, i) || get(bitmap, i));
	for (int i = 0; i < 64; i++)
		e2dx_pieces_free(&held[i]);
}
END_TEST

START_TEST(merging)
{
	struct e2dx_pieces p;

	e2dx_pieces_init(&p);
	ck_assert_int_eq(e2dx_pieces_add(&p, 50, 5), 0);
	ck_assert_int_eq(e2dx_pieces_add(&p, 55, 5), 0);
	ck_assert_uint_eq(p.n, 1);
	ck_assert_int_eq(e2dx_pieces_add(&p, 10, 4), 0);
	ck_assert_int_eq(e2dx_pieces_add(&p, 12, 1), 0);
	ck_assert_int_eq(e2dx_pieces_add(&p, 14, 36), 0);
	ck_assert_int_eq(e2dx_pieces_add(&p, 70, 1), 0);
	e2dx_pieces_merge(&p);
	ck_assert_uint_eq(p.n, 2);
	ck_assert_uint_eq(p.v[0].first, 10);
	ck_assert_uint_eq(p.v[0].count, 50);
	ck_assert_uint_eq(p.v[1].first, 70);
	e2dx_pieces_free(&p);
}
END_TEST

int main(void)
{
	TCase *t = make_case("alloc");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, counts_and_ranges);
	tcase_add_test(t, both_must_be_free);
	tcase_add_test(t, contiguous_near_the_goal);
	tcase_add_test(t, lazy_groups_last);
	tcase_add_test(t, longest_pieces_first);
	tcase_add_test(t, all_or_nothing);
	tcase_add_test(t, random_against_a_byte_map);
	tcase_add_test(t, merging);
	return run_case("replace_alloc", t);
}
