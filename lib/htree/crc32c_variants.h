/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CRC-32C once for each kind of CPU; for crc32c.c, tests and benches. */
#ifndef E2DX_CRC32C_VARIANTS_H
#define E2DX_CRC32C_VARIANTS_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t htree_crc32c_function(uint32_t crc, const void *data,
				       size_t len);

struct htree_crc32c_variant {
	const char *name;
	htree_crc32c_function *function;
};

/* Runs anywhere: eight bytes a step by tables. (crc32c_table.c) */
htree_crc32c_function htree_crc32c_table;

/*
 * For x86-64 with SSE4.2 (crc32c_x86.c), and with AVX-512BW, VBMI and VPCLMULQDQ
 * (crc32c_vpclmul.c).
 */
htree_crc32c_function htree_crc32c_sse42;
htree_crc32c_function htree_crc32c_vpclmul;

/*
 * The variants that this CPU runs, probably the fastest first, ended by one without a
 * function; the table is always among them.  Writes at most
 * HTREE_CRC32C_VARIANTS of them. (crc32c_x86.c or crc32c_any.c)
 */
#define HTREE_CRC32C_VARIANTS	5
void htree_crc32c_usable(struct htree_crc32c_variant v[HTREE_CRC32C_VARIANTS]);

#endif
