/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names in vectors of 512 bits, for x86-64 with AVX-512F, BW and VL. */
#include <immintrin.h>
#define LANES_BYTES	64
#define LANES_GROUPS32	2
#define LANES_GROUPS64	2
#define LANES_VARIANT	dirhash_avx512
#define LANES_NAME	"avx512"
#define LANES_SIPHASH	"dirhash/lanes_siphash_masked.h"
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

/* From lanes 0 and 4, 1 and 5, 2 and 6, 3 and 7. */
static inline void side_by_side(__m512i a, __m512i b, __m512i c, __m512i d,
				lanes64 word[4])
{
	const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
	const __m512i second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
	__m512i ab = _mm512_unpacklo_epi64(a, b);
	__m512i cd = _mm512_unpacklo_epi64(c, d);

	word[0] = (lanes64)_mm512_permutex2var_epi64(ab, first, cd);
	word[2] = (lanes64)_mm512_permutex2var_epi64(ab, second, cd);
	ab = _mm512_unpackhi_epi64(a, b);
	cd = _mm512_unpackhi_epi64(c, d);
	word[1] = (lanes64)_mm512_permutex2var_epi64(ab, first, cd);
	word[3] = (lanes64)_mm512_permutex2var_epi64(ab, second, cd);
}

static inline void lanes_words64(const uint8_t *const *place, size_t offset,
				 lanes64 word[4])
{
	side_by_side(load_two(place[0] + offset, place[4] + offset),
		     load_two(place[1] + offset, place[5] + offset),
		     load_two(place[2] + offset, place[6] + offset),
		     load_two(place[3] + offset, place[7] + offset), word);
}

static inline void lanes_text64(const struct dirhash_text *t, size_t offset,
				lanes64 word[4])
{
	side_by_side(load_two(t[0].name + offset, t[4].name + offset),
		     load_two(t[1].name + offset, t[5].name + offset),
		     load_two(t[2].name + offset, t[6].name + offset),
		     load_two(t[3].name + offset, t[7].name + offset), word);
}

static inline lanes64 lanes_lengths64(const struct dirhash_text *t)
{
	const __m512i odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);

	return (lanes64)_mm512_permutex2var_epi64(_mm512_loadu_si512(t), odd,
						  _mm512_loadu_si512(t + 4));
}

/* Of a name's bytes at `position`, which count up, those that it has. */
static inline __m256i load_end(const struct dirhash_text *t, size_t offset,
			       __m256i position)
{
	/* The low byte: no name is longer. */
	__m256i length = _mm256_broadcastb_epi8(
		_mm_loadl_epi64((const __m128i *)&t->len));

	return _mm256_maskz_loadu_epi8(_mm256_cmplt_epu8_mask(position, length),
				       t->name + offset);
}

static inline __m512i load_ends(const struct dirhash_text *low,
				const struct dirhash_text *high, size_t offset,
				__m256i position)
{
	return _mm512_inserti64x4(_mm512_castsi256_si512(
		load_end(low, offset, position)),
		load_end(high, offset, position), 1);
}

static inline void lanes_ends64(const struct dirhash_text *t, size_t offset,
				lanes64 word[4])
{
	const __m256i position = _mm256_add_epi8(
		_mm256_set1_epi8((char)offset),
		_mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
				 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
				 26, 27, 28, 29, 30, 31));

	side_by_side(load_ends(t, t + 4, offset, position),
		     load_ends(t + 1, t + 5, offset, position),
		     load_ends(t + 2, t + 6, offset, position),
		     load_ends(t + 3, t + 7, offset, position), word);
}

_Static_assert(sizeof(struct dirhash_text) == 16 &&
	       offsetof(struct dirhash_text, len) == 8,
	       "two words of a vector are a name");

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
