/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Version 2, tea: the Tiny Encryption Algorithm with 16 rounds as a hash.
 * The state's first half is the plain text, a 16-byte piece of the name the
 * key, and the result is added to the state.
 */
#include "dirhash/algorithm.h"
#include "dirhash/words.h"

#define PIECE_WORDS	4
#define PIECE_BYTES	(4 * PIECE_WORDS)
#define ROUNDS		16
#define DELTA		0x9e3779b9u	/* 2^32 over the golden ratio */

static inline void transform(uint32_t state[2], const uint32_t key[PIECE_WORDS])
{
	uint32_t left = state[0], right = state[1], sum = 0;

	for (int i = 0; i < ROUNDS; i++) {
		sum += DELTA;
		left += ((right << 4) + key[0]) ^ (right + sum) ^
			((right >> 5) + key[1]);
		right += ((left << 4) + key[2]) ^ (left + sum) ^
			 ((left >> 5) + key[3]);
	}
	state[0] += left;
	state[1] += right;
}

static inline void tea(const uint8_t *seed, const uint8_t *name, size_t len,
		       bool is_signed, struct dirhash *out)
{
	/* The seed's last eight bytes have no part in this version. */
	uint32_t state[2] = { dirhash_le32(seed), dirhash_le32(seed + 4) };
	uint32_t key[PIECE_WORDS];

	while (len > 0) {
		size_t step = len < PIECE_BYTES ? len : PIECE_BYTES;

		dirhash_pack(name, len, key, PIECE_WORDS, is_signed);
		transform(state, key);
		name += step;
		len -= step;
	}
	out->hash = state[0];
	out->minor_hash = state[1];
}

void dirhash_raw_tea(const uint8_t *seed, const uint8_t *name, size_t len,
		     struct dirhash *out)
{
	tea(seed, name, len, true, out);
}

void dirhash_raw_tea_unsigned(const uint8_t *seed, const uint8_t *name,
			      size_t len, struct dirhash *out)
{
	tea(seed, name, len, false, out);
}
