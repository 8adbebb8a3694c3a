/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names as the 32-bit words that half-MD4 and TEA take; seeds as words. */
#ifndef E2DX_DIRHASH_WORDS_H
#define E2DX_DIRHASH_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint32_t dirhash_le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

static inline uint64_t dirhash_le64(const uint8_t *p)
{
	return dirhash_le32(p) | (uint64_t)dirhash_le32(p + 4) << 32;
}

/* One byte of a name as C's `signed char` or `unsigned char` widens it. */
static inline uint32_t dirhash_char(uint8_t c, bool is_signed)
{
	return is_signed ? (uint32_t)(int32_t)(int8_t)c : c;
}

/*
 * Four bytes of a name as one word: the sum of the widened bytes, each 256
 * times the next.  A negative byte borrows one from the byte above it; that is
 * what sets signed and unsigned hashes apart.
 */
static inline uint32_t dirhash_word(const uint8_t *p, bool is_signed)
{
	uint32_t word = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
			(uint32_t)p[2] << 8 | (uint32_t)p[3];

	return is_signed ? word - ((word & 0x00808080) << 1) : word;
}

/*
 * Pack the start of the `len` bytes at `name` into n words.  What the name
 * does not fill is padded with its length in every byte (the length of all
 * the rest of the name, not of what fits); a last incomplete word has its
 * bytes below the padding.
 */
static inline void dirhash_pack(const uint8_t *name, size_t len, uint32_t *words,
				size_t n, bool is_signed)
{
	uint32_t pad = (uint32_t)len | (uint32_t)len << 8;
	size_t full = len / 4 < n ? len / 4 : n, i;

	pad |= pad << 16;
	for (i = 0; i < full; i++)
		words[i] = dirhash_word(name + 4 * i, is_signed);
	if (i == n)
		return;
	words[i] = pad;
	for (size_t at = 4 * i; at < len; at++)
		words[i] = (words[i] << 8) + dirhash_char(name[at], is_signed);
	for (i++; i < n; i++)
		words[i] = pad;
}

/*
 * SipHash's last word: the len % 8 bytes that no whole word took, and the
 * length's low byte on top.  Loads overlap instead of going byte by byte;
 * none leaves the name.
 */
static inline uint64_t dirhash_last_word(const uint8_t *name, size_t len)
{
	uint64_t word = (uint64_t)(len & 0xff) << 56;
	unsigned rest = len & 7;

	if (len >= 8)
		/* In two steps: a shift by 64 would be none. */
		return word | dirhash_le64(name + len - 8) >> 8 * (7 - rest) >> 8;
	if (len >= 4)
		return word | dirhash_le32(name) |
		       (uint64_t)dirhash_le32(name + len - 4) << 8 * (rest - 4);
	if (len > 0)
		word |= name[0] | (uint64_t)name[len / 2] << 8 * (len / 2) |
			(uint64_t)name[len - 1] << 8 * (len - 1);
	return word;
}

#endif
