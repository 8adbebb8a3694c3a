/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CRC-32C by the fastest code that this CPU runs: each variant is checked
 * against the table, and timed on a block, for some microseconds.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>
#include "htree/crc32c.h"
#include "htree/crc32c_variants.h"

#define SAMPLE		4084	/* bytes that a leaf's checksum covers */
#define TRIES		12	/* the best of these counts */
#define TIMES		4	/* computed in each */

static uint32_t choose(uint32_t crc, const void *data, size_t len);

/* Not state that a caller could notice: every variant gives the same. */
static _Atomic(htree_crc32c_function *) chosen = choose;

static bool correct(htree_crc32c_function *f, const uint8_t *sample)
{
	for (size_t len = 0; len < SAMPLE; len += 1 + len / 2)
		if (f(~0u, sample + SAMPLE - len, len) !=
		    htree_crc32c_table(~0u, sample + SAMPLE - len, len))
			return false;
	return f(1, sample, SAMPLE) == htree_crc32c_table(1, sample, SAMPLE);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The result of one is the next one's start: none can be left out. */
static uint64_t time_once(htree_crc32c_function *f, const uint8_t *sample,
			  uint32_t *crc)
{
	uint64_t start = now();

	for (int i = 0; i < TIMES; i++)
		*crc = f(*crc, sample, SAMPLE);
	return now() - start;
}

static htree_crc32c_function *fastest(struct htree_crc32c_variant *v,
				      const uint8_t *sample)
{
	htree_crc32c_function *best = htree_crc32c_table;
	uint64_t least = UINT64_MAX;
	uint32_t crc = 0;

	for (int t = 0; t < TRIES; t++)
		for (int i = 0; v[i].function; i++) {
			uint64_t took = time_once(v[i].function, sample, &crc);

			if (took >= least)
				continue;
			least = took;
			best = v[i].function;
		}
	return best;
}

static uint32_t choose(uint32_t crc, const void *data, size_t len)
{
	struct htree_crc32c_variant v[HTREE_CRC32C_VARIANTS];
	htree_crc32c_function *old = choose, *best;
	uint8_t sample[SAMPLE];
	size_t n = 0;

	for (size_t i = 0; i < SAMPLE; i++)
		sample[i] = (uint8_t)(i * i * 31 >> 4);
	htree_crc32c_usable(v);
	for (size_t i = 0; v[i].function; i++)
		if (correct(v[i].function, sample))
			v[n++] = v[i];
	v[n].function = NULL;
	best = fastest(v, sample);
	/* The first choice stays. */
	if (!atomic_compare_exchange_strong(&chosen, &old, best))
		best = old;
	return best(crc, data, len);
}

uint32_t htree_crc32c(uint32_t crc, const void *data, size_t len)
{
	return atomic_load_explicit(&chosen, memory_order_relaxed)(crc, data,
								   len);
}
