/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A journal's superblock, from bytes to validated values and back. */
#include <string.h>
#include "htree/crc32c.h"
#include "journal/super.h"

static uint32_t checksum(const uint8_t *raw)
{
	static const uint8_t zero[4];
	uint32_t crc = htree_crc32c(~0u, raw, JS_CSUM);

	crc = htree_crc32c(crc, zero, sizeof(zero));
	return htree_crc32c(crc, raw + JS_CSUM + 4,
			    JNL_SUPER_SIZE - JS_CSUM - 4);
}

static bool has_checksum(const struct jnl_super *s)
{
	return s->csum == JNL_CSUM_V2 || s->csum == JNL_CSUM_V3;
}

/*
 * A tag is block, checksum, flags and the upper half of the block.  Linux
 * gives it two bytes more with version 2 than it then uses.
 */
static uint32_t tag_size(const struct jnl_super *s)
{
	if (s->csum == JNL_CSUM_V3)
		return 16;
	return (s->wide ? 12 : 8) + (s->csum == JNL_CSUM_V2 ? 2 : 0);
}

static enum jnl_super_fault load_features(struct jnl_super *s)
{
	uint32_t compat = jnl_be32(s->raw + JS_COMPAT);
	uint32_t in = jnl_be32(s->raw + JS_INCOMPAT);

	if (in & ~JNL_INCOMPAT_KNOWN)
		return JNL_SUPER_INCOMPAT;
	if (jnl_be32(s->raw + JS_RO_COMPAT))
		return JNL_SUPER_RO_COMPAT;
	s->revoke = in & JNL_INCOMPAT_REVOKE;
	s->wide = in & JNL_INCOMPAT_64BIT;
	s->async = in & JNL_INCOMPAT_ASYNC;
	s->fast = in & JNL_INCOMPAT_FAST;
	if (in & JNL_INCOMPAT_CSUM_V3)
		s->csum = JNL_CSUM_V3;
	else if (in & JNL_INCOMPAT_CSUM_V2)
		s->csum = JNL_CSUM_V2;
	else if (compat & JNL_COMPAT_CHECKSUM)
		s->csum = JNL_CSUM_V1;
	if ((in & JNL_INCOMPAT_CSUM_V3) && (in & JNL_INCOMPAT_CSUM_V2))
		return JNL_SUPER_GEOMETRY;
	if (has_checksum(s) && (compat & JNL_COMPAT_CHECKSUM))
		return JNL_SUPER_GEOMETRY;
	s->users = jnl_be32(s->raw + JS_USERS_COUNT);
	if (!has_checksum(s))
		return JNL_SUPER_OK;
	if (s->raw[JS_CSUM_TYPE] != JS_CRC32C)
		return JNL_SUPER_GEOMETRY;
	if (jnl_be32(s->raw + JS_CSUM) != checksum(s->raw))
		return JNL_SUPER_CHECKSUM;
	s->seed = htree_crc32c(~0u, s->raw + JS_UUID, JNL_UUID_SIZE);
	return JNL_SUPER_OK;
}

/* The last blocks are for fast commits; the first of them is left unused. */
static bool divide(struct jnl_super *s)
{
	uint32_t fc = jnl_be32(s->raw + JS_FC_BLOCKS);

	s->end = s->maxlen;
	if (!s->fast)
		return true;
	if (!fc)
		fc = JNL_FC_DEFAULT;
	if (fc >= s->maxlen || s->maxlen - fc < JNL_MIN_BLOCKS)
		return false;
	s->end = s->maxlen - fc;
	s->fc_first = s->end + 1;
	s->fc_end = s->maxlen;
	return true;
}

static enum jnl_super_fault load_geometry(struct jnl_super *s,
					  uint32_t block_size, uint64_t blocks,
					  uint32_t base)
{
	s->block_size = jnl_be32(s->raw + JS_BLOCK_SIZE);
	s->maxlen = jnl_be32(s->raw + JS_MAXLEN);
	s->first = jnl_be32(s->raw + JS_FIRST);
	s->sequence = jnl_be32(s->raw + JS_SEQUENCE);
	s->start = jnl_be32(s->raw + JS_START);
	s->error = jnl_be32(s->raw + JS_ERRNO);
	if (s->block_size != block_size)
		return JNL_SUPER_GEOMETRY;
	if (s->maxlen > blocks)
		return JNL_SUPER_SHORT;
	if (s->first <= base || s->first >= s->maxlen || !divide(s) ||
	    s->first >= s->end)
		return JNL_SUPER_GEOMETRY;
	if (s->start && (s->start < s->first || s->start >= s->end))
		return JNL_SUPER_GEOMETRY;
	return JNL_SUPER_OK;
}

enum jnl_super_fault jnl_super_load(const uint8_t *raw, uint32_t block_size,
				    uint64_t blocks, uint32_t base,
				    struct jnl_super *out)
{
	enum jnl_super_fault fault = JNL_SUPER_OK;
	uint32_t type = jnl_be32(raw + 4);

	memset(out, 0, sizeof(*out));
	memcpy(out->raw, raw, sizeof(out->raw));
	if (jnl_be32(raw) != JNL_MAGIC)
		return JNL_SUPER_MAGIC;
	if (type != JNL_SUPER_V1 && type != JNL_SUPER_V2)
		return JNL_SUPER_VERSION;
	/* Version 1 knows no features, whatever stands in their place. */
	if (type == JNL_SUPER_V2)
		fault = load_features(out);
	if (!fault)
		fault = load_geometry(out, block_size, blocks, base);
	out->tag_size = tag_size(out);
	return fault;
}

void jnl_super_empty(struct jnl_super *s, uint32_t sequence)
{
	s->start = 0;
	s->sequence = sequence;
	s->error = 0;
	jnl_put_be32(s->raw + JS_START, 0);
	jnl_put_be32(s->raw + JS_SEQUENCE, sequence);
	jnl_put_be32(s->raw + JS_ERRNO, 0);
	if (has_checksum(s))
		jnl_put_be32(s->raw + JS_CSUM, checksum(s->raw));
}

bool jnl_super_has_user(const struct jnl_super *s, const uint8_t *uuid)
{
	uint32_t n = s->users < JS_USERS_MAX ? s->users : JS_USERS_MAX;

	for (uint32_t i = 0; i < n; i++)
		if (!memcmp(s->raw + JS_USERS + (size_t)i * JNL_UUID_SIZE, uuid,
			    JNL_UUID_SIZE))
			return true;
	return false;
}
