/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Logs made by hand: what is replayed, what is not, and where they end. */
#include <check.h>
#include "journal_make.h"
#include "suite.h"

static struct made m;
static struct jnl_log out;

static void replay(void)
{
	ck_assert_int_eq(jnl_log_scan(&out, &m.super, &m.io), 0);
	ck_assert_int_eq(jnl_log_replay(&out), 0);
	jnl_log_free(&out);
}

static bool is(uint32_t block, uint8_t fill)
{
	for (uint32_t i = 0; i < MADE_BLOCK; i++)
		if (m.fs[block][i] != fill)
			return false;
	return true;
}

/* Every kind of checksum, 32 and 64 bits. */
static const struct {
	uint32_t compat, incompat;
} kinds[] = {
	{ 0, JNL_INCOMPAT_REVOKE },
	{ 0, JNL_INCOMPAT_REVOKE | JNL_INCOMPAT_64BIT },
	{ JNL_COMPAT_CHECKSUM, JNL_INCOMPAT_REVOKE },
	{ JNL_COMPAT_CHECKSUM, JNL_INCOMPAT_REVOKE | JNL_INCOMPAT_ASYNC },
	{ 0, JNL_INCOMPAT_REVOKE | JNL_INCOMPAT_CSUM_V2 },
	{ 0, JNL_INCOMPAT_REVOKE | JNL_INCOMPAT_CSUM_V2 | JNL_INCOMPAT_64BIT },
	{ 0, JNL_INCOMPAT_REVOKE | JNL_INCOMPAT_CSUM_V3 },
	{ 0, JNL_INCOMPAT_REVOKE | JNL_INCOMPAT_CSUM_V3 | JNL_INCOMPAT_64BIT },
};
#define KINDS ((int)(sizeof(kinds) / sizeof(kinds[0])))

static void make(int kind, uint32_t start)
{
	ck_assert_int_eq(made_init(&m, kinds[kind].compat,
				   kinds[kind].incompat, start), JNL_SUPER_OK);
}

static const uint64_t blocks[] = { 100, 101, 102 };

START_TEST(replays)
{
	make(_i, 1);
	made_data(&m, blocks, 3, 1, false);
	made_commit(&m);
	made_data(&m, blocks + 1, 1, 7, false);
	made_commit(&m);
	replay();
	ck_assert_uint_eq(out.transactions, 2);
	ck_assert_uint_eq(out.end, 12);
	ck_assert_int_eq(out.damage, JNL_SOUND);
	ck_assert(is(100, 1) && is(101, 7) && is(102, 3) && is(103, 0));
}
END_TEST

START_TEST(wraps)
{
	make(_i, MADE_LOG - 2);
	made_data(&m, blocks, 3, 1, false);
	made_commit(&m);
	replay();
	ck_assert_uint_eq(out.transactions, 1);
	ck_assert(is(100, 1) && is(101, 2) && is(102, 3));
}
END_TEST

START_TEST(uncommitted)
{
	make(_i, 1);
	made_data(&m, blocks, 1, 1, false);
	made_commit(&m);
	made_data(&m, blocks, 3, 9, false);
	replay();
	ck_assert_uint_eq(out.transactions, 1);
	ck_assert(is(100, 1) && is(101, 0));
}
END_TEST

/* Revoked up to its transaction, not in later ones. */
START_TEST(revoked)
{
	make(_i, 1);
	made_data(&m, blocks, 3, 1, false);
	made_commit(&m);
	made_revoke(&m, 100);
	made_revoke(&m, 102);
	made_commit(&m);
	made_data(&m, blocks + 2, 1, 9, false);
	made_commit(&m);
	/* Not committed: revokes nothing. */
	made_revoke(&m, 101);
	replay();
	ck_assert_uint_eq(out.transactions, 3);
	ck_assert(is(100, 0) && is(101, 2) && is(102, 9));
}
END_TEST

START_TEST(escaped)
{
	make(_i, 1);
	made_data(&m, blocks, 1, 5, true);
	made_commit(&m);
	replay();
	ck_assert_uint_eq(jnl_be32(m.fs[100]), JNL_MAGIC);
	ck_assert_uint_eq(m.fs[100][4], 5);
}
END_TEST

static bool checks_data(void)
{
	return m.super.csum != JNL_CSUM_NONE;
}

START_TEST(wrong_commit)
{
	uint8_t *p;

	make(_i, 1);
	made_data(&m, blocks, 1, 1, false);
	made_commit(&m);
	made_data(&m, blocks, 1, 2, false);
	p = made_commit(&m);
	p[JC_CSUM] ^= 1;
	replay();
	ck_assert(is(100, checks_data() ? 1 : 2));
	ck_assert_int_eq(out.damage, checks_data() ? JNL_BAD_COMMIT : JNL_SOUND);
	if (checks_data())
		ck_assert_uint_eq(out.damaged, 11);
}
END_TEST

/* Older than the one before it: what an earlier round left, no damage. */
START_TEST(stale_commit)
{
	uint8_t *p;

	make(_i, 1);
	made_data(&m, blocks, 1, 1, false);
	made_commit(&m);
	m.seconds = 5;
	made_data(&m, blocks, 1, 2, false);
	p = made_commit(&m);
	p[JC_CSUM] ^= 1;
	replay();
	if (jnl_has_tail(&m.super)) {
		ck_assert(is(100, 1));
		ck_assert_int_eq(out.damage, JNL_SOUND);
	}
}
END_TEST

START_TEST(wrong_descriptor)
{
	uint8_t *p;

	make(_i, 1);
	made_data(&m, blocks, 1, 1, false);
	made_commit(&m);
	p = made_data(&m, blocks, 1, 2, false);
	p[600] ^= 1;
	made_commit(&m);
	made_data(&m, blocks, 1, 3, false);
	made_commit(&m);
	replay();
	if (!checks_data())
		return;
	ck_assert(is(100, 1));
	ck_assert_int_eq(out.damage, jnl_has_tail(&m.super) ?
			 JNL_BAD_DESCRIPTOR : JNL_BAD_COMMIT);
}
END_TEST

/* Version 1 has one checksum for all; the others lose only that block. */
START_TEST(wrong_data)
{
	make(_i, 1);
	made_data(&m, blocks, 3, 1, false);
	m.log[3][77] ^= 1;
	made_commit(&m);
	replay();
	if (jnl_has_tail(&m.super)) {
		ck_assert(is(100, 1) && is(101, 0) && is(102, 3));
		ck_assert_int_eq(out.damage, JNL_BAD_DATA);
		ck_assert_uint_eq(out.damaged_block, 101);
		ck_assert_uint_eq(out.skipped, 1);
	} else if (checks_data()) {
		ck_assert(is(100, 0));
		ck_assert_int_eq(out.damage, JNL_BAD_COMMIT);
	}
}
END_TEST

START_TEST(wrong_target)
{
	const uint64_t far[] = { 100, MADE_FS };

	make(_i, 1);
	made_data(&m, blocks + 1, 1, 1, false);
	made_commit(&m);
	made_data(&m, far, 2, 2, false);
	made_commit(&m);
	replay();
	ck_assert(is(101, 1) && is(100, 0));
	ck_assert_int_eq(out.damage, JNL_BAD_TARGET);
	ck_assert_uint_eq(out.damaged_block, MADE_FS);
}
END_TEST

START_TEST(far_target)
{
	const uint64_t far[] = { 100 + ((uint64_t)1 << 32) };

	make(_i, 1);
	made_data(&m, far, 1, 2, false);
	made_commit(&m);
	replay();
	/* Without 64 bits the upper half is not there at all. */
	ck_assert_int_eq(out.damage, m.super.wide ? JNL_BAD_TARGET : JNL_SOUND);
}
END_TEST

START_TEST(wrong_revoke_count)
{
	uint8_t *p;

	make(_i, 1);
	made_data(&m, blocks, 1, 1, false);
	made_commit(&m);
	p = made_revoke(&m, 100);
	jnl_put_be32(p + JR_COUNT, MADE_BLOCK + 4);
	made_seal(&m, p, MADE_BLOCK - JNL_TAIL_SIZE);
	made_commit(&m);
	replay();
	ck_assert(is(100, 1));
	ck_assert_int_eq(out.damage, JNL_BAD_REVOKE);
}
END_TEST

/* Descriptors all the way round, all of one transaction: it ends. */
START_TEST(endless)
{
	make(_i, 1);
	for (uint32_t i = 1; i < MADE_LOG; i++) {
		uint8_t *p = made_header(&m, JNL_DESCRIPTOR);

		made_tag(&m, p + JNL_HEADER_SIZE, 1, 0, 0);
		made_seal(&m, p, MADE_BLOCK - JNL_TAIL_SIZE);
	}
	replay();
	ck_assert_uint_eq(out.transactions, 0);
	ck_assert_uint_le(m.reads, 3 * MADE_LOG);
}
END_TEST

START_TEST(revoke_table)
{
	struct jnl_revokes r = { 0 };

	for (uint64_t i = 0; i < 5000; i++)
		ck_assert_int_eq(jnl_revokes_add(&r, i * 977, (uint32_t)i), 0);
	ck_assert_int_eq(jnl_revokes_add(&r, 977, 0xfffffff0u), 0);
	ck_assert(jnl_revokes_test(&r, 977 * 40, 40));
	ck_assert(!jnl_revokes_test(&r, 977 * 40, 41));
	ck_assert(jnl_revokes_test(&r, 977, 1));
	ck_assert(!jnl_revokes_test(&r, 978, 1));
	ck_assert_uint_le(r.mask, 32767);
	jnl_revokes_free(&r);
}
END_TEST

/* ---- superblocks */

static enum jnl_super_fault poked(uint32_t at, uint32_t v)
{
	struct jnl_super s;

	make(0, 1);
	jnl_put_be32(m.log[0] + at, v);
	return jnl_super_load(m.log[0], MADE_BLOCK, MADE_LOG, 0, &s);
}

START_TEST(super_faults)
{
	ck_assert_int_eq(poked(0, 1), JNL_SUPER_MAGIC);
	ck_assert_int_eq(poked(4, 7), JNL_SUPER_VERSION);
	ck_assert_int_eq(poked(JS_INCOMPAT, 0x40), JNL_SUPER_INCOMPAT);
	ck_assert_int_eq(poked(JS_RO_COMPAT, 1), JNL_SUPER_RO_COMPAT);
	ck_assert_int_eq(poked(JS_BLOCK_SIZE, 4096), JNL_SUPER_GEOMETRY);
	ck_assert_int_eq(poked(JS_MAXLEN, MADE_LOG + 1), JNL_SUPER_SHORT);
	ck_assert_int_eq(poked(JS_FIRST, 0), JNL_SUPER_GEOMETRY);
	ck_assert_int_eq(poked(JS_FIRST, MADE_LOG), JNL_SUPER_GEOMETRY);
	ck_assert_int_eq(poked(JS_START, MADE_LOG), JNL_SUPER_GEOMETRY);
	ck_assert_int_eq(poked(JS_INCOMPAT, JNL_INCOMPAT_FAST),
			 JNL_SUPER_GEOMETRY);
	ck_assert_int_eq(poked(JS_INCOMPAT, JNL_INCOMPAT_CSUM_V2 |
			       JNL_INCOMPAT_CSUM_V3), JNL_SUPER_GEOMETRY);
	/* Version 1 has no features, whatever stands there. */
	make(0, 1);
	jnl_put_be32(m.log[0] + 4, JNL_SUPER_V1);
	jnl_put_be32(m.log[0] + JS_INCOMPAT, ~0u);
	ck_assert_int_eq(jnl_super_load(m.log[0], MADE_BLOCK, MADE_LOG, 0,
					&m.super), JNL_SUPER_OK);
	ck_assert(!m.super.wide && m.super.csum == JNL_CSUM_NONE);
}
END_TEST

START_TEST(super_checksum)
{
	struct jnl_super s;

	make(KINDS - 1, 1);
	m.log[0][JS_ERRNO] ^= 1;
	ck_assert_int_eq(jnl_super_load(m.log[0], MADE_BLOCK, MADE_LOG, 0, &s),
			 JNL_SUPER_CHECKSUM);
	make(KINDS - 1, 1);
	jnl_super_empty(&m.super, 99);
	ck_assert_int_eq(jnl_super_load(m.super.raw, MADE_BLOCK, MADE_LOG, 0,
					&s), JNL_SUPER_OK);
	ck_assert_uint_eq(s.start, 0);
	ck_assert_uint_eq(s.sequence, 99);
}
END_TEST

int main(void)
{
	TCase *t = make_case("log");

	tcase_add_loop_test(t, replays, 0, KINDS);
	tcase_add_loop_test(t, wraps, 0, KINDS);
	tcase_add_loop_test(t, uncommitted, 0, KINDS);
	tcase_add_loop_test(t, revoked, 0, KINDS);
	tcase_add_loop_test(t, escaped, 0, KINDS);
	tcase_add_loop_test(t, wrong_commit, 0, KINDS);
	tcase_add_loop_test(t, stale_commit, 0, KINDS);
	tcase_add_loop_test(t, wrong_descriptor, 0, KINDS);
	tcase_add_loop_test(t, wrong_data, 0, KINDS);
	tcase_add_loop_test(t, wrong_target, 0, KINDS);
	tcase_add_loop_test(t, far_target, 0, KINDS);
	tcase_add_loop_test(t, wrong_revoke_count, 0, KINDS);
	tcase_add_loop_test(t, endless, 0, KINDS);
	tcase_add_test(t, revoke_table);
	tcase_add_test(t, super_faults);
	tcase_add_test(t, super_checksum);
	return run_case("journal_log", t);
}
