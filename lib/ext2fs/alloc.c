/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finding free clusters on flat bit arrays.
 *
 * Runs are looked for group by group.  Each group carries an upper bound of
 * its longest free run, which a search that fails there makes exact, so a full
 * group is scanned once and not once for every directory.
 */
#include <errno.h>
#include <stdlib.h>
#include "e2dx_err.h"
#include "ext2fs/alloc.h"

#define WORD_BITS 64

/* ---- lists of pieces */

void e2dx_pieces_init(struct e2dx_pieces *p)
{
	p->v = NULL;
	p->n = p->capacity = 0;
}

void e2dx_pieces_free(struct e2dx_pieces *p)
{
	free(p->v);
	e2dx_pieces_init(p);
}

errcode_t e2dx_pieces_add(struct e2dx_pieces *p, uint64_t first,
			  uint64_t count)
{
	struct e2dx_piece *last = p->n ? &p->v[p->n - 1] : NULL;

	if (last && last->first + last->count == first) {
		last->count += count;
		return 0;
	}
	if (p->n == p->capacity) {
		size_t capacity = p->capacity ? 2 * p->capacity : 4;
		struct e2dx_piece *v = reallocarray(p->v, capacity, sizeof(*v));

		if (!v)
			return ENOMEM;
		p->v = v;
		p->capacity = capacity;
	}
	p->v[p->n].first = first;
	p->v[p->n++].count = count;
	return 0;
}

static int by_position(const void *a, const void *b)
{
	const struct e2dx_piece *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

void e2dx_pieces_merge(struct e2dx_pieces *p)
{
	size_t kept = 0;

	if (p->n < 2)
		return;
	qsort(p->v, p->n, sizeof(*p->v), by_position);
	for (size_t i = 1; i < p->n; i++) {
		struct e2dx_piece *last = &p->v[kept];
		uint64_t end = p->v[i].first + p->v[i].count;

		if (p->v[i].first > last->first + last->count)
			p->v[++kept] = p->v[i];
		else if (end > last->first + last->count)
			last->count = end - last->first;
	}
	p->n = kept + 1;
}

uint64_t e2dx_pieces_total(const struct e2dx_pieces *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->n; i++)
		sum += p->v[i].count;
	return sum;
}

/* ---- bits */

/* The word that holds cluster `at`, with the bits that are in use set. */
static uint64_t used_word(const struct e2dx_space *s, uint64_t at)
{
	return s->owned[at / WORD_BITS] | s->bitmap[at / WORD_BITS];
}

/* The first cluster of [from, end) whose use is `used`; end if none is. */
static uint64_t find(const struct e2dx_space *s, uint64_t from, uint64_t end,
		     bool used)
{
	while (from < end) {
		uint64_t word = used_word(s, from);

		word = (used ? word : ~word) >> (from % WORD_BITS);
		if (word) {
			from += (uint64_t)__builtin_ctzll(word);
			return from < end ? from : end;
		}
		from += WORD_BITS - from % WORD_BITS;
	}
	return end;
}

static void set_bits(uint64_t *words, uint64_t first, uint64_t count, bool on)
{
	while (count) {
		uint64_t shift = first % WORD_BITS;
		uint64_t n = WORD_BITS - shift < count ? WORD_BITS - shift
						       : count;
		uint64_t mask = (n == WORD_BITS ? UINT64_MAX
				: (UINT64_C(1) << n) - 1) << shift;

		if (on)
			words[first / WORD_BITS] |= mask;
		else
			words[first / WORD_BITS] &= ~mask;
		first += n;
		count -= n;
	}
}

/* ---- the space */

static uint32_t group_of(const struct e2dx_space *s, uint64_t cluster)
{
	return (uint32_t)((cluster - s->base) / s->per_group);
}

void e2dx_space_range(const struct e2dx_space *s, uint32_t group,
		      uint64_t *first, uint64_t *end)
{
	*first = s->base + group * s->per_group;
	*end = *first + s->per_group;
	if (*end > s->end)
		*end = s->end;
}

static uint64_t count_free(const struct e2dx_space *s)
{
	uint64_t at = s->base, sum = 0;

	while ((at = find(s, at, s->end, false)) < s->end) {
		uint64_t stop = find(s, at, s->end, true);

		sum += stop - at;
		at = stop;
	}
	return sum;
}

errcode_t e2dx_space_init(struct e2dx_space *s, uint64_t *owned,
			  uint64_t *bitmap, uint64_t base, uint64_t end,
			  uint64_t per_group)
{
	s->owned = owned;
	s->bitmap = bitmap;
	s->base = base;
	s->end = end;
	s->per_group = per_group;
	s->groups = (uint32_t)((end - base + per_group - 1) / per_group);
	s->longest = calloc(s->groups + 1, sizeof(*s->longest));
	s->lazy = calloc(s->groups + 1, 1);
	if (!s->longest || !s->lazy) {
		e2dx_space_done(s);
		return ENOMEM;
	}
	for (uint32_t g = 0; g < s->groups; g++)
		s->longest[g] = per_group;
	s->free = count_free(s);
	return 0;
}

void e2dx_space_done(struct e2dx_space *s)
{
	free(s->longest);
	free(s->lazy);
	s->longest = NULL;
	s->lazy = NULL;
}

static void mark(struct e2dx_space *s, uint64_t first, uint64_t count, bool on)
{
	uint32_t last = group_of(s, first + count - 1);

	set_bits(s->owned, first, count, on);
	set_bits(s->bitmap, first, count, on);
	s->free = on ? s->free - count : s->free + count;
	for (uint32_t g = group_of(s, first); g <= last && !on; g++)
		s->longest[g] = s->per_group;
}

void e2dx_space_give(struct e2dx_space *s, const struct e2dx_pieces *p)
{
	for (size_t i = 0; i < p->n; i++)
		mark(s, p->v[i].first, p->v[i].count, false);
}

void e2dx_space_touched(const struct e2dx_space *s,
			const struct e2dx_pieces *p, uint8_t *groups)
{
	for (size_t i = 0; i < p->n; i++) {
		uint64_t first = p->v[i].first;
		uint32_t last = group_of(s, first + p->v[i].count - 1);

		for (uint32_t g = group_of(s, first); g <= last; g++)
			groups[g] = 1;
	}
}

struct search {
	uint64_t least;		/* shortest run to take */
	uint64_t wanted;	/* clusters still to be found */
	uint64_t limit;		/* clusters from here on are of no use */
	struct e2dx_pieces *out;
};

/* Take the group's runs that suit; the others set its bound. */
static errcode_t search_group(struct e2dx_space *s, uint32_t group,
			      struct search *q)
{
	uint64_t at, end, run, n, longest = 0;
	errcode_t err;

	e2dx_space_range(s, group, &at, &end);
	if (end > q->limit)
		end = q->limit;
	while (at < end && (at = find(s, at, end, false)) < end) {
		run = find(s, at, end, true) - at;
		if (run < q->least) {
			longest = run > longest ? run : longest;
			at += run;
			continue;
		}
		n = run < q->wanted ? run : q->wanted;
		err = e2dx_pieces_add(q->out, at, n);
		if (err)
			return err;
		mark(s, at, n, true);
		at += n;
		q->wanted -= n;
		if (!q->wanted)
			return 0;
	}
	/* With a limit inside the group, what lies behind it was not seen. */
	if (end == q->limit && end < s->end)
		return 0;
	s->longest[group] = longest;
	return 0;
}

/* Through all groups from `goal` on: the lazy ones, or the others. */
static errcode_t search_groups(struct e2dx_space *s, uint32_t goal, bool lazy,
			       struct search *q)
{
	errcode_t err;

	for (uint32_t i = 0; i < s->groups && q->wanted; i++) {
		uint32_t g = (uint32_t)(((uint64_t)goal + i) % s->groups);

		if (!!s->lazy[g] != lazy || s->longest[g] < q->least)
			continue;
		err = search_group(s, g, q);
		if (err)
			return err;
	}
	return 0;
}

static errcode_t search(struct e2dx_space *s, uint32_t goal, struct search *q)
{
	errcode_t err = search_groups(s, goal, false, q);

	if (!err && q->wanted)
		err = search_groups(s, goal, true, q);
	return err;
}

errcode_t e2dx_space_take(struct e2dx_space *s, uint32_t goal, uint64_t n,
			  uint64_t limit, struct e2dx_pieces *out)
{
	struct search q = { .least = n, .wanted = n, .limit = limit,
			    .out = out };
	errcode_t err = 0;

	if (n > s->free)
		return E2DX_ET_NO_SPACE;
	if (goal >= s->groups)
		goal = 0;
	/* Half as long each time: the longest pieces first, in few passes. */
	while (q.wanted && !err) {
		err = search(s, goal, &q);
		if (q.wanted && q.least == 1)
			break;
		if (q.least > q.wanted)
			q.least = q.wanted;
		else
			q.least = (q.least + 1) / 2;
	}
	if (!err && q.wanted)
		err = E2DX_ET_NO_SPACE;
	if (err) {
		e2dx_space_give(s, out);
		out->n = 0;
	}
	return err;
}
