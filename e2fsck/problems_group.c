/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The problem table: group descriptors and the metadata that they name. */
#include "problem_table.h"

const struct problem_family problems_group = { NULL, 0 };
