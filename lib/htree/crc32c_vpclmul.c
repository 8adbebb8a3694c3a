/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CRC-32C by wide carry-less multiplication (VPCLMULQDQ on vectors of 512
 * bits): the message is folded, 256 bytes at a time, into 16 bytes with the
 * same remainder, which the CRC instruction then reduces.  (V. Gopal et al.,
 * "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ", Intel 2009.)
 */
#include <string.h>
#include <immintrin.h>
#include "htree/crc32c_variants.h"

#define TARGET	__attribute__((target("sse4.2,pclmul,avx512f,avx512bw," \
				      "avx512vbmi,vpclmulqdq")))
#define WIDE	64		/* bytes of a vector */

/*
 * What moves 128 bits on by n: the lower half times x^(n + 32), the upper half
 * times x^(n - 32), both modulo the polynomial, bit-reflected and one up.
 */
#define BY_2048	0x0dcb17aa4, 0x0b9e02b86
#define BY_1536	0x0a87ab8a8, 0x0ab7aff2a
#define BY_1024	0x06992cea2, 0x00d3b6092
#define BY_512	0x0740eef02, 0x09e4addf8
#define BY_384	0x01c291d04, 0x1d82c63da
#define BY_256	0x1384aa63a, 0x0ba4fc28e
#define BY_128	0x0f20c0dfe, 0x14cd00bd6

TARGET static inline __m512i constant(long long low, long long high)
{
	return _mm512_set4_epi64(high, low, high, low);
}

TARGET static inline __m512i load(const uint8_t *p)
{
	return _mm512_loadu_si512(p);
}

TARGET static inline __m512i fold(__m512i v, __m512i by, __m512i next)
{
	__m512i low = _mm512_clmulepi64_epi128(v, by, 0x00);
	__m512i high = _mm512_clmulepi64_epi128(v, by, 0x11);

	return _mm512_ternarylogic_epi64(low, high, next, 0x96);
}

/* Four vectors into one. */
TARGET static inline __m512i fold_four(const __m512i v[4])
{
	__m512i sum = fold(v[0], constant(BY_1536), v[3]);

	sum = fold(v[1], constant(BY_1024), sum);
	return fold(v[2], constant(BY_512), sum);
}

/* The four parts of a vector into the last, and that into a CRC. */
TARGET static inline uint32_t reduce(__m512i v)
{
	static const uint64_t by[] = { BY_384, BY_256, BY_128, 0, 0 };
	__m512i moved = fold(v, _mm512_loadu_si512(by), _mm512_setzero_si512());
	__m128i sum = _mm512_extracti32x4_epi32(v, 3);
	uint64_t crc;

	sum = _mm_xor_si128(sum, _mm512_castsi512_si128(moved));
	sum = _mm_xor_si128(sum, _mm512_extracti32x4_epi32(moved, 1));
	sum = _mm_xor_si128(sum, _mm512_extracti32x4_epi32(moved, 2));
	crc = _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(sum));
	return (uint32_t)_mm_crc32_u64(crc, (uint64_t)_mm_extract_epi64(sum, 1));
}

/*
 * The first `n` bytes, 4 to 63, at the end of a vector, with the CRC so far in
 * its place: zeros before them change nothing, and no rest is left at the end.
 */
TARGET static inline __m512i load_first(uint32_t crc, const uint8_t *p,
					size_t n)
{
	static const uint8_t count[WIDE] = {
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
		16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
		32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
		48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63
	};
	size_t zeros = WIDE - n;
	__m512i from = _mm512_sub_epi8(load(count),
				       _mm512_set1_epi8((char)zeros));
	__m512i start = _mm512_maskz_permutexvar_epi8((__mmask64)15 << zeros,
			from, _mm512_castsi128_si512(_mm_cvtsi32_si128((int)crc)));
	__m512i v = _mm512_maskz_permutexvar_epi8(~(__mmask64)0 << zeros, from,
			_mm512_maskz_loadu_epi8(~(__mmask64)0 >> zeros, p));

	return _mm512_xor_si512(v, start);
}

/* The vectors from p on, at least three, after `first`. */
TARGET static inline uint32_t fold_all(__m512i first, const uint8_t *p,
				       const uint8_t *end)
{
	__m512i v[4] = { first, load(p), load(p + WIDE), load(p + 2 * WIDE) };
	__m512i sum;

	for (p += 3 * WIDE; end - p >= 4 * WIDE; p += 4 * WIDE)
		for (int i = 0; i < 4; i++)
			v[i] = fold(v[i], constant(BY_2048), load(p + i * WIDE));
	sum = fold_four(v);
	for (; p < end; p += WIDE)
		sum = fold(sum, constant(BY_512), load(p));
	return reduce(sum);
}

TARGET uint32_t htree_crc32c_vpclmul(uint32_t crc, const void *data,
				     size_t len)
{
	const uint8_t *p = data, *end = p + len;
	size_t n = len % WIDE;
	__m512i first;

	if (len < 4 * WIDE)
		return htree_crc32c_sse42(crc, data, len);
	if (n < 4) {
		crc = htree_crc32c_sse42(crc, p, n);
		p += n;
		n = WIDE;
		first = _mm512_xor_si512(load(p), _mm512_zextsi128_si512(
					 _mm_cvtsi32_si128((int)crc)));
	} else {
		first = load_first(crc, p, n);
	}
	return fold_all(first, p + n, end);
}
