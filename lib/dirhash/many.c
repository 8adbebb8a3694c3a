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

_Static_assert(DIRHASH_BATCH == UINT8_MAX + 1, "order[] is of bytes");

/* One after another; also the order of names that are all as long. */
#define FOUR(i)		(i), (i) + 1, (i) + 2, (i) + 3
#define SIXTEEN(i)	FOUR(i), FOUR((i) + 4), FOUR((i) + 8), FOUR((i) + 12)
#define SIXTY_FOUR(i)	SIXTEEN(i), SIXTEEN((i) + 16), SIXTEEN((i) + 32), \
			SIXTEEN((i) + 48)
static const uint8_t as_they_are[DIRHASH_BATCH] = {
	SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128), SIXTY_FOUR(192)
};

/*
 * The n names by ascending length: as_they_are, or in `room`; NULL where one
 * is too long.
 */
static const uint8_t *order_names(const struct dirhash_text *names, size_t n,
				  uint8_t room[DIRHASH_BATCH])
{
	uint16_t next[DIRHASH_NAME_MAX + 2];
	size_t differ = 0, longest = 0, first = names[0].len;

	for (size_t i = 0; i < n; i++) {
		differ |= names[i].len ^ first;
		longest |= names[i].len;
	}
	/* Not the longest, but as good: no bit of it is above the longest's. */
	if (longest > DIRHASH_NAME_MAX)
		return NULL;
	if (!differ)
		return as_they_are;
	memset(next, 0, (longest + 2) * sizeof(next[0]));
	for (size_t i = 0; i < n; i++)
		next[names[i].len + 1]++;
	for (size_t len = 1; len <= longest; len++)
		next[len] += next[len - 1];
	for (size_t i = 0; i < n; i++)
		room[next[names[i].len]++] = (uint8_t)i;
	return room;
}

static errcode_t hash_batch(const struct dirhash_kernel *k,
			    const struct dirhasher *h,
			    const struct dirhash_text *names, size_t n,
			    struct dirhash *out)
{
	struct dirhash ordered[DIRHASH_BATCH + DIRHASH_LANES_MAX];
	uint8_t room[DIRHASH_BATCH];
	const uint8_t *order = order_names(names, n, room);
	size_t rest = n % k->lanes, by_lanes = n - rest;

	if (!order)
		return E2DX_ET_NAME_LENGTH;
	/* A quarter of the lanes is worth as much as it costs. */
	if (4 * rest >= k->lanes)
		by_lanes = n;
	if (order == as_they_are && by_lanes % k->lanes == 0) {
		if (by_lanes > 0)
			k->function(h->seed, names, order, by_lanes, out);
	} else {
		if (by_lanes > 0)
			k->function(h->seed, names, order, by_lanes, ordered);
		for (size_t i = 0; i < by_lanes; i++)
			out[order[i]] = ordered[i];
	}
	for (size_t i = by_lanes; i < n; i++)
		dirhash_bytes(h, names[order[i]].name, names[order[i]].len,
			      &out[order[i]]);
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
