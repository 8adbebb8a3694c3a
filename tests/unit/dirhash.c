/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lib/dirhash against values from outside: libext2fs (0 to 5), the reference
 * vectors of SipHash-2-4 (6), Linux's treatment of 0xfffffffe, RFC 5869's way
 * of deriving keys as another implementation does it.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dirhash/dirhash.h"
#include "e2dx_err.h"
#include "suite.h"

#define HEX_MAX	(2 * DIRHASH_NAME_MAX + 2)

/* Bytes from hex digits; their number, or -1. */
static int unhex(const char *hex, uint8_t *out, size_t room)
{
	size_t n = strlen(hex);

	if (n % 2 || n / 2 > room)
		return -1;
	for (size_t i = 0; i < n / 2; i++) {
		unsigned byte;

		if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
			return -1;
		out[i] = (uint8_t)byte;
	}
	return (int)(n / 2);
}

/* A file of the vectors in this project, or in ../shared; NULL if absent. */
static FILE *open_vectors(const char *name, bool shared)
{
	const char *src = getenv("E2DX_SRC"), *elsewhere = getenv("E2DX_SHARED");
	char path[4096];

	if (shared && elsewhere)
		snprintf(path, sizeof(path), "%s/vectors/%s", elsewhere, name);
	else
		snprintf(path, sizeof(path), "%s/%s/%s", src ? src : ".",
			 shared ? "../shared/vectors" : "tests/vectors", name);
	return fopen(path, "r");
}

/* One line: version, seed or "-", name in hex, hash, minor hash. */
static void check_dirhash_line(char *line)
{
	char *field[5], *save = NULL;
	uint8_t seed[DIRHASH_SEED_SIZE], name[DIRHASH_NAME_MAX];
	struct dirhasher h;
	struct dirhash d;
	int len;

	/* The name may be empty, so tabs cannot be taken together. */
	for (int i = 0; i < 5; i++) {
		field[i] = i ? save : line;
		ck_assert_ptr_nonnull(field[i]);
		save = strpbrk(field[i], "\t\n");
		if (save)
			*save++ = '\0';
	}
	len = unhex(field[2], name, sizeof(name));
	ck_assert_int_ge(len, 0);
	if (field[1][0] != '-')
		ck_assert_int_eq(unhex(field[1], seed, sizeof(seed)), 16);
	ck_assert_int_eq(dirhasher_init(&h, atoi(field[0]), field[1][0] == '-' ?
					NULL : seed, NULL), 0);
	ck_assert_int_eq(dirhash_name(&h, name, (size_t)len, &d), 0);
	ck_assert_msg(d.hash == strtoul(field[3], NULL, 16) &&
		      d.minor_hash == strtoul(field[4], NULL, 16),
		      "version %s seed %s name %s: %08x/%08x instead of %s/%s",
		      field[0], field[1], field[2], d.hash, d.minor_hash,
		      field[3], field[4]);
}

static void check_siphash_line(char *line)
{
	uint8_t key[DIRHASH_SEED_SIZE], message[256], want[8];
	char hex[32];
	unsigned len;
	uint64_t got;

	ck_assert_int_eq(sscanf(line, "%u %16s", &len, hex), 2);
	ck_assert_uint_le(len, sizeof(message));
	ck_assert_int_eq(unhex(hex, want, sizeof(want)), 8);
	for (unsigned i = 0; i < sizeof(message); i++)
		message[i] = (uint8_t)i;
	memcpy(key, message, sizeof(key));
	got = dirhash_siphash24(key, message, len);
	for (int i = 0; i < 8; i++)
		ck_assert_uint_eq(got >> (8 * i) & 0xff, want[i]);
}

/* Check each line but comments; their number. */
static unsigned each_line(FILE *f, void (*check)(char *line))
{
	char line[HEX_MAX + 100];
	unsigned n = 0;

	while (fgets(line, sizeof(line), f)) {
		if (line[0] == '#')
			continue;
		check(line);
		n++;
	}
	fclose(f);
	return n;
}

START_TEST(own_vectors)
{
	FILE *f = open_vectors("dirhash.tsv", false);

	ck_assert_msg(f, "tests/vectors/dirhash.tsv is missing");
	ck_assert_uint_ge(each_line(f, check_dirhash_line), 900);
}
END_TEST

START_TEST(own_siphash_vectors)
{
	FILE *f = open_vectors("siphash.tsv", false);

	ck_assert_msg(f, "tests/vectors/siphash.tsv is missing");
	ck_assert_uint_eq(each_line(f, check_siphash_line), 64);
}
END_TEST

START_TEST(shared_vectors)
{
	FILE *f = open_vectors("dirhash-libext2fs.tsv", true);
	FILE *s = open_vectors("siphash-2-4-64.tsv", true);

	if (f)
		ck_assert_uint_gt(each_line(f, check_dirhash_line), 0);
	else
		printf("SKIP: no ../shared/vectors/dirhash-libext2fs.tsv\n");
	if (s)
		ck_assert_uint_gt(each_line(s, check_siphash_line), 0);
	else
		printf("SKIP: no ../shared/vectors/siphash-2-4-64.tsv\n");
}
END_TEST

static struct dirhash hash_text(int version, const uint8_t *seed,
				const char *name)
{
	struct dirhash d = { 0, 0 };
	struct dirhasher h;

	ck_assert_int_eq(dirhasher_init(&h, version, seed, NULL), 0);
	ck_assert_int_eq(dirhash_name(&h, name, strlen(name), &d), 0);
	return d;
}

/* Names whose hash would be Linux's end-of-directory cookie, 0xfffffffe. */
START_TEST(end_of_directory)
{
	static const uint8_t seed[] = {
		0xaa, 0xaa, 0xaa, 0xaa, 0xbb, 0xbb, 0xcc, 0xcc,
		0xdd, 0xdd, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee
	};
	static const struct {
		int version;
		const char *name;
		uint32_t minor_hash;
	} t[] = {
		{ DIRHASH_HALF_MD4, "5fqexqba", 0xabff1462 },
		{ DIRHASH_HALF_MD4, "ejl1rrba", 0x17cb6cee },
		{ DIRHASH_LEGACY, "34r313ba", 0 },
		{ DIRHASH_LEGACY, "qoxyqdca", 0 },
		{ DIRHASH_HALF_MD4_UNSIGNED, "5fqexqba", 0xabff1462 },
		{ DIRHASH_LEGACY_UNSIGNED, "qoxyqdca", 0 },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct dirhash d = hash_text(t[i].version, seed, t[i].name);

		ck_assert_uint_eq(d.hash, 0xfffffffc);
		ck_assert_uint_eq(d.minor_hash, t[i].minor_hash);
	}
}
END_TEST

/* Key 00 .. 0f, name "foo": the format description's example. */
START_TEST(siphash_halves)
{
	uint8_t key[DIRHASH_SEED_SIZE];
	struct dirhash d;

	for (unsigned i = 0; i < sizeof(key); i++)
		key[i] = (uint8_t)i;
	d = hash_text(DIRHASH_SIPHASH, key, "foo");
	ck_assert_uint_eq(d.hash, 0xe0b8c1d4);
	ck_assert_uint_eq(d.minor_hash, 0x1e478d1d);
}
END_TEST

/* Signed and unsigned agree below 0x80 and differ above. */
START_TEST(signedness)
{
	for (int version = 0; version <= 2; version++) {
		struct dirhash a = hash_text(version, NULL, "plain");
		struct dirhash b = hash_text(version + 3, NULL, "plain");

		ck_assert_int_eq(dirhash_compare(&a, &b), 0);
		a = hash_text(version, NULL, "na\303\257ve");
		b = hash_text(version + 3, NULL, "na\303\257ve");
		ck_assert_int_ne(dirhash_compare(&a, &b), 0);
	}
}
END_TEST

START_TEST(default_seed)
{
	static const uint8_t zero[DIRHASH_SEED_SIZE];

	ck_assert(dirhash_seed_is_zero(zero));
	ck_assert(!dirhash_seed_is_zero(dirhash_default_seed));
	for (int version = 0; version <= 6; version++) {
		struct dirhash a = hash_text(version, NULL, "name");
		struct dirhash b = hash_text(version, zero, "name");
		struct dirhash c = hash_text(version, dirhash_default_seed,
					     "name");

		ck_assert_int_eq(dirhash_compare(&a, &b), 0);
		ck_assert_int_eq(dirhash_compare(&a, &c), 0);
	}
}
END_TEST

START_TEST(limits)
{
	char name[256] = { 0 };
	struct dirhasher h;
	struct dirhash d;

	ck_assert_int_eq(dirhasher_init(&h, 7, NULL, NULL),
			 E2DX_ET_HASH_UNKNOWN);
	ck_assert_int_eq(dirhasher_init(&h, -1, NULL, NULL),
			 E2DX_ET_HASH_UNKNOWN);
	for (int version = 0; version <= 6; version++) {
		ck_assert_int_eq(dirhasher_init(&h, version, NULL, NULL), 0);
		ck_assert_int_eq(dirhash_name(&h, name, 0, &d), 0);
		ck_assert_int_eq(dirhash_name(&h, name, 255, &d), 0);
		ck_assert_int_eq(dirhash_name(&h, name, 256, &d),
				 E2DX_ET_NAME_LENGTH);
	}
	h.version = 1000;
	ck_assert_int_eq(dirhash_name(&h, name, 1, &d), E2DX_ET_HASH_UNKNOWN);
}
END_TEST

START_TEST(numbering)
{
	static const char *const names[] = {
		"legacy", "half_md4", "tea", "legacy_unsigned",
		"half_md4_unsigned", "tea_unsigned", "siphash"
	};

	for (int i = 0; i < 7; i++) {
		char number[2] = { (char)('0' + i), '\0' };

		ck_assert(dirhash_known(i));
		ck_assert_int_eq(dirhash_on_disk(i), i <= 2 || i == 6);
		ck_assert_int_eq(dirhash_seeded(i), i % 3 != 0 || i == 6);
		ck_assert_str_eq(dirhash_version_name(i), names[i]);
		ck_assert_int_eq(dirhash_version_from_text(names[i]), i);
		ck_assert_int_eq(dirhash_version_from_text(number), i);
		ck_assert_int_eq(dirhash_effective(i, false), i);
		ck_assert_int_eq(dirhash_effective(i, true),
				 i <= 2 ? i + 3 : i);
		ck_assert_int_eq(dirhash_disk_version(i),
				 i >= 3 && i <= 5 ? i - 3 : i);
	}
}
END_TEST

START_TEST(unknown_numbers)
{
	static const int numbers[] = { -1, 7, 255, 1 << 30, -2147483647 - 1 };
	static const char *const texts[] = {
		"", "7", "-1", "06x", " 1", "1 ", "+1", "tea ", "TEA", "half",
		"99999999999999999999", "4294967297"
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		ck_assert(!dirhash_known(numbers[i]));
		ck_assert(!dirhash_on_disk(numbers[i]));
		ck_assert(!dirhash_seeded(numbers[i]));
		ck_assert_ptr_null(dirhash_version_name(numbers[i]));
		ck_assert_int_eq(dirhash_effective(numbers[i], true),
				 numbers[i]);
		ck_assert_int_eq(dirhash_disk_version(numbers[i]), numbers[i]);
	}
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		ck_assert_int_eq(dirhash_version_from_text(texts[i]), -1);
}
END_TEST

/* A folding of this test: upper to lower case; "?" cannot be folded. */
static int fold_ascii(const void *table, const uint8_t *name, size_t len,
		      uint8_t *out, size_t out_size)
{
	(void)table;
	if (len > out_size || memchr(name, '?', len))
		return -1;
	for (size_t i = 0; i < len; i++)
		out[i] = (uint8_t)tolower(name[i]);
	return (int)len;
}

/* Longer than it was, as decomposed characters are. */
static int fold_longer(const void *table, const uint8_t *name, size_t len,
		       uint8_t *out, size_t out_size)
{
	(void)table;
	if (3 * len > out_size)
		return -1;
	for (size_t i = 0; i < 3 * len; i++)
		out[i] = name[i / 3];
	return (int)(3 * len);
}

START_TEST(folding)
{
	const struct dirhash_fold ascii = { NULL, fold_ascii, NULL };
	const struct dirhash_fold longer = { NULL, fold_longer, NULL };
	uint8_t name[DIRHASH_NAME_MAX];
	struct dirhash d, lower, opaque;
	struct dirhasher h;

	lower = hash_text(DIRHASH_SIPHASH, NULL, "readme");
	opaque = hash_text(DIRHASH_SIPHASH, NULL, "What?");
	ck_assert_int_eq(dirhasher_init(&h, DIRHASH_SIPHASH, NULL, &ascii), 0);
	ck_assert_int_eq(dirhash_name(&h, "ReadMe", 6, &d), 0);
	ck_assert_int_eq(dirhash_compare(&d, &lower), 0);
	ck_assert_int_eq(dirhash_name(&h, "What?", 5, &d), 0);
	ck_assert_int_eq(dirhash_compare(&d, &opaque), 0);

	memset(name, 0x81, sizeof(name));
	for (int version = 0; version <= 6; version++) {
		ck_assert_int_eq(dirhasher_init(&h, version, NULL, &longer), 0);
		ck_assert_int_eq(dirhash_name(&h, name, sizeof(name), &d), 0);
	}
}
END_TEST

START_TEST(order)
{
	const struct dirhash a = { 2, 5 }, b = { 2, 6 }, c = { 0xfffffffc, 0 };

	ck_assert_int_eq(dirhash_compare(&a, &a), 0);
	ck_assert_int_lt(dirhash_compare(&a, &b), 0);
	ck_assert_int_lt(dirhash_compare(&b, &c), 0);
	ck_assert_int_gt(dirhash_compare(&c, &a), 0);
}
END_TEST

/*
 * Values by Python's hmac module, an implementation of its own
 * (tests/vectors/generate).
 */
START_TEST(fscrypt_keys)
{
	FILE *f = open_vectors("fscrypt.tsv", false);
	char line[512];
	unsigned n = 0;

	ck_assert_msg(f, "tests/vectors/fscrypt.tsv is missing");
	while (fgets(line, sizeof(line), f)) {
		uint8_t master[64], nonce[16], want[16], key[16];
		char text[3][130];
		int len;

		if (line[0] == '#')
			continue;
		ck_assert_int_eq(sscanf(line, "%129s %129s %129s", text[0],
					text[1], text[2]), 3);
		len = unhex(text[0], master, sizeof(master));
		ck_assert_int_eq(unhex(text[1], nonce, sizeof(nonce)), 16);
		ck_assert_int_eq(unhex(text[2], want, sizeof(want)), 16);
		ck_assert_int_eq(dirhash_fscrypt_key(master, (size_t)len, nonce,
						     key), 0);
		ck_assert_mem_eq(key, want, sizeof(want));
		n++;
	}
	fclose(f);
	ck_assert_uint_ge(n, 4);
}
END_TEST

START_TEST(fscrypt_key_lengths)
{
	uint8_t master[65] = { 1 }, nonce[16] = { 2 }, key[16];

	ck_assert_int_eq(dirhash_fscrypt_key(master, 15, nonce, key),
			 E2DX_ET_KEY);
	ck_assert_int_eq(dirhash_fscrypt_key(master, 65, nonce, key),
			 E2DX_ET_KEY);
	ck_assert_int_eq(dirhash_fscrypt_key(master, 16, nonce, key), 0);
	ck_assert_int_eq(dirhash_fscrypt_key(master, 64, nonce, key), 0);
}
END_TEST

int main(void)
{
	TCase *t = make_case("dirhash");

	tcase_add_test(t, own_vectors);
	tcase_add_test(t, own_siphash_vectors);
	tcase_add_test(t, shared_vectors);
	tcase_add_test(t, end_of_directory);
	tcase_add_test(t, siphash_halves);
	tcase_add_test(t, signedness);
	tcase_add_test(t, default_seed);
	tcase_add_test(t, limits);
	tcase_add_test(t, numbering);
	tcase_add_test(t, unknown_numbers);
	tcase_add_test(t, folding);
	tcase_add_test(t, order);
	tcase_add_test(t, fscrypt_keys);
	tcase_add_test(t, fscrypt_key_lengths);
	return run_case("dirhash", t);
}
