/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CRC-32C's variants where no CPU extension is known: the table alone. */
#include "htree/crc32c_variants.h"

void htree_crc32c_usable(struct htree_crc32c_variant v[HTREE_CRC32C_VARIANTS])
{
	v[0] = (struct htree_crc32c_variant){ "table", htree_crc32c_table };
	v[1] = (struct htree_crc32c_variant){ NULL, NULL };
}
