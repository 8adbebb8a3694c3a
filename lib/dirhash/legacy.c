/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Version 0, legacy: a multiplicative hash of 32 bits that knows no seed. */
#include "dirhash/algorithm.h"
#include "dirhash/words.h"

#define MULTIPLIER	7152373u

static inline void legacy(const uint8_t *name, size_t len, bool is_signed,
			  struct dirhash *out)
{
	uint32_t last = 0x12a3fe2d, before = 0x37abe8f9;

	for (size_t i = 0; i < len; i++) {
		uint32_t next = before + (last ^ dirhash_char(name[i], is_signed) *
					  MULTIPLIER);

		before = last;
		/* Modulo 2^31 - 1, nearly: bit 31 counts as one. */
		last = (next & 0x7fffffff) + (next >> 31);
	}
	out->hash = last << 1;
	out->minor_hash = 0;
}

void dirhash_raw_legacy(const uint8_t *seed, const uint8_t *name, size_t len,
			struct dirhash *out)
{
	(void)seed;
	legacy(name, len, true, out);
}

void dirhash_raw_legacy_unsigned(const uint8_t *seed, const uint8_t *name,
				 size_t len, struct dirhash *out)
{
	(void)seed;
	legacy(name, len, false, out);
}
