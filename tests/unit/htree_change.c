/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * htree_insert, htree_remove and htree_lookup against a plain set: random
 * names come and go in directories of every kind, and what is in the set is
 * found, nothing else is, and htree_verify has nothing to say.
 *
 * HTREE_CHANGE_OPS: operations of each kind of directory (default below).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "change_model.h"
#include "e2dx_err.h"
#include "htree/layout.h"
#include "suite.h"

#define QUICK_OPS	6000

static unsigned long operations(void)
{
	const char *s = getenv("HTREE_CHANGE_OPS");

	return s ? strtoul(s, NULL, 10) : QUICK_OPS;
}

static const struct model_kind kinds[] = {
	/* version, block size, csum, levels, names, length, flags */
	{ DIRHASH_LEGACY, 1024, true, 1, 2000, 8, 0 },
	{ DIRHASH_HALF_MD4, 1024, true, 1, 4000, 8, 0 },
	{ DIRHASH_TEA, 1024, false, 1, 3000, 100, 0 },
	{ DIRHASH_SIPHASH, 1024, true, 1, 3000, 255, 0 },
	{ DIRHASH_SIPHASH, 1024, true, 2, 3000, 255, 0 },
	{ DIRHASH_HALF_MD4, 2048, true, 1, 3000, 60, 0 },
	{ DIRHASH_HALF_MD4, 4096, true, 1, 5000, 30, 0 },
	{ DIRHASH_TEA, 4096, true, 1, 4000, 255, 0 },
	{ DIRHASH_SIPHASH, 8192, false, 1, 5000, 30, 0 },
	{ DIRHASH_SIPHASH, 16384, true, 1, 3000, 40, 0 },
	{ DIRHASH_HALF_MD4, 65536, true, 1, 5000, 40, 0 },
	{ DIRHASH_TEA, 65536, false, 1, 3000, 255, 0 },
	{ DIRHASH_HALF_MD4, 1024, true, 1, 3000, 30, MODEL_UNSIGNED },
	{ DIRHASH_HALF_MD4, 1024, true, 1, 2000, 30, MODEL_NO_FILETYPE },
	{ DIRHASH_HALF_MD4, 1024, true, 1, 2000, 12, MODEL_CASEFOLD },
	{ DIRHASH_SIPHASH, 4096, false, 1, 2000, 20, MODEL_CASEFOLD },
	{ DIRHASH_SIPHASH, 1024, true, 1, 3000, 60, MODEL_STORED },
	{ DIRHASH_SIPHASH, 4096, true, 1, 3000, 30, MODEL_STORED },
	{ DIRHASH_SIPHASH, 1024, false, 1, 1500, 40,
	  MODEL_STORED | MODEL_COLLIDE },
	{ DIRHASH_LEGACY, 1024, true, 1, 600, 100, MODEL_COLLIDE },
	{ DIRHASH_LEGACY, 4096, true, 1, 900, 255, MODEL_COLLIDE },
	{ DIRHASH_HALF_MD4, 1024, true, 1, 300, 40, MODEL_LINEAR },
	{ DIRHASH_HALF_MD4, 4096, false, 1, 900, 40, MODEL_LINEAR },
};
#define KINDS	(int)(sizeof(kinds) / sizeof(kinds[0]))

START_TEST(test_model)
{
	struct model m;
	unsigned long n = operations();

	model_init(&m, &kinds[_i], (uint64_t)_i + 1);
	for (unsigned long i = 1; i <= n; i++) {
		model_step(&m);
		if (i % 1000 == 0 || i == n)
			model_check(&m);
	}
	model_empty(&m);
	model_free(&m);
}
END_TEST

int main(void)
{
	TCase *c = make_case("change");

	tcase_set_timeout(c, 0);
	tcase_add_loop_test(c, test_model, 0, KINDS);
	return run_case("htree_change", c);
}
