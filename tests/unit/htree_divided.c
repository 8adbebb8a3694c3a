/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory verified in parts, by one thread and by several, against the
 * same verified whole: the same findings and entries, in the same order.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "handmade.h"
#include "htree/build.h"
#include "suite.h"

#define BLOCK		1024
#define NAMES		60000		/* more than a thousand blocks */

/* What was told: a number for each event, which its every field goes into. */
struct log {
	uint64_t *v;
	size_t n, capacity;
};

static struct htree_dir dir;
static struct htree_memory m;

static uint64_t mix(uint64_t sum, uint64_t v)
{
	return (sum ^ v) * 0x9e3779b97f4a7c15u + (sum >> 29);
}

static void note(struct log *l, uint64_t sum)
{
	if (l->n == l->capacity) {
		l->capacity = l->capacity * 2 + 64;
		l->v = realloc(l->v, l->capacity * sizeof(*l->v));
		ck_assert_ptr_nonnull(l->v);
	}
	l->v[l->n++] = sum;
}

static uint64_t mix_name(uint64_t sum, const uint8_t *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		sum = mix(sum, name[i]);
	return sum;
}

static void on_finding(void *ctx, const struct htree_finding *f)
{
	uint64_t sum = mix(mix(mix(1, f->code), f->block), f->offset);

	sum = mix(mix(sum, f->value), f->expected);
	note(ctx, mix_name(sum, f->name, f->name_len));
}

static void on_entry(void *ctx, const struct htree_dirent *d, int dot)
{
	uint64_t sum = mix(mix(mix(2, d->ino), d->block), d->offset);

	sum = mix(mix(sum, d->hash.hash), (uint64_t)dot);
	note(ctx, mix_name(sum, d->name, d->name_len));
}

static const struct htree_verify_ops ops = {
	.finding = on_finding, .entry = on_entry
};

static void run(unsigned threads, void *(*work)(void *arg), void *arg)
{
	pthread_t t[8];

	for (unsigned i = 1; i < threads; i++)
		ck_assert_int_eq(pthread_create(&t[i], NULL, work, arg), 0);
	work(arg);
	for (unsigned i = 1; i < threads; i++)
		ck_assert_int_eq(pthread_join(t[i], NULL), 0);
}

static struct htree_verify_result divided(unsigned threads, struct log *all)
{
	struct log part[HTREE_VERIFY_PARTS] = { 0 }, end = { 0 };
	unsigned n = htree_verify_parts(m.blocks.count);
	void *ctx[HTREE_VERIFY_PARTS];
	struct htree_verify_crew crew = {
		.threads = threads, .run = run, .part = ctx
	};
	struct htree_verify_result r;

	ck_assert_uint_gt(n, 3);
	for (unsigned i = 0; i < n; i++)
		ctx[i] = &part[i];
	ck_assert_int_eq(htree_verify_divided(&dir, &m.blocks, &ops, &end,
					      &crew, &r), 0);
	for (unsigned i = 0; i <= n; i++) {
		struct log *l = i < n ? &part[i] : &end;

		for (size_t k = 0; k < l->n; k++)
			note(all, l->v[k]);
		free(l->v);
	}
	return r;
}

static void compare(void)
{
	struct log whole = { 0 };
	struct htree_verify_result r, d;

	ck_assert_int_eq(htree_verify(&dir, &m.blocks, &ops, &whole, &r), 0);
	ck_assert_uint_gt(r.entries, NAMES / 2);
	for (unsigned threads = 1; threads < 8; threads += 3) {
		struct log l = { 0 };

		d = divided(threads, &l);
		ck_assert_int_eq(memcmp(&d, &r, sizeof(r)), 0);
		ck_assert_uint_eq(l.n, whole.n);
		ck_assert_int_eq(memcmp(l.v, whole.v, l.n * sizeof(*l.v)), 0);
		free(l.v);
	}
	free(whole.v);
}

static void make(bool indexed, int version)
{
	struct htree_build_options o = {
		.indexed = indexed, .version = version, .parent = 2
	};
	struct htree_build_result r;
	struct htree_entries e;
	struct hand h;
	char name[32];

	hand_init(&h, BLOCK, true);
	dir = h.dir;
	hand_free(&h);
	dir.inodes_count = NAMES + 100;
	htree_entries_init(&e);
	for (uint32_t i = 0; i < NAMES; i++) {
		struct htree_dirent d = {
			.ino = 20 + i, .file_type = 1,
			.name = (uint8_t *)name
		};

		/* Some names are there twice, far from each other. */
		d.name_len = (uint8_t)snprintf(name, sizeof(name), "name %u",
				i % 5000 == 4999 ? i - 4000 : i);
		ck_assert_int_eq(htree_entries_add(&e, &d), 0);
	}
	htree_memory_init(&m, BLOCK);
	ck_assert_int_eq(htree_build(&dir, &e, &o, &m.blocks, &r), 0);
	dir.indexed = r.indexed;
	ck_assert_int_eq(r.indexed, indexed);
	htree_entries_free(&e);
}

static void damage(unsigned bytes)
{
	uint64_t random = 1;

	for (unsigned i = 0; i < bytes; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		m.data[(random >> 16) % ((size_t)m.blocks.count * BLOCK)] =
			(uint8_t)(random >> 8);
	}
}

START_TEST(test_divided)
{
	static const int versions[] = { DIRHASH_HALF_MD4, DIRHASH_LEGACY,
					DIRHASH_HALF_MD4, DIRHASH_SIPHASH };

	make(_i > 0, versions[_i]);
	compare();
	damage(400);
	compare();
	htree_memory_free(&m);
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("divided");

	tcase_set_timeout(c, 120);
	tcase_add_loop_test(c, test_divided, 0, 4);
	return run_case("htree_divided", c);
}
