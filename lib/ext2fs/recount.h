/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bitmaps and counts made anew from who owns what. */
#ifndef E2DX_RECOUNT_H
#define E2DX_RECOUNT_H

#include "ext2fs/survey.h"

/*
 * Write every bitmap that differs from what the survey found in use, or has a
 * wrong checksum or padding; then the group descriptors with their counts;
 * then the superblock's counts.  The survey's view of the bitmaps follows.
 *
 * In order, each synced before the next: the superblock is marked not valid;
 * bitmaps; descriptors; superblock, with the state that it had.  After a cut
 * between any two a bitmap is the old one or the new one, a checksum or count
 * may be wrong, and doing it again makes all of it right.
 *
 * Errors: E2DX_ET_READ_ONLY; E2DX_ET_DAMAGED where an owner is in doubt
 * (e2dx_survey_owners_known()); ENOMEM; I/O errors.
 */
errcode_t e2dx_recount(struct e2dx_fs *efs, struct e2dx_survey *s);

/* Clusters of group g; its last one may be a part. */
uint32_t e2dx_group_clusters(const struct e2dx_fs *efs, dgrp_t g);

#endif
