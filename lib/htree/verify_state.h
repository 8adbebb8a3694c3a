/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the verifier share.  Private to them. */
#ifndef E2DX_HTREE_VERIFY_STATE_H
#define E2DX_HTREE_VERIFY_STATE_H

#include "htree/verify.h"
#include "htree/walk.h"

/* Bytes of the longest folded name: NFD makes at most 18 of one. */
#define VERIFY_FOLDED_MAX	(18 * DIRHASH_NAME_MAX)

/* What the index says of a block. */
enum verify_role {
	VERIFY_UNREACHED,
	VERIFY_LEAF,
	VERIFY_NODE,
	VERIFY_NO_NODE		/* ought to be one, is not: may hold entries */
};

struct verify_place {
	uint32_t lower;		/* as in the index, continuation bit included */
	uint32_t upper;		/* likewise; of the leaf after it */
	uint8_t role;
};

/* For finding equal names: 16 bytes an entry. */
struct verify_name {
	uint64_t key;		/* hash of the name, as it is compared */
	uint64_t where;		/* block << 32 | offset */
};

/* Which names' keys were seen once, or again: a bit for their upper part. */
struct verify_marks {
	int shift;
	uint64_t *once, *again;		/* atomic; owned */
};

struct verify {
	const struct htree_dir *dir;
	struct htree_blocks *blocks;	/* NULL: inline */
	const struct htree_verify_ops *ops;
	void *ctx;
	struct htree_verify_result *result;
	errcode_t err;			/* the first one; ends the work */

	/* the index (verify_index.c) */
	bool root;			/* block 0 holds an index root */
	bool broken;			/* some of the tree could not be followed */
	struct verify_place *place;	/* one a block; NULL without an index */
	uint32_t n_places;		/* blocks that an index can name */
	struct htree_finding *pending;	/* index findings, to be given last */
	size_t n_pending, pending_capacity;

	/* names */
	bool hashing;			/* compute the entries' hashes */
	struct dirhasher hasher;
	struct dirhasher name_hasher;	/* for verify_name.key */
	bool shared_key;		/* the two hashers are the same */
	struct verify_name *names;
	size_t n_names, names_capacity;
	struct verify_marks *marks;	/* shared by the parts; owned by the whole */
	uint8_t folded[VERIFY_FOLDED_MAX];

	/* the block at hand (verify_block.c) */
	const struct verify_place *at;	/* NULL where the index says nothing */
	unsigned at_told;		/* range findings given for it */

	/* for reading names again (verify_dup.c) */
	const uint8_t *part[2];		/* inline */
	size_t part_length[2];
	uint8_t *again;			/* a block; owned */
	uint32_t again_number;
	bool again_valid;
};

/* Give a finding now. */
void verify_tell(struct verify *v, const struct htree_finding *f);
/* The same from its parts; d: where, and the name (may be NULL). */
void verify_tell_entry(struct verify *v, enum htree_finding_code code,
		       const struct htree_dirent *d, uint64_t value,
		       uint64_t expected);

/* ---- verify_index.c */

/* Read the tree: fills v->root, broken, place, hasher, pending. */
void verify_index_read(struct verify *v);
/* What the index says of a block that is being read; NULL without one. */
const struct verify_place *verify_index_at(struct verify *v, uint32_t number);
/* Add a part's blocks that it does not reach to the whole, and free them. */
void verify_index_take(struct verify *v, struct verify *part);
/* Give what was found in it, and the blocks that it does not reach. */
void verify_index_tell(struct verify *v);

/* ---- verify_block.c */

void verify_block(struct verify *v, const uint8_t *block, uint32_t number);
/* All records from `start` to `end`; also for inline parts. */
void verify_records(struct verify *v, const uint8_t *block, uint32_t number,
		    uint32_t start, uint32_t end);

/* ---- verify_dots.c */

/*
 * Check "." and ".." of block 0.  Returns where other entries may begin;
 * `end` where there are none.
 */
uint32_t verify_dots(struct verify *v, const uint8_t *block, uint32_t end);

/* ---- verify_dup.c */

/*
 * Choose how names are keyed, once the hasher is known; `bytes`: of all records
 * together.
 */
void verify_names_begin(struct verify *v, uint64_t bytes);
void verify_names_end(struct verify *v);
/* Add what a part has to the whole, and free it there. */
void verify_names_take(struct verify *v, struct verify *part);
/* The keys of n names; none where the index's hashes are as good. */
errcode_t verify_names_keys(const struct verify *v,
			    const struct dirhash_text *names, size_t n,
			    struct dirhash *keys);
void verify_names_add(struct verify *v, const struct htree_dirent *d,
		      const struct dirhash *key);
/* Find equal names and give them in the order of blocks. */
void verify_names_tell(struct verify *v);

#endif
