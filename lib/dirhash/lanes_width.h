/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The vectors of one width, in the compiler's own terms.
 *
 * A file for one CPU extension (many_*.c) defines LANES_BYTES, LANES_VARIANT,
 * LANES_NAME, LANES_GROUPS32 and LANES_GROUPS64, the number of vectors that are
 * hashed side by side, and LANES_SIPHASH (lanes_siphash.h); includes this;
 * defines what the extension has instructions of its own for; and includes
 * lanes.h:
 *	lanes_rotate64_16(), lanes_rotate64_32()
 *	lanes_swap_bytes()	the bytes of each 32-bit word
 *	lanes_words64()		32 bytes at `offset` from each of LANES64
 *				places: word[i] gets their i-th words
 *	lanes_words32()		the same for LANES32 places: of each four lanes
 *				two have their places in the first half, and
 *				two in the second
 */
#include <endian.h>
#include <stdint.h>
#include <string.h>
#include "dirhash/many_variants.h"
#include "dirhash/words.h"

#define LANES32		(LANES_BYTES / 4)
#define LANES64		(LANES_BYTES / 8)

typedef uint32_t lanes32 __attribute__((vector_size(LANES_BYTES)));
typedef uint64_t lanes64 __attribute__((vector_size(LANES_BYTES)));
typedef int64_t lanes_signed64 __attribute__((vector_size(LANES_BYTES)));

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "bytes of names are words where they stand");

static inline lanes32 lanes_all32(uint32_t v)
{
	return v - (lanes32){ 0 };
}

static inline lanes64 lanes_all64(uint64_t v)
{
	return v - (lanes64){ 0 };
}

static inline lanes32 lanes_rotate32(lanes32 v, unsigned n)
{
	return v << n | v >> (32 - n);
}

static inline lanes64 lanes_rotate64(lanes64 v, unsigned n)
{
	return v << n | v >> (64 - n);
}
