/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tags of a descriptor block, one for each block that follows it. */
#ifndef E2DX_JOURNAL_TAGS_H
#define E2DX_JOURNAL_TAGS_H

#include "htree/crc32c.h"
#include "journal/super.h"

struct jnl_tag {
	uint64_t block;		/* of the filesystem */
	uint32_t flags;		/* JNL_TAG_* */
	uint32_t csum;		/* of the copy; as wide as the version has it */
};

struct jnl_tags {
	const struct jnl_super *super;
	const uint8_t *block;
	uint32_t at;		/* byte of the next tag */
	bool last;
};

/* Does the journal keep a checksum at the end of descriptor and revoke blocks? */
static inline bool jnl_has_tail(const struct jnl_super *s)
{
	return s->csum == JNL_CSUM_V2 || s->csum == JNL_CSUM_V3;
}

/* Bytes of such a block that its contents may use. */
static inline uint32_t jnl_room(const struct jnl_super *s)
{
	return s->block_size - (jnl_has_tail(s) ? JNL_TAIL_SIZE : 0);
}

static inline void jnl_tags_begin(struct jnl_tags *t,
				  const struct jnl_super *super,
				  const uint8_t *block)
{
	*t = (struct jnl_tags){ super, block, JNL_HEADER_SIZE, false };
}

static inline bool jnl_tags_next(struct jnl_tags *t, struct jnl_tag *tag)
{
	const struct jnl_super *s = t->super;
	const uint8_t *p = t->block + t->at;

	if (t->last || t->at + s->tag_size > jnl_room(s))
		return false;
	tag->block = jnl_be32(p);
	if (s->csum == JNL_CSUM_V3) {
		tag->flags = jnl_be32(p + 4);
		tag->csum = jnl_be32(p + 12);
	} else {
		tag->csum = jnl_be16(p + 4);
		tag->flags = jnl_be16(p + 6);
	}
	if (s->wide)
		tag->block |= (uint64_t)jnl_be32(p + 8) << 32;
	t->at += s->tag_size;
	if (!(tag->flags & JNL_TAG_SAME_UUID))
		t->at += JNL_UUID_SIZE;
	t->last = tag->flags & JNL_TAG_LAST;
	return true;
}

/* Is the checksum of a descriptor or revoke block right, or is there none? */
bool jnl_tail_ok(const struct jnl_super *s, const uint8_t *block);

/* The checksum of a block's copy, as it stands in the log, for its tag. */
uint32_t jnl_data_csum(const struct jnl_super *s, uint32_t sequence,
		       const uint8_t *data);

/* Is a commit block's checksum right (v2 and v3), or is there none? */
bool jnl_commit_ok(const struct jnl_super *s, const uint8_t *block);

/*
 * Continue the CRC-32 of version 1, most significant bit first, over a block.
 * It begins with ~0.
 */
uint32_t jnl_crc32(uint32_t crc, const uint8_t *data, uint32_t size);

#endif
