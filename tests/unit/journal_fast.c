/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fast commits made by hand, and ranges laid over one another. */
#include <check.h>
#include "ext2fs/fs.h"
#include "htree/ondisk.h"
#include "journal/fc_map.h"
#include "journal_make.h"
#include "suite.h"

#define TID	12u

static struct made m;
static uint32_t at;		/* byte of the block at hand */
static uint32_t crc;
static struct fc_log out;

/* The last 16 blocks, of which the first is left unused. */
static void begin(void)
{
	memset(&m, 0, sizeof(m));
	m.super.block_size = MADE_BLOCK;
	m.super.fc_first = MADE_LOG - 15;
	m.super.fc_end = MADE_LOG;
	m.io = (struct jnl_io){ made_read, made_allowed, made_write, &m };
	at = crc = 0;
}

static uint8_t *put(uint32_t block, uint32_t tag, const void *value,
		    uint32_t len)
{
	uint8_t *p = m.log[m.super.fc_first + block] + at;

	htree_put_le16(p, tag);
	htree_put_le16(p + 2, len);
	memcpy(p + 4, value, len);
	crc = htree_crc32c(crc, p, 4 + len);
	at += 4 + len;
	return p + 4;
}

static void put_words(uint32_t block, uint32_t tag, uint32_t a, uint32_t b,
		      uint32_t c, uint32_t n)
{
	uint8_t v[12];

	htree_put_le32(v, a);
	htree_put_le32(v + 4, b);
	htree_put_le32(v + 8, c);
	put(block, tag, v, 4 * n);
}

static void put_tail(uint32_t block, uint32_t tid)
{
	uint8_t *p = m.log[m.super.fc_first + block] + at;

	htree_put_le16(p, FC_TAIL);
	htree_put_le16(p + 2, MADE_BLOCK - at - 4);
	htree_put_le32(p + 4, tid);
	crc = htree_crc32c(crc, p, 8);
	htree_put_le32(p + 8, crc);
	crc = at = 0;
}

static void scan(void)
{
	ck_assert_int_eq(fc_scan(&m.super, &m.io, TID, &out), 0);
}

static const char name[] = "\2\0\0\0\14\0\0\0new";

START_TEST(sound)
{
	begin();
	put_words(0, FC_HEAD, 0, TID, 0, 2);
	put(0, FC_CREAT, name, 11);
	put_words(0, FC_DEL_RANGE, 12, 5, 0xffffffff, 3);
	put_tail(0, TID);
	put(1, FC_UNLINK, name, 11);
	put_tail(1, TID);
	scan();
	ck_assert_uint_eq(out.n, 3);
	ck_assert_int_eq(out.v[0].tag, FC_CREAT);
	ck_assert_uint_eq(out.v[0].parent, 2);
	ck_assert_uint_eq(out.v[0].ino, 12);
	ck_assert_uint_eq(out.v[0].len, 3);
	ck_assert(!memcmp(out.bytes + out.v[0].at, "new", 3));
	ck_assert_uint_eq(out.v[1].first, 5);
	ck_assert_uint_eq(out.v[1].count, 0xffffffff - 5);
	ck_assert_int_eq(out.v[2].tag, FC_UNLINK);
	fc_free(&out);
}
END_TEST

/* A fast commit over two blocks, with padding between. */
START_TEST(two_blocks)
{
	static const uint8_t zero[MADE_BLOCK];

	begin();
	put_words(0, FC_HEAD, 0, TID, 0, 2);
	put(0, FC_PAD, zero, MADE_BLOCK - at - 4);
	at = 0;
	put(1, FC_LINK, name, 11);
	put_tail(1, TID);
	scan();
	ck_assert_uint_eq(out.n, 1);
	fc_free(&out);
}
END_TEST

START_TEST(ends)
{
	/* 0: checksum, 1: transaction of the tail, 2: none, 3: unknown tag,
	   4: a length over the end, 5: a head of another transaction */
	begin();
	put_words(0, FC_HEAD, 0, _i == 5 ? TID + 1 : TID, 0, 2);
	put(0, FC_CREAT, name, 11);
	put_tail(0, TID);
	put(1, FC_CREAT, name, 11);
	if (_i == 3)
		put(1, 77, name, 11);
	if (_i == 4)
		htree_put_le16(put(1, FC_PAD, name, 1) - 2, MADE_BLOCK);
	if (_i != 2)
		put_tail(1, _i == 1 ? TID - 1 : TID);
	if (_i == 0)
		m.log[m.super.fc_first + 1][9] ^= 1;
	scan();
	ck_assert_uint_eq(out.n, _i == 5 ? 0 : 1);
	ck_assert(!out.unknown);
	fc_free(&out);
}
END_TEST

START_TEST(unknown_features)
{
	begin();
	put_words(0, FC_HEAD, 1, TID, 0, 2);
	put(0, FC_CREAT, name, 11);
	put_tail(0, TID);
	scan();
	ck_assert(out.unknown);
	ck_assert_uint_eq(out.n, 0);
	fc_free(&out);
}
END_TEST

/* ---- ranges, against an array of single blocks */

#define SPAN	200

START_TEST(overlay)
{
	struct fc_range v[40];
	uint64_t want[SPAN] = { 0 }, got[SPAN] = { 0 };
	struct fc_ranges r;
	size_t n;

	srand((unsigned)_i);
	n = 1 + (size_t)(rand() % 40);

	for (size_t i = 0; i < n; i++) {
		uint64_t first = (uint64_t)(rand() % (SPAN - 30));

		v[i] = (struct fc_range){
			first, 1 + (uint64_t)(rand() % 30),
			rand() % 3 ? 1000 + (uint64_t)(rand() % 500) : 0,
			rand() % 4 == 0
		};
		for (uint64_t k = 0; k < v[i].count; k++)
			want[first + k] = !v[i].physical ? 0 :
				(v[i].physical + k) * 2 + v[i].unwritten;
	}
	ck_assert_int_eq(fc_overlay(v, n, &r), 0);
	for (size_t i = 0; i < r.n; i++) {
		ck_assert(!i || r.v[i - 1].first + r.v[i - 1].count <=
			  r.v[i].first);
		for (uint64_t k = 0; k < r.v[i].count; k++)
			got[r.v[i].first + k] = (r.v[i].physical + k) * 2 +
						r.v[i].unwritten;
	}
	ck_assert(!memcmp(want, got, sizeof(want)));
	free(r.v);
}
END_TEST

int main(void)
{
	TCase *t = make_case("fast");

	tcase_add_test(t, sound);
	tcase_add_test(t, two_blocks);
	tcase_add_loop_test(t, ends, 0, 6);
	tcase_add_test(t, unknown_features);
	tcase_add_loop_test(t, overlay, 0, 300);
	return run_case("journal_fast", t);
}
