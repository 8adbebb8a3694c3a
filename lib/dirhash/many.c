/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hashing many names in one call.  The kernels (lanes.h) take a name in each
 * lane of a vector and are as slow as the longest of them, so names are
 * put in the order of their lengths first.
 */
#include <string.h>
#include "dirhash/many.h"
#include "e2dx_err.h"

#define FEW		8	/* names that are not worth the choice */

_Static_assert(DIRHASH_BATCH == UINT8_MAX + 1, "places are bytes");

/* The names of a batch by ascending length. */
struct batch {
	const struct dirhash_text *names;	/* as they came, or ordered[] */
	struct dirhash_text ordered[DIRHASH_BATCH];
	uint8_t from[DIRHASH_BATCH];		/* the place that each came from */
	struct dirhash out[DIRHASH_BATCH + DIRHASH_LANES_MAX];
};

/* Loops of few instructions each name: counting to n costs a part of them. */
#define UNROLL		_Pragma("GCC unroll 4")

/*
 * A counting sort by length, for names of more than one.  Each name's rank
 * among those of its length is kept, so that only one pass waits for counts
 * that it has just changed.  A byte holds every count and place: no length has
 * all 256 names, and what comes behind them all is not used.
 */
static errcode_t order_names(struct batch *b, const struct dirhash_text *names,
			     size_t n)
{
	uint8_t start[DIRHASH_NAME_MAX + 1] = { 0 };
	uint8_t rank[DIRHASH_BATCH], before = 0;
	size_t longest = 0;

	UNROLL for (size_t i = 0; i < n; i++) {
		longest |= names[i].len;
		rank[i] = start[(uint8_t)names[i].len]++;
	}
	/* Not the longest, but as good: no bit of it is above the longest's. */
	if (longest > DIRHASH_NAME_MAX)
		return E2DX_ET_NAME_LENGTH;
	for (size_t len = 0; len <= longest; len++) {
		uint8_t count = start[len];

		start[len] = before;
		before = (uint8_t)(before + count);
	}
	UNROLL for (size_t i = 0; i < n; i++) {
		unsigned to = (unsigned)start[names[i].len] + rank[i];

		b->ordered[to] = names[i];
		b->from[to] = (uint8_t)i;
	}
	b->names = b->ordered;
	return 0;
}

/* E2DX_ET_NAME_LENGTH where a name is too long. */
static errcode_t take_names(struct batch *b, const struct dirhash_text *names,
			    size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (names[i].len != names[0].len)
			return order_names(b, names, n);
	b->names = names;
	return names[0].len > DIRHASH_NAME_MAX ? E2DX_ET_NAME_LENGTH : 0;
}

static errcode_t hash_batch(const struct dirhash_kernel *k,
			    const struct dirhasher *h,
			    const struct dirhash_text *names, size_t n,
			    struct dirhash *out)
{
	size_t rest = n % k->lanes, by_lanes = n - rest;
	struct batch b;
	errcode_t err = take_names(&b, names, n);
	struct dirhash *to = b.out;

	if (err)
		return err;
	/* A quarter of the lanes is worth as much as it costs. */
	if (4 * rest >= k->lanes)
		by_lanes = n;
	else if (b.names == names)
		to = out;
	if (by_lanes > 0)
		k->function(h->seed, b.names, by_lanes, to);
	for (size_t i = by_lanes; i < n; i++)
		dirhash_bytes(h, b.names[i].name, b.names[i].len, &to[i]);
	if (b.names != names)
		UNROLL for (size_t i = 0; i < n; i++)
			out[b.from[i]] = b.out[i];
	else if (to != out)
		memcpy(out, b.out, n * sizeof(out[0]));
	return 0;
}

errcode_t dirhash_many_by(const struct dirhash_kernel *k,
			  const struct dirhasher *h,
			  const struct dirhash_text *names, size_t n,
			  struct dirhash *out)
{
	errcode_t err = 0;
	size_t some;

	for (; n > 0 && !err; n -= some, names += some, out += some) {
		some = n < DIRHASH_BATCH ? n : DIRHASH_BATCH;
		err = hash_batch(k, h, names, some, out);
	}
	return err;
}

static errcode_t one_by_one(const struct dirhasher *h,
			    const struct dirhash_text *names, size_t n,
			    struct dirhash *out)
{
	errcode_t err = 0;

	for (size_t i = 0; i < n && !err; i++)
		err = dirhash_name(h, names[i].name, names[i].len, &out[i]);
	return err;
}

errcode_t dirhash_many(const struct dirhasher *h,
		       const struct dirhash_text *names, size_t n,
		       struct dirhash *out)
{
	const struct dirhash_kernel *k;

	/* Folded names may be longer than a kernel's names. */
	if (n <= FEW || h->fold)
		return one_by_one(h, names, n, out);
	k = dirhash_kernel_chosen(h->version);
	if (!k->function)
		return one_by_one(h, names, n, out);
	return dirhash_many_by(k, h, names, n, out);
}
