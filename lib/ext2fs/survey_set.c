/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sets of clusters that several threads fill, a word at a time. */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include "ext2fs/survey_priv.h"

#define WORD_BITS 64

/* The bits of word w that lie in first .. last. */
static uint64_t word_mask(uint64_t w, uint64_t first, uint64_t last)
{
	uint64_t mask = ~0ULL;

	if (w == first / WORD_BITS)
		mask &= ~0ULL << first % WORD_BITS;
	if (w == last / WORD_BITS)
		mask &= ~0ULL >> (WORD_BITS - 1 - last % WORD_BITS);
	return mask;
}

void survey_fail(struct surveyor *sv, errcode_t err)
{
	pthread_mutex_lock(&sv->lock);
	if (!sv->err)
		sv->err = err;
	pthread_mutex_unlock(&sv->lock);
}

/* The set of what is claimed twice is made when there is something to note. */
static uint64_t *twice_set(struct surveyor *sv)
{
	uint64_t *set;

	pthread_mutex_lock(&sv->lock);
	if (!sv->twice) {
		set = survey_sparse(survey_set_size(sv->s->clusters));
		if (!set && !sv->err)
			sv->err = ENOMEM;
		sv->twice = set;
	}
	set = sv->twice;
	pthread_mutex_unlock(&sv->lock);
	return set;
}

void survey_claimed_twice(struct surveyor *sv, uint64_t first, uint64_t last)
{
	uint64_t *twice = twice_set(sv);

	for (uint64_t w = first / WORD_BITS; twice && w <= last / WORD_BITS; w++)
		__atomic_fetch_or(&twice[w], word_mask(w, first, last),
				  __ATOMIC_RELAXED);
}

bool survey_claim(struct surveyor *sv, uint64_t first, uint64_t last)
{
	uint64_t *owned = sv->s->owned, *twice = NULL;
	bool again = false;

	for (uint64_t w = first / WORD_BITS; w <= last / WORD_BITS; w++) {
		uint64_t mask = word_mask(w, first, last);
		uint64_t was = __atomic_fetch_or(&owned[w], mask,
						 __ATOMIC_RELAXED);

		if (!(was & mask))
			continue;
		again = true;
		if (!twice)
			twice = twice_set(sv);
		if (twice)
			__atomic_fetch_or(&twice[w], was & mask,
					  __ATOMIC_RELAXED);
	}
	return again;
}

bool survey_is_shared(const struct surveyor *sv, uint64_t first, uint64_t last)
{
	for (uint64_t w = first / WORD_BITS;
	     sv->twice && w <= last / WORD_BITS; w++)
		if (sv->twice[w] & word_mask(w, first, last))
			return true;
	return false;
}

uint64_t survey_count_shared(const struct surveyor *sv, uint64_t first,
			     uint64_t last, uint64_t *which)
{
	uint64_t n = 0;

	for (uint64_t w = first / WORD_BITS;
	     sv->twice && w <= last / WORD_BITS; w++) {
		uint64_t v = sv->twice[w] & word_mask(w, first, last);

		if (v && !n)
			*which = w * WORD_BITS + (uint64_t)__builtin_ctzll(v);
		n += (uint64_t)__builtin_popcountll(v);
	}
	return n;
}

void survey_set_range(uint64_t *set, uint64_t first, uint64_t last)
{
	for (uint64_t w = first / WORD_BITS; w <= last / WORD_BITS; w++)
		set[w] |= word_mask(w, first, last);
}

void survey_copy_bits(uint64_t *to, const uint64_t *from, uint64_t first,
		      uint64_t last)
{
	for (uint64_t w = first / WORD_BITS; w <= last / WORD_BITS; w++) {
		uint64_t v = from[w] & word_mask(w, first, last);

		/* What is not written costs no memory. */
		if (v)
			to[w] |= v;
	}
}

uint32_t survey_count(const uint64_t *a, const uint64_t *b, uint64_t first,
		      uint64_t last)
{
	uint64_t n = 0;

	for (uint64_t w = first / WORD_BITS; w <= last / WORD_BITS; w++) {
		uint64_t v = a[w] & ~(b ? b[w] : 0);

		if (v)
			n += (uint64_t)__builtin_popcountll(
					v & word_mask(w, first, last));
	}
	return (uint32_t)n;
}

/* Huge pages would bring back all that a sparse filesystem leaves out. */
#define SPARSE_FROM	(64u << 20)

void *survey_sparse(uint64_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	if (bytes >= SPARSE_FROM)
		madvise(p, bytes, MADV_NOHUGEPAGE);
	return p;
}

void survey_sparse_free(void *p, uint64_t bytes)
{
	if (p)
		munmap(p, bytes);
}

/* Up to eight bytes of a bitmap block, bit 0 of byte 0 lowest. */
static uint64_t load_bits(const uint8_t *bytes, uint32_t n)
{
	uint64_t v = 0;

	for (uint32_t i = 0; i < 8 && 8 * i < n; i++)
		v |= (uint64_t)bytes[i] << 8 * i;
	return n < WORD_BITS ? v & ((1ULL << n) - 1) : v;
}

void survey_set_bytes(uint64_t *set, uint64_t first, const uint8_t *bytes,
		      uint32_t n)
{
	unsigned shift = first % WORD_BITS;

	for (uint64_t w = first / WORD_BITS; n; w++) {
		uint32_t part = n < WORD_BITS ? n : WORD_BITS;
		uint64_t v = load_bits(bytes, part);

		if (v << shift)
			__atomic_fetch_or(&set[w], v << shift, __ATOMIC_RELAXED);
		/* Only bits that are set reach the next word: it exists. */
		if (shift && v >> (WORD_BITS - shift))
			__atomic_fetch_or(&set[w + 1], v >> (WORD_BITS - shift),
					  __ATOMIC_RELAXED);
		bytes += part / 8;
		n -= part;
	}
}

errcode_t survey_list_add(struct block_list *l, uint64_t block)
{
	if (l->n && l->v[l->n - 1] == block)
		return 0;
	if (l->n == l->capacity) {
		size_t n = l->capacity ? 2 * l->capacity : 64;
		uint64_t *v = realloc(l->v, n * sizeof(*v));

		if (!v)
			return ENOMEM;
		l->v = v;
		l->capacity = n;
	}
	l->v[l->n++] = block;
	return 0;
}
