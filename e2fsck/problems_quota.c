/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The problem table: quota files.  Whose: see append_object(). */
#include "problem_table.h"

static const struct problem_info table[] = {
{ P_QUOTA_NUMBER, S_LOCK, R_NONE, false, false,
  "its file should be inode %v, which can be none", NULL },
{ P_QUOTA_FILE, S_LEAVE, R_NONE, false, false,
  "its file is damaged", NULL },
{ P_QUOTA_UNREADABLE, S_LEAVE, R_NONE, false, false,
  "its file cannot be read: %m", NULL },
{ P_QUOTA_SPACE, S_LEAVE, R_NONE, false, false,
  "it says that id %i has %v bytes, but that has %e", NULL },
{ P_QUOTA_INODES, S_LEAVE, R_NONE, false, false,
  "it says that id %i has %v inodes, but that has %e", NULL },
{ P_QUOTA_MISSING, S_LEAVE, R_NONE, false, false,
  "it does not have id %i, which has %e bytes", NULL },
};

const struct problem_family problems_quota = PROBLEM_FAMILY(table);
