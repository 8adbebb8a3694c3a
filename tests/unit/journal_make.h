/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Journals made by hand in memory, block by block, and replayed there. */
#ifndef E2DX_TESTS_JOURNAL_MAKE_H
#define E2DX_TESTS_JOURNAL_MAKE_H

#include <stdlib.h>
#include <string.h>
#include "htree/crc32c.h"
#include "journal/fc.h"
#include "journal/log.h"
#include "journal/tags.h"

#define MADE_BLOCK	1024u
#define MADE_LOG	64u	/* blocks of the journal */
#define MADE_FS		512u	/* blocks of the filesystem */

struct made {
	uint8_t log[MADE_LOG][MADE_BLOCK];
	uint8_t fs[MADE_FS][MADE_BLOCK];
	struct jnl_super super;
	struct jnl_io io;
	uint32_t at;		/* next block of the log */
	uint32_t sequence;	/* of the transaction at hand */
	uint32_t crc;		/* version 1 */
	uint64_t seconds;	/* of the next commit */
	uint32_t reads;
};

static inline errcode_t made_read(void *ctx, uint32_t block, uint8_t *data)
{
	struct made *m = ctx;

	if (block >= MADE_LOG)
		return 1;
	m->reads++;
	memcpy(data, m->log[block], MADE_BLOCK);
	return 0;
}

static inline bool made_allowed(void *ctx, uint64_t block)
{
	(void)ctx;
	return block < MADE_FS;
}

static inline errcode_t made_write(void *ctx, uint64_t block,
				   const uint8_t *data)
{
	struct made *m = ctx;

	memcpy(m->fs[block], data, MADE_BLOCK);
	return 0;
}

/* An empty log that begins at `start` with transaction 10. */
static inline enum jnl_super_fault made_init(struct made *m, uint32_t compat,
					     uint32_t incompat, uint32_t start)
{
	uint8_t *s = m->log[0];

	memset(m, 0, sizeof(*m));
	jnl_put_be32(s, JNL_MAGIC);
	jnl_put_be32(s + 4, JNL_SUPER_V2);
	jnl_put_be32(s + JS_BLOCK_SIZE, MADE_BLOCK);
	jnl_put_be32(s + JS_MAXLEN, MADE_LOG);
	jnl_put_be32(s + JS_FIRST, 1);
	jnl_put_be32(s + JS_SEQUENCE, 10);
	jnl_put_be32(s + JS_START, start);
	jnl_put_be32(s + JS_COMPAT, compat);
	jnl_put_be32(s + JS_INCOMPAT, incompat);
	memset(s + JS_UUID, 0x5a, JNL_UUID_SIZE);
	if (incompat & (JNL_INCOMPAT_CSUM_V2 | JNL_INCOMPAT_CSUM_V3)) {
		s[JS_CSUM_TYPE] = JS_CRC32C;
		jnl_put_be32(s + JS_CSUM,
			     htree_crc32c(~0u, s, JNL_SUPER_SIZE));
	}
	m->at = start;
	m->sequence = 10;
	m->crc = ~0u;
	m->seconds = 1000;
	m->io = (struct jnl_io){ made_read, made_allowed, made_write, m };
	return jnl_super_load(s, MADE_BLOCK, MADE_LOG, 0, &m->super);
}

static inline uint8_t *made_next(struct made *m)
{
	uint8_t *p = m->log[m->at++];

	if (m->at == m->super.end)
		m->at = m->super.first;
	memset(p, 0, MADE_BLOCK);
	return p;
}

static inline uint8_t *made_header(struct made *m, uint32_t type)
{
	uint8_t *p = made_next(m);

	jnl_put_be32(p, JNL_MAGIC);
	jnl_put_be32(p + 4, type);
	jnl_put_be32(p + 8, m->sequence);
	return p;
}

static inline void made_seal(const struct made *m, uint8_t *p, uint32_t at)
{
	if (!jnl_has_tail(&m->super))
		return;
	jnl_put_be32(p + at, 0);
	jnl_put_be32(p + at, htree_crc32c(m->super.seed, p, MADE_BLOCK));
}

/* One tag as bytes; returns how many. */
static inline uint32_t made_tag(const struct made *m, uint8_t *p,
				uint64_t block, uint32_t flags, uint32_t csum)
{
	const struct jnl_super *s = &m->super;

	jnl_put_be32(p, (uint32_t)block);
	if (s->csum == JNL_CSUM_V3) {
		jnl_put_be32(p + 4, flags);
		jnl_put_be32(p + 8, (uint32_t)(block >> 32));
		jnl_put_be32(p + 12, csum);
	} else {
		jnl_put_be32(p + 4, csum << 16 | flags);
		if (s->wide)
			jnl_put_be32(p + 8, (uint32_t)(block >> 32));
	}
	return s->tag_size + (flags & JNL_TAG_SAME_UUID ? 0 : JNL_UUID_SIZE);
}

/*
 * A descriptor and copies: block blocks[i] becomes all `fill` + i; those with
 * `escape` begin with the magic number.  Returns the descriptor's block.
 */
static inline uint8_t *made_data(struct made *m, const uint64_t *blocks,
				 uint32_t n, uint8_t fill, bool escape)
{
	uint8_t *desc = made_header(m, JNL_DESCRIPTOR);
	uint32_t at = JNL_HEADER_SIZE;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t flags = (i ? JNL_TAG_SAME_UUID : 0) |
				 (i + 1 == n ? JNL_TAG_LAST : 0) |
				 (escape ? JNL_TAG_ESCAPED : 0);
		uint8_t *p = made_next(m);
		uint32_t csum;

		memset(p, fill + (int)i, MADE_BLOCK);
		if (escape)
			jnl_put_be32(p, 0);
		csum = jnl_has_tail(&m->super) ?
		       jnl_data_csum(&m->super, m->sequence, p) : 0;
		at += made_tag(m, desc + at, blocks[i], flags, csum);
	}
	made_seal(m, desc, MADE_BLOCK - JNL_TAIL_SIZE);
	m->crc = jnl_crc32(m->crc, desc, MADE_BLOCK);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t b = (uint32_t)((desc - m->log[0]) / MADE_BLOCK) + 1 + i;

		if (b >= m->super.end)
			b -= m->super.end - m->super.first;
		m->crc = jnl_crc32(m->crc, m->log[b], MADE_BLOCK);
	}
	return desc;
}

static inline uint8_t *made_revoke(struct made *m, uint64_t block)
{
	uint8_t *p = made_header(m, JNL_REVOKE);

	if (m->super.wide) {
		jnl_put_be32(p + JR_RECORDS, (uint32_t)(block >> 32));
		jnl_put_be32(p + JR_RECORDS + 4, (uint32_t)block);
	} else {
		jnl_put_be32(p + JR_RECORDS, (uint32_t)block);
	}
	jnl_put_be32(p + JR_COUNT, JR_RECORDS + (m->super.wide ? 8 : 4));
	made_seal(m, p, MADE_BLOCK - JNL_TAIL_SIZE);
	return p;
}

static inline uint8_t *made_commit(struct made *m)
{
	uint8_t *p = made_header(m, JNL_COMMIT);

	jnl_put_be32(p + JC_SECONDS + 4, (uint32_t)m->seconds);
	if (m->super.csum == JNL_CSUM_V1) {
		p[JC_CSUM_TYPE] = JC_CRC32;
		p[JC_CSUM_SIZE] = 4;
		jnl_put_be32(p + JC_CSUM, m->crc);
	}
	made_seal(m, p, JC_CSUM);
	m->crc = ~0u;
	m->sequence++;
	m->seconds++;
	return p;
}

#endif
