/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xxHash by its own library. */
#include <xxhash.h>
#include "bench/hashes.h"

static uint64_t xxh32(const uint8_t *p, size_t len)
{
	return XXH32(p, len, 0);
}

static uint64_t xxh64(const uint8_t *p, size_t len)
{
	return XXH64(p, len, 0);
}

const struct bench_hash bench_xxh[] = {
	{ "xxh32", -1, xxh32 },
	{ "xxh64", -1, xxh64 },
	{ NULL, -1, NULL }
};
