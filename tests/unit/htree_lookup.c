/* SPDX-License-Identifier: GPL-2.0-or-later */
/* htree_lookup: by the index, over continuation bits, and without either. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "e2dx_err.h"
#include "handmade.h"
#include "htree/build.h"
#include "suite.h"

static struct hand h;
static uint8_t buffer[65536];

/* Counts the blocks that are read. */
struct counting {
	struct htree_blocks blocks;
	struct htree_blocks *under;
	unsigned reads;
};

static errcode_t counting_read(struct htree_blocks *b, uint32_t first,
			       uint32_t n, void *buf)
{
	struct counting *c = (struct counting *)b;

	c->reads += n;
	return htree_blocks_read(c->under, first, n, buf);
}

static const struct htree_blocks_ops counting_ops = { .read = counting_read };

static struct counting count(struct htree_blocks *b)
{
	return (struct counting){
		.blocks = { &counting_ops, b->block_size, b->count },
		.under = b
	};
}

static errcode_t find(struct htree_blocks *b, const char *name,
		      struct htree_dirent *d)
{
	return htree_lookup(&h.dir, b, (const uint8_t *)name, strlen(name),
			    buffer, d);
}

static void find_all(struct htree_blocks *b)
{
	struct htree_dirent d;

	for (int i = 0; i < HAND_NAMES; i++) {
		ck_assert_int_eq(find(b, h.names[i].name, &d), 0);
		ck_assert_uint_eq(d.ino, h.names[i].ino);
		ck_assert_mem_eq(d.name, h.names[i].name, d.name_len);
	}
	ck_assert_int_eq(find(b, "name-60", &d), E2DX_ET_NOT_FOUND);
	ck_assert_int_eq(find(b, "NAME-00", &d), E2DX_ET_NOT_FOUND);
	ck_assert_int_eq(find(b, ".", &d), 0);
	ck_assert_uint_eq(d.ino, 12);
	ck_assert_int_eq(find(b, "..", &d), 0);
	ck_assert_uint_eq(d.ino, 2);
}

static void teardown(void)
{
	hand_free(&h);
}

START_TEST(test_indexed)
{
	struct htree_dirent d;
	struct counting c;
	char name[257];

	hand_init(&h, 1024, _i & 1);
	hand_indexed(&h, _i >> 1, DIRHASH_HALF_MD4);
	find_all(&h.m.blocks);
	c = count(&h.m.blocks);
	ck_assert_int_eq(find(&c.blocks, h.names[33].name, &d), 0);
	ck_assert_uint_eq(c.reads, 2 + (_i >> 1));
	memset(name, 'x', 256);
	name[256] = 0;
	ck_assert_int_eq(find(&h.m.blocks, name, &d), E2DX_ET_NAME_LENGTH);
	ck_assert_int_eq(find(&h.m.blocks, "", &d), E2DX_ET_NAME_LENGTH);
	name[255] = 0;
	ck_assert_int_eq(find(&h.m.blocks, name, &d), E2DX_ET_NOT_FOUND);
}
END_TEST

/* What the root says cannot be: block after block finds all the same. */
START_TEST(test_fallback)
{
	static const struct { unsigned at; uint8_t value; } faults[] = {
		{ 28, 3 }, { 28, 7 }, { 29, 0 }, { 30, 2 }, { 30, 255 },
		{ 24, 1 }, { 31, 1 }, { 34, 0 }, { 35, 255 },
		{ 36, 0 }, { 36, 200 }
	};
	uint8_t *p, *t;

	hand_init(&h, 1024, _i);
	hand_indexed(&h, 1, DIRHASH_HALF_MD4);
	p = hand_block(&h, 0);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		uint8_t good = p[faults[i].at];

		p[faults[i].at] = faults[i].value;
		hand_seal(&h);
		find_all(&h.m.blocks);
		p[faults[i].at] = good;
	}
	t = hand_block(&h, HAND_LEAVES + 1);
	hand_put16(t + 4, 500);
	find_all(&h.m.blocks);
	h.dir.dir_index = false;
	find_all(&h.m.blocks);
	h.dir.indexed = false;
	find_all(&h.m.blocks);
}
END_TEST

START_TEST(test_unreadable)
{
	struct htree_dirent d;

	hand_init(&h, 1024, _i);
	hand_indexed(&h, 0, DIRHASH_HALF_MD4);
	h.dir.indexed = false;
	ck_assert_int_eq(find(hand_failing(&h, 3, E2DX_ET_HOLE), "absent", &d),
			 E2DX_ET_NOT_FOUND);
	ck_assert_int_eq(find(hand_failing(&h, 3, EIO), "absent", &d), EIO);
	ck_assert_int_eq(find(hand_failing(&h, 1, EIO), h.names[50].name, &d),
			 0);
	hand_resize(&h, 0);
	ck_assert_int_eq(find(&h.m.blocks, ".", &d), E2DX_ET_NOT_FOUND);
	ck_assert_int_eq(find(&h.m.blocks, "x", &d), E2DX_ET_NOT_FOUND);
}
END_TEST

/* The collision's names stand in two leaves, here of two nodes. */
START_TEST(test_continuation)
{
	uint32_t last;

	hand_init(&h, 1024, _i);
	hand_indexed(&h, 1, DIRHASH_HALF_MD4);
	last = h.names[HAND_NAMES / 2 - 1].hash.hash;
	hand_put32(hand_table(&h, 0) + 8, last | 1);
	hand_seal(&h);
	find_all(&h.m.blocks);
	/* And one that stands only after the boundary. */
	hand_indexed(&h, 1, DIRHASH_HALF_MD4);
	hand_put32(hand_table(&h, 0) + 8,
		   h.names[HAND_NAMES / 2].hash.hash | 1);
	hand_seal(&h);
	find_all(&h.m.blocks);
}
END_TEST

/* Every entry says "go on", every child is the node: it must end. */
START_TEST(test_endless)
{
	struct htree_dirent d;
	struct dirhasher hasher;
	struct dirhash hash;

	hand_init(&h, 1024, _i);
	h.dir.max_indirect = 2;
	hand_indexed(&h, 1, DIRHASH_HALF_MD4);
	htree_dir_hasher(&h.dir, DIRHASH_HALF_MD4, &hasher);
	dirhash_name(&hasher, "absent", 6, &hash);
	hand_block(&h, 0)[30] = 2;
	hand_limit(&h, 0, hand_room_entries(&h, 0), 100);
	hand_limit(&h, 7, hand_room_entries(&h, 7), 100);
	for (unsigned i = 0; i < 100; i++) {
		hand_entry(&h, 0, i, hash.hash | 1, 7);
		hand_entry(&h, 7, i, hash.hash | 1, 7);
	}
	hand_seal(&h);
	ck_assert_int_eq(find(&h.m.blocks, "absent", &d), E2DX_ET_NOT_FOUND);
}
END_TEST

START_TEST(test_casefold)
{
	struct htree_dirent d;

	hand_init(&h, 1024, _i);
	h.dir.casefold = true;
	h.dir.fold = &hand_fold;
	hand_indexed(&h, 1, DIRHASH_HALF_MD4);
	for (int i = 0; i < HAND_NAMES; i++) {
		char name[32];

		snprintf(name, sizeof(name), "NaMe-%s", h.names[i].name + 5);
		ck_assert_int_eq(find(&h.m.blocks, name, &d), 0);
		ck_assert_uint_eq(d.ino, h.names[i].ino);
	}
	h.dir.indexed = false;
	ck_assert_int_eq(find(&h.m.blocks, "NAME-07", &d), 0);
}
END_TEST

/* Without the key no hash is known: ciphertext is looked for everywhere. */
START_TEST(test_stored_hashes)
{
	struct htree_dirent d;

	hand_init(&h, 1024, _i);
	h.dir.encrypted = h.dir.casefold = true;
	hand_indexed(&h, 1, DIRHASH_SIPHASH);
	for (int i = 0; i < HAND_NAMES; i++) {
		ck_assert_int_eq(find(&h.m.blocks, h.names[i].name, &d), 0);
		ck_assert_uint_eq(d.ino, h.names[i].ino);
		ck_assert(d.has_hash);
		ck_assert_uint_eq(d.hash.hash, h.names[i].hash.hash);
	}
}
END_TEST

/* What htree_build makes: three levels, and names that collide in legacy. */
START_TEST(test_built)
{
	static const int versions[] = {
		DIRHASH_LEGACY, DIRHASH_HALF_MD4, DIRHASH_TEA, DIRHASH_SIPHASH
	};
	struct htree_build_options o = {
		.indexed = true, .version = versions[_i], .parent = 2
	};
	struct htree_build_result built;
	struct htree_verify_ops none = { .finding = NULL };
	struct htree_verify_result r;
	struct htree_entries e;
	struct htree_dirent d;
	char name[32];

	hand_init(&h, 1024, true);
	h.dir.indexed = true;
	h.dir.max_indirect = 2;
	h.dir.inodes_count = 0;
	h.dir.default_version = versions[_i];
	htree_entries_init(&e);
	for (uint32_t i = 0; i < 20000; i++) {
		d = (struct htree_dirent){ .ino = 100 + i, .file_type = 1 };
		snprintf(name, sizeof(name), "%06u-name-%u", i % 500, i);
		d.name = (const uint8_t *)name;
		d.name_len = (uint8_t)strlen(name);
		ck_assert_int_eq(htree_entries_add(&e, &d), 0);
	}
	ck_assert_int_eq(htree_build(&h.dir, &e, &o, &h.m.blocks, &built), 0);
	ck_assert_int_eq(htree_verify(&h.dir, &h.m.blocks, &none, NULL, &r), 0);
	ck_assert_uint_eq(r.findings, 0);
	ck_assert_uint_eq(r.entries, 20000);
	for (uint32_t i = 0; i < 20000; i += 7) {
		snprintf(name, sizeof(name), "%06u-name-%u", i % 500, i);
		ck_assert_int_eq(find(&h.m.blocks, name, &d), 0);
		ck_assert_uint_eq(d.ino, 100 + i);
	}
	htree_entries_free(&e);
}
END_TEST

int main(void)
{
	TCase *c = make_case("lookup");

	tcase_add_checked_fixture(c, NULL, teardown);
	tcase_add_loop_test(c, test_indexed, 0, 4);
	tcase_add_loop_test(c, test_fallback, 0, 2);
	tcase_add_loop_test(c, test_unreadable, 0, 2);
	tcase_add_loop_test(c, test_continuation, 0, 2);
	tcase_add_loop_test(c, test_endless, 0, 2);
	tcase_add_loop_test(c, test_casefold, 0, 2);
	tcase_add_loop_test(c, test_stored_hashes, 0, 2);
	tcase_add_loop_test(c, test_built, 0, 4);
	return run_case("htree_lookup", c);
}
