/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which blocks an inode has: extent trees and indirect blocks, read safely. */
#ifndef E2DX_MAP_H
#define E2DX_MAP_H

#include "ext2fs/fs.h"
#include "htree/verify.h"

enum e2dx_map_kind {
	E2DX_MAP_DATA,		/* logical blocks */
	E2DX_MAP_META,		/* extent index/leaf or indirect blocks */
	E2DX_MAP_UNWRITTEN	/* uninitialised extent: owned, reads as zero */
};

struct e2dx_run {
	enum e2dx_map_kind kind;
	uint64_t logical;	/* first logical block; 0 for META */
	uint64_t physical;	/* first block */
	uint64_t count;		/* blocks, at least 1; within the filesystem */
	int level;		/* META: 0 where the inode names it, 1 below that,
				   and so on; 0 for the other kinds */
};

/* What keeps a map, or a part of it, from being sound. */
enum e2dx_map_fault_code {
	E2DX_FAULT_NONE = 0,
	E2DX_FAULT_RANGE,	/* value: data blocks outside the filesystem */
	E2DX_FAULT_META_RANGE,	/* value: mapping block outside of it */
	E2DX_FAULT_UNREADABLE,	/* value: errcode_t of reading `block` */
	E2DX_FAULT_MAGIC,	/* no extent node */
	E2DX_FAULT_DEPTH,	/* value: depth that the node gives */
	E2DX_FAULT_MAX,		/* value: room for entries that it gives */
	E2DX_FAULT_ENTRIES,	/* value: more entries than room */
	E2DX_FAULT_EMPTY,	/* a node without entries */
	E2DX_FAULT_CHECKSUM,	/* of an extent block */
	E2DX_FAULT_LENGTH,	/* an extent of no blocks */
	E2DX_FAULT_ORDER,	/* begins before the end of the one before */
	E2DX_FAULT_BOUNDS,	/* reaches over what the node above says */
	E2DX_FAULT_START,	/* value: where the node begins that an index
				   entry has begin at `logical` */
	E2DX_FAULT_TOO_MANY	/* more blocks than the filesystem has */
};

struct e2dx_map_fault {
	enum e2dx_map_fault_code code;
	uint64_t block;		/* the mapping block it stands in; 0: the inode */
	uint64_t logical;	/* of the entry; of the node's first otherwise */
	uint64_t value;
};

/* Who walks a map; fault() may be NULL. */
struct e2dx_map_ops {
	errcode_t (*run)(void *ctx, const struct e2dx_run *run);
	void (*fault)(void *ctx, const struct e2dx_map_fault *fault);
};

#define E2DX_MAP_SKIP	((errcode_t)-1)

/*
 * Call `run` for each run of blocks that the inode maps, in the map's order;
 * non-zero stops with that value.  Nothing on disk is trusted: depth, counts,
 * order, checksums, ranges, loops; what cannot be followed is left out and
 * makes the result E2DX_ET_MAP_DAMAGED after the rest was given.  For a META
 * run E2DX_MAP_SKIP leaves out what hangs on it and goes on.  Inodes
 * without blocks (fast links, devices, inline data) give none.  Thread-safe.
 */
errcode_t e2dx_map_walk(const struct e2dx_fs *efs, ext2_ino_t ino,
			const struct ext2_inode_large *inode,
			errcode_t (*run)(void *ctx, const struct e2dx_run *run),
			void *ctx);

/* The same, told of each fault as it is met. */
errcode_t e2dx_map_walk_ops(const struct e2dx_fs *efs, ext2_ino_t ino,
			    const struct ext2_inode_large *inode,
			    const struct e2dx_map_ops *ops, void *ctx);

/*
 * The run that holds one logical block, by one way down the map (mapfind.c).
 * It may be shorter than what the map holds there.
 * E2DX_ET_HOLE where nothing is mapped, or an unwritten extent;
 * E2DX_ET_MAP_DAMAGED; ENOMEM; I/O errors.  Thread-safe.
 */
errcode_t e2dx_map_find(const struct e2dx_fs *efs, ext2_ino_t ino,
			const struct ext2_inode_large *inode, uint64_t logical,
			struct e2dx_run *out);

/*
 * The same, where an unwritten extent is a run of its kind and no hole: for who
 * asks what an inode owns, not what it reads as.
 */
errcode_t e2dx_map_find_owned(const struct e2dx_fs *efs, ext2_ino_t ino,
			      const struct ext2_inode_large *inode,
			      uint64_t logical, struct e2dx_run *out);

/* Fill in all of *dir from the superblock and the inode (describe.c). */
void e2dx_dir_describe(const struct e2dx_fs *efs, ext2_ino_t ino,
		       const struct ext2_inode_large *inode,
		       struct htree_dir *dir);

/* ---- a directory of an open filesystem, for the index code (dir.c) */

struct e2dx_dir {
	struct htree_blocks blocks;	/* backend for reading; first member */
	struct htree_dir dir;
	struct e2dx_fs *efs;
	struct ext2_inode_large inode;	/* host order */
	bool inline_data;		/* use inline_parts, not blocks */
	const uint8_t *inline_parts[2];	/* owned */
	size_t inline_lengths[2];
	bool map_damaged;		/* some of the map could not be followed */
	bool size_wrong;		/* i_size is not what the map holds; blocks
					   and blocks.count are the map's */
	struct e2dx_run *runs;		/* DATA runs, sorted by logical; owned */
	size_t n_runs;
	uint8_t *held;			/* e2dx_dir_hold(): blocks 0 to n_held - 1;
					   owned */
	uint32_t n_held;
};

/*
 * Open a directory by its inode; the caller ends with e2dx_dir_close().
 * E2DX_ET_NOT_DIRECTORY; E2DX_ET_RANGE for a number out of range.  A damaged
 * map is no error: what can be mapped is, the rest are holes.  Thread-safe.
 */
errcode_t e2dx_dir_open(struct e2dx_fs *efs, ext2_ino_t ino,
			struct e2dx_dir **out);
void e2dx_dir_close(struct e2dx_dir *d);

/* Have the device begin to read its blocks, at most the first 64 MiB. */
void e2dx_dir_read_ahead(const struct e2dx_dir *d);

/*
 * Keep the blocks, up to `most` bytes of them from the first on, in memory:
 * for many look-ups by any number of threads, which then neither enter the
 * kernel (it counts who uses a file and a page) nor write to anything shared.
 * The directory is seen as it is now.  Not while other threads use it.
 * ENOMEM, E2DX_ET_HOLE, I/O errors: nothing is held then, and blocks are read
 * as before.
 */
errcode_t e2dx_dir_hold(struct e2dx_dir *d, size_t most);

/* htree_verify() or htree_verify_inline(), whichever it takes. */
errcode_t e2dx_dir_verify(struct e2dx_dir *d,
			  const struct htree_verify_ops *ops, void *ctx,
			  struct htree_verify_result *result);

/* The block of the device that logical block n lies in; 0: a hole. */
uint64_t e2dx_dir_physical(const struct e2dx_dir *d, uint32_t n);

#endif
