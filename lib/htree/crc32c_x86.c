/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CRC-32C with x86-64's own instruction (SSE4.2), and with three of its
 * chains at a time that a carry-less multiplication (PCLMULQDQ) joins: one
 * chain is bound by the instruction's latency of three cycles.
 */
#include <string.h>
#include <immintrin.h>
#include "htree/crc32c_variants.h"

/*
 * Lengths of the three parts of a stretch, in bytes: chosen so that three of
 * them nearly fill a directory block of 4096 and of 1024 bytes.  For each,
 * x^(8n - 33) modulo the polynomial (bit-reflected) for n = two parts and one:
 * the product of two reflected values comes out one bit low, and the CRC of
 * its eight bytes multiplies by x^32.
 */
#define LONG_PART	1360
#define LONG_TWO	0x5aa1f3cf
#define LONG_ONE	0x3f70cc6f
#define SHORT_PART	336
#define SHORT_TWO	0xcec3662e
#define SHORT_ONE	0xa60ce07b

static inline uint64_t load64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

__attribute__((target("sse4.2")))
uint32_t htree_crc32c_sse42(uint32_t crc, const void *data, size_t len)
{
	const uint8_t *p = data;
	uint64_t c = crc;

	for (; len >= 8; len -= 8, p += 8)
		c = _mm_crc32_u64(c, load64(p));
	for (; len > 0; len--)
		c = _mm_crc32_u8((uint32_t)c, *p++);
	return (uint32_t)c;
}

/* crc times a constant: 63 bits, for the CRC instruction to reduce. */
__attribute__((target("sse4.2,pclmul")))
static inline uint64_t multiply(uint64_t crc, uint32_t constant)
{
	__m128i product = _mm_clmulepi64_si128(
		_mm_cvtsi64_si128((long long)crc),
		_mm_cvtsi64_si128((long long)constant), 0);

	return (uint64_t)_mm_cvtsi128_si64(product);
}

/* The CRC of three parts of `part` bytes each, side by side. */
__attribute__((target("sse4.2,pclmul")))
static inline uint32_t stretch(uint32_t crc, const uint8_t *p, size_t part,
			       uint32_t two, uint32_t one)
{
	uint64_t a = crc, b = 0, c = 0;

	for (size_t i = 0; i < part; i += 8) {
		a = _mm_crc32_u64(a, load64(p + i));
		b = _mm_crc32_u64(b, load64(p + part + i));
		c = _mm_crc32_u64(c, load64(p + 2 * part + i));
	}
	a = multiply(a, two) ^ multiply(b, one);
	return (uint32_t)(_mm_crc32_u64(0, a) ^ c);
}

__attribute__((target("sse4.2,pclmul")))
static uint32_t crc32c_pclmul(uint32_t crc, const void *data, size_t len)
{
	const uint8_t *p = data;

	for (; len >= 3 * LONG_PART; len -= 3 * LONG_PART, p += 3 * LONG_PART)
		crc = stretch(crc, p, LONG_PART, LONG_TWO, LONG_ONE);
	for (; len >= 3 * SHORT_PART; len -= 3 * SHORT_PART, p += 3 * SHORT_PART)
		crc = stretch(crc, p, SHORT_PART, SHORT_TWO, SHORT_ONE);
	return htree_crc32c_sse42(crc, p, len);
}

void htree_crc32c_usable(struct htree_crc32c_variant v[HTREE_CRC32C_VARIANTS])
{
	__builtin_cpu_init();
	if (__builtin_cpu_supports("sse4.2")) {
		if (__builtin_cpu_supports("avx512bw") &&
		    __builtin_cpu_supports("avx512vbmi") &&
		    __builtin_cpu_supports("vpclmulqdq"))
			*v++ = (struct htree_crc32c_variant){
				"vpclmul", htree_crc32c_vpclmul };
		if (__builtin_cpu_supports("pclmul"))
			*v++ = (struct htree_crc32c_variant){ "pclmul",
							      crc32c_pclmul };
		*v++ = (struct htree_crc32c_variant){ "sse4.2",
						      htree_crc32c_sse42 };
	}
	*v++ = (struct htree_crc32c_variant){ "table", htree_crc32c_table };
	*v = (struct htree_crc32c_variant){ NULL, NULL };
}
