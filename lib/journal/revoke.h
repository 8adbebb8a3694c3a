/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Revoke records: up to which transaction a block is not to be replayed. */
#ifndef E2DX_JOURNAL_REVOKE_H
#define E2DX_JOURNAL_REVOKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <et/com_err.h>

struct jnl_revoke {
	uint64_t block;		/* ~0: a free slot */
	uint32_t sequence;
};

/* An open hash table that grows with what it holds. */
struct jnl_revokes {
	struct jnl_revoke *slot;	/* owned */
	size_t mask, used;
	uint64_t key;		/* secret, so that nobody makes them collide */
};

/* Zeroed memory is an empty table too; end with jnl_revokes_free(). */
void jnl_revokes_free(struct jnl_revokes *r);

/* The block is revoked up to this transaction, or a later one.  ENOMEM. */
errcode_t jnl_revokes_add(struct jnl_revokes *r, uint64_t block,
			  uint32_t sequence);

/* Is the block's copy in this transaction revoked? */
bool jnl_revokes_test(const struct jnl_revokes *r, uint64_t block,
		      uint32_t sequence);

/* a comes before b; numbers wrap around. */
static inline bool jnl_before(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

#endif
