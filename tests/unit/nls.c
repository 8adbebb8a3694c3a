/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Case folding against what libext2fs exports: comparison and hashes. */
#include <stdlib.h>
#include <string.h>
#include "ext2fs/nls.h"
#include "suite.h"

static struct dirhash_fold fold;
static const struct ext2fs_nls_table *table;

static void setup(void)
{
	ck_assert_int_eq(e2dx_fold_init(1, &fold), 0);
	table = ext2fs_load_nls_table(1);
}

static bool valid(const char *name, size_t len)
{
	char *where, copy[DIRHASH_NAME_MAX];

	memcpy(copy, name, len);
	return ext2fs_check_encoded_name(table, copy, len, &where) == 0;
}

/* Pieces that make names meet: case, composition, expansion, ignorables. */
static const char *const pieces[] = {
	"a", "A", "z", "Z", "1", ".", "e\314\201", "\303\251", "\303\211",
	"E\314\201", "\303\237", "ss", "SS", "\341\272\236", "\316\243",
	"\317\203", "\317\202", "\304\260", "i\314\207", "\302\255",
	"\342\200\215", "\352\260\200", "\341\204\200\341\205\241",
	"\316\220", "\360\220\220\200", "\360\220\220\250", "\314\247\314\201",
	"\314\201\314\247", "\357\254\201", "fi", "\342\204\252", "k",
	"\377", "\303", "\355\240\200"
};
#define N_PIECES	(sizeof(pieces) / sizeof(pieces[0]))
#define N_VALID		(N_PIECES - 3)	/* the last ones are no UTF-8 */

static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 16;
}

static size_t random_name(uint32_t *state, char *out, size_t choices)
{
	size_t len = 0;

	for (uint32_t n = 1 + next(state) % 4; n > 0; n--) {
		const char *piece = pieces[next(state) % choices];

		memcpy(out + len, piece, strlen(piece));
		len += strlen(piece);
	}
	return len;
}

static bool folds_equal(const char *a, size_t a_len, const char *b,
			size_t b_len)
{
	uint8_t fa[4096], fb[4096];
	int na = fold.fold(fold.table, (const uint8_t *)a, a_len, fa,
			   sizeof(fa));
	int nb = fold.fold(fold.table, (const uint8_t *)b, b_len, fb,
			   sizeof(fb));

	ck_assert_int_ge(na, 0);
	ck_assert_int_ge(nb, 0);
	return na == nb && memcmp(fa, fb, (size_t)na) == 0;
}

START_TEST(as_casefold_cmp)
{
	uint32_t state = 1;
	unsigned equal = 0;

	for (int i = 0; i < 100000; i++) {
		char a[64], b[64];
		size_t a_len = random_name(&state, a, N_VALID);
		size_t b_len = random_name(&state, b, N_VALID);
		bool want = ext2fs_casefold_cmp(table, (unsigned char *)a,
						a_len, (unsigned char *)b,
						b_len) == 0;

		if (!valid(a, a_len) || !valid(b, b_len))
			continue;
		ck_assert_int_eq(folds_equal(a, a_len, b, b_len), want);
		ck_assert_int_eq(fold.same(fold.table, (uint8_t *)a, a_len,
					   (uint8_t *)b, b_len), want);
		equal += want;
	}
	ck_assert_uint_gt(equal, 300);
}
END_TEST

/* libext2fs folds before it hashes; where it can, the hashes are equal. */
START_TEST(hashes_as_libext2fs)
{
	uint32_t state = 2;
	unsigned compared = 0;

	for (int i = 0; i < 20000; i++) {
		int version = i % 6;
		char name[64];
		size_t len = random_name(&state, name, N_VALID);
		ext2_dirhash_t major, minor = 0;
		struct dirhasher h;
		struct dirhash d;

		if (ext2fs_dirhash2(version, name, (int)len, table,
				    EXT4_CASEFOLD_FL, NULL, &major, &minor))
			continue;
		ck_assert_int_eq(dirhasher_init(&h, version, NULL, &fold), 0);
		ck_assert_int_eq(dirhash_name(&h, name, len, &d), 0);
		ck_assert_uint_eq(d.hash, major);
		ck_assert_uint_eq(d.minor_hash, minor);
		compared++;
	}
	ck_assert_uint_gt(compared, 15000);
}
END_TEST

/* Not valid in the encoding: no fold, a hash of the bytes, same as itself. */
START_TEST(invalid_names)
{
	static const char *const names[] = {
		"\377", "a\377", "A\303", "\355\240\200", "\200", "\300\200",
		"\364\220\200\200"
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const uint8_t *name = (const uint8_t *)names[i];
		size_t len = strlen(names[i]);
		struct dirhash folded, plain;
		struct dirhasher h;
		uint8_t out[64];

		ck_assert(!valid(names[i], len));
		ck_assert_int_eq(fold.fold(fold.table, name, len, out,
					   sizeof(out)), -1);
		ck_assert(fold.same(fold.table, name, len, name, len));
		ck_assert(!fold.same(fold.table, name, len,
				     (const uint8_t *)"b", 1));
		ck_assert(!fold.same(fold.table, (const uint8_t *)"b", 1,
				     name, len));
		dirhasher_init(&h, DIRHASH_SIPHASH, NULL, &fold);
		ck_assert_int_eq(dirhash_name(&h, name, len, &folded), 0);
		h.fold = NULL;
		ck_assert_int_eq(dirhash_name(&h, name, len, &plain), 0);
		ck_assert_int_eq(dirhash_compare(&folded, &plain), 0);
	}
}
END_TEST

/* 255 bytes that fold to three times as many, and every room for them. */
START_TEST(long_names)
{
	uint8_t name[254], out[4096];
	int full;

	for (size_t i = 0; i < sizeof(name); i += 2)
		memcpy(name + i, "\316\220", 2);
	full = fold.fold(fold.table, name, sizeof(name), out, sizeof(out));
	ck_assert_int_eq(full, 3 * (int)sizeof(name));
	for (int room = 0; room < full; room++)
		ck_assert_int_eq(fold.fold(fold.table, name, sizeof(name), out,
					   (size_t)room), -1);
}
END_TEST

START_TEST(unknown_encodings)
{
	static const int numbers[] = { -1, 0, 2, 255, 65535 };
	struct dirhash_fold f;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		ck_assert_int_eq(e2dx_fold_init(numbers[i], &f),
				 E2DX_ET_UNSUPPORTED);
}
END_TEST

static int fold_nothing(const void *t, const unsigned char *name, size_t len,
			unsigned char *out, size_t out_size)
{
	(void)t, (void)name, (void)len, (void)out, (void)out_size;
	return 0;
}

/* Other layouts are refused, not followed. */
START_TEST(foreign_layouts)
{
	static const void *const functions[] = { (const void *)fold_nothing };
	static const struct { long version; const void *f; } t[] = {
		{ 1, NULL }, { 1, (const void *)1 }, { 1, "no functions at all" },
		{ 1, functions }
	};
	const struct { long version; const void *f; } on_stack = {
		1, functions
	};
	struct dirhash_fold f;

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		ck_assert_int_eq(e2dx_fold_from_table((const void *)&t[i], &f),
				 E2DX_ET_UNSUPPORTED);
	ck_assert_int_eq(e2dx_fold_from_table((const void *)&on_stack, &f),
			 E2DX_ET_UNSUPPORTED);
	ck_assert_int_eq(e2dx_fold_from_table(NULL, &f), E2DX_ET_UNSUPPORTED);
}
END_TEST

int main(void)
{
	TCase *t = make_case("nls");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_test(t, as_casefold_cmp);
	tcase_add_test(t, hashes_as_libext2fs);
	tcase_add_test(t, invalid_names);
	tcase_add_test(t, long_names);
	tcase_add_test(t, unknown_encodings);
	tcase_add_test(t, foreign_layouts);
	return run_case("nls", t);
}
