/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The problem table: group descriptors and the metadata that they name. */
#include "problem_table.h"

static const struct problem_info table[] = {
{ P_GROUP_BLOCK_BITMAP, S_LOCK, R_NONE, false, false,
  "its block bitmap is said to lie at block %v, which cannot be", NULL },
{ P_GROUP_INODE_BITMAP, S_LOCK, R_NONE, false, false,
  "its inode bitmap is said to lie at block %v, which cannot be", NULL },
{ P_GROUP_INODE_TABLE, S_LOCK, R_NONE, false, false,
  "its inode table is said to begin at block %v, which cannot be", NULL },
{ P_GROUP_CHECKSUM, S_LOCK, R_NONE, false, false,
  "wrong checksum of its descriptor (%v, expected %e)", NULL },
{ P_GROUP_UNUSED, S_LOCK, R_NONE, false, false,
  "%v inodes at the end of its table are said to be unused, of %e that are free",
  NULL },
{ P_GROUP_LAST, S_LOCK, R_NONE, false, false,
  "its block bitmap is marked as not initialised, in the last group", NULL },
{ P_GROUP_UNINIT_PLAIN, S_NOTE, R_NONE, false, false,
  "parts are marked as not initialised, which means nothing without checksums of descriptors",
  NULL },
{ P_GROUP_RESIZE_INODE, S_LOCK, R_NONE, false, false,
  "the resize inode (7) does not hold the blocks that are kept for group descriptors",
  NULL },
{ P_GROUP_RESIZE_IDLE, S_NOTE, R_NONE, false, false,
  "the resize inode (7) holds blocks without the feature resize_inode", NULL },
{ P_GROUP_MMP_MAGIC, S_LOCK, R_NONE, false, false,
  "the block of multiple mount protection has no magic number", NULL },
{ P_GROUP_MMP_CSUM, S_LOCK, R_NONE, false, false,
  "wrong checksum of the block of multiple mount protection", NULL },
};

const struct problem_family problems_group = PROBLEM_FAMILY(table);
