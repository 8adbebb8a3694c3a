/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The problem table: superblock, and ownership as a whole. */
#include "problem_table.h"

static const struct problem_info table[] = {
{ P_SUPER_HASH_HOLE, S_FIX, R_NONE, true, true,
  "the default hash is %v, which stands for callers only and never on disk",
  "Make it %e" },
{ P_SUPER_HASH_UNKNOWN, S_FIX, R_NONE, true, true,
  "the default hash is %v, which is not known", "Make it half_md4" },
{ P_SUPER_BACKUP_HASH, S_FIX, R_NONE, true, true,
  "the backup superblock at block %b has the default hash %v, which may not stand there",
  "Write the primary's to every copy" },
{ P_SUPER_CHECKSUM, S_FIX, R_NONE, true, true,
  "wrong checksum of the superblock, in which nothing else is wrong",
  "Set the checksum" },
{ P_SUPER_DIFFERS, S_LOCK, R_NONE, false, false,
  "wrong checksum of the superblock, which differs from its backup at block %b (try -b)",
  NULL },

{ P_OWN_SHARED, S_LOCK, R_NONE, false, false,
  "%v clusters are claimed twice, the first at block %b", NULL },
{ P_OWN_SHARED_INODE, S_LOCK, R_NONE, false, false,
  "it has a block that something else has too", NULL },
{ P_OWN_INODE_BAD, S_LEAVE, R_NONE, false, false,
  "its block map, type or checksum is wrong", NULL },
{ P_OWN_BITMAPS, S_LOCK, R_NONE, false, false,
  "%v bitmaps cannot be read", NULL },
{ P_OWN_TABLES, S_LOCK, R_NONE, false, false,
  "the inode tables of %v groups cannot be read", NULL },
{ P_OWN_DESCRIPTORS, S_LOCK, R_NONE, false, false,
  "%v group descriptors have a wrong checksum", NULL },
{ P_OWN_SHORT, S_LOCK, R_NONE, false, false,
  "the device ends before the filesystem does", NULL },
{ P_OWN_NO_ROOT, S_LOCK, R_NONE, false, false,
  "the root is no directory in use, or its group descriptor excludes it",
  NULL },
};

const struct problem_family problems_super = PROBLEM_FAMILY(table);
