/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many names at once: every variant that this CPU runs, and the one that is
 * chosen, against dirhash_name(), which the vectors of others judge.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "dirhash/many.h"
#include "e2dx_err.h"
#include "suite.h"

#define VERSIONS	7
#define MOST		1000	/* names in a call */

struct names {
	struct dirhash_text text[MOST];
	struct dirhash want[MOST], got[MOST];
	uint8_t *bytes[MOST];	/* each name by itself, for sanitizers */
	size_t n;
};

static uint32_t state = 1;

static uint32_t number(void)
{
	state = state * 1664525 + 1013904223;
	return state >> 8;
}

static void seed_of(uint8_t *seed)
{
	for (size_t i = 0; i < DIRHASH_SEED_SIZE; i++)
		seed[i] = (uint8_t)number();
}

/* A name that begins `shift` bytes into memory that ends with it. */
static void add_name(struct names *t, size_t len, size_t shift, unsigned mask)
{
	uint8_t *p = malloc(shift + len + !(shift + len));

	ck_assert_ptr_nonnull(p);
	for (size_t i = 0; i < len; i++)
		p[shift + i] = (uint8_t)(number() & mask);
	t->bytes[t->n] = p;
	t->text[t->n].name = p + shift;
	t->text[t->n++].len = len;
}

static void free_names(struct names *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->bytes[i]);
	t->n = 0;
}

static void compare(const struct names *t, const char *what, int version)
{
	for (size_t i = 0; i < t->n; i++)
		ck_assert_msg(!dirhash_compare(&t->want[i], &t->got[i]),
			      "%s, version %d, name %zu of %zu, %zu bytes: %08x/%08x instead of %08x/%08x",
			      what, version, i, t->n, t->text[i].len,
			      t->got[i].hash, t->got[i].minor_hash,
			      t->want[i].hash, t->want[i].minor_hash);
}

/* Hash them in every way, and see that nothing beyond out[n] is touched. */
static void check(struct names *t, int version)
{
	const struct dirhash_variant *v[DIRHASH_VARIANTS];
	int algorithm = dirhash_lane_algorithm(version);
	uint8_t seed[DIRHASH_SEED_SIZE];
	struct dirhasher h;

	seed_of(seed);
	ck_assert_int_eq(dirhasher_init(&h, version, seed, NULL), 0);
	for (size_t i = 0; i < t->n; i++)
		ck_assert_int_eq(dirhash_name(&h, t->text[i].name,
					      t->text[i].len, &t->want[i]), 0);
	dirhash_variants(v);
	for (size_t i = 0; v[i] && algorithm >= 0; i++) {
		memset(t->got, 0x55, sizeof(t->got));
		ck_assert_int_eq(dirhash_many_by(&v[i]->kernel[algorithm], &h,
						 t->text, t->n, t->got), 0);
		compare(t, v[i]->name, version);
		if (t->n < MOST)
			ck_assert_uint_eq(t->got[t->n].hash, 0x55555555);
	}
	memset(t->got, 0x55, sizeof(t->got));
	ck_assert_int_eq(dirhash_many(&h, t->text, t->n, t->got), 0);
	compare(t, "chosen", version);
	if (t->n < MOST)
		ck_assert_uint_eq(t->got[t->n].hash, 0x55555555);
}

static struct names names;

START_TEST(every_length)
{
	for (size_t len = 0; len <= DIRHASH_NAME_MAX; len++)
		add_name(&names, len, len * 7 % 16, 0xff);
	for (int version = 0; version < VERSIONS; version++)
		check(&names, version);
	free_names(&names);
}
END_TEST

/*
 * Names that end where memory ends: what sanitizers do not see, loads under a
 * mask, would fault there.
 */
START_TEST(end_of_memory)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *p = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(p, MAP_FAILED);
	memset(p, 'x', 3 * page);
	ck_assert_int_eq(mprotect(p, page, PROT_NONE), 0);
	ck_assert_int_eq(mprotect(p + 2 * page, page, PROT_NONE), 0);
	for (size_t len = 0; len <= DIRHASH_NAME_MAX; len++)
		for (size_t i = 0; i < 2; i++) {
			names.text[names.n].name = i ? p + page :
						   p + 2 * page - len;
			names.text[names.n++].len = len;
		}
	for (int version = 0; version < VERSIONS; version++)
		check(&names, version);
	/* All of one length are not put in order. */
	for (size_t len = 0; len <= DIRHASH_NAME_MAX; len += 5) {
		for (size_t i = 0; i < names.n; i++)
			names.text[i] = (struct dirhash_text){
				p + 2 * page - len, len
			};
		check(&names, DIRHASH_SIPHASH);
	}
	names.n = 0;
	munmap(p, 3 * page);
}
END_TEST

/* All of one length, and of lengths that are all but the same. */
START_TEST(narrow_lengths)
{
	for (size_t len = 0; len <= DIRHASH_NAME_MAX; len++) {
		size_t spread = 1 + len % 3;

		for (size_t i = 0; i < 33 + len % 5; i++) {
			size_t this = len + i % spread;

			if (this > DIRHASH_NAME_MAX)
				this = DIRHASH_NAME_MAX;
			add_name(&names, this, i % 9, 0xff);
		}
		check(&names, (int)(len % VERSIONS));
		check(&names, DIRHASH_SIPHASH);
		check(&names, DIRHASH_HALF_MD4);
		check(&names, DIRHASH_TEA);
		free_names(&names);
	}
}
END_TEST

/* As many as leave any number of lanes over. */
START_TEST(every_count)
{
	for (size_t n = 0; n < 330; n += n < 70 ? 1 : 13) {
		for (size_t i = 0; i < n; i++)
			add_name(&names, number() % (n % 2 ? 256 : 30),
				 number() % 16, 0xff);
		for (int version = 0; version < VERSIONS; version++)
			check(&names, version);
		free_names(&names);
	}
}
END_TEST

/* Bytes below 0x80 only, and above only: what signs do. */
START_TEST(signs)
{
	static const unsigned masks[] = { 0x7f, 0x80, 0xff };

	for (size_t m = 0; m < 3; m++) {
		for (size_t i = 0; i < MOST; i++)
			add_name(&names, number() % 70, 0, masks[m]);
		for (int version = 0; version < VERSIONS; version++)
			check(&names, version);
		free_names(&names);
	}
}
END_TEST

/*
 * Linux's end-of-directory cookie; see tests/unit/dirhash.c.  SipHash's names
 * are such ones with the default key, found by search.
 */
static const struct cookie {
	int version;
	uint8_t seed[DIRHASH_SEED_SIZE];
	const char *names[2];
	uint32_t minor_hash[2];
} cookies[] = {
	{ DIRHASH_HALF_MD4, { 0xaa, 0xaa, 0xaa, 0xaa, 0xbb, 0xbb, 0xcc, 0xcc,
			      0xdd, 0xdd, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee },
	  { "5fqexqba", "ejl1rrba" }, { 0xabff1462, 0x17cb6cee } },
	{ DIRHASH_SIPHASH, { 0 },
	  { "jacilggl", "mneolbem" }, { 0xb63e2a02, 0x3e6d3985 } },
};

START_TEST(end_of_directory)
{
	const struct cookie *c = &cookies[_i];
	const struct dirhash_variant *v[DIRHASH_VARIANTS];
	struct dirhash_text text[64];
	struct dirhash got[64];
	struct dirhasher h;

	for (size_t i = 0; i < 64; i++)
		text[i] = (struct dirhash_text) {
			(const uint8_t *)c->names[i % 2], 8
		};
	ck_assert_int_eq(dirhasher_init(&h, c->version, c->seed, NULL), 0);
	dirhash_variants(v);
	for (size_t k = 0; v[k]; k++) {
		const struct dirhash_kernel *kernel =
			&v[k]->kernel[dirhash_lane_algorithm(c->version)];

		ck_assert_int_eq(dirhash_many_by(kernel, &h, text, 64, got), 0);
		for (size_t i = 0; i < 64; i++) {
			ck_assert_uint_eq(got[i].hash, 0xfffffffc);
			ck_assert_uint_eq(got[i].minor_hash,
					  c->minor_hash[i % 2]);
		}
	}
}
END_TEST

static int fold_longer(const void *table, const uint8_t *name, size_t len,
		       uint8_t *out, size_t out_size)
{
	(void)table;
	if (3 * len > out_size || (len && name[0] == '?'))
		return -1;
	for (size_t i = 0; i < 3 * len; i++)
		out[i] = name[i / 3];
	return (int)(3 * len);
}

/* Folded names may have any length. */
START_TEST(folding)
{
	const struct dirhash_fold fold = { NULL, fold_longer, NULL };
	struct dirhasher h;

	for (size_t i = 0; i < 300; i++)
		add_name(&names, number() % 256, 0, i % 2 ? 0x7f : 0x3f);
	for (int version = 0; version < VERSIONS; version++) {
		ck_assert_int_eq(dirhasher_init(&h, version, NULL, &fold), 0);
		for (size_t i = 0; i < names.n; i++)
			ck_assert_int_eq(dirhash_name(&h, names.text[i].name,
						      names.text[i].len,
						      &names.want[i]), 0);
		ck_assert_int_eq(dirhash_many(&h, names.text, names.n,
					      names.got), 0);
		compare(&names, "folded", version);
	}
	free_names(&names);
}
END_TEST

START_TEST(errors)
{
	static const uint8_t bytes[256];
	struct dirhash_text text[300];
	struct dirhash got[300];
	struct dirhasher h;

	for (size_t i = 0; i < 300; i++)
		text[i] = (struct dirhash_text){ bytes, 255 };
	for (int version = 0; version < VERSIONS; version++)
		for (size_t n = 1; n < 300; n += 74) {
			dirhasher_init(&h, version, NULL, NULL);
			text[n - 1].len = 256;
			ck_assert_int_eq(dirhash_many(&h, text, n, got),
					 E2DX_ET_NAME_LENGTH);
			text[n - 1].len = (size_t)1 << 40;
			ck_assert_int_eq(dirhash_many(&h, text, n, got),
					 E2DX_ET_NAME_LENGTH);
			text[n - 1].len = 255;
			ck_assert_int_eq(dirhash_many(&h, text, 0, got), 0);
		}
	h.version = 7;
	ck_assert_int_eq(dirhash_many(&h, text, 1, got), E2DX_ET_HASH_UNKNOWN);
	ck_assert_int_eq(dirhash_many(&h, text, 299, got),
			 E2DX_ET_HASH_UNKNOWN);
}
END_TEST

static void *choose(void *version)
{
	return (void *)(uintptr_t)dirhash_kernel_chosen(*(int *)version);
}

/* All threads get the same choice, whoever makes it first. */
START_TEST(one_choice)
{
	for (int version = 0; version < VERSIONS; version++) {
		pthread_t thread[4];
		void *kernel[4];

		for (size_t i = 0; i < 4; i++)
			ck_assert_int_eq(pthread_create(&thread[i], NULL,
							choose, &version), 0);
		for (size_t i = 0; i < 4; i++)
			pthread_join(thread[i], &kernel[i]);
		for (size_t i = 0; i < 4; i++)
			ck_assert_ptr_eq(kernel[i], kernel[0]);
		ck_assert_ptr_nonnull(dirhash_variant_chosen(version));
		if (dirhash_lane_algorithm(version) < 0)
			ck_assert_str_eq(dirhash_variant_chosen(version),
					 "scalar");
	}
}
END_TEST

int main(void)
{
	TCase *t = make_case("dirhash_many");

	tcase_add_test(t, every_length);
	tcase_add_test(t, end_of_memory);
	tcase_add_test(t, narrow_lengths);
	tcase_add_test(t, every_count);
	tcase_add_test(t, signs);
	tcase_add_loop_test(t, end_of_directory, 0, 2);
	tcase_add_test(t, folding);
	tcase_add_test(t, errors);
	tcase_add_test(t, one_choice);
	return run_case("dirhash_many", t);
}
