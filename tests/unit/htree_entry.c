/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays of entries: adding, renaming, hashing, sorting. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "e2dx_err.h"
#include "htree/entry.h"
#include "suite.h"

/* For loops over many entries: Check writes to a pipe at every assertion. */
#define EXPECT(c)	do { if (!(c)) ck_abort_msg("%s", #c); } while (0)

static uint32_t random_state = 1;

static uint32_t random32(void)
{
	random_state = random_state * 1664525 + 1013904223;
	return random_state >> 16 | random_state << 16;
}

static void add(struct htree_entries *e, uint32_t ino, const char *name,
		size_t len, uint32_t hash, uint32_t minor)
{
	struct htree_dirent d = {
		.ino = ino, .block = ino / 7, .file_type = ino % 8,
		.hash = { hash, minor }, .name = (const uint8_t *)name,
		.name_len = (uint8_t)len
	};

	EXPECT(htree_entries_add(e, &d) == 0);
}

START_TEST(added)
{
	struct htree_entries e;
	char name[256];
	size_t i;

	htree_entries_init(&e);
	memset(name, 'n', sizeof(name));
	for (i = 0; i < 3000; i++) {
		name[0] = (char)i;
		add(&e, (uint32_t)i, name, 1 + i % 255, (uint32_t)i * 2, 9);
	}
	ck_assert_uint_eq(e.n, 3000);
	for (i = 0; i < e.n; i++) {
		name[0] = (char)i;
		EXPECT(e.v[i].ino == i && e.v[i].block == i / 7);
		EXPECT(e.v[i].file_type == i % 8);
		EXPECT(e.v[i].name_len == 1 + i % 255);
		EXPECT(e.v[i].hash.hash == i * 2 &&
		       e.v[i].hash.minor_hash == 9);
		EXPECT(!memcmp(htree_entry_name(&e, i), name, 1 + i % 255));
	}
	htree_entries_free(&e);
	ck_assert_uint_eq(e.n, 0);
	ck_assert_ptr_null(e.v);
}
END_TEST

/* Together as one by one, whatever the number of names. */
START_TEST(hashed_together)
{
	static const size_t counts[] = { 0, 1, 9, 255, 256, 257, 1000 };
	struct htree_entries e;
	struct dirhasher h;
	struct dirhash want;
	char name[256];

	for (size_t k = 0; k < 7 * sizeof(counts) / sizeof(counts[0]); k++) {
		size_t n = counts[k / 7], i, c;

		htree_entries_init(&e);
		for (i = 0; i < n; i++) {
			size_t len = 1 + random32() % (i % 2 ? 255 : 12);

			for (c = 0; c < len; c++)
				name[c] = (char)random32();
			add(&e, 12, name, len, 0, 0);
		}
		EXPECT(!dirhasher_init(&h, (int)(k % 7), NULL, NULL));
		EXPECT(htree_entries_hash(&e, &h) == 0);
		for (i = 0; i < n; i++) {
			EXPECT(!dirhash_name(&h, htree_entry_name(&e, i),
					     e.v[i].name_len, &want));
			EXPECT(!dirhash_compare(&want, &e.v[i].hash));
		}
		htree_entries_free(&e);
	}
}
END_TEST

START_TEST(name_lengths)
{
	struct htree_dirent none = { .ino = 5, .name = (const uint8_t *)"" };
	uint8_t name[256] = "x";
	struct htree_entries e;

	htree_entries_init(&e);
	ck_assert_int_eq(htree_entries_add(&e, &none), E2DX_ET_NAME_LENGTH);
	ck_assert_uint_eq(e.n, 0);
	add(&e, 5, "five", 4, 0, 0);
	ck_assert_int_eq(htree_entry_rename(&e, 0, name, 0), E2DX_ET_NAME_LENGTH);
	ck_assert_int_eq(htree_entry_rename(&e, 0, name, 256),
			 E2DX_ET_NAME_LENGTH);
	ck_assert_mem_eq(htree_entry_name(&e, 0), "five", 4);
	ck_assert_int_eq(htree_entry_rename(&e, 0, name, 255), 0);
	ck_assert_uint_eq(e.v[0].name_len, 255);
	ck_assert_mem_eq(htree_entry_name(&e, 0), name, 255);
	htree_entries_free(&e);
}
END_TEST

START_TEST(compacted)
{
	struct htree_entries e;
	char name[24];
	size_t i;

	htree_entries_init(&e);
	htree_entries_compact(&e);
	for (i = 0; i < 100; i++)
		add(&e, i % 3 ? (uint32_t)i : 0, name,
		    (size_t)snprintf(name, sizeof(name), "%zu", i), 0, 0);
	htree_entries_compact(&e);
	ck_assert_uint_eq(e.n, 66);
	for (i = 0; i < e.n; i++) {
		EXPECT(e.v[i].ino == i / 2 * 3 + 1 + i % 2);
		snprintf(name, sizeof(name), "%u", e.v[i].ino);
		EXPECT(!memcmp(htree_entry_name(&e, i), name, strlen(name)));
	}
	htree_entries_free(&e);
}
END_TEST

START_TEST(hashed)
{
	struct htree_entries e;
	struct dirhasher h;
	struct dirhash one;
	char name[24];
	size_t i;

	htree_entries_init(&e);
	for (i = 0; i < 500; i++)
		add(&e, 1, name,
		    (size_t)snprintf(name, sizeof(name), "%zu", i), 0, 0);
	ck_assert_int_eq(dirhasher_init(&h, DIRHASH_TEA, NULL, NULL), 0);
	ck_assert_int_eq(htree_entries_hash(&e, &h), 0);
	for (i = 0; i < e.n; i++) {
		snprintf(name, sizeof(name), "%zu", i);
		EXPECT(dirhash_name(&h, name, strlen(name), &one) == 0);
		EXPECT(dirhash_compare(&one, &e.v[i].hash) == 0);
	}
	htree_entries_free(&e);
}
END_TEST

/* The order that the sort must give: by hash, then by place before it. */
static int expected_order(const void *a, const void *b)
{
	const struct htree_entry *x = a, *y = b;
	int c = dirhash_compare(&x->hash, &y->hash);

	return c ? c : x->ino < y->ino ? -1 : x->ino > y->ino;
}

/* _i: how many bits of the hashes vary, so that more or fewer are equal. */
START_TEST(sorted)
{
	static const size_t sizes[] = { 0, 1, 2, 3, 299, 300, 301, 1000,
					20000 };
	uint32_t mask = _i < 32 ? (1u << _i) - 1 : UINT32_MAX;
	struct htree_entry *want;
	struct htree_entries e;
	size_t s, i;

	for (s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		htree_entries_init(&e);
		for (i = 0; i < sizes[s]; i++)
			add(&e, (uint32_t)i, "name", 4, random32() & mask << _i / 2,
			    random32() & mask);
		want = malloc((e.n + 1) * sizeof(*want));
		EXPECT(want);
		if (e.n)
			memcpy(want, e.v, e.n * sizeof(*want));
		qsort(want, e.n, sizeof(*want), expected_order);
		ck_assert_int_eq(htree_entries_sort(&e), 0);
		for (i = 0; i < e.n; i++)
			EXPECT(e.v[i].ino == want[i].ino);
		/* Sorted already: nothing moves. */
		ck_assert_int_eq(htree_entries_sort(&e), 0);
		for (i = 0; i < e.n; i++)
			EXPECT(e.v[i].ino == want[i].ino);
		free(want);
		htree_entries_free(&e);
	}
}
END_TEST

int main(void)
{
	TCase *t = make_case("entry");

	tcase_add_test(t, added);
	tcase_add_test(t, name_lengths);
	tcase_add_test(t, hashed_together);
	tcase_add_test(t, compacted);
	tcase_add_test(t, hashed);
	tcase_add_loop_test(t, sorted, 0, 33);
	return run_case("htree_entry", t);
}
