/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What must be known of a directory beside its blocks. */
#ifndef E2DX_HTREE_DIR_H
#define E2DX_HTREE_DIR_H

#include <stdbool.h>
#include <stdint.h>
#include "dirhash/dirhash.h"

struct htree_dir {
	uint32_t ino;		/* the directory's inode number */
	uint32_t inodes_count;	/* highest valid inode number; 0: unchecked */
	uint32_t csum_seed;	/* CRC-32C of filesystem seed, ino, generation */
	uint32_t block_size;	/* bytes */
	bool metadata_csum;	/* leaves have tails, index blocks checksums */
	bool filetype;		/* byte 7 of an entry is a type, not length */
	bool encrypted;		/* names are ciphertext: any bytes */
	bool casefold;		/* names are compared and hashed folded */
	bool strict;		/* names must be valid in the encoding */
	bool indexed;		/* the inode's INDEX_FL */
	bool dir_index;		/* the filesystem's feature */
	int max_indirect;	/* greatest indirect_levels: 1, or 2 (large_dir) */
	int default_version;	/* s_def_hash_version as on disk, unchecked */
	bool unsigned_chars;	/* the superblock's unsigned flag */
	uint8_t seed[DIRHASH_SEED_SIZE];	/* s_hash_seed as on disk */
	const struct dirhash_fold *fold;	/* with casefold; not owned */
};

/* Do entries store their hashes (encrypted and casefolded)? */
static inline bool htree_dir_stores_hash(const struct htree_dir *d)
{
	return d->encrypted && d->casefold;
}

/*
 * The hasher for names of this directory when its dx_root says `on_disk`
 * (or, for a directory without an index, the superblock does).
 * E2DX_ET_HASH_UNKNOWN for numbers that may not stand on disk.
 * Not for directories that store hashes: their key is not known here.
 */
errcode_t htree_dir_hasher(const struct htree_dir *d, int on_disk,
			   struct dirhasher *h);

#endif
