/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * htree_insert, htree_remove and htree_lookup against a plain set: random
 * names come and go in directories of every kind, and what is in the set is
 * found, nothing else is, and htree_verify has nothing to say.
 *
 * HTREE_CHANGE_OPS: operations of each kind of directory (default below).
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "change_model.h"
#include "change_record.h"
#include "e2dx_err.h"
#include "htree/ondisk.h"
#include "suite.h"

#define QUICK_OPS	10000

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

/*
 * 62,000 long names in blocks of 1 KiB need three levels with large_dir;
 * without it they do not fit, and what does not fit changes nothing.
 */
static const struct model_kind deep = {
	DIRHASH_HALF_MD4, 1024, true, 2, 62000, 255, 0
};

START_TEST(test_three_levels)
{
	struct model m;
	uint32_t i;

	model_init(&m, &deep, 3);
	for (i = 0; i < deep.names; i++)
		model_insert(&m, i);
	ck_assert_uint_eq(m.m.data[HTREE_ROOT_LEVELS], 2);
	model_check(&m);
	for (i = 0; i < deep.names; i++)
		model_lookup(&m, i);
	for (i = 0; i < deep.names; i++)
		model_remove(&m, (uint32_t)(i * 7919ull % deep.names));
	model_check(&m);
	ck_assert_uint_eq(m.b->count, 1);
	model_free(&m);
}
END_TEST

/* ---- errors leave every byte as it was */

static uint8_t *kept;
static uint32_t kept_count;

static void keep(const struct model *m)
{
	size_t size = (size_t)m->b->count * m->b->block_size;

	kept_count = m->b->count;
	kept = malloc(size);
	must(kept != NULL);
	memcpy(kept, m->m.data, size);
}

static void check_kept(const struct model *m)
{
	ck_assert_uint_eq(m->b->count, kept_count);
	ck_assert(!memcmp(kept, m->m.data,
			  (size_t)kept_count * m->b->block_size));
	free(kept);
}

static void refused(struct model *m, const struct htree_dirent *d,
		    errcode_t expected)
{
	keep(m);
	ck_assert_int_eq(htree_insert(&m->dir, m->b, d), expected);
	check_kept(m);
}

START_TEST(test_level_limit)
{
	struct model_kind shallow = deep;
	struct htree_dirent d;
	struct model m;
	uint8_t name[256];
	uint32_t i;

	shallow.max_indirect = 1;
	shallow.names = 80000;
	model_init(&m, &shallow, 4);
	for (i = 0; i < shallow.names; i++) {
		d = model_entry(&m, i, name);
		if (htree_insert(&m.dir, m.b, &d))
			break;
		m.ino[i] = d.ino;
		m.present++;
	}
	ck_assert_uint_lt(i, shallow.names);
	refused(&m, &d, E2DX_ET_DIR_FULL);
	model_check(&m);
	model_free(&m);
}
END_TEST

START_TEST(test_wrong_entries)
{
	static const uint8_t long_name[256] = { [0 ... 255] = 'x' };
	const struct model_kind kind = {
		DIRHASH_TEA, 1024, _i & 1, 1, 500, 30, _i & 2 ? MODEL_LINEAR : 0
	};
	struct htree_dirent d, found;
	struct model m;
	uint8_t name[256];

	model_init(&m, &kind, 6);
	for (uint32_t i = 0; i < kind.names; i++)
		model_insert(&m, i);
	d = model_entry(&m, 7, name);
	refused(&m, &d, EEXIST);
	d.name_len = 0;
	refused(&m, &d, E2DX_ET_NAME_LENGTH);
	d.name = (const uint8_t *)"..";
	d.name_len = 1;
	refused(&m, &d, EEXIST);
	d.name_len = 2;
	refused(&m, &d, EEXIST);
	d.name = (const uint8_t *)"a/b";
	d.name_len = 3;
	refused(&m, &d, EINVAL);
	d.name = long_name;
	d.name_len = 255;
	d.ino = 0;
	refused(&m, &d, EINVAL);
	d.ino = 10000001;
	refused(&m, &d, EINVAL);
	keep(&m);
	ck_assert_int_eq(htree_remove(&m.dir, m.b, long_name, 0, m.how),
			 E2DX_ET_NAME_LENGTH);
	ck_assert_int_eq(htree_remove(&m.dir, m.b, long_name, 256, m.how),
			 E2DX_ET_NAME_LENGTH);
	ck_assert_int_eq(htree_remove(&m.dir, m.b, long_name, 255, m.how),
			 E2DX_ET_NOT_FOUND);
	ck_assert_int_eq(htree_remove(&m.dir, m.b, (const uint8_t *)"..", 2,
				      m.how), EINVAL);
	ck_assert_int_eq(htree_lookup(&m.dir, m.b, long_name, 256, m.buffer,
				      &found), E2DX_ET_NAME_LENGTH);
	check_kept(&m);
	model_free(&m);
}
END_TEST

/* No block can be had: whatever would need one is refused, the rest works. */
START_TEST(test_no_space)
{
	struct model_kind kind = {
		DIRHASH_HALF_MD4, 1024, true, 1, 3000, 200, 0
	};
	struct htree_dirent d;
	struct record r;
	struct model m;
	uint8_t name[256];
	unsigned refusals = 0;

	model_init(&m, &kind, 8);
	record_init(&r, &m.m);
	m.b = &r.blocks;
	for (uint32_t i = 0; i < kind.names; i++) {
		errcode_t err;

		d = model_entry(&m, i, name);
		r.refuse = r.blocks.count + i % 3;
		keep(&m);
		err = htree_insert(&m.dir, m.b, &d);
		if (err) {
			ck_assert_int_eq(err, E2DX_ET_NO_SPACE);
			check_kept(&m);
			refusals++;
		} else {
			free(kept);
			m.ino[i] = d.ino;
			m.present++;
		}
		record_clear(&r);
	}
	ck_assert_uint_gt(refusals, 100);
	model_check(&m);
	record_free(&r);
	model_free(&m);
}
END_TEST

/* A flipped bit anywhere in the index or the leaf is found by its checksum. */
START_TEST(test_damage)
{
	struct model_kind kind = {
		DIRHASH_HALF_MD4, 1024, true, 1, 3000, 30, 0
	};
	struct htree_dirent d;
	struct model m;
	uint8_t name[256];

	model_init(&m, &kind, 9);
	for (uint32_t i = 0; i < 2000; i++)
		model_insert(&m, i);
	for (uint32_t i = 0; i < 1000; i++) {
		size_t at = model_random(&m, 1024) + 1024u *
			(i & 1 ? 0 : model_random(&m, m.b->count));
		errcode_t err;

		m.m.data[at] ^= 4;
		d = model_entry(&m, 2000 + i, name);
		keep(&m);
		err = htree_insert(&m.dir, m.b, &d);
		if (err) {
			check_kept(&m);
		} else {
			free(kept);
			m.ino[2000 + i] = d.ino;
			m.present++;
		}
		m.m.data[at] ^= 4;
		ck_assert(!err || err == E2DX_ET_DAMAGED ||
			  err == E2DX_ET_UNSUPPORTED);
	}
	model_check(&m);
	model_free(&m);
}
END_TEST

/* Any number of threads may look up at once (ThreadSanitizer's business). */
static void *look_up_all(void *arg)
{
	struct model *m = arg;
	uint8_t name[256], buffer[1024];
	struct htree_dirent d;

	for (uint32_t i = 0; i < m->kind->names; i++)
		if (htree_lookup(&m->dir, m->b, name, model_name(m, i, name),
				 buffer, &d) || d.ino != m->ino[i])
			return m;
	return NULL;
}

START_TEST(test_threads)
{
	static const struct model_kind kind = {
		DIRHASH_SIPHASH, 1024, true, 1, 3000, 200, 0
	};
	pthread_t threads[4];
	struct model m;
	void *failed;

	model_init(&m, &kind, 11);
	for (uint32_t i = 0; i < kind.names; i++)
		model_insert(&m, i);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, look_up_all,
						&m), 0);
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(pthread_join(threads[i], &failed), 0);
		ck_assert_ptr_null(failed);
	}
	model_free(&m);
}
END_TEST

/* Without the feature an index is none; removing works, adding does not. */
START_TEST(test_no_feature)
{
	struct model_kind kind = {
		DIRHASH_TEA, 1024, true, 1, 500, 30, 0
	};
	struct htree_dirent d;
	struct model m;
	uint8_t name[256];

	model_init(&m, &kind, 10);
	for (uint32_t i = 0; i < 400; i++)
		model_insert(&m, i);
	m.dir.dir_index = false;
	d = model_entry(&m, 450, name);
	refused(&m, &d, E2DX_ET_DAMAGED);
	for (uint32_t i = 0; i < 300; i++)
		model_remove(&m, i);
	m.dir.dir_index = true;
	model_check(&m);
	model_empty(&m);
	model_free(&m);
}
END_TEST

int main(void)
{
	TCase *c = make_case("change");

	tcase_set_timeout(c, 0);
	tcase_add_loop_test(c, test_model, 0, KINDS);
	tcase_add_test(c, test_three_levels);
	tcase_add_test(c, test_level_limit);
	tcase_add_loop_test(c, test_wrong_entries, 0, 4);
	tcase_add_test(c, test_no_space);
	tcase_add_test(c, test_damage);
	tcase_add_test(c, test_no_feature);
	tcase_add_test(c, test_threads);
	return run_case("htree_change", c);
}
