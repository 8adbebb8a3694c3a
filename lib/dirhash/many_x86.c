/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which vectors does this x86-64 CPU have, and the system keep? */
#include "dirhash/many_variants.h"

void dirhash_variants(const struct dirhash_variant *v[DIRHASH_VARIANTS])
{
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx512f") &&
	    __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512vl"))
		*v++ = &dirhash_avx512;
	if (__builtin_cpu_supports("avx2"))
		*v++ = &dirhash_avx2;
	*v++ = &dirhash_v128;
	*v = NULL;
}
