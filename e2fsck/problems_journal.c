/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The problem table: the journal and orphans. */
#include "problem_table.h"

const struct problem_family problems_journal = { NULL, 0 };
