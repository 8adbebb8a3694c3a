/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench: names chosen to collide, for someone who knows the hash and its seed.
 *
 *   flood HASH NAMES		writes them, one a line, then "searched N"
 *
 * All have 240 bytes (so that few fill a leaf), a common beginning and the
 * same major hash.  Legacy: the last two letters are computed.  half_md4 and
 * tea, of which the default seed is known: found by trying, of a vector of
 * names at once; each name takes 2^31 trials on average.  All CPUs search.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bench/random.h"
#include "dirhash/dirhash.h"
#include "dirhash/words.h"

#define LENGTH		240
#define BEGINNING	224	/* whole pieces of 32 and of 16 bytes */
#define ENDING		(LENGTH - BEGINNING)
#define LANES		16
#define THREADS_MAX	64
#define TARGET		0xf2468aceu	/* a major hash, bit 0 clear; high: legacy */

typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));

/* Code for the widest vectors of the CPU, where the compiler can choose. */
#ifdef __x86_64__
#define WIDEST	__attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST
#endif
#define INLINE	static inline __attribute__((always_inline))

struct search {
	int version;
	uint32_t state[4];	/* after the beginning */
	pthread_mutex_t lock;	/* of what follows */
	unsigned wanted, found;
	_Atomic bool enough;
	_Atomic uint64_t searched;
};

struct worker {
	pthread_t thread;
	struct search *s;
	uint32_t number;
};

/* ---- the hashes, a name in each lane */

#define STEP(f, p, q, r, t, w, k, n)					\
	p += f(q, r, t) + in[w] + (k), p = p << (n) | p >> (32 - (n))
#define CHOOSE(x, y, z)		(((x) & (y)) | (~(x) & (z)))
#define MAJORITY(x, y, z)	(((x) & (y)) | ((x) & (z)) | ((y) & (z)))
#define PARITY(x, y, z)		((x) ^ (y) ^ (z))
#define FOUR(f, k, w0, n0, w1, n1, w2, n2, w3, n3)			\
	STEP(f, a, b, c, d, w0, k, n0), STEP(f, d, a, b, c, w1, k, n1),	\
	STEP(f, c, d, a, b, w2, k, n2), STEP(f, b, c, d, a, w3, k, n3)

INLINE void half_md4(lanes *s, const lanes *in)
{
	lanes a = s[0], b = s[1], c = s[2], d = s[3];

	FOUR(CHOOSE, 0, 0, 3, 1, 7, 2, 11, 3, 19);
	FOUR(CHOOSE, 0, 4, 3, 5, 7, 6, 11, 7, 19);
	FOUR(MAJORITY, 0x5a827999, 1, 3, 3, 5, 5, 9, 7, 13);
	FOUR(MAJORITY, 0x5a827999, 0, 3, 2, 5, 4, 9, 6, 13);
	FOUR(PARITY, 0x6ed9eba1, 3, 3, 7, 9, 2, 11, 6, 15);
	FOUR(PARITY, 0x6ed9eba1, 1, 3, 5, 9, 0, 11, 4, 15);
	s[0] += a;
	s[1] += b;
	s[2] += c;
	s[3] += d;
}

INLINE void tea(lanes *s, const lanes *in)
{
	lanes x = s[0], y = s[1];
	uint32_t sum = 0;

	for (int i = 0; i < 16; i++) {
		sum += 0x9e3779b9;
		x += ((y << 4) + in[0]) ^ (y + sum) ^ ((y >> 5) + in[1]);
		y += ((x << 4) + in[2]) ^ (x + sum) ^ ((x >> 5) + in[3]);
	}
	s[0] += x;
	s[1] += y;
}

INLINE lanes all(uint32_t v)
{
	return v - (lanes){ 0 };
}

/* Four letters a to p for 16 bits. */
INLINE lanes letters(lanes v)
{
	return 0x61616161 + ((v & 0xf) | (v & 0xf0) << 4 | (v & 0xf00) << 8 |
			     (v & 0xf000) << 12);
}

INLINE void ending(lanes *in, uint32_t number, uint32_t high, lanes low)
{
	in[0] = letters(all(number));
	in[1] = letters(all(high >> 16));
	in[2] = letters(all(high));
	in[3] = letters(low);
	for (int i = 4; i < 8; i++)
		in[i] = all(ENDING * 0x01010101u);
}

/* ---- searching */

static void name_of(char *name, uint32_t number, uint32_t high, uint32_t low)
{
	lanes in[8];

	memset(name, 'x', BEGINNING);
	ending(in, number, high, all(low));
	for (int i = 0; i < ENDING; i++)
		name[BEGINNING + i] =
			(char)(in[i / 4][0] >> (24 - i % 4 * 8));
	name[LENGTH] = 0;
}

static void give(struct search *s, const char *name)
{
	struct dirhasher h;
	struct dirhash hash;

	if (dirhasher_init(&h, s->version, NULL, NULL) ||
	    dirhash_name(&h, name, LENGTH, &hash) || hash.hash != TARGET) {
		fprintf(stderr, "flood: a name that does not collide\n");
		exit(1);
	}
	pthread_mutex_lock(&s->lock);
	if (s->found < s->wanted) {
		puts(name);
		fflush(stdout);
		s->found++;
	}
	s->enough = s->found == s->wanted;
	pthread_mutex_unlock(&s->lock);
}

INLINE lanes hits(const struct search *s, uint32_t number, uint32_t high,
		  lanes low)
{
	lanes in[8], state[4];

	for (int i = 0; i < 4; i++)
		state[i] = all(s->state[i]);
	ending(in, number, high, low);
	if (s->version == DIRHASH_TEA) {
		tea(state, in);
		return (lanes)((state[0] & ~1u) == TARGET);
	}
	half_md4(state, in);
	return (lanes)((state[1] & ~1u) == TARGET);
}

/* 65536 names: does any collide?  Which one is asked when one does. */
WIDEST static bool try_many(const struct search *s, uint32_t number,
			    uint32_t high)
{
	lanes low, hit = { 0 };
	uint32_t any = 0;

	for (int i = 0; i < LANES; i++)
		low[i] = (uint32_t)i;
	for (int n = 0; n < 65536 / LANES; n++, low += LANES)
		hit |= hits(s, number, high, low);
	for (int i = 0; i < LANES; i++)
		any |= hit[i];
	return any;
}

static void give_hits(struct search *s, uint32_t number, uint32_t high)
{
	char name[LENGTH + 1];

	for (uint32_t low = 0; low < 65536; low++)
		if (hits(s, number, high, all(low))[0]) {
			name_of(name, number, high, low);
			give(s, name);
		}
}

static void *search_main(void *arg)
{
	struct worker *w = arg;

	for (uint32_t high = 0; !w->s->enough; high++) {
		if (try_many(w->s, w->number, high))
			give_hits(w->s, w->number, high);
		w->s->searched += 65536;
	}
	return NULL;
}

static void after_beginning(struct search *s, const uint8_t *seed)
{
	lanes state[4], in[8];

	for (int i = 0; i < 4; i++)
		state[i] = all(dirhash_le32(seed + 4 * i));
	for (int i = 0; i < 8; i++)
		in[i] = all(0x78787878);	/* "xxxx" */
	for (int at = 0; at < BEGINNING; ) {
		if (s->version == DIRHASH_TEA)
			tea(state, in);
		else
			half_md4(state, in);
		at += s->version == DIRHASH_TEA ? 16 : 32;
	}
	for (int i = 0; i < 4; i++)
		s->state[i] = state[i][0];
}

static void search(struct search *s)
{
	struct worker w[THREADS_MAX];
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	n = n < 1 ? 1 : n > THREADS_MAX ? THREADS_MAX : n;
	after_beginning(s, dirhash_default_seed);
	for (long i = 0; i < n; i++) {
		w[i] = (struct worker){ .s = s, .number = (uint32_t)i };
		if (pthread_create(&w[i].thread, NULL, search_main, &w[i]))
			exit(1);
	}
	for (long i = 0; i < n; i++)
		pthread_join(w[i].thread, NULL);
}

/* ---- legacy: letters computed */

#define MULTIPLIER	7152373u

struct legacy {
	uint32_t last, before;
};

static inline struct legacy legacy_step(struct legacy s, uint32_t c)
{
	uint32_t next = s.before + (s.last ^ c * MULTIPLIER);

	return (struct legacy){ (next & 0x7fffffff) + (next >> 31), s.last };
}

static uint32_t inverse(uint32_t odd)
{
	uint32_t x = odd;

	for (int i = 0; i < 5; i++)
		x *= 2 - odd * x;
	return x;
}

/* Is there a last letter that makes it the target's? */
static uint32_t last_letter(struct legacy s)
{
	uint32_t c = (((TARGET >> 1) - s.before) ^ s.last) * inverse(MULTIPLIER);

	return c > 32 && c < 127 && c != '/' ? c : 0;
}

static struct legacy legacy_after(struct legacy s, const char *name, int from,
				  int to)
{
	for (; from < to; from++)
		s = legacy_step(s, (uint8_t)name[from]);
	return s;
}

/* Each last letter but one leads to at most one last letter. */
static void compute(struct search *s)
{
	struct legacy begun = { 0x12a3fe2d, 0x37abe8f9 };
	char name[LENGTH + 1];

	name_of(name, 0, 0, 0);
	begun = legacy_after(begun, name, 0, BEGINNING);
	for (uint32_t i = 0; !s->enough; i++) {
		struct legacy state;

		name_of(name, 0, i, 0);
		state = legacy_after(begun, name, BEGINNING, LENGTH - 2);
		for (uint32_t c = '0'; c < 127; c++) {
			uint32_t d = last_letter(legacy_step(state, c));

			s->searched++;
			if (!d)
				continue;
			name[LENGTH - 2] = (char)c;
			name[LENGTH - 1] = (char)d;
			give(s, name);
		}
	}
}

int main(int argc, char **argv)
{
	struct search s = { .lock = PTHREAD_MUTEX_INITIALIZER };

	s.wanted = argc == 3 ? (unsigned)atoi(argv[2]) : 0;
	s.version = s.wanted ? dirhash_version_from_text(argv[1]) : -1;
	if (s.version == DIRHASH_LEGACY)
		compute(&s);
	else if (s.version == DIRHASH_HALF_MD4 || s.version == DIRHASH_TEA)
		search(&s);
	else
		return fprintf(stderr, "usage: flood legacy|half_md4|tea NAMES\n"), 2;
	printf("searched %llu\n", (unsigned long long)s.searched);
	return 0;
}
