/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libext2dx.so: libext2fs' ext2fs_dirhash() and ext2fs_dirhash2(), with
 * version 6, Linux's treatment of 0xfffffffe, and names that are not valid in
 * the encoding hashed as they stand, as Linux does (libext2fs 1.47 gives a
 * negative errno for them, against its own intention).
 */
#include <string.h>
#include "dirhash/algorithm.h"
#include "ext2fs/nls.h"

/* libext2fs keeps the seed as words in host order; on disk it is bytes. */
static const uint8_t *seed_bytes(const __u32 *words,
				 uint8_t bytes[DIRHASH_SEED_SIZE])
{
	if (!words)
		return NULL;
	for (int i = 0; i < 4; i++) {
		__u32 word = ext2fs_cpu_to_le32(words[i]);

		memcpy(bytes + 4 * i, &word, sizeof(word));
	}
	return bytes;
}

/* As libext2fs: a negative length counts as none, a long name is hashed. */
static errcode_t hash(int version, const char *name, int len,
		      const struct dirhash_fold *fold, const __u32 *seed,
		      ext2_dirhash_t *ret_hash, ext2_dirhash_t *ret_minor_hash)
{
	uint8_t bytes[DIRHASH_SEED_SIZE];
	struct dirhasher h;
	struct dirhash d;

	if (dirhasher_init(&h, version, seed_bytes(seed, bytes), fold)) {
		*ret_hash = 0;
		return EXT2_ET_DIRHASH_UNSUPP;
	}
	dirhash_bytes(&h, (const uint8_t *)name, len > 0 ? (size_t)len : 0, &d);
	*ret_hash = d.hash;
	if (ret_minor_hash)
		*ret_minor_hash = d.minor_hash;
	return 0;
}

errcode_t ext2fs_dirhash(int version, const char *name, int len,
			 const __u32 *seed, ext2_dirhash_t *ret_hash,
			 ext2_dirhash_t *ret_minor_hash)
{
	return hash(version, name, len, NULL, seed, ret_hash, ret_minor_hash);
}

/*
 * A caller who says that the directory is encrypted as well as casefolded
 * cannot be served: the key is not the superblock's seed, the hashes are
 * stored.  The answer is libext2fs' answer to version 6.
 */
static int stores_hash(int hash_flags)
{
	const int both = EXT4_CASEFOLD_FL | EXT4_ENCRYPT_FL;

	return (hash_flags & both) == both;
}

errcode_t ext2fs_dirhash2(int version, const char *name, int len,
			  const struct ext2fs_nls_table *charset,
			  int hash_flags, const __u32 *seed,
			  ext2_dirhash_t *ret_hash,
			  ext2_dirhash_t *ret_minor_hash)
{
	int folded = charset && (hash_flags & EXT4_CASEFOLD_FL);
	struct dirhash_fold fold;

	if ((version == DIRHASH_SIPHASH && stores_hash(hash_flags)) ||
	    (folded && e2dx_fold_from_table(charset, &fold))) {
		*ret_hash = 0;
		return EXT2_ET_DIRHASH_UNSUPP;
	}
	return hash(version, name, len, folded ? &fold : NULL, seed, ret_hash,
		    ret_minor_hash);
}
