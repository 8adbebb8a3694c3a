/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The problem table: extended attributes and quota. */
#include "problem_table.h"

const struct problem_family problems_xattr = { NULL, 0 };
