/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Block maps built on memory, read back by a reader that shares nothing with
 * the writer (tests/cli/replace-*.sh lets stock e2fsck judge whole images).
 */
#include <stdlib.h>
#include <string.h>
#include <ext2fs/ext2_err.h>
#include "e2dx_err.h"
#include "ext2fs/mapbuild.h"
#include "suite.h"

/* For loops: Check writes to a pipe at every assertion. */
#define EXPECT(c)	do { if (!(c)) ck_abort_msg("%s", #c); } while (0)

#define META_BASE 5000000u	/* mapping block i is put at META_BASE + 3 * i */

static uint64_t *expected;	/* physical block of each logical one */
static uint64_t seen;
static uint8_t *meta;
static struct e2dx_map_format format;
static size_t n_meta, used_meta;

static unsigned get16(const uint8_t *p)
{
	return p[0] | (unsigned)p[1] << 8;
}

static uint64_t get32(const uint8_t *p)
{
	return get16(p) | (uint64_t)get16(p + 2) << 16;
}

static uint32_t slow_crc32c(uint32_t crc, const uint8_t *p, size_t n)
{
	while (n--) {
		crc ^= *p++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
	}
	return crc;
}

static const uint8_t *meta_at(uint64_t block)
{
	uint64_t i = (block - META_BASE) / 3;

	ck_assert_uint_ge(block, META_BASE);
	ck_assert_uint_eq((block - META_BASE) % 3, 0);
	ck_assert_uint_lt(i, n_meta);
	used_meta++;
	return meta + i * format.block_size;
}

static void read_node(const uint8_t *p, unsigned room, int depth)
{
	unsigned n = get16(p + 2);

	ck_assert_uint_eq(get16(p), 0xf30a);
	ck_assert_uint_eq(get16(p + 4), room);
	ck_assert_uint_le(n, room);
	ck_assert_uint_ge(n, 1);
	if (depth >= 0)
		ck_assert_uint_eq(get16(p + 6), (unsigned)depth);
	depth = (int)get16(p + 6);
	for (unsigned i = 1; i <= n; i++) {
		const uint8_t *e = p + 12 * i, *child;

		EXPECT(get32(e) == seen);
		if (depth == 0) {
			uint64_t at = get32(e + 8) |
				      (uint64_t)get16(e + 6) << 32;

			EXPECT(get16(e + 4) <= 32768);
			for (unsigned k = 0; k < get16(e + 4); k++, seen++)
				EXPECT(expected[seen] == at + k);
			continue;
		}
		child = meta_at(get32(e + 4) | (uint64_t)get16(e + 8) << 32);
		room = format.block_size / 12 - 1;
		if (format.metadata_csum)
			ck_assert_uint_eq(get32(child + 12 * (room + 1)),
					  slow_crc32c(format.csum_seed, child,
						      12 * (room + 1)));
		read_node(child, room, depth - 1);
		room = get16(p + 4);
	}
}

static void read_indirect(uint64_t block, int level, uint64_t blocks)
{
	const uint8_t *p;

	if (!level) {
		EXPECT(expected[seen] == block);
		seen++;
		return;
	}
	p = meta_at(block);
	for (unsigned i = 0; i < format.block_size / 4; i++)
		if (seen < blocks)
			read_indirect(get32(p + 4 * i), level - 1, blocks);
		else
			EXPECT(get32(p + 4 * i) == 0);
}

static void read_back(const uint8_t *i_block, uint64_t blocks)
{
	seen = used_meta = 0;
	if (format.extents)
		read_node(i_block, 4, -1);
	for (int i = 0; i < 15 && !format.extents; i++)
		if (seen < blocks)
			read_indirect(get32(i_block + 4 * i),
				      i < 12 ? 0 : i - 11, blocks);
		else
			ck_assert_uint_eq(get32(i_block + 4 * i), 0);
	ck_assert_uint_eq(seen, blocks);
	ck_assert_uint_eq(used_meta, n_meta);
}

/* Pieces of `length` blocks each, apart from one another. */
static void one_case(uint64_t blocks, uint64_t length, uint64_t first)
{
	struct e2dx_pieces data;
	uint64_t count, *at, logical = 0;
	uint8_t i_block[60];

	e2dx_pieces_init(&data);
	expected = calloc(blocks + length, sizeof(*expected));
	while (logical < blocks) {
		ck_assert_int_eq(e2dx_pieces_add(&data, first, length), 0);
		for (uint64_t k = 0; k < length; k++)
			expected[logical++] = first + k;
		first += length + 1;
	}
	ck_assert_int_eq(e2dx_map_meta(&format, &data, blocks, &count), 0);
	n_meta = count;
	at = calloc(n_meta + 1, sizeof(*at));
	for (size_t i = 0; i < n_meta; i++)
		at[i] = META_BASE + 3 * i;
	meta = malloc(n_meta * format.block_size + 1);
	memset(i_block, 0xa5, sizeof(i_block));
	memset(meta, 0xa5, n_meta * format.block_size);
	ck_assert_int_eq(e2dx_map_build(&format, &data, blocks, at, n_meta,
					meta, i_block), 0);
	read_back(i_block, blocks);
	ck_assert_int_eq(e2dx_map_meta_worst(&format, blocks, length, &count),
			 0);
	ck_assert_uint_ge(count + (length > 32768), n_meta);
	free(at);
	free(meta);
	free(expected);
	e2dx_pieces_free(&data);
}

START_TEST(extents)
{
	static const uint32_t sizes[] = { 1024, 2048, 4096, 65536 };

	for (size_t i = 0; i < 4; i++)
		for (int csum = 0; csum < 2; csum++) {
			format = (struct e2dx_map_format){
				.extents = true, .metadata_csum = csum,
				.block_size = sizes[i], .csum_seed = 0x1234567
			};
			one_case(1, 1, 1000);
			one_case(4, 1, 1000);		/* the root is full */
			one_case(5, 1, 1000);		/* one leaf */
			one_case(337, 1, 1000);		/* 1 KiB: 5 leaves */
			one_case(30000, 1, 1000);	/* 1 KiB: depth 3 */
			one_case(100000, 100000, 1000);	/* longer than an extent */
			one_case(10, 16, 1000);	/* bigalloc: a piece partly used */
			one_case(9, 1, UINT64_C(0x123400000000));
		}
}
END_TEST

START_TEST(indirect)
{
	format = (struct e2dx_map_format){ .block_size = 1024 };
	one_case(1, 1, 100);
	one_case(12, 1, 100);
	one_case(13, 1, 100);
	one_case(12 + 256, 3, 100);
	one_case(12 + 257, 3, 100);
	one_case(12 + 256 + 65536, 1000, 100);
	one_case(12 + 256 + 65537, 1000, 100);
	one_case(12 + 256 + 65536 + 70000, 1000, 100);
}
END_TEST

START_TEST(refusals)
{
	struct e2dx_pieces data;
	uint64_t count;
	uint8_t i_block[60], block[1024];
	uint64_t at = 77;

	format = (struct e2dx_map_format){ .block_size = 1024 };
	ck_assert_int_eq(e2dx_map_meta_worst(&format, UINT64_C(1) << 25, 1,
					     &count), EXT2_ET_FILE_TOO_BIG);
	e2dx_pieces_init(&data);
	ck_assert_int_eq(e2dx_pieces_add(&data, UINT64_C(1) << 32, 3), 0);
	ck_assert_int_eq(e2dx_map_build(&format, &data, 3, NULL, 0, NULL,
					i_block), E2DX_ET_RANGE);
	format.extents = true;
	data.v[0].first = UINT64_C(1) << 48;
	ck_assert_int_eq(e2dx_map_build(&format, &data, 3, NULL, 0, NULL,
					i_block), E2DX_ET_RANGE);
	/* A number of mapping blocks that is not what it takes. */
	data.v[0].first = 100;
	ck_assert_int_eq(e2dx_map_build(&format, &data, 3, &at, 1, block,
					i_block), E2DX_ET_RANGE);
	e2dx_pieces_free(&data);
}
END_TEST

int main(void)
{
	TCase *t = make_case("map");

	tcase_add_test(t, extents);
	tcase_add_test(t, indirect);
	tcase_add_test(t, refusals);
	return run_case("replace_map", t);
}
