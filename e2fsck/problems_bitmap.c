/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The problem table: bitmaps, counts, and blocks claimed twice. */
#include "problem_table.h"

const struct problem_family problems_bitmap = { NULL, 0 };
