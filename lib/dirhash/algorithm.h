/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The raw hash functions behind the version table; for this directory only. */
#ifndef E2DX_DIRHASH_ALGORITHM_H
#define E2DX_DIRHASH_ALGORITHM_H

#include "dirhash/dirhash.h"

/*
 * A raw hash: `seed` is never the all-zero one, `len` any length (folding can
 * make names longer than 255 bytes).  What all versions do to the result is
 * done by the caller.
 */
typedef void dirhash_raw(const uint8_t *seed, const uint8_t *name, size_t len,
			 struct dirhash *out);

dirhash_raw dirhash_raw_legacy;
dirhash_raw dirhash_raw_legacy_unsigned;
dirhash_raw dirhash_raw_half_md4;
dirhash_raw dirhash_raw_half_md4_unsigned;
dirhash_raw dirhash_raw_tea;
dirhash_raw dirhash_raw_tea_unsigned;
dirhash_raw dirhash_raw_siphash;

/* Linux keeps this major hash for the end of a directory. */
#define DIRHASH_EOF	0xfffffffeu

/* What all versions share.  Bit 0 is free for the continuation mark. */
static inline uint32_t dirhash_major(uint32_t raw)
{
	raw &= ~1u;
	return raw == DIRHASH_EOF ? raw - 2 : raw;
}

/* The function of a version; NULL where it is unknown. (version.c) */
dirhash_raw *dirhash_raw_function(int version);

/*
 * dirhash_name() for an initialised hasher and any number of bytes: libext2fs'
 * functions know no longest name. (dirhash.c)
 */
void dirhash_bytes(const struct dirhasher *h, const uint8_t *name, size_t len,
		   struct dirhash *out);

#endif
