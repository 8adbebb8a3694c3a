/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How several names are hashed at once; for this directory, tests, benches. */
#ifndef E2DX_DIRHASH_MANY_H
#define E2DX_DIRHASH_MANY_H

#include "dirhash/algorithm.h"

#define DIRHASH_LANES_MAX	32	/* names that any kernel takes at once */
#define DIRHASH_BATCH		256	/* names that are put in order of length */

/*
 * Hash n >= 1 names, `lanes` of them at a time, which come in ascending order
 * of length; out has room for n rounded up to whole lanes.
 */
typedef void dirhash_lanes(const uint8_t *seed,
			   const struct dirhash_text *names, size_t n,
			   struct dirhash *out);

/* The algorithms that have kernels. */
enum dirhash_lane_algorithm {
	DIRHASH_LANES_SIPHASH,
	DIRHASH_LANES_HALF_MD4,
	DIRHASH_LANES_HALF_MD4_UNSIGNED,
	DIRHASH_LANES_TEA,
	DIRHASH_LANES_TEA_UNSIGNED,
	DIRHASH_LANES_ALGORITHMS
};

struct dirhash_kernel {
	dirhash_lanes *function;
	unsigned lanes;
};

/* All kernels for one CPU extension. */
struct dirhash_variant {
	const char *name;
	struct dirhash_kernel kernel[DIRHASH_LANES_ALGORITHMS];
};

/*
 * The variants that this CPU runs, widest first, ended by NULL; one name
 * after another is not among them.  (many_x86.c, many_arm64.c, many_any.c)
 */
#define DIRHASH_VARIANTS	4
void dirhash_variants(const struct dirhash_variant *v[DIRHASH_VARIANTS]);

/* The algorithm of a version that has kernels, else -1. (many_choose.c) */
int dirhash_lane_algorithm(int version);

/*
 * The kernel that hashes a version's names fastest, out of those that agree
 * with the scalar code; one without a function where that is fastest, or
 * where there are no kernels for the version.  Found out once. (many_choose.c)
 */
const struct dirhash_kernel *dirhash_kernel_chosen(int version);

/* The name of its variant, or "scalar". */
const char *dirhash_variant_chosen(int version);

/*
 * dirhash_many() with a kernel of the caller's choice, whose version is
 * h->version; h does not fold. (many.c)
 */
errcode_t dirhash_many_by(const struct dirhash_kernel *k,
			  const struct dirhasher *h,
			  const struct dirhash_text *names, size_t n,
			  struct dirhash *out);

#endif
