/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which kernel hashes many names fastest?  Wider vectors need not be faster
 * (clocks sink, instructions are split), so each kernel that this CPU runs is
 * timed, after it has agreed with the scalar code on names of all lengths.
 */
#include <stdatomic.h>
#include <time.h>
#include "dirhash/many.h"

#define LENGTHS		(DIRHASH_NAME_MAX + 1)
#define TIMED		128	/* names, of 6 to 37 bytes */
#define TRIES		12	/* the best of these counts */

/* "Not by lanes": also what is chosen where no kernel is right and faster. */
static const struct dirhash_kernel scalar = { NULL, 1 };

/*
 * Not state that a caller could notice: whatever is chosen gives the same
 * hashes.  The first choice stays.
 */
static _Atomic(const struct dirhash_kernel *) chosen[DIRHASH_LANES_ALGORITHMS];

struct trial {
	struct dirhasher hasher;
	uint8_t bytes[2 * LENGTHS];
	struct dirhash_text all[LENGTHS];	/* one of each length */
	struct dirhash_text timed[TIMED];
	struct dirhash want[LENGTHS], got[LENGTHS];
};

int dirhash_lane_algorithm(int version)
{
	switch (version) {
	case DIRHASH_SIPHASH:
		return DIRHASH_LANES_SIPHASH;
	case DIRHASH_HALF_MD4:
		return DIRHASH_LANES_HALF_MD4;
	case DIRHASH_HALF_MD4_UNSIGNED:
		return DIRHASH_LANES_HALF_MD4_UNSIGNED;
	case DIRHASH_TEA:
		return DIRHASH_LANES_TEA;
	case DIRHASH_TEA_UNSIGNED:
		return DIRHASH_LANES_TEA_UNSIGNED;
	default:
		return -1;
	}
}

static void prepare(struct trial *t, int version)
{
	uint32_t v = 1;

	dirhasher_init(&t->hasher, version, NULL, NULL);
	for (size_t i = 0; i < sizeof(t->bytes); i++) {
		v = v * 1664525 + 1013904223;
		t->bytes[i] = (uint8_t)(v >> 24);
	}
	for (size_t i = 0; i < LENGTHS; i++) {
		/* 37 is odd: all lengths, short and long side by side. */
		t->all[i].len = i * 37 % LENGTHS;
		t->all[i].name = t->bytes + i;
		dirhash_bytes(&t->hasher, t->all[i].name, t->all[i].len,
			      &t->want[i]);
	}
	for (size_t i = 0; i < TIMED; i++) {
		t->timed[i].len = 6 + i * 5 % 32;
		t->timed[i].name = t->bytes + i;
	}
}

static bool correct(struct trial *t, const struct dirhash_kernel *k)
{
	dirhash_many_by(k, &t->hasher, t->all, LENGTHS, t->got);
	for (size_t i = 0; i < LENGTHS; i++)
		if (dirhash_compare(&t->want[i], &t->got[i]) != 0)
			return false;
	return true;
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void hash_timed(struct trial *t, const struct dirhash_kernel *k)
{
	if (k->function) {
		dirhash_many_by(k, &t->hasher, t->timed, TIMED, t->got);
		return;
	}
	for (size_t i = 0; i < TIMED; i++)
		dirhash_bytes(&t->hasher, t->timed[i].name, t->timed[i].len,
			      &t->got[i]);
}

static uint64_t time_once(struct trial *t, const struct dirhash_kernel *k)
{
	uint64_t start = now();

	hash_timed(t, k);
	return now() - start;
}

/* In turns, so that what else the machine does is the same for all. */
static const struct dirhash_kernel *
fastest(struct trial *t, const struct dirhash_kernel *const *candidates)
{
	uint64_t least = UINT64_MAX, took;
	const struct dirhash_kernel *best = NULL;

	for (int i = 0; i < TRIES; i++)
		for (size_t k = 0; candidates[k]; k++) {
			took = time_once(t, candidates[k]);
			if (took >= least)
				continue;
			least = took;
			best = candidates[k];
		}
	return best;
}

static const struct dirhash_kernel *choose(int version, int algorithm)
{
	const struct dirhash_kernel *candidates[DIRHASH_VARIANTS + 1];
	const struct dirhash_variant *v[DIRHASH_VARIANTS];
	struct trial t;
	size_t n = 0;

	prepare(&t, version);
	dirhash_variants(v);
	candidates[n++] = &scalar;
	for (size_t i = 0; v[i]; i++)
		if (correct(&t, &v[i]->kernel[algorithm]))
			candidates[n++] = &v[i]->kernel[algorithm];
	candidates[n] = NULL;
	return fastest(&t, candidates);
}

const struct dirhash_kernel *dirhash_kernel_chosen(int version)
{
	int algorithm = dirhash_lane_algorithm(version);
	const struct dirhash_kernel *k, *none = NULL;

	if (algorithm < 0)
		return &scalar;
	k = atomic_load_explicit(&chosen[algorithm], memory_order_relaxed);
	if (k)
		return k;
	k = choose(version, algorithm);
	if (atomic_compare_exchange_strong(&chosen[algorithm], &none, k))
		return k;
	return none;
}

const char *dirhash_variant_chosen(int version)
{
	const struct dirhash_kernel *k = dirhash_kernel_chosen(version);
	const struct dirhash_variant *v[DIRHASH_VARIANTS];

	dirhash_variants(v);
	for (size_t i = 0; v[i] && k->function; i++)
		for (int a = 0; a < DIRHASH_LANES_ALGORITHMS; a++)
			if (k == &v[i]->kernel[a])
				return v[i]->name;
	return "scalar";
}
