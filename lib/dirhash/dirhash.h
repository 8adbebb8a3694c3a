/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Directory hashes of ext2/3/4: from a name to the 64 bits that order it.
 *
 * Pure functions of their arguments: no input or output, no global state, no
 * libext2fs.  Errors are E2DX_ET_* (lib/e2dx_err.et) as errcode_t.
 * The format's facts are in doc/format.md.
 */
#ifndef E2DX_DIRHASH_H
#define E2DX_DIRHASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <et/com_err.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DIRHASH_SEED_SIZE	16	/* bytes of s_hash_seed and of a SipHash key */
#define DIRHASH_NAME_MAX	255	/* bytes of the longest name */

/*
 * Version numbers as callers use them.  3 to 5 exist for callers only: on
 * disk they are damage (the hole).  On disk a version is 0, 1, 2 or 6, and
 * the superblock's flags say whether 0 to 2 read names as signed chars.
 */
enum dirhash_version {
	DIRHASH_LEGACY = 0,
	DIRHASH_HALF_MD4 = 1,
	DIRHASH_TEA = 2,
	DIRHASH_LEGACY_UNSIGNED = 3,
	DIRHASH_HALF_MD4_UNSIGNED = 4,
	DIRHASH_TEA_UNSIGNED = 5,
	DIRHASH_SIPHASH = 6
};

/* A name's place in its directory: ordered by hash, then by minor_hash. */
struct dirhash {
	uint32_t hash;		/* major hash; bit 0 is always clear */
	uint32_t minor_hash;
};

/*
 * Case folding, as a table of functions, so that this layer needs none.
 * Both get `table` first; neither may keep state between calls, so one table
 * serves any number of threads.
 */
struct dirhash_fold {
	const void *table;
	/*
	 * Fold `name` (len bytes) into `out` (room for out_size bytes).
	 * Returns the folded length, or -1 where the name is not valid in
	 * the encoding or does not fit.
	 */
	int (*fold)(const void *table, const uint8_t *name, size_t len,
		    uint8_t *out, size_t out_size);
	/* Do the two names name the same entry of a casefolded directory? */
	bool (*same)(const void *table, const uint8_t *a, size_t a_len,
		     const uint8_t *b, size_t b_len);
};

/* Everything that turns a name into its hash; copy freely, share freely. */
struct dirhasher {
	int version;				/* enum dirhash_version */
	uint8_t seed[DIRHASH_SEED_SIZE];	/* or SipHash key; as on disk */
	const struct dirhash_fold *fold;	/* NULL: names as they stand */
};

/* ---- the version table (version.c), the one place that knows numbering */

/* Is `version` one that can be computed (0..6)? */
bool dirhash_known(int version);

/* May `version` stand on disk (0, 1, 2, 6)? */
bool dirhash_on_disk(int version);

/* Does this version's result depend on the seed?  (Not legacy.) */
bool dirhash_seeded(int version);

/* "half_md4", "tea_unsigned" ...; NULL for an unknown number. */
const char *dirhash_version_name(int version);

/*
 * The version that `text` names: a name of the table or a decimal number of
 * a known version.  Returns -1 where it is neither.
 */
int dirhash_version_from_text(const char *text);

/*
 * The number that the hash functions get for a directory whose dx_root (or
 * superblock default) says `on_disk`, where `unsigned_chars` tells whether
 * the superblock's unsigned flag is set: on_disk + 3 for 0..2 with the flag,
 * else on_disk.  The only place with that rule.
 */
int dirhash_effective(int on_disk, bool unsigned_chars);

/* The reverse: what a caller's number is called on disk (3..5 give 0..2). */
int dirhash_disk_version(int version);

/* ---- hashing (dirhash.c) */

/* The seed that an all-zero seed, or none, stands for. */
extern const uint8_t dirhash_default_seed[DIRHASH_SEED_SIZE];

/* Are all 16 bytes of `seed` zero? */
bool dirhash_seed_is_zero(const uint8_t *seed);

/*
 * Make *h ready.  `seed`: 16 bytes as on disk, or NULL; all zero or NULL
 * means the default.  `fold`: NULL, or the directory's folding (not owned;
 * must outlive *h).  E2DX_ET_HASH_UNKNOWN where version is not 0..6.
 */
errcode_t dirhasher_init(struct dirhasher *h, int version, const uint8_t *seed,
			 const struct dirhash_fold *fold);

/*
 * Hash one name of any bytes, 0 to 255 of them.  Folded first where the
 * hasher folds; a name that cannot be folded is hashed as it stands.  Bit 0
 * of the major hash is cleared, then 0xfffffffe becomes 0xfffffffc as Linux
 * has it.  E2DX_ET_NAME_LENGTH for a longer name.
 */
errcode_t dirhash_name(const struct dirhasher *h, const void *name, size_t len,
		       struct dirhash *out);

/* A name among many; the bytes are not owned. */
struct dirhash_text {
	const uint8_t *name;
	size_t len;		/* bytes, 0 to 255 */
};

/*
 * dirhash_name() for n names: out[i] is the hash of names[i].  Several names
 * at once with the widest vectors that help on this CPU, which is found out
 * the first time, by checking and timing; the results never depend on it.
 * Costs least with some dozens of names a call or more.  Reads no byte
 * outside the names.  E2DX_ET_NAME_LENGTH where any is too long; what is in
 * out[] then is not said. (many.c)
 */
errcode_t dirhash_many(const struct dirhasher *h,
		       const struct dirhash_text *names, size_t n,
		       struct dirhash *out);

/* <0, 0, >0 as a comes before, with, after b. */
int dirhash_compare(const struct dirhash *a, const struct dirhash *b);

/* SipHash-2-4 with 64-bit result; key: 16 bytes, k0 first. (siphash.c) */
uint64_t dirhash_siphash24(const uint8_t *key, const void *data, size_t len);

/* ---- fscrypt (fscrypt.c) */

#define DIRHASH_NONCE_SIZE	16
#define DIRHASH_MASTER_KEY_MAX	64

/*
 * The SipHash key of an encrypted and casefolded directory: HKDF-SHA512 of
 * the raw master key (16 to 64 bytes) with the directory's nonce (16 bytes,
 * the last field of its version 2 encryption context).  Writes 16 bytes to
 * `key`.  E2DX_ET_KEY for a key of another length.
 */
errcode_t dirhash_fscrypt_key(const uint8_t *master, size_t master_len,
			      const uint8_t *nonce, uint8_t *key);

#ifdef __cplusplus
}
#endif
#endif
