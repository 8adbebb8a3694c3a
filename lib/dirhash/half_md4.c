/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Version 1, half_md4: the state of MD4, started from the seed, over pieces
 * of 32 bytes with eight steps in each of its three rounds instead of sixteen.
 */
#include "dirhash/algorithm.h"
#include "dirhash/words.h"

#define PIECE_WORDS	8
#define PIECE_BYTES	(4 * PIECE_WORDS)

static inline uint32_t rotate(uint32_t v, unsigned n)
{
	return v << n | v >> (32 - n);
}

/* MD4's three functions: choose, majority, parity (RFC 1320). */
static inline uint32_t choose(uint32_t x, uint32_t y, uint32_t z)
{
	return (x & y) | (~x & z);
}

static inline uint32_t majority(uint32_t x, uint32_t y, uint32_t z)
{
	return (x & y) | (x & z) | (y & z);
}

static inline uint32_t parity(uint32_t x, uint32_t y, uint32_t z)
{
	return x ^ y ^ z;
}

/* Four steps of a round: each variable in turn takes a word of the piece. */
#define FOUR_STEPS(f, k, w0, s0, w1, s1, w2, s2, w3, s3) do {	\
	a = rotate(a + f(b, c, d) + in[w0] + (k), s0);		\
	d = rotate(d + f(a, b, c) + in[w1] + (k), s1);		\
	c = rotate(c + f(d, a, b) + in[w2] + (k), s2);		\
	b = rotate(b + f(c, d, a) + in[w3] + (k), s3);		\
} while (0)

static inline void transform(uint32_t state[4], const uint32_t in[PIECE_WORDS])
{
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];

	FOUR_STEPS(choose, 0, 0, 3, 1, 7, 2, 11, 3, 19);
	FOUR_STEPS(choose, 0, 4, 3, 5, 7, 6, 11, 7, 19);
	/* The constants are the roots of 2 and 3, as in RFC 1320. */
	FOUR_STEPS(majority, 0x5a827999, 1, 3, 3, 5, 5, 9, 7, 13);
	FOUR_STEPS(majority, 0x5a827999, 0, 3, 2, 5, 4, 9, 6, 13);
	FOUR_STEPS(parity, 0x6ed9eba1, 3, 3, 7, 9, 2, 11, 6, 15);
	FOUR_STEPS(parity, 0x6ed9eba1, 1, 3, 5, 9, 0, 11, 4, 15);
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
}

static inline void half_md4(const uint8_t *seed, const uint8_t *name,
			    size_t len, bool is_signed, struct dirhash *out)
{
	uint32_t state[4], in[PIECE_WORDS];

	for (size_t i = 0; i < 4; i++)
		state[i] = dirhash_le32(seed + 4 * i);
	while (len > 0) {
		size_t step = len < PIECE_BYTES ? len : PIECE_BYTES;

		dirhash_pack(name, len, in, PIECE_WORDS, is_signed);
		transform(state, in);
		name += step;
		len -= step;
	}
	out->hash = state[1];
	out->minor_hash = state[2];
}

void dirhash_raw_half_md4(const uint8_t *seed, const uint8_t *name, size_t len,
			  struct dirhash *out)
{
	half_md4(seed, name, len, true, out);
}

void dirhash_raw_half_md4_unsigned(const uint8_t *seed, const uint8_t *name,
				   size_t len, struct dirhash *out)
{
	half_md4(seed, name, len, false, out);
}
