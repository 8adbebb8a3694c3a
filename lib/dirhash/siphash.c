/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Version 6, siphash: SipHash-2-4 with a 64-bit result, by Aumasson and
 * Bernstein ("SipHash: a fast short-input PRF", 2012).
 */
#include "dirhash/algorithm.h"
#include "dirhash/words.h"

struct state {
	uint64_t v0, v1, v2, v3;
};

static inline uint64_t rotate(uint64_t v, unsigned n)
{
	return v << n | v >> (64 - n);
}

static inline void round_once(struct state *s)
{
	s->v0 += s->v1;
	s->v2 += s->v3;
	s->v1 = rotate(s->v1, 13) ^ s->v0;
	s->v3 = rotate(s->v3, 16) ^ s->v2;
	s->v0 = rotate(s->v0, 32);
	s->v2 += s->v1;
	s->v0 += s->v3;
	s->v1 = rotate(s->v1, 17) ^ s->v2;
	s->v3 = rotate(s->v3, 21) ^ s->v0;
	s->v2 = rotate(s->v2, 32);
}

static inline void absorb(struct state *s, uint64_t word)
{
	s->v3 ^= word;
	round_once(s);
	round_once(s);
	s->v0 ^= word;
}

uint64_t dirhash_siphash24(const uint8_t *key, const void *data, size_t len)
{
	uint64_t k0 = dirhash_le64(key), k1 = dirhash_le64(key + 8);
	const uint8_t *p = data;
	struct state s = {	/* "somepseudorandomlygeneratedbytes" */
		k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d,
		k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573
	};

	for (size_t left = len; left >= 8; left -= 8, p += 8)
		absorb(&s, dirhash_le64(p));
	absorb(&s, dirhash_last_word(data, len));
	s.v2 ^= 0xff;
	for (int i = 0; i < 4; i++)
		round_once(&s);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

void dirhash_raw_siphash(const uint8_t *seed, const uint8_t *name, size_t len,
			 struct dirhash *out)
{
	uint64_t h = dirhash_siphash24(seed, name, len);

	out->hash = (uint32_t)(h >> 32);
	out->minor_hash = (uint32_t)h;
}
