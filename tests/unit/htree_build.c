/* SPDX-License-Identifier: GPL-2.0-or-later */
/* htree_build(), judged by htree_reader.c. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "e2dx_err.h"
#include "htree/build.h"
#include "htree/layout.h"
#include "htree/plan.h"
#include "htree_reader.h"
#include "suite.h"

#define PARENT	77

/* For loops over many entries: Check writes to a pipe at every assertion. */
#define EXPECT(c)	do { if (!(c)) ck_abort_msg("%s", #c); } while (0)

static struct htree_dir a_dir(uint32_t block_size)
{
	struct htree_dir d = {
		.ino = 1234, .csum_seed = 0xdecafbad, .block_size = block_size,
		.metadata_csum = true, .filetype = true, .dir_index = true,
		.max_indirect = 1, .default_version = DIRHASH_HALF_MD4,
		.seed = "0123456789abcde"
	};

	return d;
}

static void store_hashes(struct htree_dir *d)
{
	d->encrypted = d->casefold = true;
}

/* Entry i: a number, filled up with '-' to `len` bytes. */
static void add(struct htree_entries *e, size_t i, size_t len, uint32_t hash)
{
	char name[300];
	struct htree_dirent d = {
		.ino = (uint32_t)i + 11, .file_type = (uint8_t)(1 + i % 7),
		.name = (const uint8_t *)name,
		.hash = { hash, (uint32_t)i * 2654435761u }
	};
	size_t n = (size_t)snprintf(name, sizeof(name), "%zu", i);

	if (n < len) {
		memset(name + n, '-', len - n);
		n = len;
	}
	d.name_len = (uint8_t)n;
	EXPECT(htree_entries_add(e, &d) == 0);
}

/* n entries, hashes 4 apart, in an order of their own. */
static void fill(struct htree_entries *e, size_t n, size_t len)
{
	size_t i;

	htree_entries_init(e);
	for (i = 0; i < n; i++)
		add(e, i, len, (uint32_t)((i * 7919) % n) * 4);
}

static int by_ino(const void *a, const void *b)
{
	const struct read_entry *x = a, *y = b;

	return x->ino < y->ino ? -1 : x->ino > y->ino;
}

/* All of *e, each once, with inode, type and stored hash. */
static void check_entries(const struct htree_dir *d, struct htree_entries *e,
			  struct reading *r)
{
	struct read_entry *v = malloc((r->n + 1) * sizeof(*v)), key, *got;
	size_t i;

	ck_assert_ptr_nonnull(v);
	ck_assert_uint_eq(r->n, e->n);
	if (r->n)
		memcpy(v, r->v, r->n * sizeof(*v));
	qsort(v, r->n, sizeof(*v), by_ino);
	for (i = 0; i < e->n; i++) {
		EXPECT(i == 0 || v[i].ino != v[i - 1].ino);
		key.ino = e->v[i].ino;
		got = bsearch(&key, v, r->n, sizeof(*v), by_ino);
		EXPECT(got && got->len == e->v[i].name_len);
		EXPECT(!memcmp(got->name, htree_entry_name(e, i), got->len));
		EXPECT(got->type == (d->filetype ? e->v[i].file_type : 0));
		if (!htree_dir_stores_hash(d))
			continue;
		EXPECT(got->major == e->v[i].hash.hash);
		EXPECT(got->minor == e->v[i].hash.minor_hash);
	}
	free(v);
}

/* Build, read back, compare.  The reading is the caller's to free. */
static void build_as(const struct htree_dir *d, struct htree_entries *e,
		     const struct htree_build_options *o,
		     struct htree_build_result *res, struct reading *r)
{
	struct htree_memory m;
	struct dirhasher h;
	bool stored = htree_dir_stores_hash(d);

	htree_memory_init(&m, d->block_size);
	ck_assert_int_eq(htree_build(d, e, o, &m.blocks, res), 0);
	ck_assert_uint_eq(res->blocks, m.blocks.count);
	ck_assert_msg(reading_get(d, res->indexed, m.data, res->blocks, r),
		      "bs %u: %s", d->block_size, r->why);
	check_entries(d, e, r);
	ck_assert_uint_eq(r->parent, o->parent);
	if (res->indexed) {
		ck_assert_int_eq(r->levels, res->indirect_levels);
		ck_assert_int_eq(r->version, stored ? 6 : o->version);
		if (!stored)
			ck_assert_int_eq(htree_dir_hasher(d, o->version, &h), 0);
		ck_assert_msg(reading_check_hashes(r, stored ? NULL : &h),
			      "bs %u: %s", d->block_size, r->why);
	}
	htree_memory_free(&m);
}

static void build(const struct htree_dir *d, struct htree_entries *e,
		  int version, struct htree_build_result *res,
		  struct reading *r)
{
	struct htree_build_options o = { true, version, PARENT, 0 };

	build_as(d, e, &o, res, r);
}

static errcode_t build_error(const struct htree_dir *d, struct htree_entries *e,
			     int version)
{
	struct htree_build_options o = { true, version, PARENT, 0 };
	struct htree_build_result res;
	struct htree_memory m;
	errcode_t err;

	htree_memory_init(&m, d->block_size);
	err = htree_build(d, e, &o, &m.blocks, &res);
	htree_memory_free(&m);
	return err;
}

/* _i: block size 1024 << _i / 8; bits of _i: the three features. */
static struct htree_dir matrix_dir(int i)
{
	struct htree_dir d = a_dir(1024u << i / 8);

	d.metadata_csum = i & 1;
	d.filetype = i & 2;
	if (i & 4)
		store_hashes(&d);
	return d;
}

START_TEST(every_layout_indexed)
{
	static const int versions[] = { 0, 1, 2, 6 };
	struct htree_dir d = matrix_dir(_i);
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;
	size_t i;

	htree_entries_init(&e);
	for (i = 0; i < 200 + d.block_size / 6; i++)
		add(&e, i, 1 + i * i % 255, (uint32_t)(i * 40503 % 9973) * 2);
	build(&d, &e, versions[_i / 8 % 4], &res, &r);
	ck_assert(res.indexed);
	ck_assert_uint_gt(r.n_leaves, 2);
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

START_TEST(every_layout_linear)
{
	struct htree_dir d = matrix_dir(_i);
	struct htree_build_options o = { false, 99, PARENT, 0 };
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;
	size_t i, l;

	htree_entries_init(&e);
	for (i = 0; i < 200 + d.block_size / 8; i++)
		add(&e, i, 1 + i * i % 255, 0);
	build_as(&d, &e, &o, &res, &r);
	ck_assert(!res.indexed);
	ck_assert_uint_gt(res.blocks, 2);
	/* Entries in their order, no leaf that could take the next one too. */
	for (i = 0; i < e.n; i++)
		EXPECT(r.v[i].ino == e.v[i].ino);
	for (l = 0; l + 1 < r.n_leaves; l++)
		ck_assert_uint_gt(r.leaves[l].used + htree_record_size(&d,
					r.v[r.leaves[l + 1].first].len),
				  htree_leaf_room(&d));
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

/* Leaves whose level is just full, and one more. */
static void boundary(struct htree_dir *d, size_t per_leaf, size_t leaves,
		     size_t len, int levels)
{
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;

	fill(&e, leaves * per_leaf, len);
	build(d, &e, 6, &res, &r);
	ck_assert_uint_eq(r.n_leaves, leaves);
	ck_assert_int_eq(res.indirect_levels, levels);
	reading_free(&r);
	add(&e, e.n, len, 0x7ffffff0);
	build(d, &e, 6, &res, &r);
	ck_assert_uint_eq(r.n_leaves, leaves + 1);
	ck_assert_int_eq(res.indirect_levels, levels + 1);
	reading_free(&r);
	htree_entries_free(&e);
}

START_TEST(level_boundary_root)
{
	struct htree_dir d = a_dir(1024u << _i);
	size_t per_leaf;

	store_hashes(&d);
	per_leaf = (htree_leaf_room(&d) - htree_leaf_room(&d) / 8) / 272;
	if (_i == 0)
		per_leaf = 2;		/* a quarter is kept free there */
	boundary(&d, per_leaf, htree_root_limit(&d), 252, 0);
}
END_TEST

START_TEST(level_boundary_nodes)
{
	struct htree_dir d = a_dir(1024);

	store_hashes(&d);
	d.max_indirect = 2;
	ck_assert_uint_eq(htree_root_limit(&d), 123);
	ck_assert_uint_eq(htree_node_limit(&d), 125);
	boundary(&d, 2, 123 * 125, 252, 1);
}
END_TEST

START_TEST(limits)
{
	struct htree_dir d = a_dir(1024);

	ck_assert_uint_eq(htree_root_limit(&d), 123);
	ck_assert_uint_eq(htree_node_limit(&d), 126);
	d.metadata_csum = false;
	ck_assert_uint_eq(htree_root_limit(&d), 124);
	ck_assert_uint_eq(htree_node_limit(&d), 127);
	d.encrypted = true;
	ck_assert_uint_eq(htree_node_limit(&d), 127);
	d.casefold = true;
	ck_assert_uint_eq(htree_root_limit(&d), 124);
	ck_assert_uint_eq(htree_node_limit(&d), 126);
	d.block_size = 4096;
	ck_assert_uint_eq(htree_root_limit(&d), 508);
	d.encrypted = false;
	ck_assert_uint_eq(htree_node_limit(&d), 511);
	d.block_size = 65536;
	ck_assert_uint_eq(htree_root_limit(&d), 8188);
	ck_assert_uint_eq(htree_node_limit(&d), 8191);
}
END_TEST

/* Too many for leaves with slack: full leaves; too many for these: refused. */
START_TEST(full_leaves_then_refused)
{
	struct htree_dir d = a_dir(1024);
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;

	d.max_indirect = 0;
	fill(&e, 123 * 3, 252);
	build(&d, &e, 1, &res, &r);
	ck_assert_uint_eq(r.n_leaves, 123);
	ck_assert_int_eq(res.indirect_levels, 0);
	reading_free(&r);
	add(&e, e.n, 252, 0);
	ck_assert_int_eq(build_error(&d, &e, 1), E2DX_ET_DIR_FULL);
	d.max_indirect = 1;
	build(&d, &e, 1, &res, &r);
	ck_assert_int_eq(res.indirect_levels, 1);
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

START_TEST(plans)
{
	struct htree_dir d = a_dir(1024);
	struct htree_plan p;
	int l;
	uint32_t i, share;

	ck_assert_int_eq(htree_plan_index(&d, 123 * 126, &p), 0);
	ck_assert_int_eq(p.interior, 1);
	ck_assert_uint_eq(p.count[0], 123);
	ck_assert_int_eq(htree_plan_index(&d, 123 * 126 + 1, &p),
			 E2DX_ET_DIR_FULL);
	d.max_indirect = 2;
	ck_assert_int_eq(htree_plan_index(&d, 123 * 126 + 1, &p), 0);
	ck_assert_int_eq(p.interior, 2);
	ck_assert_int_eq(htree_plan_index(&d, 123 * 126 * 126, &p), 0);
	ck_assert_uint_eq(p.blocks, 1 + 123 + 123 * 126 + 123 * 126 * 126);
	ck_assert_uint_eq(p.start[2], 1 + 123 + 123 * 126);
	ck_assert_int_eq(htree_plan_index(&d, 123 * 126 * 126 + 1, &p),
			 E2DX_ET_DIR_FULL);
	/* No node above its limit, none empty, all children in order. */
	ck_assert_int_eq(htree_plan_index(&d, 1234567, &p), 0);
	for (l = 0; l < p.interior; l++) {
		ck_assert_uint_eq(htree_plan_child(&p, l, 0), 0);
		ck_assert_uint_eq(htree_plan_child(&p, l, p.count[l]),
				  p.count[l + 1]);
		for (i = 0; i < p.count[l]; i++) {
			share = htree_plan_child(&p, l, i + 1) -
				htree_plan_child(&p, l, i);
			EXPECT(share >= 1 && share <= 126 - 126 / 8);
		}
	}
}
END_TEST

/* Block numbers have 28 bits; without large_dir a directory ends at 2 GiB. */
START_TEST(plans_too_large)
{
	struct htree_dir d = a_dir(65536);
	struct htree_plan p;

	ck_assert_uint_eq(htree_plan_max_blocks(&d, true), 1u << 15);
	ck_assert_uint_eq(htree_plan_max_blocks(&d, false), 1u << 15);
	ck_assert_int_eq(htree_plan_index(&d, 32762, &p), 0);
	ck_assert_uint_eq(p.blocks, 1u << 15);
	ck_assert_int_eq(htree_plan_index(&d, 32763, &p), E2DX_ET_DIR_FULL);
	d.max_indirect = 2;
	ck_assert_uint_eq(htree_plan_max_blocks(&d, true), 1u << 28);
	ck_assert_int_eq(htree_plan_index(&d, 1u << 27, &p), 0);
	ck_assert_int_eq(htree_plan_index(&d, (1u << 28) - 2, &p),
			 E2DX_ET_DIR_FULL);
	ck_assert_int_eq(htree_plan_index(&d, (uint64_t)1 << 33, &p),
			 E2DX_ET_DIR_FULL);
}
END_TEST

/* All entries with one hash: every leaf but the first begins within it. */
START_TEST(one_hash)
{
	struct htree_dir d = a_dir(1024u << _i);
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;
	size_t i;

	store_hashes(&d);
	d.max_indirect = 2;
	htree_entries_init(&e);
	for (i = 0; i < 6000; i++)
		add(&e, i, 200, 0x1234568);
	build(&d, &e, 6, &res, &r);
	ck_assert_uint_eq(r.straddling, r.n_leaves - 1);
	if (_i == 0)
		ck_assert_uint_gt(r.nodes, 10);
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

/* Groups of equal hashes of every size from 1 to 12, over two levels. */
START_TEST(hash_groups)
{
	struct htree_dir d = a_dir(1024);
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;
	uint32_t group, i;
	size_t n = 0;

	store_hashes(&d);
	htree_entries_init(&e);
	for (group = 0; group < 800; group++)
		for (i = 0; i < 1 + group % 12; i++)
			add(&e, n++, 60 + i, 0xfffffff8 - group * 4096);
	build(&d, &e, 6, &res, &r);
	ck_assert_int_eq(res.indirect_levels, 1);
	ck_assert_uint_gt(r.straddling, 100);
	ck_assert_uint_lt(r.straddling, r.n_leaves - 50);
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

/*
 * Names that collide under legacy, found by trying: pairs only, an odd name
 * before them, eight to a leaf, so that each leaf ends within a pair.
 */
START_TEST(legacy_collisions)
{
	struct htree_dir d = a_dir(1024);
	struct htree_build_result res;
	struct htree_entries all, e;
	struct dirhasher h;
	struct reading r;
	size_t i, pairs = 0;

	htree_entries_init(&e);
	fill(&all, 240000, 100);
	ck_assert_int_eq(htree_dir_hasher(&d, 0, &h), 0);
	ck_assert_int_eq(htree_entries_hash(&all, &h), 0);
	ck_assert_int_eq(htree_entries_sort(&all), 0);
	for (i = 0; i + 1 < all.n && pairs < 400; i++) {
		struct htree_dirent x = { .file_type = 1 };
		size_t k;

		if (i && all.v[i].hash.hash != all.v[i + 1].hash.hash)
			continue;
		for (k = i; k < i + (i ? 2 : 1); k++) {
			x.ino = (uint32_t)k + 20;
			x.name = htree_entry_name(&all, k);
			x.name_len = all.v[k].name_len;
			ck_assert_int_eq(htree_entries_add(&e, &x), 0);
		}
		pairs += i > 0;
		i += i > 0;
	}
	ck_assert_uint_ge(pairs, 8);
	build(&d, &e, 0, &res, &r);
	ck_assert(res.indexed);
	ck_assert_uint_ge(r.straddling, 2);
	ck_assert_uint_eq(r.straddling, r.n_leaves - 1);
	reading_free(&r);
	htree_entries_free(&all);
	htree_entries_free(&e);
}
END_TEST

/* A stored hash with a damaged bit 0 still sorts into a sound index. */
START_TEST(stored_bit_zero)
{
	struct htree_dir d = a_dir(1024);
	struct htree_build_options o = { true, 6, PARENT, 0 };
	struct htree_build_result res;
	struct htree_memory m;
	struct htree_entries e;
	struct reading r;
	size_t i;

	store_hashes(&d);
	htree_entries_init(&e);
	for (i = 0; i < 200; i++)
		add(&e, i, 100, 0x1000 + (i > 100));
	htree_memory_init(&m, 1024);
	ck_assert_int_eq(htree_build(&d, &e, &o, &m.blocks, &res), 0);
	ck_assert(reading_get(&d, true, m.data, res.blocks, &r));
	check_entries(&d, &e, &r);
	for (i = 1; i < r.n_leaves; i++)
		ck_assert_uint_eq(r.leaves[i].bound, 0x1001);
	reading_free(&r);
	htree_memory_free(&m);
	htree_entries_free(&e);
}
END_TEST

START_TEST(one_block)
{
	struct htree_dir d = a_dir(1024u << _i);
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;
	size_t n;

	/* Nothing at all. */
	htree_entries_init(&e);
	build(&d, &e, 1, &res, &r);
	ck_assert_uint_eq(res.blocks, 1);
	ck_assert(!res.indexed);
	reading_free(&r);
	/* Just full: the dots, n of 20, and one of what is left. */
	for (n = 0; (n + 2) * 20 + 36 <= htree_leaf_room(&d); n++)
		add(&e, n, 12, 0);
	add(&e, n, htree_leaf_room(&d) - 24 - 20 * n - 8, 0);
	build(&d, &e, 1, &res, &r);
	ck_assert_uint_eq(res.blocks, 1);
	ck_assert(!res.indexed);
	ck_assert_uint_eq(r.leaves[0].used, htree_leaf_room(&d));
	reading_free(&r);
	add(&e, n + 1, 1, 0);
	build(&d, &e, 1, &res, &r);
	ck_assert(res.indexed);
	ck_assert_uint_eq(res.blocks, 3);
	ck_assert_int_eq(res.indirect_levels, 0);
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

START_TEST(min_blocks)
{
	struct htree_dir d = matrix_dir(_i);
	struct htree_build_options o = { true, 1, PARENT, 16 };
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;

	htree_entries_init(&e);
	build_as(&d, &e, &o, &res, &r);
	ck_assert_uint_eq(res.blocks, 16);
	ck_assert(!res.indexed);
	reading_free(&r);
	add(&e, 1, 255, 2);
	add(&e, 2, 1, 4);
	build_as(&d, &e, &o, &res, &r);
	ck_assert_uint_eq(res.blocks, 16);
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

/* Each leaf but the last takes one more name without a split. */
START_TEST(slack)
{
	static const size_t lengths[] = { 1, 6, 40, 120, 200, 230 };
	struct htree_dir d = a_dir(_i % 2 ? 4096 : 1024);
	size_t len = lengths[_i / 2], i;
	uint32_t room = htree_leaf_room(&d), record;
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;

	fill(&e, 3000, len);
	record = htree_record_size(&d, len < 4 ? 4 : (uint32_t)len);
	build(&d, &e, 2, &res, &r);
	for (i = 0; i + 1 < r.n_leaves; i++) {
		ck_assert_uint_le(r.leaves[i].used + record, room);
		ck_assert_uint_le(r.leaves[i].used, room - room / 8);
		/* Not more empty than that needs. */
		ck_assert_uint_gt(r.leaves[i].used + record,
				  room - room / 4 - 4);
	}
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

START_TEST(renamed)
{
	struct htree_dir d = a_dir(1024);
	struct htree_build_result res;
	struct htree_entries e;
	struct reading r;
	size_t i;

	fill(&e, 500, 20);
	for (i = 0; i < e.n; i += 3)
		ck_assert_int_eq(htree_entry_rename(&e, i,
			(const uint8_t *)"a new name of forty-five bytes, no less ~"
			"xyzw", 1 + i % 45), 0);
	e.v[7].ino = 0;
	build(&d, &e, 1, &res, &r);
	ck_assert_uint_eq(r.n, 499);
	reading_free(&r);
	htree_entries_free(&e);
}
END_TEST

START_TEST(refusals)
{
	struct htree_dir d = a_dir(1024);
	struct htree_entries e;
	int v;

	fill(&e, 500, 20);
	for (v = -1; v < 9; v++)
		ck_assert_int_eq(build_error(&d, &e, v),
				 v >= 0 && (v < 3 || v == 6) ? 0 :
				 E2DX_ET_HASH_UNKNOWN);
	d.casefold = true;	/* without a table */
	ck_assert_int_eq(build_error(&d, &e, 1), E2DX_ET_UNSUPPORTED);
	htree_entries_free(&e);
}
END_TEST

/* ---- a backend that fails */

struct failing {
	struct htree_blocks blocks;
	int writes_left;
};

static errcode_t failing_write(struct htree_blocks *b, uint32_t first,
			       uint32_t n, const void *buf)
{
	(void)first, (void)n, (void)buf;
	return ((struct failing *)b)->writes_left-- ? 0 : EIO;
}

static errcode_t failing_resize(struct htree_blocks *b, uint32_t count)
{
	b->count = count;
	return 0;
}

START_TEST(backend_errors)
{
	struct htree_blocks_ops ops = {
		.write = failing_write, .resize = failing_resize
	};
	struct htree_build_options o = { true, 1, PARENT, 0 };
	struct htree_build_result res;
	struct htree_dir d = a_dir(1024);
	struct failing f = { { &ops, 1024, 0 }, 0 };
	struct htree_entries e;

	/* Two and a half buffers: the error may come at the first, a later
	   or the last write. */
	fill(&e, 2 * 600, 255);
	for (f.writes_left = 0; f.writes_left < 3; f.writes_left++) {
		int left = f.writes_left;

		ck_assert_int_eq(htree_build(&d, &e, &o, &f.blocks, &res), EIO);
		f.writes_left = left;
	}
	ck_assert_int_eq(htree_build(&d, &e, &o, &f.blocks, &res), 0);
	f.blocks.count = 0;
	ops.resize = NULL;
	ck_assert_int_eq(htree_build(&d, &e, &o, &f.blocks, &res),
			 E2DX_ET_READ_ONLY);
	o.parent = 0;
	f.blocks.count = 1000;
	ck_assert_int_eq(htree_build(&d, &e, &o, &f.blocks, &res), EINVAL);
	o.parent = PARENT;
	f.blocks.block_size = 2048;
	ck_assert_int_eq(htree_build(&d, &e, &o, &f.blocks, &res), EINVAL);
	htree_entries_free(&e);
}
END_TEST

START_TEST(memory_backend)
{
	struct htree_memory m;
	uint8_t one[2048], two[4096];

	htree_memory_init(&m, 2048);
	memset(one, 0x5a, sizeof(one));
	ck_assert_int_eq(htree_blocks_read(&m.blocks, 0, 1, one), E2DX_ET_RANGE);
	ck_assert_int_eq(htree_blocks_resize(&m.blocks, 3), 0);
	ck_assert_int_eq(htree_blocks_write(&m.blocks, 2, 1, one), 0);
	ck_assert_int_eq(htree_blocks_write(&m.blocks, 3, 1, one), E2DX_ET_RANGE);
	ck_assert_int_eq(htree_blocks_write(&m.blocks, 2, 2, two), E2DX_ET_RANGE);
	ck_assert_int_eq(htree_blocks_read(&m.blocks, UINT32_MAX, 2, two),
			 E2DX_ET_RANGE);
	ck_assert_int_eq(htree_blocks_read(&m.blocks, 1, 2, two), 0);
	ck_assert_mem_eq(two + 2048, one, 2048);
	ck_assert_uint_eq(two[0], 0);
	/* What is cut off and added again is zero. */
	ck_assert_int_eq(htree_blocks_resize(&m.blocks, 1), 0);
	ck_assert_int_eq(htree_blocks_resize(&m.blocks, 3), 0);
	ck_assert_int_eq(htree_blocks_read(&m.blocks, 2, 1, one), 0);
	ck_assert_uint_eq(one[77], 0);
	htree_memory_free(&m);
	ck_assert_uint_eq(m.blocks.count, 0);
}
END_TEST

int main(void)
{
	TCase *t = make_case("build");

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, every_layout_indexed, 0, 7 * 8);
	tcase_add_loop_test(t, every_layout_linear, 0, 7 * 8);
	tcase_add_loop_test(t, level_boundary_root, 0, 3);
	tcase_add_test(t, level_boundary_nodes);
	tcase_add_test(t, limits);
	tcase_add_test(t, full_leaves_then_refused);
	tcase_add_test(t, plans);
	tcase_add_test(t, plans_too_large);
	tcase_add_loop_test(t, one_hash, 0, 7);
	tcase_add_test(t, hash_groups);
	tcase_add_test(t, legacy_collisions);
	tcase_add_test(t, stored_bit_zero);
	tcase_add_loop_test(t, one_block, 0, 7);
	tcase_add_loop_test(t, min_blocks, 0, 7 * 8);
	tcase_add_loop_test(t, slack, 0, 12);
	tcase_add_test(t, renamed);
	tcase_add_test(t, refusals);
	tcase_add_test(t, backend_errors);
	tcase_add_test(t, memory_backend);
	return run_case("htree_build", t);
}
