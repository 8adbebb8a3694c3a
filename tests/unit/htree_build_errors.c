/* SPDX-License-Identifier: GPL-2.0-or-later */
/* htree_build(): what it refuses, and backends that fail. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "e2dx_err.h"
#include "build_fixture.h"

START_TEST(refusals)
{
	struct htree_dir d = a_dir(1024);
	struct htree_entries e;
	int v;

	fill(&e, 500, 20);
	for (v = -1; v < 9; v++)
		ck_assert_int_eq(build_error(&d, &e, v),
				 v >= 0 && (v < 3 || v == 6) ? 0 :
				 E2DX_ET_HASH_UNKNOWN);
	d.casefold = true;	/* without a table */
	ck_assert_int_eq(build_error(&d, &e, 1), E2DX_ET_UNSUPPORTED);
	htree_entries_free(&e);
}
END_TEST

/* ---- a backend that fails */

struct failing {
	struct htree_blocks blocks;
	int writes_left;
};

static errcode_t failing_write(struct htree_blocks *b, uint32_t first,
			       uint32_t n, const void *buf)
{
	(void)first, (void)n, (void)buf;
	return ((struct failing *)b)->writes_left-- ? 0 : EIO;
}

static errcode_t failing_resize(struct htree_blocks *b, uint32_t count)
{
	b->count = count;
	return 0;
}

START_TEST(backend_errors)
{
	struct htree_blocks_ops ops = {
		.write = failing_write, .resize = failing_resize
	};
	struct htree_build_options o = { true, 1, BUILD_PARENT, 0 };
	struct htree_build_result res;
	struct htree_dir d = a_dir(1024);
	struct failing f = { { &ops, 1024, 0 }, 0 };
	struct htree_entries e;

	/* Two and a half buffers: the error may come at the first, a later
	   or the last write. */
	fill(&e, 2 * 600, 255);
	for (f.writes_left = 0; f.writes_left < 3; f.writes_left++) {
		int left = f.writes_left;

		ck_assert_int_eq(htree_build(&d, &e, &o, &f.blocks, &res), EIO);
		f.writes_left = left;
	}
	ck_assert_int_eq(htree_build(&d, &e, &o, &f.blocks, &res), 0);
	f.blocks.count = 0;
	ops.resize = NULL;
	ck_assert_int_eq(htree_build(&d, &e, &o, &f.blocks, &res),
			 E2DX_ET_READ_ONLY);
	o.parent = 0;
	f.blocks.count = 1000;
	ck_assert_int_eq(htree_build(&d, &e, &o, &f.blocks, &res), EINVAL);
	o.parent = BUILD_PARENT;
	f.blocks.block_size = 2048;
	ck_assert_int_eq(htree_build(&d, &e, &o, &f.blocks, &res), EINVAL);
	htree_entries_free(&e);
}
END_TEST

START_TEST(memory_backend)
{
	struct htree_memory m;
	uint8_t one[2048], two[4096];

	htree_memory_init(&m, 2048);
	memset(one, 0x5a, sizeof(one));
	ck_assert_int_eq(htree_blocks_read(&m.blocks, 0, 1, one), E2DX_ET_RANGE);
	ck_assert_int_eq(htree_blocks_resize(&m.blocks, 3), 0);
	ck_assert_int_eq(htree_blocks_write(&m.blocks, 2, 1, one), 0);
	ck_assert_int_eq(htree_blocks_write(&m.blocks, 3, 1, one), E2DX_ET_RANGE);
	ck_assert_int_eq(htree_blocks_write(&m.blocks, 2, 2, two), E2DX_ET_RANGE);
	ck_assert_int_eq(htree_blocks_read(&m.blocks, UINT32_MAX, 2, two),
			 E2DX_ET_RANGE);
	ck_assert_int_eq(htree_blocks_read(&m.blocks, 1, 2, two), 0);
	ck_assert_mem_eq(two + 2048, one, 2048);
	ck_assert_uint_eq(two[0], 0);
	/* What is cut off and added again is zero. */
	ck_assert_int_eq(htree_blocks_resize(&m.blocks, 1), 0);
	ck_assert_int_eq(htree_blocks_resize(&m.blocks, 3), 0);
	ck_assert_int_eq(htree_blocks_read(&m.blocks, 2, 1, one), 0);
	ck_assert_uint_eq(one[77], 0);
	htree_memory_free(&m);
	ck_assert_uint_eq(m.blocks.count, 0);
}
END_TEST

int main(void)
{
	TCase *t = make_case("build");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, refusals);
	tcase_add_test(t, backend_errors);
	tcase_add_test(t, memory_backend);
	return run_case("htree_build_errors", t);
}
