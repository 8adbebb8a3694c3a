/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Backup superblocks, found without the primary; descriptors beside them. */
#ifndef E2DX_FINDSUPER_H
#define E2DX_FINDSUPER_H

#include "ext2fs/fs.h"

struct e2dx_copy {
	unsigned long long block;	/* in blocks of block_size bytes */
	unsigned block_size;
};

/*
 * Find a backup superblock: at the places that follow from the primary's own
 * fields, as far as they can be, then at those that mke2fs uses, then by
 * looking at every KiB of the first FINDSUPER_SCAN bytes.  A copy counts
 * where its checksum and geometry are right and it lies where its own fields
 * put one.  One with the primary's UUID goes before any other.
 * E2DX_ET_NOT_FOUND; errors of opening the device.
 */
#define FINDSUPER_SCAN	(160u << 20)	/* a group of 32768 4 KiB blocks, and some */
errcode_t e2dx_find_backup(const char *device, struct e2dx_copy *out);

/*
 * Do all descriptors name places in the filesystem, and without flex_bg in
 * their own group, that hold neither the superblock nor the descriptors?
 */
bool e2dx_descs_plausible(const struct e2dx_fs *efs);

/* Have all descriptors right checksums?  Yes where there are none. */
bool e2dx_descs_summed(const struct e2dx_fs *efs);

/*
 * A filesystem was opened by a backup: take the primary descriptors, which
 * are newer, where those are plausible and have right checksums.  Returns
 * whether it did; I/O errors count as no.
 */
bool e2dx_descs_use_primary(struct e2dx_fs *efs);

/* Where one of a group's three pieces may begin. */
enum e2dx_piece { E2DX_BLOCK_BITMAP, E2DX_INODE_BITMAP, E2DX_INODE_TABLE };

/* The block that group g's descriptor has for it. */
uint64_t e2dx_piece_at(const struct e2dx_fs *efs, dgrp_t g,
		       enum e2dx_piece piece);

/* How many blocks it takes. */
uint64_t e2dx_piece_blocks(const struct e2dx_fs *efs, enum e2dx_piece piece);

/* Does it lie in the filesystem, and without flex_bg in its own group? */
bool e2dx_piece_in_place(const struct e2dx_fs *efs, dgrp_t g,
			 enum e2dx_piece piece);

/*
 * Does it lie on what group 0 begins with: superblock and descriptors?  Other
 * overlaps need all groups at once, see survey_fixed.c.
 */
bool e2dx_piece_on_head(const struct e2dx_fs *efs, dgrp_t g,
			enum e2dx_piece piece);

#endif
