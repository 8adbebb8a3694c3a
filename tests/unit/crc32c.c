/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CRC-32C: every variant against known values, bitwise code and libext2fs. */
#include <stdlib.h>
#include <string.h>
#include <ext2fs/ext2fs.h>
#include "htree/crc32c.h"
#include "htree/crc32c_variants.h"
#include "suite.h"

#define LONGEST	9000

static uint8_t data[LONGEST + 16];

static void fill(void)
{
	uint32_t v = 12345;

	for (size_t i = 0; i < sizeof(data); i++) {
		v = v * 1664525 + 1013904223;
		data[i] = (uint8_t)(v >> 24);
	}
}

/* The definition: one bit at a time. */
static uint32_t bitwise(uint32_t crc, const uint8_t *p, size_t len)
{
	while (len-- > 0) {
		crc ^= *p++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return crc;
}

/* The check value of the CRC catalogue, and RFC 3720's B.4 for 32 zeros. */
START_TEST(known_values)
{
	struct htree_crc32c_variant v[HTREE_CRC32C_VARIANTS];
	static const uint8_t zeros[32];

	htree_crc32c_usable(v);
	ck_assert_ptr_nonnull(v[0].function);
	for (int i = 0; v[i].function; i++) {
		ck_assert_uint_eq(v[i].function(~0u, "123456789", 9),
				  ~0xe3069283u);
		ck_assert_uint_eq(v[i].function(~0u, zeros, 32), ~0x8a9136aau);
		ck_assert_uint_eq(v[i].function(7, "", 0), 7);
	}
	ck_assert_uint_eq(htree_crc32c(~0u, "123456789", 9), ~0xe3069283u);
}
END_TEST

START_TEST(all_lengths_and_alignments)
{
	struct htree_crc32c_variant v[HTREE_CRC32C_VARIANTS];

	fill();
	htree_crc32c_usable(v);
	for (size_t len = 0; len < LONGEST; len += len < 1100 ? 1 : 61)
		for (size_t at = 0; at < 16; at += len < 1100 ? 5 : 7) {
			uint32_t seed = (uint32_t)(len * 2654435761u + at);
			uint32_t want = bitwise(seed, data + at, len);

			for (int i = 0; v[i].function; i++)
				ck_assert_msg(v[i].function(seed, data + at,
							    len) == want,
					      "%s differs at length %zu + %zu",
					      v[i].name, len, at);
			ck_assert_uint_eq(htree_crc32c(seed, data + at, len),
					  want);
		}
}
END_TEST

/* The borders of the stretches, where parts are joined. */
START_TEST(around_stretches)
{
	static const size_t borders[] = { 1008, 2016, 3024, 4032, 4080, 5088,
					  8160, 8168 };
	struct htree_crc32c_variant v[HTREE_CRC32C_VARIANTS];

	fill();
	htree_crc32c_usable(v);
	for (size_t k = 0; k < sizeof(borders) / sizeof(borders[0]); k++)
		for (size_t len = borders[k] - 9; len < borders[k] + 10; len++)
			for (int i = 0; v[i].function; i++)
				ck_assert_uint_eq(v[i].function(~0u, data, len),
						  bitwise(~0u, data, len));
}
END_TEST

/* The system's own code: an outside judge. */
START_TEST(as_libext2fs)
{
	fill();
	for (size_t len = 0; len < LONGEST; len += 97)
		ck_assert_uint_eq(htree_crc32c(~0u, data, len),
				  ext2fs_crc32c_le(~0u, data, len));
}
END_TEST

/* A CRC may be computed in pieces. */
START_TEST(in_pieces)
{
	fill();
	for (size_t cut = 0; cut <= 5000; cut += 313)
		ck_assert_uint_eq(htree_crc32c(htree_crc32c(1, data, cut),
					       data + cut, 5000 - cut),
				  htree_crc32c(1, data, 5000));
}
END_TEST

int main(void)
{
	TCase *t = make_case("crc32c");

	tcase_add_test(t, known_values);
	tcase_add_test(t, all_lengths_and_alignments);
	tcase_add_test(t, around_stretches);
	tcase_add_test(t, as_libext2fs);
	tcase_add_test(t, in_pieces);
	return run_case("crc32c", t);
}
