/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CRC-32C (Castagnoli), the checksum of metadata_csum. */
#ifndef E2DX_CRC32C_H
#define E2DX_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/*
 * Continue the CRC `crc` over len bytes; no inversion before or after, as
 * ext2fs_crc32c_le().  Uses the fastest code that this CPU runs, chosen once.
 */
uint32_t htree_crc32c(uint32_t crc, const void *data, size_t len);

#endif
