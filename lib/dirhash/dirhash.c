/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From a name to its hash: seed, folding, and what all versions share. */
#include <string.h>
#include "dirhash/algorithm.h"
#include "e2dx_err.h"

/*
 * Room for a folded name.  The longest expansion of a character is threefold
 * in bytes; Linux folds into a buffer of this size too.
 */
#define FOLDED_MAX	4096

const uint8_t dirhash_default_seed[DIRHASH_SEED_SIZE] = {
	0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
	0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10
};

bool dirhash_seed_is_zero(const uint8_t *seed)
{
	static const uint8_t zero[DIRHASH_SEED_SIZE];

	return memcmp(seed, zero, sizeof(zero)) == 0;
}

errcode_t dirhasher_init(struct dirhasher *h, int version, const uint8_t *seed,
			 const struct dirhash_fold *fold)
{
	if (!dirhash_known(version))
		return E2DX_ET_HASH_UNKNOWN;
	if (!seed || dirhash_seed_is_zero(seed))
		seed = dirhash_default_seed;
	h->version = version;
	memmove(h->seed, seed, sizeof(h->seed));
	h->fold = fold;
	return 0;
}

/* The folded name in `folded`; its length, or -1 to take the name as it is. */
static int fold_name(const struct dirhasher *h, const uint8_t *name, size_t len,
		     uint8_t folded[FOLDED_MAX])
{
	if (!h->fold || len == 0)
		return -1;
	return h->fold->fold(h->fold->table, name, len, folded, FOLDED_MAX);
}

void dirhash_bytes(const struct dirhasher *h, const uint8_t *name, size_t len,
		   struct dirhash *out)
{
	uint8_t folded[FOLDED_MAX];
	int n = fold_name(h, name, len, folded);

	if (n >= 0) {
		name = folded;
		len = (size_t)n;
	}
	dirhash_raw_function(h->version)(h->seed, name, len, out);
	out->hash = dirhash_major(out->hash);
}

errcode_t dirhash_name(const struct dirhasher *h, const void *name, size_t len,
		       struct dirhash *out)
{
	if (!dirhash_known(h->version))
		return E2DX_ET_HASH_UNKNOWN;
	if (len > DIRHASH_NAME_MAX)
		return E2DX_ET_NAME_LENGTH;
	dirhash_bytes(h, name, len, out);
	return 0;
}

int dirhash_compare(const struct dirhash *a, const struct dirhash *b)
{
	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	if (a->minor_hash != b->minor_hash)
		return a->minor_hash < b->minor_hash ? -1 : 1;
	return 0;
}
