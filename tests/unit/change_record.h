/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A backend that records what is asked of it, so that it can be cut short. */
#ifndef TESTS_CHANGE_RECORD_H
#define TESTS_CHANGE_RECORD_H

#include "htree/blocks.h"

enum record_kind { RECORD_WRITE, RECORD_RESIZE, RECORD_INDEXED, RECORD_BARRIER };

struct record_event {
	enum record_kind kind;
	uint32_t number;	/* block, or count, or flag */
	uint8_t *data;		/* one block of a write; owned */
};

struct record {
	struct htree_blocks blocks;	/* what the code under test gets */
	struct htree_memory *under;
	bool indexed;
	struct record_event *events;
	size_t n, capacity;
	uint32_t refuse;	/* resize to more than this gives NO_SPACE */
};

void record_init(struct record *r, struct htree_memory *under);
void record_clear(struct record *r);	/* forget the events */
void record_free(struct record *r);

/* Do one event to another directory; writes beyond its end are lost. */
void record_replay(const struct record_event *e, struct htree_memory *m,
		   bool *indexed);

#endif
