/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The problem table: connectivity and link counts. */
#include "problem_table.h"

/*
 * Names can be missing because a directory is damaged, which is repaired: so
 * none of these keeps directories from being rebuilt.
 */
static const struct problem_info table[] = {
{ P_LINK_NO_NAME, S_LEAVE, R_NONE, false, false,
  "no name leads to this directory; its '..' is inode %v", NULL },
{ P_LINK_LOOP, S_LEAVE, R_NONE, false, false,
  "this directory lies in itself: its names go round in a circle", NULL },
{ P_LINK_NAMES, S_LEAVE, R_NONE, false, false,
  "this directory has %v names", NULL },
{ P_LINK_UNATTACHED, S_LEAVE, R_NONE, false, false,
  "it has no name, and a link count of %v", NULL },
{ P_LINK_COUNT, S_FIX, R_NONE, true, true,
  "its link count is %v, but it has %e", "Set the link counts" },
{ P_LINK_OVERFLOW, S_LEAVE, R_NONE, false, false,
  "it has %e links, more than a filesystem without dir_nlink may have", NULL },
};

const struct problem_family problems_link = PROBLEM_FAMILY(table);
