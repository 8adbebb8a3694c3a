/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sorting a directory's entries by hash.  Hashes are 64 bits without any
 * order that could be guessed: two passes by their highest bits leave random
 * ones in order but for runs of a few, which insertion sorts.  Long runs, which
 * a hostile image has, get all the passes: a fixed number, whatever it holds.
 * Memory: one more array of entries (24 bytes each) while it runs.
 */
#include "htree/entry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS	11
#define DIGITS		6	/* of a key */
#define VALUES		(1u << DIGIT_BITS)
#define FIRST		4	/* the digits above these are sorted first */
#define FEW		300	/* below: not worth the tables */

static uint64_t key_of(const struct htree_entry *v)
{
	return (uint64_t)v->hash.hash << 32 | v->hash.minor_hash;
}

static bool sorted(const struct htree_entry *v, size_t n)
{
	size_t i;

	for (i = 1; i < n; i++)
		if (key_of(&v[i]) < key_of(&v[i - 1]))
			return false;
	return true;
}

static void sort_few(struct htree_entry *v, size_t n)
{
	struct htree_entry one;
	size_t i, j;

	for (i = 1; i < n; i++) {
		one = v[i];
		for (j = i; j > 0 && key_of(&v[j - 1]) > key_of(&one); j--)
			v[j] = v[j - 1];
		v[j] = one;
	}
}

static unsigned digit_of(const struct htree_entry *v, int digit)
{
	return key_of(v) >> (digit * DIGIT_BITS) & (VALUES - 1);
}

/*
 * Move *from to *to ordered by one digit, equal ones in their order.  False,
 * with nothing moved, where all have the same, as legacy's minor hashes.
 */
static bool pass(const struct htree_entry *from, struct htree_entry *to,
		 size_t n, int digit)
{
	size_t at[VALUES] = { 0 }, sum = 0, c, i;

	for (i = 0; i < n; i++)
		at[digit_of(&from[i], digit)]++;
	if (at[digit_of(from, digit)] == n)
		return false;
	for (i = 0; i < VALUES; i++) {
		c = at[i];
		at[i] = sum;
		sum += c;
	}
	for (i = 0; i < n; i++)
		to[at[digit_of(&from[i], digit)]++] = from[i];
	return true;
}

/* Order by the digits from `digit` on; `spare` is as long as v. */
static void passes(struct htree_entry *v, struct htree_entry *spare, size_t n,
		   int digit)
{
	struct htree_entry *from = v, *to = spare, *swap;

	for (; digit < DIGITS; digit++) {
		if (!pass(from, to, n, digit))
			continue;
		swap = from;
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}

/* Where the run with the same highest digits as v[from] ends. */
static size_t run_end(const struct htree_entry *v, size_t from, size_t n)
{
	uint64_t high = key_of(&v[from]) >> (FIRST * DIGIT_BITS);
	size_t i = from + 1;

	while (i < n && key_of(&v[i]) >> (FIRST * DIGIT_BITS) == high)
		i++;
	return i;
}

errcode_t htree_entries_sort(struct htree_entries *e)
{
	struct htree_entry *spare;
	size_t from, to;

	if (sorted(e->v, e->n))
		return 0;
	if (e->n < FEW) {
		sort_few(e->v, e->n);
		return 0;
	}
	spare = malloc(e->n * sizeof(*spare));
	if (!spare)
		return ENOMEM;
	passes(e->v, spare, e->n, FIRST);
	for (from = 0; from < e->n; from = to) {
		to = run_end(e->v, from, e->n);
		if (to - from < FEW)
			sort_few(e->v + from, to - from);
		else
			passes(e->v + from, spare, to - from, 0);
	}
	free(spare);
	return 0;
}
