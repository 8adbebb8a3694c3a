/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Free space as two flat bit arrays: a cluster is free where neither its owner
 * map nor the block bitmap says otherwise.  Knows no I/O.
 */
#ifndef E2DX_ALLOC_H
#define E2DX_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <et/com_err.h>

/* Clusters that follow one another. */
struct e2dx_piece {
	uint64_t first, count;	/* clusters, or blocks where that is said */
};

struct e2dx_pieces {
	struct e2dx_piece *v;
	size_t n, capacity;
};

void e2dx_pieces_init(struct e2dx_pieces *p);
void e2dx_pieces_free(struct e2dx_pieces *p);

/* Append; a piece that goes on where the last one ended is joined to it. */
errcode_t e2dx_pieces_add(struct e2dx_pieces *p, uint64_t first,
			  uint64_t count);

/* Sort by position and join what touches or overlaps. */
void e2dx_pieces_merge(struct e2dx_pieces *p);

/* The sum of all counts. */
uint64_t e2dx_pieces_total(const struct e2dx_pieces *p);

struct e2dx_space {
	uint64_t *owned, *bitmap;	/* bit per cluster; not owned by this */
	uint64_t base;		/* index of group 0's first cluster */
	uint64_t end;		/* index behind the last cluster */
	uint64_t per_group;	/* clusters of a group */
	uint32_t groups;
	uint64_t free;		/* clusters free in both arrays */
	uint64_t *longest;	/* per group: no free run is longer than this */
	uint8_t *lazy;		/* per group: its bitmap is not initialised */
};

/*
 * Count what is free.  The arrays stay the caller's, and must not be changed
 * behind its back.  `lazy` starts all clear and is the caller's to fill.
 * ENOMEM.  End with e2dx_space_done().
 */
errcode_t e2dx_space_init(struct e2dx_space *s, uint64_t *owned,
			  uint64_t *bitmap, uint64_t base, uint64_t end,
			  uint64_t per_group);
void e2dx_space_done(struct e2dx_space *s);

/* The clusters of a group: [*first, *end). */
void e2dx_space_range(const struct e2dx_space *s, uint32_t group,
		      uint64_t *first, uint64_t *end);

/*
 * Take n clusters below `limit`: the first run that is long enough, looking
 * from group `goal` on; where none is, the longest pieces first.  Groups whose
 * bitmap is not initialised are used only where the others have no such run.
 * *out is empty before; both bits of what it gets are set.  E2DX_ET_NO_SPACE,
 * ENOMEM: then nothing was taken and *out is empty.
 */
errcode_t e2dx_space_take(struct e2dx_space *s, uint32_t goal, uint64_t n,
			  uint64_t limit, struct e2dx_pieces *out);

/* Give pieces back: both bits cleared. */
void e2dx_space_give(struct e2dx_space *s, const struct e2dx_pieces *p);

/* Set groups[g] for each group that a piece lies in. */
void e2dx_space_touched(const struct e2dx_space *s,
			const struct e2dx_pieces *p, uint8_t *groups);

#endif
