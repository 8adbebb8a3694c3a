/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entries to build directories from, and what is built, read back. */
#ifndef TESTS_BUILD_FIXTURE_H
#define TESTS_BUILD_FIXTURE_H

#include "htree/build.h"
#include "htree_reader.h"
#include "suite.h"

#define BUILD_PARENT	77

/* For loops over many entries: Check writes to a pipe at every assertion. */
#define EXPECT(c)	do { if (!(c)) ck_abort_msg("%s", #c); } while (0)

/* A directory with checksums and types, half_md4 by default. */
struct htree_dir a_dir(uint32_t block_size);

/* Encrypted and casefolded: entries have their hashes. */
void store_hashes(struct htree_dir *d);

/* i: block size 1024 << i / 8; bits of i: the three features. */
struct htree_dir matrix_dir(int i);

/* Entry i: a number, filled up with '-' to `len` bytes. */
void add(struct htree_entries *e, size_t i, size_t len, uint32_t hash);

/* n entries, hashes 4 apart, in an order of their own. */
void fill(struct htree_entries *e, size_t n, size_t len);

/* All of *e are in *r, each once, with inode, type and stored hash. */
void check_entries(const struct htree_dir *d, struct htree_entries *e,
		   struct reading *r);

/* Build, read back, compare.  The reading is the caller's to free. */
void build_as(const struct htree_dir *d, struct htree_entries *e,
	      const struct htree_build_options *o,
	      struct htree_build_result *res, struct reading *r);

/* The same with an index of this version, below BUILD_PARENT. */
void build(const struct htree_dir *d, struct htree_entries *e, int version,
	   struct htree_build_result *res, struct reading *r);

/* What htree_build() says, its result thrown away. */
errcode_t build_error(const struct htree_dir *d, struct htree_entries *e,
		      int version);

#endif
