/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Directory blocks made by hand, byte by byte, with none of the library's own
 * writers, for the tests of its readers.  doc/format.md has the layouts.
 */
#ifndef TESTS_HANDMADE_H
#define TESTS_HANDMADE_H

#include "htree/verify.h"
#include "htree/walk.h"

#define HAND_NAMES	60	/* in a directory of hand_indexed() */
#define HAND_LEAF	10	/* in each of its leaves */

enum hand_kind { HAND_LEAF_BLOCK, HAND_ROOT_BLOCK, HAND_NODE_BLOCK };

struct hand_name {
	char name[32];
	uint32_t ino;
	struct dirhash hash;
};

struct hand {
	struct htree_dir dir;
	struct htree_memory m;
	uint8_t kind[64];		/* enum hand_kind, for hand_seal() */
	struct hand_name names[HAND_NAMES];	/* sorted by hash */
	/* backend that fails for one block */
	struct htree_blocks failing;
	uint32_t fail_block;
	errcode_t fail_with;
};

/* A plain directory 12 in /, filetype, 4000 inodes, half_md4; no blocks yet. */
void hand_init(struct hand *h, uint32_t block_size, bool csum);
void hand_free(struct hand *h);
void hand_resize(struct hand *h, uint32_t blocks);
uint8_t *hand_block(struct hand *h, uint32_t number);

void hand_put16(uint8_t *p, unsigned v);
void hand_put32(uint8_t *p, uint32_t v);
uint32_t hand_get32(const uint8_t *p);

/* Bytes that records have in a block. */
uint32_t hand_room(const struct hand *h);
/* Write one record; returns where the next one begins. */
uint32_t hand_record(struct hand *h, uint32_t block, uint32_t offset,
		     uint32_t ino, uint32_t rec_len, const char *name);
/* Bytes of the smallest record for this name. */
uint32_t hand_size(const struct hand *h, const char *name);
/* "." and ".." with rec_len 12 each; returns 24. */
uint32_t hand_dots(struct hand *h);
/* Records for these names (NULL ends), inodes from `ino` on, up to the end. */
void hand_fill(struct hand *h, uint32_t block, uint32_t offset, uint32_t ino,
	       const char *const *names);

/* An index table's limit and count, or entry i. */
uint8_t *hand_table(struct hand *h, uint32_t block);
void hand_limit(struct hand *h, uint32_t block, unsigned limit, unsigned count);
void hand_entry(struct hand *h, uint32_t block, unsigned i, uint32_t hash,
		uint32_t child);
/* A root or an interior node with the right limit. */
void hand_root(struct hand *h, int levels, int version, unsigned count);
void hand_node(struct hand *h, uint32_t block, unsigned count);
unsigned hand_room_entries(const struct hand *h, uint32_t block);

/* Set tails and checksums of all blocks by their kinds. */
void hand_seal(struct hand *h);

/*
 * A healthy index of HAND_NAMES names "name-00" ... in leaves of HAND_LEAF:
 * blocks 1 to 6, and for levels 1 interior nodes 7 and 8 with three leaves
 * each.
 */
void hand_indexed(struct hand *h, int levels, int version);
#define HAND_LEAVES	(HAND_NAMES / HAND_LEAF)

/* A backend that gives `with` where block `number` is read. */
struct htree_blocks *hand_failing(struct hand *h, uint32_t number,
				  errcode_t with);

/* Folding for tests: ASCII to lower case; bytes above 0x7f are not valid. */
extern const struct dirhash_fold hand_fold;

#endif
