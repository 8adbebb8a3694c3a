/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sorting a directory's entries by hash.  Hashes are 64 bits without any
 * order that could be guessed, so a radix sort needs a fixed eight passes
 * whatever a hostile image holds.  Memory: one more array of entries (24
 * bytes each) while it runs.
 */
#include "htree/entry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS		8	/* of 8 bits */
#define VALUES		256
#define FEW		48	/* below: not worth eight tables */

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

/* How often each value of each digit occurs. */
static void count_digits(const struct htree_entry *v, size_t n,
			 size_t counts[DIGITS][VALUES])
{
	uint64_t key;
	size_t i;
	int d;

	memset(counts, 0, sizeof(counts[0]) * DIGITS);
	for (i = 0; i < n; i++)
		for (key = key_of(&v[i]), d = 0; d < DIGITS; d++, key >>= 8)
			counts[d][key & 0xff]++;
}

/* Move *from to *to ordered by one digit, equal ones in their order. */
static void pass(const struct htree_entry *from, struct htree_entry *to,
		 size_t n, int shift, size_t *counts)
{
	size_t i, at = 0, c;

	for (i = 0; i < VALUES; i++) {
		c = counts[i];
		counts[i] = at;
		at += c;
	}
	for (i = 0; i < n; i++)
		to[counts[key_of(&from[i]) >> shift & 0xff]++] = from[i];
}

errcode_t htree_entries_sort(struct htree_entries *e)
{
	size_t counts[DIGITS][VALUES];
	struct htree_entry *spare, *to, *from = e->v;
	int d;

	if (sorted(e->v, e->n))
		return 0;
	if (e->n < FEW) {
		sort_few(e->v, e->n);
		return 0;
	}
	to = spare = malloc(e->n * sizeof(*spare));
	if (!spare)
		return ENOMEM;
	count_digits(from, e->n, counts);
	for (d = 0; d < DIGITS; d++) {
		/* All the same, as legacy's minor hashes: nothing to move. */
		if (counts[d][key_of(from) >> (8 * d) & 0xff] == e->n)
			continue;
		pass(from, to, e->n, 8 * d, counts[d]);
		spare = from;
		from = to;
		to = spare;
	}
	if (from != e->v)
		memcpy(e->v, from, e->n * sizeof(*from));
	free(from != e->v ? from : to);
	return 0;
}
