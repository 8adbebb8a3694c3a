/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names in vectors of 256 bits, for x86-64 with AVX2. */
#include <immintrin.h>
#define LANES_BYTES	32
#define LANES_GROUPS32	2
#define LANES_GROUPS64	2
#define LANES_VARIANT	dirhash_avx2
#define LANES_NAME	"avx2"
#define LANES_SIPHASH	"dirhash/lanes_siphash_copied.h"
#include "dirhash/lanes_width.h"

/* AVX2 has no rotation; a shuffle does these in one instruction. */
static inline lanes64 lanes_rotate64_16(lanes64 v)
{
	const __m256i from = _mm256_set_epi8(
		13, 12, 11, 10, 9, 8, 15, 14, 5, 4, 3, 2, 1, 0, 7, 6,
		13, 12, 11, 10, 9, 8, 15, 14, 5, 4, 3, 2, 1, 0, 7, 6);

	return (lanes64)_mm256_shuffle_epi8((__m256i)v, from);
}

static inline lanes64 lanes_rotate64_32(lanes64 v)
{
	return (lanes64)_mm256_shuffle_epi32((__m256i)v,
					     _MM_SHUFFLE(2, 3, 0, 1));
}

static inline lanes32 lanes_swap_bytes(lanes32 v)
{
	const __m256i from = _mm256_set_epi8(
		12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3,
		12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);

	return (lanes32)_mm256_shuffle_epi8((__m256i)v, from);
}

static inline __m256i load(const uint8_t *p)
{
	return _mm256_loadu_si256((const __m256i *)p);
}

static inline void lanes_words64(const uint8_t *const *place, size_t offset,
				 lanes64 word[4])
{
	__m256i a = load(place[0] + offset), b = load(place[1] + offset);
	__m256i c = load(place[2] + offset), d = load(place[3] + offset);
	__m256i ab = _mm256_unpacklo_epi64(a, b);
	__m256i cd = _mm256_unpacklo_epi64(c, d);

	word[0] = (lanes64)_mm256_permute2x128_si256(ab, cd, 0x20);
	word[2] = (lanes64)_mm256_permute2x128_si256(ab, cd, 0x31);
	ab = _mm256_unpackhi_epi64(a, b);
	cd = _mm256_unpackhi_epi64(c, d);
	word[1] = (lanes64)_mm256_permute2x128_si256(ab, cd, 0x20);
	word[3] = (lanes64)_mm256_permute2x128_si256(ab, cd, 0x31);
}

static inline void lanes_words32(const uint8_t *const *place, size_t offset,
				 lanes32 word[8])
{
	lanes64 x[4], y[4];

	lanes_words64(place, offset, x);
	lanes_words64(place + LANES64, offset, y);
	for (unsigned i = 0; i < 4; i++) {
		word[2 * i] = (lanes32)_mm256_shuffle_ps((__m256)x[i],
				(__m256)y[i], _MM_SHUFFLE(2, 0, 2, 0));
		word[2 * i + 1] = (lanes32)_mm256_shuffle_ps((__m256)x[i],
				(__m256)y[i], _MM_SHUFFLE(3, 1, 3, 1));
	}
}

#include "dirhash/lanes.h"
