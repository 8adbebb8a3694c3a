/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The drop-in functions of libext2dx beside those that they replace, which
 * are still to be found in their own libraries: same results, same errors,
 * but for what is meant to differ.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ext2fs/ext2fs.h>
#include <e2p/e2p.h>
#include "dirhash/dirhash.h"
#include "suite.h"

typedef errcode_t dirhash_function(int, const char *, int, const __u32 *,
				   ext2_dirhash_t *, ext2_dirhash_t *);
typedef errcode_t dirhash2_function(int, const char *, int,
				    const struct ext2fs_nls_table *, int,
				    const __u32 *, ext2_dirhash_t *,
				    ext2_dirhash_t *);

static dirhash_function *stock_dirhash;
static dirhash2_function *stock_dirhash2;
static __u32 (*stock_crc32c)(__u32, unsigned char const *, size_t);
static int (*stock_string2hash)(char *);
static const char *(*stock_hash2string)(int);

/* A function of a library itself, whatever stands before it. */
static void find(void *function, const char *library, const char *name)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	void *address;

	ck_assert_msg(handle, "%s", dlerror());
	address = dlsym(handle, name);
	ck_assert_ptr_nonnull(address);
	memcpy(function, &address, sizeof(address));
}

static void setup(void)
{
	find(&stock_dirhash, "libext2fs.so.2", "ext2fs_dirhash");
	find(&stock_dirhash2, "libext2fs.so.2", "ext2fs_dirhash2");
	find(&stock_crc32c, "libext2fs.so.2", "ext2fs_crc32c_le");
	find(&stock_string2hash, "libe2p.so.2", "e2p_string2hash");
	find(&stock_hash2string, "libe2p.so.2", "e2p_hash2string");
}

START_TEST(ours_come_first)
{
	ck_assert(stock_dirhash != ext2fs_dirhash);
	ck_assert(stock_dirhash2 != ext2fs_dirhash2);
	ck_assert(stock_crc32c != ext2fs_crc32c_le);
	ck_assert(stock_string2hash != e2p_string2hash);
	ck_assert(stock_hash2string != e2p_hash2string);
}
END_TEST

/* Both functions with the same arguments: error and both results. */
static void compare(int version, const char *name, int len, const __u32 *seed)
{
	ext2_dirhash_t a = 1, a_minor = 2, b = 1, b_minor = 2, alone = 3;
	errcode_t a_err = ext2fs_dirhash(version, name, len, seed, &a,
					 &a_minor);
	errcode_t b_err = stock_dirhash(version, name, len, seed, &b, &b_minor);

	ck_assert_int_eq(a_err, b_err);
	ck_assert_uint_eq(a, b);
	ck_assert_uint_eq(a_minor, b_minor);
	ck_assert_int_eq(ext2fs_dirhash(version, name, len, seed, &alone, NULL),
			 a_err);
	ck_assert_uint_eq(alone, a);
	a = a_minor = 1;
	ck_assert_int_eq(ext2fs_dirhash2(version, name, len, NULL,
					 EXT4_CASEFOLD_FL, seed, &a, &a_minor),
			 b_err);
	ck_assert_uint_eq(a, b);
}

START_TEST(dirhash_as_stock)
{
	static const __u32 zero[4], seed[4] = { 1, 0x89abcdef, ~0u, 77 };
	static const __u32 *const seeds[] = { NULL, zero, seed };
	static const int versions[] = { -1, 0, 1, 2, 3, 4, 5, 7, 8, 255 };
	static const int lengths[] = { 0, 1, 2, 3, 4, 15, 16, 17, 31,
				       32, 33, 254, 255, 256, 257, 999 };
	char name[1000];

	for (size_t i = 0; i < sizeof(name); i++)
		name[i] = (char)(1 + i * 37 % 255);
	for (size_t v = 0; v < sizeof(versions) / sizeof(versions[0]); v++)
		for (size_t s = 0; s < 3; s++)
			for (size_t l = 0; l < sizeof(lengths) /
				     sizeof(lengths[0]); l++)
				compare(versions[v], name, lengths[l],
					seeds[s]);
}
END_TEST

/* Stock reads out of bounds for some of these. */
START_TEST(negative_length)
{
	for (int version = 0; version <= 6; version++) {
		ext2_dirhash_t a, b;

		ck_assert_int_eq(ext2fs_dirhash(version, NULL, -1, NULL, &a,
						NULL), 0);
		ck_assert_int_eq(ext2fs_dirhash(version, "", 0, NULL, &b, NULL),
				 0);
		ck_assert_uint_eq(a, b);
	}
}
END_TEST

/* What stock refuses, with the format description's value. */
START_TEST(siphash_is_new)
{
	uint8_t bytes[DIRHASH_SEED_SIZE];
	ext2_dirhash_t major, minor;
	__u32 seed[4];

	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)i;
	for (int i = 0; i < 4; i++)
		seed[i] = (__u32)(0x03020100 + 0x04040404 * i);
	ck_assert_int_eq(stock_dirhash(6, "foo", 3, seed, &major, &minor),
			 EXT2_ET_DIRHASH_UNSUPP);
	ck_assert_int_eq(ext2fs_dirhash(6, "foo", 3, seed, &major, &minor), 0);
	ck_assert_uint_eq(major, 0xe0b8c1d4);
	ck_assert_uint_eq(minor, 0x1e478d1d);
}
END_TEST

/* The end-of-directory cookie: here Linux is right and stock is not. */
START_TEST(cookie)
{
	static const uint8_t bytes[DIRHASH_SEED_SIZE] = {
		0xaa, 0xaa, 0xaa, 0xaa, 0xbb, 0xbb, 0xcc, 0xcc,
		0xdd, 0xdd, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee
	};
	ext2_dirhash_t major, minor;
	__u32 seed[4];

	for (int i = 0; i < 4; i++)
		seed[i] = (__u32)bytes[4 * i] | (__u32)bytes[4 * i + 1] << 8 |
			  (__u32)bytes[4 * i + 2] << 16 |
			  (__u32)bytes[4 * i + 3] << 24;
	ck_assert_int_eq(stock_dirhash(1, "5fqexqba", 8, seed, &major, &minor),
			 0);
	ck_assert_uint_eq(major, 0xfffffffe);
	ck_assert_int_eq(ext2fs_dirhash(1, "5fqexqba", 8, seed, &major, &minor),
			 0);
	ck_assert_uint_eq(major, 0xfffffffc);
	ck_assert_uint_eq(minor, 0xabff1462);
}
END_TEST

static void compare_folded(int version, const char *name,
			   const struct ext2fs_nls_table *table, int flags)
{
	ext2_dirhash_t a, a_minor = 0, b, b_minor = 0;
	int len = (int)strlen(name);

	ck_assert_int_eq(ext2fs_dirhash2(version, name, len, table, flags,
					 NULL, &a, &a_minor), 0);
	ck_assert_int_eq(stock_dirhash2(version, name, len, table, flags, NULL,
					&b, &b_minor), 0);
	ck_assert_uint_eq(a, b);
	ck_assert_uint_eq(a_minor, b_minor);
}

START_TEST(folded)
{
	const struct ext2fs_nls_table *table = ext2fs_load_nls_table(1);
	static const char *const names[] = {
		"README", "Stra\303\237e", "\303\211t\303\251", "\302\255", ""
	};

	for (int version = 0; version <= 5; version++)
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			compare_folded(version, names[i], table, 0);
			compare_folded(version, names[i], table,
				       EXT4_CASEFOLD_FL);
		}
}
END_TEST

/* Linux hashes a name that is not valid in the encoding as it stands. */
START_TEST(invalid_names_are_opaque)
{
	const struct ext2fs_nls_table *table = ext2fs_load_nls_table(1);
	ext2_dirhash_t a, b;

	for (int version = 0; version <= 6; version++) {
		ck_assert_int_eq(ext2fs_dirhash2(version, "A\377", 2, table,
						 EXT4_CASEFOLD_FL, NULL, &a,
						 NULL), 0);
		ck_assert_int_eq(ext2fs_dirhash(version, "A\377", 2, NULL, &b,
						NULL), 0);
		ck_assert_uint_eq(a, b);
	}
}
END_TEST

/*
 * The hashes of an encrypted, casefolded directory cannot be known here:
 * libext2fs' answer to 6.  (Its own ext2fs_dirhash2() cannot be asked, since
 * it calls the ext2fs_dirhash() that comes first: ours.)
 */
START_TEST(stored_hashes)
{
	const int both = EXT4_CASEFOLD_FL | EXT4_ENCRYPT_FL;
	ext2_dirhash_t hash = 1;

	ck_assert_int_eq(ext2fs_dirhash2(6, "a", 1, NULL, both, NULL, &hash,
					 NULL), EXT2_ET_DIRHASH_UNSUPP);
	ck_assert_uint_eq(hash, 0);
	ck_assert_int_eq(ext2fs_dirhash2(6, "a", 1, NULL, EXT4_ENCRYPT_FL, NULL,
					 &hash, NULL), 0);
}
END_TEST

START_TEST(names_as_stock)
{
	static const char *const t[] = {
		"legacy", "half_md4", "tea", "TEA", "Half_MD4", "legacy_unsigned",
		"half_md4_unsigned", "tea_unsigned", "", "tea ", " tea", "0",
		"6", "HASHALG_0", "HASHALG_1", "hashalg_2", "HASHALG_6",
		"HASHALG_7", "HASHALG_010", "HASHALG_255", "HASHALG_256",
		"HASHALG_-1", "HASHALG_", "HASHALG_x", "HASHALG_3x",
		"HASHALG_ 9", "HASHALG_+9", "HASHALG_0x10",
		"HASHALG_99999999999999999999", "HASHALG", "HASH"
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char text[64];

		snprintf(text, sizeof(text), "%s", t[i]);
		ck_assert_msg(e2p_string2hash(text) == stock_string2hash(text),
			      "%s: %d instead of %d", text,
			      e2p_string2hash(text), stock_string2hash(text));
	}
	for (int i = -3; i < 300; i++)
		if (i != 6)
			ck_assert_str_eq(e2p_hash2string(i),
					 stock_hash2string(i));
}
END_TEST

START_TEST(names_not_as_stock)
{
	static const char *const refused[] = {
		"HASHALG_3", "HASHALG_4", "HASHALG_5", "hashalg_3",
		"HASHALG_03", "HASHALG_ 4", "HASHALG_+5",
		/* Stock takes this for 0. */
		"HASHALG_4294967296"
	};

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		char text[32];

		snprintf(text, sizeof(text), "%s", refused[i]);
		ck_assert_int_eq(e2p_string2hash(text), -1);
	}
	ck_assert_int_eq(e2p_string2hash((char[]){ "siphash" }), 6);
	ck_assert_int_eq(e2p_string2hash((char[]){ "SipHash" }), 6);
	ck_assert_str_eq(e2p_hash2string(6), "siphash");
}
END_TEST

START_TEST(crc32c_as_stock)
{
	uint8_t data[4096];

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * i >> 3);
	for (size_t len = 0; len < 4000; len += 131)
		ck_assert_uint_eq(ext2fs_crc32c_le(~0u, data + len % 9, len),
				  stock_crc32c(~0u, data + len % 9, len));
}
END_TEST

int main(void)
{
	TCase *t = make_case("ext2dx");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_test(t, ours_come_first);
	tcase_add_test(t, dirhash_as_stock);
	tcase_add_test(t, negative_length);
	tcase_add_test(t, siphash_is_new);
	tcase_add_test(t, cookie);
	tcase_add_test(t, folded);
	tcase_add_test(t, invalid_names_are_opaque);
	tcase_add_test(t, stored_hashes);
	tcase_add_test(t, names_as_stock);
	tcase_add_test(t, names_not_as_stock);
	tcase_add_test(t, crc32c_as_stock);
	return run_case("ext2dx", t);
}
