/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of htree_verify share: one directory, and what is told of it. */
#ifndef TESTS_EXPECT_H
#define TESTS_EXPECT_H

#include "handmade.h"

extern struct hand h;

struct seen {
	unsigned code[HTREE_FINDING_MAX];
	struct htree_finding last;	/* without its name */
	unsigned entries, dots;
	unsigned name[HAND_NAMES];	/* how often "name-NN" was given */
};

extern const struct htree_verify_ops seen_ops;	/* ctx: struct seen */

struct htree_verify_result verify(struct htree_blocks *b, struct seen *s);

/* Just these findings (0 ends the list), however often each. */
void expect_on(struct htree_blocks *b, const int *codes);
#define EXPECT(...) expect_on(&h.m.blocks, (const int []){ __VA_ARGS__, 0 })
#define HEALTHY() expect_on(&h.m.blocks, (const int []){ 0 })

/* All HAND_NAMES names are given, each once. */
void all_names(void);

/* Five names in two blocks. */
void linear(bool csum);
/* hand_indexed() with half_md4 and blocks of 1024 bytes. */
void indexed(bool csum, int levels);

#endif
