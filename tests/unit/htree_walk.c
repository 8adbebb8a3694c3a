/* SPDX-License-Identifier: GPL-2.0-or-later */
/* htree_parse_root, htree_parse_node, htree_walk, htree_leaf_entries. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "e2dx_err.h"
#include "handmade.h"
#include "suite.h"

#define STOP	((errcode_t)12345)

static struct hand h;

struct log {
	unsigned roots, nodes, children, entries, ends, faults;
	errcode_t last_fault;
	uint32_t fault_block;
	uint32_t leaf[64];		/* times that each leaf was ended */
	unsigned stop_after;		/* entries; 0: never */
};

static errcode_t on_root(void *ctx, const struct htree_root *r)
{
	struct log *l = ctx;

	(void)r;
	l->roots++;
	return 0;
}

static errcode_t on_node(void *ctx, const struct htree_node *n)
{
	struct log *l = ctx;

	ck_assert_int_lt(n->level, HTREE_MAX_LEVELS);
	l->nodes++;
	return 0;
}

static errcode_t on_child(void *ctx, const struct htree_node *n, uint32_t i)
{
	struct log *l = ctx;

	ck_assert_uint_lt(i, n->count);
	l->children++;
	return 0;
}

static errcode_t on_leaf(void *ctx, uint32_t block, const struct htree_dirent *d)
{
	struct log *l = ctx;

	if (!d) {
		l->ends++;
		l->leaf[block]++;
		return 0;
	}
	if (d->block != block)	/* Check writes to a pipe at each assertion */
		ck_abort_msg("an entry of another block");
	l->entries++;
	return l->entries == l->stop_after ? STOP : 0;
}

static errcode_t on_fault(void *ctx, uint32_t block, errcode_t what)
{
	struct log *l = ctx;

	l->faults++;
	l->last_fault = what;
	l->fault_block = block;
	return 0;
}

static const struct htree_walk_ops ops = {
	on_root, on_node, on_child, on_leaf, on_fault
};

static errcode_t walk(struct log *l)
{
	memset(l, 0, sizeof(*l));
	return htree_walk(&h.dir, &h.m.blocks, &ops, l);
}

static void setup(void)
{
	hand_init(&h, 1024, true);
	hand_indexed(&h, 1, DIRHASH_TEA);
}

static void teardown(void)
{
	hand_free(&h);
}

START_TEST(test_parse_root)
{
	struct htree_root root;
	struct htree_node node;
	uint8_t *p = hand_block(&h, 0);

	ck_assert_int_eq(htree_parse_root(&h.dir, p, &root, &node), 0);
	ck_assert_uint_eq(root.version, DIRHASH_TEA);
	ck_assert_uint_eq(root.indirect_levels, 1);
	ck_assert_uint_eq(root.info_length, 8);
	ck_assert_uint_eq(node.count, 2);
	ck_assert_uint_eq(node.limit, hand_room_entries(&h, 0));
	ck_assert(node.checksum_ok);
	ck_assert_uint_eq(htree_node_hash(&node, 0), 0);
	ck_assert_uint_eq(htree_node_child(&node, 0), HAND_LEAVES + 1);
	ck_assert_uint_eq(htree_node_hash(&node, 1),
			  h.names[HAND_NAMES / 2].hash.hash);

	p[28] = 4;
	ck_assert_int_eq(htree_parse_root(&h.dir, p, &root, &node),
			 E2DX_ET_UNSUPPORTED);
	ck_assert_uint_eq(root.version, 4);
	ck_assert(!node.checksum_ok);
	p[28] = 2;
	p[29] = 7;
	ck_assert_int_eq(htree_parse_root(&h.dir, p, &root, &node),
			 E2DX_ET_DAMAGED);
	p[29] = 8;
	p[30] = 2;
	ck_assert_int_eq(htree_parse_root(&h.dir, p, &root, &node),
			 E2DX_ET_DAMAGED);
	h.dir.max_indirect = 2;
	ck_assert_int_eq(htree_parse_root(&h.dir, p, &root, &node), 0);
	hand_limit(&h, 0, hand_room_entries(&h, 0), 0xfff0);
	ck_assert_int_eq(htree_parse_root(&h.dir, p, &root, &node),
			 E2DX_ET_DAMAGED);
	ck_assert_uint_eq(node.count, 0);
	ck_assert_uint_eq(node.disk_count, 0xfff0);
	h.dir.indexed = false;
	ck_assert_int_eq(htree_parse_root(&h.dir, p, &root, &node),
			 E2DX_ET_NOT_INDEXED);
}
END_TEST

START_TEST(test_parse_node)
{
	struct htree_node node;
	uint8_t *p = hand_block(&h, HAND_LEAVES + 1);

	ck_assert_int_eq(htree_parse_node(&h.dir, p, 7, 1, &node), 0);
	ck_assert_uint_eq(node.block, 7);
	ck_assert_int_eq(node.level, 1);
	ck_assert_uint_eq(node.count, 3);
	ck_assert(node.checksum_ok);
	ck_assert_uint_eq(htree_node_child(&node, 2), 3);
	ck_assert_int_eq(htree_parse_node(&h.dir, hand_block(&h, 1), 1, 1,
					  &node), E2DX_ET_DAMAGED);
}
END_TEST

START_TEST(test_walk)
{
	struct log l;

	ck_assert_int_eq(walk(&l), 0);
	ck_assert_uint_eq(l.roots, 1);
	ck_assert_uint_eq(l.nodes, 3);
	ck_assert_uint_eq(l.children, 2 + HAND_LEAVES);
	ck_assert_uint_eq(l.entries, HAND_NAMES);
	ck_assert_uint_eq(l.ends, HAND_LEAVES);
	ck_assert_uint_eq(l.faults, 0);

	l = (struct log){ .stop_after = 7 };
	ck_assert_int_eq(htree_walk(&h.dir, &h.m.blocks, &ops, &l), STOP);
	ck_assert_uint_eq(l.entries, 7);

	h.dir.indexed = false;
	ck_assert_int_eq(walk(&l), E2DX_ET_NOT_INDEXED);
}
END_TEST

START_TEST(test_walk_faults)
{
	static const struct htree_walk_ops none = { .root = NULL };
	uint8_t *t = hand_table(&h, HAND_LEAVES + 1);
	struct log l;

	hand_put32(t + 12, HAND_LEAVES + 1);	/* the node itself */
	ck_assert_int_eq(walk(&l), 0);
	ck_assert_uint_eq(l.faults, 1);
	ck_assert_int_eq(l.last_fault, E2DX_ET_SHARED);
	ck_assert_uint_eq(l.entries, HAND_NAMES - HAND_LEAF);
	hand_put32(t + 12, 0);
	ck_assert_int_eq(walk(&l), 0);
	ck_assert_int_eq(l.last_fault, E2DX_ET_RANGE);
	hand_put32(t + 12, 9999);
	ck_assert_int_eq(walk(&l), 0);
	ck_assert_int_eq(l.last_fault, E2DX_ET_RANGE);
	ck_assert_uint_eq(l.fault_block, 9999);
	hand_put32(t + 12, 2);

	/* Entries before a damaged record are given, then the fault. */
	hand_put16(hand_block(&h, 2) + 16 + 4, 1);
	ck_assert_int_eq(walk(&l), 0);
	ck_assert_int_eq(l.last_fault, E2DX_ET_DAMAGED);
	ck_assert_uint_eq(l.fault_block, 2);
	ck_assert_uint_eq(l.entries, HAND_NAMES - HAND_LEAF + 1);
	ck_assert_uint_eq(l.ends, HAND_LEAVES);

	ck_assert_int_eq(htree_walk(&h.dir, &h.m.blocks, &none, NULL), 0);
	ck_assert_int_eq(htree_walk(&h.dir, hand_failing(&h, 3, EIO), &ops, &l),
			 0);
	ck_assert_int_eq(htree_walk(&h.dir, hand_failing(&h, 0, EIO), &ops, &l),
			 EIO);
}
END_TEST

/* A damaged root is shown, told, and followed as far as can be. */
START_TEST(test_walk_damaged_root)
{
	struct log l;

	hand_block(&h, 0)[28] = 9;
	ck_assert_int_eq(walk(&l), 0);
	ck_assert_uint_eq(l.faults, 1);
	ck_assert_int_eq(l.last_fault, E2DX_ET_UNSUPPORTED);
	ck_assert_uint_eq(l.entries, HAND_NAMES);
	hand_block(&h, 0)[30] = 200;
	ck_assert_int_eq(walk(&l), 0);
	ck_assert_uint_eq(l.roots, 1);
	ck_assert_uint_eq(l.nodes, 1);
	ck_assert_uint_eq(l.entries, 0);
	ck_assert_int_eq(l.last_fault, E2DX_ET_DAMAGED);
}
END_TEST

static uint32_t next_random(void)
{
	static uint32_t x = 88172645;

	x ^= x << 13;
	x ^= x >> 17;
	return x ^= x << 5;
}

START_TEST(test_walk_corruption)
{
	static const size_t hot[] = { 24, 32, 7 * 1024, 8 * 1024 };
	struct log l;
	uint8_t *good = malloc(9 * 1024);

	ck_assert_ptr_nonnull(good);
	memcpy(good, h.m.data, 9 * 1024);
	for (int round = 0; round < 5000; round++) {
		memcpy(h.m.data, good, 9 * 1024);
		for (uint32_t n = 1 + next_random() % 8; n; n--)
			h.m.data[hot[next_random() % 4] + next_random() % 40] =
				(uint8_t)next_random();
		ck_assert_int_eq(walk(&l), 0);
		for (int b = 0; b < 64; b++)
			ck_assert_uint_le(l.leaf[b], 1);
	}
	free(good);
}
END_TEST

int main(void)
{
	TCase *c = make_case("walk");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, test_parse_root);
	tcase_add_test(c, test_parse_node);
	tcase_add_test(c, test_walk);
	tcase_add_test(c, test_walk_faults);
	tcase_add_test(c, test_walk_damaged_root);
	tcase_add_test(c, test_walk_corruption);
	return run_case("htree_walk", c);
}
