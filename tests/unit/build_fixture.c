/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories for the builder's tests (build_fixture.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_fixture.h"

struct htree_dir a_dir(uint32_t block_size)
{
	struct htree_dir d = {
		.ino = 1234, .csum_seed = 0xdecafbad, .block_size = block_size,
		.metadata_csum = true, .filetype = true, .dir_index = true,
		.max_indirect = 1, .default_version = DIRHASH_HALF_MD4,
		.seed = "0123456789abcde"
	};

	return d;
}

void store_hashes(struct htree_dir *d)
{
	d->encrypted = d->casefold = true;
}

void add(struct htree_entries *e, size_t i, size_t len, uint32_t hash)
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

void fill(struct htree_entries *e, size_t n, size_t len)
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

void check_entries(const struct htree_dir *d, struct htree_entries *e,
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

void build_as(const struct htree_dir *d, struct htree_entries *e,
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

void build(const struct htree_dir *d, struct htree_entries *e, int version,
	   struct htree_build_result *res, struct reading *r)
{
	struct htree_build_options o = { true, version, BUILD_PARENT, 0 };

	build_as(d, e, &o, res, r);
}

errcode_t build_error(const struct htree_dir *d, struct htree_entries *e,
		      int version)
{
	struct htree_build_options o = { true, version, BUILD_PARENT, 0 };
	struct htree_build_result res;
	struct htree_memory m;
	errcode_t err;

	htree_memory_init(&m, d->block_size);
	err = htree_build(d, e, &o, &m.blocks, &res);
	htree_memory_free(&m);
	return err;
}

struct htree_dir matrix_dir(int i)
{
	struct htree_dir d = a_dir(1024u << i / 8);

	d.metadata_csum = i & 1;
	d.filetype = i & 2;
	if (i & 4)
		store_hashes(&d);
	return d;
}
