/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* 64-bit ARM always has vectors of 128 bits. */
#include "dirhash/many_variants.h"

void dirhash_variants(const struct dirhash_variant *v[DIRHASH_VARIANTS])
{
	v[0] = &dirhash_v128;
	v[1] = NULL;
}
