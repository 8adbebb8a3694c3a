/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CRC-32C for any CPU: eight tables of 256, eight bytes a step.
 *
 * Table k holds the CRC of each byte followed by k zero bytes.  A CRC without
 * inversion is linear over GF(2), so the eight values for single bits give
 * all 256; the compiler works them out.
 */
#include <endian.h>
#include <string.h>
#include "htree/crc32c_variants.h"

#define BIT(i, b, v)	((((i) >> (b)) & 1) ? (uint32_t)(v) : 0)
#define ONE(B, i)	B(i)
#define FOUR(B, i)	ONE(B, i), ONE(B, (i) + 1), ONE(B, (i) + 2), ONE(B, (i) + 3)
#define SIXTEEN(B, i)	FOUR(B, i), FOUR(B, (i) + 4), FOUR(B, (i) + 8), \
			FOUR(B, (i) + 12)
#define SIXTY_FOUR(B, i) SIXTEEN(B, i), SIXTEEN(B, (i) + 16), \
			SIXTEEN(B, (i) + 32), SIXTEEN(B, (i) + 48)
#define ALL(B)		{ SIXTY_FOUR(B, 0), SIXTY_FOUR(B, 64), \
			SIXTY_FOUR(B, 128), SIXTY_FOUR(B, 192) }

/* Entry i of a table from its entries for the bytes 01, 02, 04 .. 80. */
#define BITS(i, v0, v1, v2, v3, v4, v5, v6, v7) \
	(BIT(i, 0, v0) ^ BIT(i, 1, v1) ^ BIT(i, 2, v2) ^ BIT(i, 3, v3) ^ \
	 BIT(i, 4, v4) ^ BIT(i, 5, v5) ^ BIT(i, 6, v6) ^ BIT(i, 7, v7))

#define BITS0(i) BITS(i, 0xf26b8303, 0xe13b70f7, 0xc79a971f, 0x8ad958cf, \
		      0x105ec76f, 0x20bd8ede, 0x417b1dbc, 0x82f63b78)
#define BITS1(i) BITS(i, 0x13a29877, 0x274530ee, 0x4e8a61dc, 0x9d14c3b8, \
		      0x3fc5f181, 0x7f8be302, 0xff17c604, 0xfbc3faf9)
#define BITS2(i) BITS(i, 0xa541927e, 0x4f6f520d, 0x9edea41a, 0x38513ec5, \
		      0x70a27d8a, 0xe144fb14, 0xc76580d9, 0x8b277743)
#define BITS3(i) BITS(i, 0xdd45aab8, 0xbf672381, 0x7b2231f3, 0xf64463e6, \
		      0xe964b13d, 0xd725148b, 0xaba65fe7, 0x52a0c93f)
#define BITS4(i) BITS(i, 0x38116fac, 0x7022df58, 0xe045beb0, 0xc5670b91, \
		      0x8f2261d3, 0x1ba8b557, 0x37516aae, 0x6ea2d55c)
#define BITS5(i) BITS(i, 0xef306b19, 0xdb8ca0c3, 0xb2f53777, 0x6006181f, \
		      0xc00c303e, 0x85f4168d, 0x0e045beb, 0x1c08b7d6)
#define BITS6(i) BITS(i, 0x68032cc8, 0xd0065990, 0xa5e0c5d1, 0x4e2dfd53, \
		      0x9c5bfaa6, 0x3d5b83bd, 0x7ab7077a, 0xf56e0ef4)
#define BITS7(i) BITS(i, 0x493c7d27, 0x9278fa4e, 0x211d826d, 0x423b04da, \
		      0x847609b4, 0x0d006599, 0x1a00cb32, 0x34019664)

static const uint32_t table[8][256] = {
	ALL(BITS0), ALL(BITS1), ALL(BITS2), ALL(BITS3),
	ALL(BITS4), ALL(BITS5), ALL(BITS6), ALL(BITS7)
};

static inline uint64_t load64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return le64toh(v);
}

uint32_t htree_crc32c_table(uint32_t crc, const void *data, size_t len)
{
	const uint8_t *p = data;

	for (; len >= 8; len -= 8, p += 8) {
		uint64_t v = load64(p) ^ crc;

		crc = table[7][v & 0xff] ^ table[6][v >> 8 & 0xff] ^
		      table[5][v >> 16 & 0xff] ^ table[4][v >> 24 & 0xff] ^
		      table[3][v >> 32 & 0xff] ^ table[2][v >> 40 & 0xff] ^
		      table[1][v >> 48 & 0xff] ^ table[0][v >> 56];
	}
	for (; len > 0; len--)
		crc = crc >> 8 ^ table[0][(crc ^ *p++) & 0xff];
	return crc;
}
