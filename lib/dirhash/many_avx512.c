/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names in vectors of 512 bits, for x86-64 with AVX-512F, BW and VL. */
#include <immintrin.h>
#define LANES_BYTES	64
#define LANES_GROUPS32	2
#define LANES_GROUPS64	4
#define LANES_VARIANT	dirhash_avx512
#define LANES_NAME	"avx512"
#include "dirhash/lanes_width.h"

/* The compiler makes the one instruction of it that there is. */
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
	const __m512i from = _mm512_broadcast_i32x4(_mm_set_epi8(
		12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));

	return (lanes32)_mm512_shuffle_epi8((__m512i)v, from);
}

/* 32 bytes each from two places. */
static inline __m512i load_two(const uint8_t *low, const uint8_t *high)
{
	return _mm512_inserti64x4(
		_mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)low)),
		_mm256_loadu_si256((const __m256i *)high), 1);
}

static inline void lanes_words64(const uint8_t *const *place, size_t offset,
				 lanes64 word[4])
{
	const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
	const __m512i second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
	__m512i a = load_two(place[0] + offset, place[4] + offset);
	__m512i b = load_two(place[1] + offset, place[5] + offset);
	__m512i c = load_two(place[2] + offset, place[6] + offset);
	__m512i d = load_two(place[3] + offset, place[7] + offset);
	__m512i ab = _mm512_unpacklo_epi64(a, b);
	__m512i cd = _mm512_unpacklo_epi64(c, d);

	word[0] = (lanes64)_mm512_permutex2var_epi64(ab, first, cd);
	word[2] = (lanes64)_mm512_permutex2var_epi64(ab, second, cd);
	ab = _mm512_unpackhi_epi64(a, b);
	cd = _mm512_unpackhi_epi64(c, d);
	word[1] = (lanes64)_mm512_permutex2var_epi64(ab, first, cd);
	word[3] = (lanes64)_mm512_permutex2var_epi64(ab, second, cd);
}

static inline void lanes_words32(const uint8_t *const *place, size_t offset,
				 lanes32 word[8])
{
	lanes64 x[4], y[4];

	lanes_words64(place, offset, x);
	lanes_words64(place + LANES64, offset, y);
	for (unsigned i = 0; i < 4; i++) {
		word[2 * i] = (lanes32)_mm512_shuffle_ps((__m512)x[i],
				(__m512)y[i], _MM_SHUFFLE(2, 0, 2, 0));
		word[2 * i + 1] = (lanes32)_mm512_shuffle_ps((__m512)x[i],
				(__m512)y[i], _MM_SHUFFLE(3, 1, 3, 1));
	}
}

#include "dirhash/lanes.h"
