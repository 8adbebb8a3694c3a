/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A survey in the making: shared by survey*.c only. */
#ifndef E2DX_SURVEY_PRIV_H
#define E2DX_SURVEY_PRIV_H

#include <pthread.h>
#include "ext2fs/inode.h"
#include "ext2fs/map.h"
#include "ext2fs/survey.h"

struct block_range {
	uint64_t start, count;	/* blocks */
};

struct block_list {
	uint64_t *v;
	size_t n, capacity;
};

struct survey_worker;

struct surveyor {
	struct e2dx_fs *efs;
	struct e2dx_survey *s;
	struct e2dx_inode_csums csums;
	int bits;			/* log2 of blocks a cluster */
	bool descriptors_summed;	/* group descriptors have checksums */
	uint8_t *descriptor_ok;		/* a byte a group: the checksum is right */
	struct block_range *fixed;	/* metadata, sorted, disjoint */
	size_t n_fixed;
	uint64_t *twice;		/* clusters claimed twice; NULL: none yet */
	struct block_list ea;		/* blocks of attributes, as inodes name them */

	/* The work of the threads: groups, taken one by one. */
	void (*group)(struct surveyor *sv, struct survey_worker *w, dgrp_t g);
	dgrp_t next;			/* atomic */
	dgrp_t done;
	errcode_t err;			/* the first error; ends all threads */
	pthread_mutex_t lock;		/* of done, err, progress, twice's birth,
					   ea, and first_* of the survey */
	struct e2dx_survey_watch watch;
};

/* What one thread has to itself. */
struct survey_worker {
	struct surveyor *sv;
	uint8_t *buf;			/* SURVEY_CHUNK bytes */
	uint8_t *bitmap;		/* a block */
	struct block_list ea;
};

/* Bytes of one read of an inode table: they are still in the cache when they
   are looked at. */
#define SURVEY_CHUNK	(1u << 18)

/* ---- sets of clusters (survey_set.c) */

/*
 * Claim clusters first .. last.  Returns whether one of them was claimed
 * before, and notes those.  Thread-safe.
 */
bool survey_claim(struct surveyor *sv, uint64_t first, uint64_t last);

/* Set bits first .. last.  One thread only. */
void survey_set_range(uint64_t *set, uint64_t first, uint64_t last);

/* Note clusters first .. last as claimed twice. */
void survey_claimed_twice(struct surveyor *sv, uint64_t first, uint64_t last);

/* Is one of clusters first .. last claimed twice? */
bool survey_is_shared(const struct surveyor *sv, uint64_t first, uint64_t last);

/* How many of them are, and the first; 0: none. */
uint64_t survey_count_shared(const struct surveyor *sv, uint64_t first,
			     uint64_t last, uint64_t *which);

/* Copy clusters first .. last of one set to another. */
void survey_copy_bits(uint64_t *to, const uint64_t *from, uint64_t first,
		      uint64_t last);

/* Set bits first .. first + n - 1 of `set` from a bitmap block.  Thread-safe. */
void survey_set_bytes(uint64_t *set, uint64_t first, const uint8_t *bytes,
		      uint32_t n);

/* Bytes of a set of so many bits. */
static inline uint64_t survey_set_size(uint64_t bits)
{
	return (bits + 63) / 64 * sizeof(uint64_t);
}

/* Keep the first error. */
void survey_fail(struct surveyor *sv, errcode_t err);

errcode_t survey_list_add(struct block_list *l, uint64_t block);

/* Clusters of first .. last in a and not in b. */
uint32_t survey_count(const uint64_t *a, const uint64_t *b, uint64_t first,
		      uint64_t last);

/* Zeroed memory of which only what is touched is there; NULL: none is. */
void *survey_sparse(uint64_t bytes);
void survey_sparse_free(void *p, uint64_t bytes);

/* ---- fixed metadata and bitmaps (survey_fixed.c) */

/* Collect and claim all metadata that the superblock and descriptors name. */
errcode_t survey_fixed(struct surveyor *sv);

/* Does the block's cluster hold fixed metadata? */
bool survey_is_fixed(const struct surveyor *sv, uint64_t block);

/* The first of `count` blocks that shares its cluster with such; 0: none. */
uint64_t survey_first_fixed(const struct surveyor *sv, uint64_t block,
			    uint64_t count);

/* How many inodes of the group the descriptors do not exclude. */
uint32_t survey_group_inodes(const struct surveyor *sv, dgrp_t g);

/* Read the group's bitmaps; the inodes of the group have been read. */
void survey_bitmaps(struct surveyor *sv, struct survey_worker *w, dgrp_t g);

/* Compare a group's clusters with the block bitmap, when all are claimed. */
void survey_compare(struct surveyor *sv, struct survey_worker *w, dgrp_t g);

/* ---- inodes (survey_inode.c) */

/* Read the group's inodes and claim what they own. */
void survey_inodes(struct surveyor *sv, struct survey_worker *w, dgrp_t g);

/* Read them again and mark those that share a cluster. */
void survey_mark(struct surveyor *sv, struct survey_worker *w, dgrp_t g);

#endif
