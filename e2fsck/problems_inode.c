/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The problem table: inodes and their block maps. */
#include "problem_table.h"

const struct problem_family problems_inode = { NULL, 0 };
