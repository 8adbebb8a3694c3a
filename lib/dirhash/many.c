/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Hashing many names in one call. */
#include "dirhash/algorithm.h"
#include "e2dx_err.h"

errcode_t dirhash_many(const struct dirhasher *h,
		       const struct dirhash_text *names, size_t n,
		       struct dirhash *out)
{
	if (!dirhash_known(h->version))
		return E2DX_ET_HASH_UNKNOWN;
	for (size_t i = 0; i < n; i++)
		if (names[i].len > DIRHASH_NAME_MAX)
			return E2DX_ET_NAME_LENGTH;
	for (size_t i = 0; i < n; i++)
		dirhash_bytes(h, names[i].name, names[i].len, &out[i]);
	return 0;
}
