/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names in vectors of 128 bits, in the compiler's own terms: SSE2 on x86-64,
 * NEON on 64-bit ARM, both always there.
 */
#define LANES_BYTES	16
#define LANES_GROUPS32	2
#define LANES_GROUPS64	2
#define LANES_VARIANT	dirhash_v128
#define LANES_NAME	"v128"
#define LANES_SIPHASH	"dirhash/lanes_siphash_copied.h"
#include "dirhash/lanes_width.h"

static inline lanes64 lanes_rotate64_16(lanes64 v)
{
	return lanes_rotate64(v, 16);
}

static inline lanes64 lanes_rotate64_32(lanes64 v)
{
	return lanes_rotate64(v, 32);
}

static inline lanes32 lanes_swap_bytes(lanes32 v)
{
	v = (v & 0x00ff00ffu) << 8 | (v >> 8 & 0x00ff00ffu);
	return v << 16 | v >> 16;
}

static inline void lanes_words64(const uint8_t *const *place, size_t offset,
				 lanes64 word[4])
{
	lanes64 x[2], y[2];

	memcpy(x, place[0] + offset, sizeof(x));
	memcpy(y, place[1] + offset, sizeof(y));
	for (unsigned i = 0; i < 2; i++) {
		word[2 * i] = (lanes64){ x[i][0], y[i][0] };
		word[2 * i + 1] = (lanes64){ x[i][1], y[i][1] };
	}
}

static inline void lanes_words32(const uint8_t *const *place, size_t offset,
				 lanes32 word[8])
{
	lanes64 x[4], y[4];

	lanes_words64(place, offset, x);
	lanes_words64(place + LANES64, offset, y);
	for (unsigned i = 0; i < 4; i++) {
		lanes32 a = (lanes32)x[i], b = (lanes32)y[i];

		word[2 * i] = (lanes32){ a[0], a[2], b[0], b[2] };
		word[2 * i + 1] = (lanes32){ a[1], a[3], b[1], b[3] };
	}
}

#include "dirhash/lanes.h"
