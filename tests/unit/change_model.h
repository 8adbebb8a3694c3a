/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A directory that changes, beside a plain set of what should be in it. */
#ifndef TESTS_CHANGE_MODEL_H
#define TESTS_CHANGE_MODEL_H

#include <check.h>
#include "htree/change.h"
#include "htree/verify.h"
#include "htree/walk.h"

/* Check tells its parent of every assertion that holds, with a write; these
   are said millions of times. */
#define must(x) do { if (!(x)) ck_abort_msg("%s", #x); } while (0)

#define MODEL_CASEFOLD		1
#define MODEL_STORED		2	/* encrypted too: hashes in the entries */
#define MODEL_COLLIDE		4	/* half of all names share their hash */
#define MODEL_LINEAR		8	/* the filesystem has no dir_index */
#define MODEL_NO_FILETYPE	16
#define MODEL_UNSIGNED		32

struct model_kind {
	int version;
	uint32_t block_size;
	bool csum;
	int max_indirect;
	uint32_t names;		/* that may exist */
	uint32_t length;	/* of the longest name */
	unsigned flags;
};

struct model {
	const struct model_kind *kind;
	struct htree_dir dir;
	struct htree_memory m;
	struct htree_blocks *b;	/* what is changed: &m.blocks unless set */
	uint8_t *buffer;
	uint64_t random;
	uint32_t *ino;		/* of each name; 0: it is not there */
	uint32_t present;
	uint32_t turn;		/* operations until growing or shrinking */
	bool growing;
	enum htree_shrink how;
	/* names seen by model_check() */
	uint8_t *seen;
	uint64_t entries;
};

void model_init(struct model *m, const struct model_kind *kind, uint64_t seed);
void model_free(struct model *m);

uint32_t model_random(struct model *m, uint32_t below);

/* Name i, its length, and the entry for it (name in *name). */
size_t model_name(const struct model *m, uint32_t i, uint8_t name[256]);
struct htree_dirent model_entry(const struct model *m, uint32_t i,
				uint8_t name[256]);
/* The number of a name, however it is spelled. */
uint32_t model_number(const struct model *m, const uint8_t *name);

void model_insert(struct model *m, uint32_t i);
void model_remove(struct model *m, uint32_t i);
void model_lookup(struct model *m, uint32_t i);
/* One random operation; more insertions and more removals take turns. */
void model_step(struct model *m);
/* The directory is sound and has exactly the names of the set. */
void model_check(struct model *m);
/* Remove all names. */
void model_empty(struct model *m);

#endif
