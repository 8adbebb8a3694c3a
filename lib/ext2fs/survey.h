/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The survey: every inode and the owner of every block, from the metadata
   itself and not from the bitmaps. */
#ifndef E2DX_SURVEY_H
#define E2DX_SURVEY_H

#include "ext2fs/fs.h"
#include "ext2fs/map.h"

/* Per inode, one byte. */
#define E2DX_INODE_TYPE		0x0f	/* EXT2_FT_*; 0 = unused */
#define E2DX_INODE_USED		0x10	/* the inode itself says it is in use */
#define E2DX_INODE_EXCLUDED	0x20	/* descriptors exclude it (uninit) */
#define E2DX_INODE_SHARED	0x40	/* has a block that something else has too */
#define E2DX_INODE_BAD		0x80	/* map damaged, nonsense mode, wrong checksum */

/* What is wrong with a group's bitmaps, one bit each. */
#define E2DX_BLOCKS_LOST	0x01	/* the block bitmap cannot be read */
#define E2DX_BLOCKS_CSUM	0x02	/* wrong checksum */
#define E2DX_BLOCKS_PADDING	0x04	/* clear bits behind its end */
#define E2DX_INODES_LOST	0x08	/* the same of the inode bitmap */
#define E2DX_INODES_CSUM	0x10
#define E2DX_INODES_PADDING	0x20
#define E2DX_INODES_DIFFER	0x40	/* from the inodes in use */

/* What was counted in a group. */
struct e2dx_group_use {
	uint32_t read;		/* inodes, from the first on, that the
				   descriptor does not exclude */
	uint32_t used;		/* inodes that their bitmap should call used */
	uint32_t dirs;		/* directories in use */
	uint32_t owned;		/* clusters that something owns */
	uint32_t missing;	/* clusters owned, but free in the bitmap */
	uint32_t unowned;	/* clusters used in the bitmap that nobody has */
	uint8_t faults;		/* E2DX_BLOCKS_*, E2DX_INODES_* */
};

struct e2dx_survey {
	uint32_t inodes_count;
	uint32_t inodes_per_group;
	uint32_t first_ino;	/* the first that is not reserved */
	ext2_ino_t quota_ino[3];	/* reserved too; 0: none */
	uint32_t groups;
	struct e2dx_group_use *group;	/* `groups` of them */
	/*
	 * inodes_count + 1 bytes, by inode number.  What the descriptors
	 * exclude is left untouched, so e2dx_survey_inode() says more.
	 */
	uint8_t *inode;
	/*
	 * Bit b of both sets stands for the blocks whose number shifted right
	 * by fs->cluster_ratio_bits is b; bit b lies in word b / 64 at b % 64.
	 * Blocks before the first data block are owned and not free.
	 */
	uint64_t clusters;	/* bits of each set */
	uint64_t *owned;	/* bit per cluster: something owns it */
	uint64_t *bitmap;	/* bit per cluster: as the block bitmaps say */
	uint64_t *inode_bitmap;	/* bit per inode, its number - 1: likewise */
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
	uint32_t bitmaps_lost;	/* those of them that cannot be read */
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
	uint64_t clusters;	/* clusters that the data takes, each once */
	uint64_t logical_end;	/* one behind the last mapped block; 0: none */
	uint64_t written_end;	/* likewise, unwritten ones left out */
	bool unwritten;		/* some mapped block is */
	bool unaligned;		/* bigalloc: not cluster on cluster */
	bool scattered;		/* its blocks do not lie in one row */

	/* Of map() only. */
	bool partial;		/* not followed where others have it too */
	uint64_t shared;	/* clusters that something else has too */
	uint64_t first_shared;	/* the first block of those, as the map has it */
	uint64_t first_fixed;	/* the first block that is metadata; 0: none */
	const struct e2dx_map_fault *faults;	/* the first of them */
	unsigned n_faults;
};

/* Faults of a map that are shown; what follows them is rarely news. */
#define E2DX_FAULTS_SHOWN	8

/*
 * Who wants to see more than the survey keeps; each may be NULL.
 *
 * inode() is called for each inode of the tables that the descriptors do not
 * exclude, in use or not, but for those of which every byte is zero; by many
 * threads at a time, but all of one group by one thread, in order.
 *
 * map() is called for each inode in use when its map has been walked.  Where
 * clusters turn out to be claimed twice, who was first is a matter of chance:
 * then forget() is called by one thread, and map() again for every inode in
 * use, now with what is the same in each run.
 *
 * progress(): groups done, by one thread at a time.
 */
struct e2dx_survey_watch {
	void (*inode)(void *ctx, const struct e2dx_seen_inode *seen);
	void (*map)(void *ctx, const struct e2dx_seen_inode *seen);
	void (*forget)(void *ctx);
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

/*
 * Read all fixed metadata, bitmaps and inode tables (large sequential reads;
 * inodes that checksummed group descriptors exclude are skipped) with
 * `threads` threads (0: one a core).  progress(ctx, done, total) groups; may
 * be NULL; called by one thread at a time.  Owned by the caller.
 * Memory: 1 byte and 1 bit an inode, 2 bits a cluster, 28 bytes a group; while
 * it runs 100 more a group, and 8 for each block of attributes; a third bit
 * where clusters are claimed twice.  Only pages that hold something that is in
 * use are touched: uninitialised groups cost nothing.  Damage is counted, not an error.  Errors: ENOMEM; E2DX_ET_UNSUPPORTED
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

/* The inode's byte; E2DX_INODE_EXCLUDED where the descriptors exclude it. */
static inline uint8_t e2dx_survey_inode(const struct e2dx_survey *s,
					ext2_ino_t ino)
{
	uint8_t byte = s->inode[ino];

	if (!byte && ino && (ino - 1) % s->inodes_per_group >=
	    s->group[(ino - 1) / s->inodes_per_group].read)
		byte = E2DX_INODE_EXCLUDED;
	return byte;
}

/*
 * What the bitmap should say of inodes at + 1 .. at + n, n <= 64, as bits: in
 * use, or reserved whatever they hold, as those below the first for files are
 * and those that the superblock names for quota.
 */
uint64_t e2dx_survey_used(const struct e2dx_survey *s, uint64_t at, unsigned n);

/*
 * Is every owner known, so that the bitmaps can be made anew from them?
 * Everything that e2dx_survey_sound() asks, save what the bitmaps say.
 */
bool e2dx_survey_owners_known(const struct e2dx_survey *s);

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
