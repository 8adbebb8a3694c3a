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

/* One byte of a name as C's `signed char` or `unsigned char` widens it. */
static inline uint32_t dirhash_char(uint8_t c, bool is_signed)
{
	return is_signed ? (uint32_t)(int32_t)(int8_t)c : c;
}

/*
 * Pack the start of the `len` bytes at `name` into n words, big end first.
 * What the name does not fill is padded with its length in every byte (so the
 * length counts the rest of the name, not just what fits); a last incomplete
 * word has its bytes below the padding.  Signed chars borrow from the bytes
 * above them: that is what sets signed and unsigned hashes apart.
 */
static inline void dirhash_pack(const uint8_t *name, size_t len, uint32_t *words,
				size_t n, bool is_signed)
{
	uint32_t pad = (uint32_t)len | (uint32_t)len << 8;
	size_t take = len < 4 * n ? len : 4 * n;
	size_t at = 0;

	pad |= pad << 16;
	for (size_t i = 0; i < n; i++) {
		uint32_t word = pad;

		for (size_t end = at + 4; at < end && at < take; at++)
			word = (word << 8) + dirhash_char(name[at], is_signed);
		words[i] = word;
	}
}

#endif
