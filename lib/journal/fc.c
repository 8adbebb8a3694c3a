/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fast commits: records of a tag, a length and a value; all little-endian. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "htree/crc32c.h"
#include "htree/ondisk.h"
#include "journal/fc.h"

#define HEADER		4	/* tag, length */
#define NAME_HEAD	8	/* parent and inode before a name */
#define INODE_LEAST	128
#define MAX_INIT	32768u	/* a longer extent is unwritten */

struct scan {
	const struct jnl_super *super;
	struct fc_log *log;
	uint32_t tid;
	uint32_t crc;
	size_t whole_n, whole_used;	/* what a sound tail has confirmed */
	bool begun;			/* the head was there */
	bool done;
};

static errcode_t keep_bytes(struct fc_log *log, const uint8_t *p, size_t len,
			    size_t *at)
{
	if (log->room - log->used < len) {
		size_t room = (log->room + len) * 2 + 4096;
		uint8_t *bytes = realloc(log->bytes, room);

		if (!bytes)
			return ENOMEM;
		log->bytes = bytes;
		log->room = room;
	}
	memcpy(log->bytes + log->used, p, len);
	*at = log->used;
	log->used += len;
	return 0;
}

static errcode_t add(struct fc_log *log, const struct fc_op *op)
{
	if (log->n == log->capacity) {
		size_t n = log->capacity ? log->capacity * 2 : 64;
		struct fc_op *v = realloc(log->v, n * sizeof(*v));

		if (!v)
			return ENOMEM;
		log->v = v;
		log->capacity = n;
	}
	log->v[log->n++] = *op;
	return 0;
}

/* The parts of a range, cut at the last logical block there may be. */
static bool load_range(const uint8_t *p, uint32_t len, struct fc_op *op)
{
	uint32_t count;

	if (len < (op->tag == FC_ADD_RANGE ? 16u : 12u))
		return false;
	op->ino = htree_le32(p);
	op->first = htree_le32(p + 4);
	count = htree_le32(p + 8);
	if (op->tag == FC_ADD_RANGE) {
		count = htree_le16(p + 8);
		op->unwritten = count > MAX_INIT;
		if (op->unwritten)
			count -= MAX_INIT;
		op->physical = (uint64_t)htree_le16(p + 10) << 32 |
			       htree_le32(p + 12);
	}
	if (count > UINT32_MAX - op->first)
		count = UINT32_MAX - op->first;
	op->count = count;
	return true;
}

static errcode_t load(struct fc_log *log, const uint8_t *p, uint32_t len,
		      struct fc_op *op, bool *good)
{
	switch (op->tag) {
	case FC_ADD_RANGE:
	case FC_DEL_RANGE:
		*good = load_range(p, len, op);
		return *good && op->count ? add(log, op) : 0;
	case FC_CREAT:
	case FC_LINK:
	case FC_UNLINK:
		*good = len > NAME_HEAD && len - NAME_HEAD <= HTREE_NAME_MAX;
		if (!*good)
			return 0;
		op->parent = htree_le32(p);
		op->ino = htree_le32(p + 4);
		op->len = len - NAME_HEAD;
		p += NAME_HEAD;
		break;
	default:
		*good = len >= 4 + INODE_LEAST;
		if (!*good)
			return 0;
		op->ino = htree_le32(p);
		op->len = len - 4;
		p += 4;
	}
	if (keep_bytes(log, p, op->len, &op->at))
		return ENOMEM;
	return add(log, op);
}

/* The end of one fast commit: what came before it counts if it is sound. */
static void load_tail(struct scan *s, const uint8_t *p, uint32_t len)
{
	uint32_t crc;

	if (len < 8 || !s->begun) {
		s->done = true;
		return;
	}
	crc = htree_crc32c(s->crc, p - HEADER, HEADER + 4);
	if (htree_le32(p) != s->tid || htree_le32(p + 4) != crc) {
		s->done = true;
		return;
	}
	s->crc = 0;
	s->whole_n = s->log->n;
	s->whole_used = s->log->used;
}

static void load_head(struct scan *s, const uint8_t *p, uint32_t len)
{
	if (len < 8 || htree_le32(p + 4) != s->tid) {
		s->done = true;
		return;
	}
	s->begun = true;
	if (!htree_le32(p))
		return;
	s->log->unknown = true;
	s->done = true;
}

static errcode_t record(struct scan *s, uint32_t tag, const uint8_t *p,
			uint32_t len)
{
	struct fc_op op = { .tag = (enum fc_tag)tag };
	bool good = true;
	errcode_t err = 0;

	if (tag == FC_TAIL) {
		load_tail(s, p, len);
		return 0;
	}
	if (tag == FC_HEAD)
		load_head(s, p, len);
	else if (!s->begun || tag < FC_ADD_RANGE || tag > FC_HEAD)
		s->done = true;
	else if (tag != FC_PAD)
		err = load(s->log, p, len, &op, &good);
	if (!good)
		s->done = true;
	s->crc = htree_crc32c(s->crc, p - HEADER, HEADER + len);
	return err;
}

static errcode_t scan_block(struct scan *s, const uint8_t *block)
{
	uint32_t at = 0, size = s->super->block_size;
	errcode_t err = 0;

	while (!err && !s->done && at + HEADER < size) {
		uint32_t tag = htree_le16(block + at);
		uint32_t len = htree_le16(block + at + 2);

		at += HEADER;
		if (len > size - at)
			s->done = true;
		else
			err = record(s, tag, block + at, len);
		at += len;
	}
	return err;
}

errcode_t fc_scan(const struct jnl_super *super, const struct jnl_io *io,
		  uint32_t tid, struct fc_log *out)
{
	struct scan s = { .super = super, .log = out, .tid = tid };
	uint8_t *block;
	errcode_t err = 0;

	memset(out, 0, sizeof(*out));
	if (super->fc_first >= super->fc_end)
		return 0;
	block = malloc(super->block_size);
	if (!block)
		return ENOMEM;
	for (uint32_t b = super->fc_first; !err && !s.done &&
	     b < super->fc_end; b++) {
		if (io->read(io->ctx, b, block))
			break;
		err = scan_block(&s, block);
	}
	out->n = s.whole_n;
	out->used = s.whole_used;
	free(block);
	return err;
}

void fc_free(struct fc_log *log)
{
	free(log->v);
	free(log->bytes);
	memset(log, 0, sizeof(*log));
}
