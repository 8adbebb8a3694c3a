/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Revoke records: up to which transaction a block is not to be replayed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "journal/revoke.h"

#define FREE		(~(uint64_t)0)
#define FIRST_SLOTS	256

void jnl_revokes_free(struct jnl_revokes *r)
{
	free(r->slot);
	memset(r, 0, sizeof(*r));
}

/* Every bit of the block and the key reaches every bit of the result. */
static size_t place(const struct jnl_revokes *r, uint64_t block)
{
	uint64_t x = block ^ r->key;

	x = (x ^ x >> 32) * 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 29) * (r->key | 1);
	return (size_t)(x ^ x >> 32) & r->mask;
}

/* The block's slot, or the free one where it belongs. */
static struct jnl_revoke *find(const struct jnl_revokes *r, uint64_t block)
{
	size_t at = place(r, block);

	while (r->slot[at].block != block && r->slot[at].block != FREE)
		at = (at + 1) & r->mask;
	return &r->slot[at];
}

static errcode_t grow(struct jnl_revokes *r)
{
	size_t n = r->slot ? (r->mask + 1) * 2 : FIRST_SLOTS;
	struct jnl_revokes bigger = { .mask = n - 1, .used = r->used };

	if (n > SIZE_MAX / sizeof(*r->slot))
		return ENOMEM;
	bigger.slot = malloc(n * sizeof(*r->slot));
	if (!bigger.slot)
		return ENOMEM;
	memset(bigger.slot, 0xff, n * sizeof(*r->slot));
	/* Without a random number it is only slower against an attack. */
	if (getrandom(&bigger.key, sizeof(bigger.key), GRND_NONBLOCK) !=
	    (ssize_t)sizeof(bigger.key))
		bigger.key = (uintptr_t)bigger.slot;
	for (size_t i = 0; r->slot && i <= r->mask; i++)
		if (r->slot[i].block != FREE)
			*find(&bigger, r->slot[i].block) = r->slot[i];
	free(r->slot);
	*r = bigger;
	return 0;
}

errcode_t jnl_revokes_add(struct jnl_revokes *r, uint64_t block,
			  uint32_t sequence)
{
	struct jnl_revoke *slot;
	errcode_t err;

	if (block == FREE)
		return 0;
	if (!r->slot || r->used >= r->mask / 2) {
		err = grow(r);
		if (err)
			return err;
	}
	slot = find(r, block);
	if (slot->block == FREE) {
		*slot = (struct jnl_revoke){ block, sequence };
		r->used++;
	} else if (jnl_before(slot->sequence, sequence)) {
		slot->sequence = sequence;
	}
	return 0;
}

bool jnl_revokes_test(const struct jnl_revokes *r, uint64_t block,
		      uint32_t sequence)
{
	const struct jnl_revoke *slot;

	if (!r->slot || block == FREE)
		return false;
	slot = find(r, block);
	return slot->block == block && !jnl_before(slot->sequence, sequence);
}
