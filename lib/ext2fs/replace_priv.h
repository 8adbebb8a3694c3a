/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of replacement share: the queue of one batch. */
#ifndef E2DX_REPLACE_PRIV_H
#define E2DX_REPLACE_PRIV_H

#include "ext2fs/alloc.h"
#include "ext2fs/mapbuild.h"
#include "ext2fs/replace.h"

#define E2DX_BATCH_BYTES (64u << 20)

/* A directory that waits for steps 2 to 5.  Pieces are in clusters. */
struct e2dx_replaced {
	ext2_ino_t ino;
	uint8_t *raw;			/* the whole inode as it will be */
	uint8_t *data;			/* new contents */
	uint32_t blocks;		/* of it */
	uint8_t *meta;			/* new mapping blocks */
	uint64_t n_meta;		/* of them, each in a cluster of its own */
	struct e2dx_pieces new_data, new_meta, old;
};

struct e2dx_replacer {
	struct e2dx_fs *efs;
	struct e2dx_survey *survey;
	struct e2dx_space space;
	struct e2dx_replaced *queue;
	size_t n, capacity;
	uint64_t bytes;			/* waiting in the queue */
	uint8_t *queued;		/* bit per inode */
	uint8_t *groups;		/* scratch: per group, touched */
	int64_t gained;			/* clusters freed minus allocated */
	bool started;			/* step 1 was done */
	uint16_t state;			/* s_state before */
	errcode_t failed;		/* a batch broke off: only freeing is left */
};

/* Clusters of an inode: data, unwritten and mapping, merged. (prepare.c) */
errcode_t e2dx_old_pieces(const struct e2dx_fs *efs, ext2_ino_t ino,
			  const struct ext2_inode_large *inode,
			  struct e2dx_pieces *out);

/*
 * Make *e ready for the queue: space taken, map built, inode prepared.
 * E2DX_ET_NO_SPACE and others: then nothing is held.
 */
errcode_t e2dx_prepare(struct e2dx_replacer *r, ext2_ino_t ino,
		       const struct htree_memory *blocks, bool indexed,
		       struct e2dx_replaced *e);

/*
 * The parts of it.  e->ino and e->raw are set.  Take clusters for data, as
 * e->new_data; replace the map in e->raw by one of `blocks` logical blocks in
 * these clusters, with mapping blocks as e->meta and e->new_meta.
 */
errcode_t e2dx_prepare_data(struct e2dx_replacer *r, struct e2dx_replaced *e,
			    uint64_t clusters);
errcode_t e2dx_prepare_map(struct e2dx_replacer *r, struct e2dx_replaced *e,
			   const struct e2dx_pieces *clusters, uint64_t blocks);

/* The same for a directory that lies in its inode: `raw` is changed. (inline_write.c) */
errcode_t e2dx_prepare_inline(const struct e2dx_dir *d,
			      const struct htree_memory *blocks, uint8_t *raw);

/* Free the memory; the space it took stays taken. */
void e2dx_replaced_free(struct e2dx_replaced *e);

/* Give the space back too. */
void e2dx_replaced_drop(struct e2dx_replacer *r, struct e2dx_replaced *e);

/*
 * Steps 2 to 5 for *e alone, after what waits; *e is freed in every case.
 * (replace.c)
 */
errcode_t e2dx_replace_now(struct e2dx_replacer *r, struct e2dx_replaced *e);

/* What keeps an inode from being changed at all. (replace.c) */
errcode_t e2dx_replace_refusal(const struct e2dx_replacer *r, ext2_ino_t ino);

/* Steps 2 to 5 for the whole queue. (steps.c) */
errcode_t e2dx_run_batch(struct e2dx_replacer *r);

/* Events, where someone listens. (convert.c) */
void e2dx_tell_failed(const struct e2dx_convert_events *v, ext2_ino_t ino,
		      errcode_t why);
void e2dx_tell_linear(const struct e2dx_convert_events *v, ext2_ino_t ino,
		      errcode_t why);
void e2dx_tell_progress(const struct e2dx_convert_events *v, uint64_t done,
			uint64_t total);

/* The fewest clusters that hold so many blocks. */
static inline uint64_t e2dx_clusters(const struct e2dx_fs *efs,
				     uint64_t blocks)
{
	uint64_t ratio = (uint64_t)EXT2FS_CLUSTER_RATIO(efs->fs);

	return (blocks + ratio - 1) / ratio;
}

#endif
