/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between the files that release orphans. */
#ifndef E2DX_JOURNAL_ORPHAN_PRIV_H
#define E2DX_JOURNAL_ORPHAN_PRIV_H

#include "ext2fs/alloc.h"
#include "ext2fs/inode_write.h"
#include "ext2fs/map.h"
#include "journal/orphan.h"

/* What the owners of one inode no longer have. */
struct quota_change {
	uint32_t id[3];		/* user, group, project */
	uint64_t inodes, space;	/* space in bytes */
};

/* What becomes free. */
struct release {
	struct e2dx_fs *efs;
	const struct orphans *orphans;
	struct e2dx_pieces freed;	/* clusters */
	struct orphan *gone;		/* inodes that become free; owned */
	size_t n_gone, capacity;
	struct quota_change *quota;	/* owned; none without the feature */
	size_t n_quota;
	uint8_t *groups;		/* per group: a bitmap of it changes */
};

/* Add one to the inodes that become free.  ENOMEM. */
errcode_t release_add(struct release *r, struct orphan o);

/* ---- orphan_map.c: the blocks of one inode */

/* The clusters that an inode's map has, added to *out.  E2DX_ET_MAP_DAMAGED. */
errcode_t orphan_clusters(struct e2dx_fs *efs, ext2_ino_t ino,
			  const struct ext2_inode_large *inode,
			  struct e2dx_pieces *out);

/*
 * Make the map in `raw` end before logical block `end`; mapping blocks that
 * stay in part are written, `raw` is not.  The map was walked before, and is sound.
 */
errcode_t orphan_truncate(struct e2dx_fs *efs, ext2_ino_t ino, uint8_t *raw,
			  uint64_t end);

/* Zero what follows byte `size` in its block, if there is such a block. */
errcode_t orphan_zero_tail(struct e2dx_fs *efs, ext2_ino_t ino,
			   const struct ext2_inode_large *inode, uint64_t size);

/* ---- orphan_xattr.c: attributes of an inode that goes */

/*
 * One reference less to the block of attributes that this inode had, and to
 * the inodes of values; those that lose their last one are freed too.
 * `raw`: the inode as it was.
 */
errcode_t orphan_drop_xattrs(struct release *r, const uint8_t *raw);

/* ---- orphan_quota.c */

/* Note what an inode's owners lose between these two states of it.  ENOMEM. */
errcode_t orphan_quota_note(struct release *r, const uint8_t *old,
			    const uint8_t *raw);

/* Take it from the quota files; synced. */
errcode_t orphan_quota_apply(struct release *r);

/* ---- orphan_free.c: bitmaps */

/*
 * Can the bitmaps and descriptors of the groups in r->groups be believed?
 * E2DX_ET_CHECKSUM, E2DX_ET_DAMAGED; I/O errors.
 */
errcode_t release_check_groups(struct release *r);

/* Clear the bits in r->freed and r->gone, descriptors in step; synced. */
errcode_t release_bits(struct release *r);

#endif
