/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The variants that may have been built; many_x86.c and others choose. */
#ifndef E2DX_DIRHASH_MANY_VARIANTS_H
#define E2DX_DIRHASH_MANY_VARIANTS_H

#include "dirhash/many.h"

extern const struct dirhash_variant dirhash_v128;	/* many_v128.c */
extern const struct dirhash_variant dirhash_avx2;	/* many_avx2.c */
extern const struct dirhash_variant dirhash_avx512;	/* many_avx512.c */

#endif
