/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The problem table: connectivity and link counts. */
#include "problem_table.h"

const struct problem_family problems_link = { NULL, 0 };
