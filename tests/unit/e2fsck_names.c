/* SPDX-License-Identifier: GPL-2.0-or-later */
/* New names: unique, valid, cut between characters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/nls.h"
#include "names.h"
#include "suite.h"

static struct htree_entries entries;
static struct htree_dir plain, folded;
static struct dirhash_fold fold;

static void setup(void)
{
	htree_entries_init(&entries);
	memset(&plain, 0, sizeof(plain));
	ck_assert_int_eq(e2dx_fold_init(1, &fold), 0);
	folded = plain;
	folded.casefold = folded.strict = true;
	folded.fold = &fold;
}

static void teardown(void)
{
	htree_entries_free(&entries);
}

static void add_bytes(const void *name, size_t len)
{
	struct htree_dirent d = { .ino = 12, .name = name,
				  .name_len = (uint8_t)len };

	ck_assert_int_eq(htree_entries_add(&entries, &d), 0);
}

static void add(const char *name)
{
	add_bytes(name, strlen(name));
}

static bool is(size_t i, const char *want)
{
	return entries.v[i].name_len == strlen(want) &&
	       !memcmp(htree_entry_name(&entries, i), want, strlen(want));
}

/* Take all, then rename those that could not: what a repair does. */
static void rename_all(const struct htree_dir *dir)
{
	struct names n;
	bool *again = calloc(entries.n, sizeof(*again));

	ck_assert_ptr_nonnull(again);
	ck_assert_int_eq(names_init(&n, dir, &entries), 0);
	for (size_t i = 0; i < entries.n; i++)
		again[i] = names_take(&n, i) != i;
	for (size_t i = 0; i < entries.n; i++)
		if (again[i])
			ck_assert_int_eq(names_rename(&n, i), 0);
	names_free(&n);
	free(again);
}

START_TEST(cut_between_characters)
{
	static const struct { const char *name; size_t max, want; } cases[] = {
		{ "abcdef", 10, 6 }, { "abcdef", 6, 6 }, { "abcdef", 4, 4 },
		{ "ab\xc3\xa9z", 3, 2 }, { "ab\xc3\xa9z", 4, 4 },
		{ "a\xe2\x82\xacz", 3, 1 }, { "a\xe2\x82\xacz", 2, 1 },
		{ "a\xf0\x9f\x98\x80z", 4, 1 }, { "a\xf0\x9f\x98\x80z", 5, 5 },
		/* no UTF-8: every byte counts */
		{ "a\x80\x80\x80\x80\x80", 4, 4 }, { "\xff\xff\xff", 2, 2 },
		{ "x\xc3zz", 2, 2 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_uint_eq(names_cut((const uint8_t *)cases[i].name,
					    strlen(cases[i].name),
					    cases[i].max), cases[i].want);
}
END_TEST

START_TEST(duplicates_get_names_that_nobody_has)
{
	add("a");
	add("a");
	add("a~0");
	add("a");
	add("b");
	rename_all(&plain);
	ck_assert(is(0, "a") && is(2, "a~0") && is(4, "b"));
	ck_assert(is(1, "a~1"));
	ck_assert(is(3, "a~2"));
}
END_TEST

START_TEST(longest_names)
{
	uint8_t name[255];

	memset(name, 'x', sizeof(name));
	name[251] = 0xf0;	/* a character of four bytes at the end */
	name[252] = 0x9f;
	name[253] = 0x98;
	name[254] = 0x80;
	for (int i = 0; i < 3; i++)
		add_bytes(name, sizeof(name));
	rename_all(&plain);
	ck_assert_uint_eq(entries.v[0].name_len, 255);
	for (size_t i = 1; i < 3; i++) {
		ck_assert_uint_eq(entries.v[i].name_len, 253);
		ck_assert(!memcmp(htree_entry_name(&entries, i), name, 251));
	}
	ck_assert(memcmp(htree_entry_name(&entries, 1),
			 htree_entry_name(&entries, 2), 253));
}
END_TEST

START_TEST(folded_duplicates)
{
	uint8_t out[64];

	add("Readme");
	add("README");
	add("\xc3\xa9");	/* e with acute */
	add("e\xcc\x81");	/* e and a combining acute */
	rename_all(&folded);
	ck_assert(is(0, "Readme") && is(1, "README~0"));
	ck_assert(is(2, "\xc3\xa9") && is(3, "e\xcc\x81~1"));
	for (size_t i = 0; i < entries.n; i++)
		ck_assert_int_ge(fold.fold(fold.table,
					   htree_entry_name(&entries, i),
					   entries.v[i].name_len, out,
					   sizeof(out)), 0);
	ck_assert(!fold.same(fold.table, htree_entry_name(&entries, 2),
			     entries.v[2].name_len,
			     htree_entry_name(&entries, 3),
			     entries.v[3].name_len));
}
END_TEST

START_TEST(case_counts_where_nothing_folds)
{
	struct names n;

	add("Readme");
	add("README");
	ck_assert_int_eq(names_init(&n, &plain, &entries), 0);
	ck_assert_uint_eq(names_take(&n, 0), 0);
	ck_assert_uint_eq(names_take(&n, 1), 1);
	names_free(&n);
	/* Ciphertext has no case either. */
	folded.encrypted = true;
	ck_assert_int_eq(names_init(&n, &folded, &entries), 0);
	ck_assert_uint_eq(names_take(&n, 0), 0);
	ck_assert_uint_eq(names_take(&n, 1), 1);
	names_free(&n);
}
END_TEST

START_TEST(invalid_characters)
{
	uint8_t slash[] = "a/b";
	uint8_t bad[] = "x\xff\xc3y\xc3\xa9";
	uint8_t nul[] = { 'a', 0, 'b' };

	ck_assert(names_make_valid(&plain, slash, 3));
	ck_assert_str_eq((char *)slash, "a.b");
	ck_assert(names_make_valid(&plain, nul, 3));
	ck_assert(!memcmp(nul, "a.b", 3));
	ck_assert(!names_make_valid(&plain, bad, 6));
	ck_assert(names_make_valid(&folded, bad, 6));
	ck_assert_str_eq((char *)bad, "x..y\xc3\xa9");
}
END_TEST

/* The square of 200,000 steps would show. */
START_TEST(many_equal_names)
{
	for (int i = 0; i < 200000; i++)
		add("same");
	rename_all(&plain);
	ck_assert(is(199999, "same~199998"));
}
END_TEST

/*
 * Names that lie close together in a table by a hash with a key that
 * everybody knows: half a minute where that is the key, no time otherwise.
 */
START_TEST(names_made_to_collide)
{
	char name[24];

	for (uint32_t i = 0; entries.n < 100000; i++) {
		snprintf(name, sizeof(name), "n%x", i);
		if ((dirhash_siphash24(dirhash_default_seed, name,
				       strlen(name)) & 0x3ffff) < 0x1000)
			add(name);
	}
	add_bytes(htree_entry_name(&entries, 0), entries.v[0].name_len);
	rename_all(&plain);
	ck_assert_int_eq(entries.v[100000].name_len,
			 entries.v[0].name_len + 2);
}
END_TEST

int main(void)
{
	TCase *t = make_case("names");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, cut_between_characters);
	tcase_add_test(t, duplicates_get_names_that_nobody_has);
	tcase_add_test(t, longest_names);
	tcase_add_test(t, folded_duplicates);
	tcase_add_test(t, case_counts_where_nothing_folds);
	tcase_add_test(t, invalid_characters);
	tcase_add_test(t, many_equal_names);
	tcase_add_test(t, names_made_to_collide);
	tcase_set_timeout(t, 10);
	return run_case("e2fsck_names", t);
}
