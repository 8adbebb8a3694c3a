/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The checksums of a log's blocks. */
#include "journal/tags.h"

static const uint8_t zero[4];

/* A block's checksum where it stands in the block, at `at`, and counts as 0. */
static uint32_t around(const struct jnl_super *s, const uint8_t *block,
		       uint32_t at)
{
	uint32_t crc = htree_crc32c(s->seed, block, at);

	crc = htree_crc32c(crc, zero, sizeof(zero));
	return htree_crc32c(crc, block + at + 4, s->block_size - at - 4);
}

bool jnl_tail_ok(const struct jnl_super *s, const uint8_t *block)
{
	uint32_t at = s->block_size - JNL_TAIL_SIZE;

	return !jnl_has_tail(s) || around(s, block, at) == jnl_be32(block + at);
}

bool jnl_commit_ok(const struct jnl_super *s, const uint8_t *block)
{
	return !jnl_has_tail(s) ||
	       around(s, block, JC_CSUM) == jnl_be32(block + JC_CSUM);
}

uint32_t jnl_data_csum(const struct jnl_super *s, uint32_t sequence,
		       const uint8_t *data)
{
	uint8_t number[4];
	uint32_t crc;

	jnl_put_be32(number, sequence);
	crc = htree_crc32c(s->seed, number, sizeof(number));
	crc = htree_crc32c(crc, data, s->block_size);
	return s->csum == JNL_CSUM_V3 ? crc : crc & 0xffff;
}

/* Four bits at a time: few filesystems have this version. */
uint32_t jnl_crc32(uint32_t crc, const uint8_t *data, uint32_t size)
{
	static const uint32_t table[16] = {
		0x00000000, 0x04c11db7, 0x09823b6e, 0x0d4326d9,
		0x130476dc, 0x17c56b6b, 0x1a864db2, 0x1e475005,
		0x2608edb8, 0x22c9f00f, 0x2f8ad6d6, 0x2b4bcb61,
		0x350c9b64, 0x31cd86d3, 0x3c8ea00a, 0x384fbdbd
	};

	for (uint32_t i = 0; i < size; i++) {
		crc ^= (uint32_t)data[i] << 24;
		crc = crc << 4 ^ table[crc >> 28];
		crc = crc << 4 ^ table[crc >> 28];
	}
	return crc;
}
