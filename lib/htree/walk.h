/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Read an index: its root, its nodes, a name's way through it, its figures. */
#ifndef E2DX_HTREE_WALK_H
#define E2DX_HTREE_WALK_H

#include "htree/blocks.h"
#include "htree/entry.h"

#define HTREE_MAX_LEVELS 3	/* root and up to two interior levels */

/* dx_root's fields as they stand on disk. */
struct htree_root {
	uint32_t reserved;
	uint8_t version, info_length, indirect_levels, flags;
};

/* One index block, read and bounded: `count` entries can be trusted to lie
   in the block, whatever disk_count said. */
struct htree_node {
	uint32_t block;		/* logical block of this node */
	int level;		/* 0 for the root */
	uint32_t limit;		/* as on disk */
	uint32_t disk_count;	/* as on disk */
	uint32_t count;		/* usable entries: 0 where disk_count is wild */
	bool checksum_ok;	/* true without metadata_csum */
	const uint8_t *table;	/* first byte of the entry table */
};

/* Entry i of a node: its lower bound (0 for entry 0) and child block. */
uint32_t htree_node_hash(const struct htree_node *n, uint32_t i);
uint32_t htree_node_child(const struct htree_node *n, uint32_t i);

/*
 * The root, parsed from block 0 of a directory.  E2DX_ET_NOT_INDEXED where the
 * inode says so; E2DX_ET_DAMAGED where the block cannot hold one;
 * E2DX_ET_UNSUPPORTED for an unknown hash version, with *root filled.
 */
errcode_t htree_parse_root(const struct htree_dir *dir, const uint8_t *block,
			   struct htree_root *root, struct htree_node *node);

/*
 * Read block 0 and parse the root in it; *root is filled as above, else zero.
 * Errors of htree_parse_root(), of reading, ENOMEM.
 */
errcode_t htree_read_root(const struct htree_dir *dir,
			  struct htree_blocks *blocks, struct htree_root *root);

/*
 * An interior block's bytes.  E2DX_ET_DAMAGED where it has not the fake
 * record of one; *node is filled all the same.
 */
errcode_t htree_parse_node(const struct htree_dir *dir, const uint8_t *block,
			   uint32_t number, int level, struct htree_node *node);

/* What a walk shows, depth first.  Any may be NULL; non-zero stops the walk. */
struct htree_walk_ops {
	errcode_t (*root)(void *ctx, const struct htree_root *root);
	errcode_t (*node)(void *ctx, const struct htree_node *node);
	/* Child i of a node, before it is read. */
	errcode_t (*child)(void *ctx, const struct htree_node *node, uint32_t i);
	/* A leaf's entries, one after another, then (d == NULL) its end. */
	errcode_t (*leaf)(void *ctx, uint32_t block, const struct htree_dirent *d);
	/* A block that could not be followed; `what` as E2DX_ET_*. */
	errcode_t (*fault)(void *ctx, uint32_t block, errcode_t what);
};

/*
 * Walk the index from its root; a block is visited once however often it is
 * referenced, so every input ends.
 */
errcode_t htree_walk(const struct htree_dir *dir, struct htree_blocks *blocks,
		     const struct htree_walk_ops *ops, void *ctx);

/*
 * Find a name as Linux does: through the index and over continuation bits;
 * linear where there is no index or it is damaged.  d->name points into
 * `buffer` (block_size bytes, the caller's).  E2DX_ET_NOT_FOUND.
 */
errcode_t htree_lookup(const struct htree_dir *dir, struct htree_blocks *blocks,
		       const uint8_t *name, size_t len, uint8_t *buffer,
		       struct htree_dirent *d);

/* Call `entry` for each used entry of one leaf or linear block; damaged
   records end it with E2DX_ET_DAMAGED, entries before them were given. */
errcode_t htree_leaf_entries(const struct htree_dir *dir, const uint8_t *block,
			     uint32_t number,
			     errcode_t (*entry)(void *ctx, const struct htree_dirent *d),
			     void *ctx);

/* Figures of one directory (htree_stats, benches). */
struct htree_stats {
	int levels;			/* index levels; 0: linear */
	int version;			/* as on disk; -1: no index */
	uint64_t entries;		/* dots not counted */
	uint32_t blocks, leaves, nodes;	/* nodes: root and interior */
	uint64_t leaf_bytes_used;	/* of entries as long as they must be */
	uint64_t leaf_bytes;		/* room for entries in all leaves */
	uint32_t fill[10];		/* leaves by tenth of fill; 100% in the last */
	uint64_t equal_groups;		/* sets of entries with equal major hash */
	uint64_t longest_chain;		/* entries in the largest such set */
	uint64_t straddling;		/* leaves reached by continuation bits */
};
errcode_t htree_stats(const struct htree_dir *dir, struct htree_blocks *blocks,
		      struct htree_stats *s);

#endif
