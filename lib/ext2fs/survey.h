/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The survey: every inode and the owner of every block, from the metadata
   itself and not from the bitmaps. */
#ifndef E2DX_SURVEY_H
#define E2DX_SURVEY_H

#include "ext2fs/fs.h"

/* Per inode, one byte. */
#define E2DX_INODE_TYPE		0x0f	/* EXT2_FT_*; 0 = unused */
#define E2DX_INODE_USED		0x10	/* the inode itself says it is in use */
#define E2DX_INODE_EXCLUDED	0x20	/* descriptors exclude it (uninit) */
#define E2DX_INODE_SHARED	0x40	/* has a block that something else has too */
#define E2DX_INODE_BAD		0x80	/* map damaged, nonsense mode, wrong checksum */

struct e2dx_survey {
	uint32_t inodes_count;
	uint8_t *inode;		/* inodes_count + 1 bytes, by inode number */
	/*
	 * Bit b of both sets stands for the blocks whose number shifted right
	 * by fs->cluster_ratio_bits is b; bit b lies in word b / 64 at b % 64.
	 * Blocks before the first data block are owned and not free.
	 */
	uint64_t clusters;	/* bits of each set */
	uint64_t *owned;	/* bit per cluster: something owns it */
	uint64_t *bitmap;	/* bit per cluster: as the block bitmaps say */
	ext2_ino_t *dirs;	/* directories in use, ascending */
	size_t n_dirs;
	uint64_t shared;	/* clusters claimed twice where sharing is wrong */
	uint64_t owned_free;	/* clusters owned that the bitmap calls free */
	uint64_t inodes_free;	/* inodes in use that the inode bitmap calls free */
	uint64_t first_shared, first_owned_free;  /* block numbers, for messages */
	ext2_ino_t first_inode_free, first_shared_inode;

	/* What makes the survey itself uncertain. */
	uint64_t inodes_bad;	/* inodes in use that are E2DX_INODE_BAD */
	ext2_ino_t first_inode_bad;
	uint32_t bitmaps_bad;	/* bitmaps unreadable or of wrong checksum */
	uint32_t tables_bad;	/* groups whose inode table cannot be read */
	uint32_t descriptors_bad;	/* group descriptors of wrong checksum */
	bool short_device;	/* the device ends before the filesystem */
	bool no_root;		/* the root is no directory in use, or excluded */
};

/* One inode as the survey came by it; nothing here outlives the call. */
struct e2dx_seen_inode {
	struct e2dx_fs *efs;
	ext2_ino_t ino;
	dgrp_t group;
	const uint8_t *raw;	/* EXT2_INODE_SIZE() bytes, as on disk */
	const struct ext2_inode_large *inode;	/* host order */
	uint8_t flags;		/* as in e2dx_survey.inode[]; 0: not in use */
	bool csum_ok;		/* the inode's own checksum */
	errcode_t map;		/* 0, or E2DX_ET_MAP_DAMAGED */
	uint64_t data_blocks;	/* blocks mapped, unwritten ones among them */
	uint64_t meta_blocks;	/* mapping blocks */
	uint64_t logical_end;	/* one behind the last mapped block; 0: none */
};

/*
 * Who wants to see more than the survey keeps.  inode() is called for each
 * inode of the tables that the descriptors do not exclude, in use or not, by
 * many threads at a time; but all of one group by one thread, in order.
 * progress(): groups done, by one thread at a time.  Both may be NULL.
 */
struct e2dx_survey_watch {
	void (*inode)(void *ctx, const struct e2dx_seen_inode *seen);
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

/*
 * Read all fixed metadata, bitmaps and inode tables (large sequential reads;
 * inodes that checksummed group descriptors exclude are skipped) with
 * `threads` threads (0: one a core).  progress(ctx, done, total) groups; may
 * be NULL; called by one thread at a time.  Owned by the caller.
 * Memory: 1 byte an inode, 2 bits a cluster; while it runs 100 bytes a group,
 * and 8 for each block of attributes; a third bit where clusters are claimed
 * twice.  Damage is counted, not an error.  Errors: ENOMEM; E2DX_ET_UNSUPPORTED
 * for an external journal; EXT2_ET_SHORT_READ where the device is too short for
 * the inode tables.
 */
errcode_t e2dx_survey(struct e2dx_fs *efs, unsigned threads,
		      void (*progress)(void *ctx, uint64_t done, uint64_t total),
		      void *ctx, struct e2dx_survey **out);
/* The same, watched; watch may be NULL. */
errcode_t e2dx_survey_watched(struct e2dx_fs *efs, unsigned threads,
			      const struct e2dx_survey_watch *watch,
			      struct e2dx_survey **out);
void e2dx_survey_free(struct e2dx_survey *s);

/*
 * Does it allow writing: nothing shared, nothing in use that is free, and
 * nothing that leaves an owner in doubt?
 */
bool e2dx_survey_sound(const struct e2dx_survey *s);

/*
 * Why it does not: "blocks are claimed twice" and the like, without a number;
 * NULL where it is sound.
 */
const char *e2dx_survey_reason(const struct e2dx_survey *s);

#endif
