/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CRC-32C by the fastest code that this CPU runs. */
#include <stdatomic.h>
#include "htree/crc32c.h"
#include "htree/crc32c_variants.h"

static uint32_t choose(uint32_t crc, const void *data, size_t len);

/*
 * Not state that a caller could notice: every thread that finds the chooser
 * here stores the same function.
 */
static _Atomic(htree_crc32c_function *) chosen = choose;

static uint32_t choose(uint32_t crc, const void *data, size_t len)
{
	struct htree_crc32c_variant v[HTREE_CRC32C_VARIANTS];

	htree_crc32c_usable(v);
	atomic_store_explicit(&chosen, v[0].function, memory_order_relaxed);
	return v[0].function(crc, data, len);
}

uint32_t htree_crc32c(uint32_t crc, const void *data, size_t len)
{
	return atomic_load_explicit(&chosen, memory_order_relaxed)(crc, data,
								   len);
}
