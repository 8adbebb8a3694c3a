/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Verify one directory: every fault as a finding, every entry that survives. */
#ifndef E2DX_HTREE_VERIFY_H
#define E2DX_HTREE_VERIFY_H

#include "htree/blocks.h"
#include "htree/entry.h"

/*
 * What can be wrong with a directory by itself.  Append only, and keep
 * finding.c's table of texts beside it in step.
 * F_ entries: one record; L_: a leaf; D_: dot entries; X_: the index.
 */
enum htree_finding_code {
	HTREE_OK = 0,
	/* blocks */
	HTREE_B_HOLE,		/* blocks that are not mapped; value: how many */
	HTREE_B_UNREADABLE,	/* could not be read; value = errcode */
	/* records */
	HTREE_F_REC_LEN,	/* too small, unaligned, or past the block */
	HTREE_F_NAME_LEN,	/* 0 for a used entry, or larger than the record */
	HTREE_F_HASH_ROOM,	/* no room for the stored hash, or one that no
				   name can have (given as the nearest) */
	HTREE_F_NAME_CHARS,	/* '/' or NUL in a name that is not encrypted */
	HTREE_F_INODE_RANGE,	/* inode number out of range */
	HTREE_F_ENCODING,	/* not valid in a strict casefolded directory */
	HTREE_F_DUPLICATE,	/* same name as another entry; value = other's
				   block << 32 | offset */
	HTREE_F_STRAY_DOT,	/* "." or ".." beyond the first two entries */
	/* dot entries: value = inode found */
	HTREE_D_DOT_MISSING,
	HTREE_D_DOT_INODE,	/* "." is not the directory itself */
	HTREE_D_DOTDOT_MISSING,
	HTREE_D_DOT_LAYOUT,	/* record lengths as an index or Linux needs them */
	/* leaves */
	HTREE_L_TAIL_MISSING,
	HTREE_L_CHECKSUM,
	/* the index: expected = what it ought to be where that is known */
	HTREE_X_ROOT,		/* reserved_zero, info_length, unused_flags */
	HTREE_X_VERSION,	/* value = hash_version; damaged or unknown */
	HTREE_X_VERSION_FOREIGN,/* siphash where the default is another */
	HTREE_X_LEVELS,		/* value = indirect_levels */
	HTREE_X_LIMIT,
	HTREE_X_COUNT,
	HTREE_X_ORDER,		/* hashes of a node are not ascending */
	HTREE_X_BLOCK,		/* child out of range */
	HTREE_X_TWICE,		/* child referenced more than once */
	HTREE_X_UNREFERENCED,	/* block that the index does not reach */
	HTREE_X_NODE,		/* fake entry of an interior node is wrong */
	HTREE_X_HASH_RANGE,	/* an entry's hash is outside its leaf's range */
	HTREE_X_CONTINUATION,	/* straddling collision without its bit */
	HTREE_X_CHECKSUM,
	HTREE_X_NO_TAIL,	/* index block without room for its checksum */
	HTREE_X_NO_FEATURE,	/* INDEX_FL without dir_index; INDEX_FL on one
				   block that is no index, ... */
	HTREE_FINDING_MAX
};

/* What must be done about a finding. */
enum htree_remedy {
	HTREE_REMEDY_INDEX,	/* rebuild the index: no entry is in doubt */
	HTREE_REMEDY_ENTRIES	/* entries were dropped or must change */
};

struct htree_finding {
	enum htree_finding_code code;
	uint32_t block;		/* logical block */
	uint32_t offset;	/* bytes into it, or number of an index entry */
	uint64_t value;		/* found */
	uint64_t expected;
	const uint8_t *name;	/* the entry's name, where there is one */
	uint8_t name_len;
};

/* One line without newline, "wrong checksum of the leaf"; never NULL. */
const char *htree_finding_text(enum htree_finding_code code);
enum htree_remedy htree_finding_remedy(enum htree_finding_code code);

struct htree_verify_ops {
	/*
	 * Each finding: blocks in their order, with HASH_RANGE and
	 * CONTINUATION (the first entry of a leaf each); then duplicates; then
	 * the tree, of each kind the first in each of its nodes.  May be
	 * NULL: the result counts them.
	 */
	void (*finding)(void *ctx, const struct htree_finding *f);
	/*
	 * Each used entry that could be read, salvaged ones from damaged
	 * blocks too, in block order; "." and ".." of the first block are
	 * given with `dot` 1 and 2, else 0 (stray ones too).  May be NULL.
	 * d->hash is set (has_hash) where the index has a known version or
	 * the entry stores it.
	 */
	void (*entry)(void *ctx, const struct htree_dirent *d, int dot);
	/*
	 * An entry that will be given soon names this inode (any number): a
	 * chance to fetch what is known of it into the cache.  May be NULL.
	 */
	void (*soon)(void *ctx, uint32_t ino);
};

/* Facts about the directory that verifying brings to light. */
struct htree_verify_result {
	uint32_t self, parent;	/* inodes of "." and ".."; 0 where missing */
	int version;		/* hash_version of dx_root as on disk; -1: none */
	int indirect_levels;	/* as on disk; 0 where there is no index */
	uint64_t entries;	/* used entries, dots not counted */
	uint64_t findings;
};

/*
 * Verify a directory's blocks against *dir: records, names, duplicates over
 * the whole directory, tails, checksums and, where INDEX_FL is set, every
 * rule of the index (doc/format.md).  Reads the index first, then every block
 * once, sequentially, in large chunks; blocks with names that seem equal once
 * more.  Memory: 16 bytes an entry, at most 1/6 of the directory's bytes (and
 * no more than 128 MiB) to find equal names, and 12 a block where there is an
 * index.
 * Any bytes are handled: a fault is a finding, not an error.  Returns 0, or
 * ENOMEM and the like.
 */
errcode_t htree_verify(const struct htree_dir *dir, struct htree_blocks *blocks,
		       const struct htree_verify_ops *ops, void *ctx,
		       struct htree_verify_result *result);

/*
 * Into how many parts of consecutive blocks a directory of so many blocks is
 * divided for several threads; its length alone decides.  1 to
 * HTREE_VERIFY_PARTS.
 */
#define HTREE_VERIFY_PARTS	64
unsigned htree_verify_parts(uint32_t blocks);

/* Who verifies a directory's parts. */
struct htree_verify_crew {
	unsigned threads;
	/* Call work(arg) in so many threads and wait for all of them. */
	void (*run)(unsigned threads, void *(*work)(void *arg), void *arg);
	/*
	 * For each of htree_verify_parts(): the ctx of the callbacks for what
	 * is found in it.  One thread at a time uses one.
	 */
	void *const *part;
};

/*
 * htree_verify() by a crew.  Findings and entries of each part go to that
 * part's ctx, in order; findings of the whole (equal names, the tree) to
 * `ctx` after that.  What is found does not depend on the number of threads.
 */
errcode_t htree_verify_divided(const struct htree_dir *dir,
			       struct htree_blocks *blocks,
			       const struct htree_verify_ops *ops, void *ctx,
			       const struct htree_verify_crew *crew,
			       struct htree_verify_result *result);

/*
 * The same for a directory that lies in its inode.  `parts`: the 60 bytes of
 * i_block first (4 bytes of parent inode, then entries), the value of the
 * system.data attribute second (may be empty).  Findings name part 0 or 1 as
 * the block.
 */
errcode_t htree_verify_inline(const struct htree_dir *dir,
			      const uint8_t *const parts[2],
			      const size_t lengths[2],
			      const struct htree_verify_ops *ops, void *ctx,
			      struct htree_verify_result *result);

/*
 * Collect every entry that can be read (as the entry callback gets them) into
 * *e (initialised by the caller, who frees it).  Findings go to `finding`, which
 * may be NULL.
 */
errcode_t htree_collect(const struct htree_dir *dir, struct htree_blocks *blocks,
			struct htree_entries *e,
			void (*finding)(void *ctx, const struct htree_finding *f),
			void *ctx, struct htree_verify_result *result);

/*
 * The same by a crew, of which `part` is not used.  Instead of the findings:
 * is one of them such that entries were dropped or must change
 * (HTREE_REMEDY_ENTRIES)?
 */
errcode_t htree_collect_divided(const struct htree_dir *dir,
				struct htree_blocks *blocks,
				struct htree_entries *e,
				const struct htree_verify_crew *crew,
				bool *in_doubt,
				struct htree_verify_result *result);

#endif
