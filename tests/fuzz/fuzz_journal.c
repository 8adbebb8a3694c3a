/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A journal of any bytes: superblock, log and fast commits.  Whatever they
 * say, no block is read more often than a walk needs, none is written that may
 * not be, and what is replayed twice is the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "htree/crc32c.h"
#include "journal/fc.h"
#include "journal/log.h"
#include "journal/tags.h"

#define CHECK(x) do { if (!(x)) { \
	fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x); abort(); } \
} while (0)

#define BLOCK	1024u
#define LOG	32u		/* blocks of the journal */
#define FS	64u		/* blocks of the filesystem */

struct world {
	uint8_t log[LOG][BLOCK];
	uint8_t fs[FS][BLOCK];
	unsigned reads, writes;
};

static errcode_t read_block(void *ctx, uint32_t block, uint8_t *data)
{
	struct world *w = ctx;

	CHECK(block < LOG);
	w->reads++;
	memcpy(data, w->log[block], BLOCK);
	return 0;
}

static bool allowed(void *ctx, uint64_t block)
{
	(void)ctx;
	return block < FS;
}

static errcode_t write_block(void *ctx, uint64_t block, const uint8_t *data)
{
	struct world *w = ctx;

	CHECK(block < FS);
	w->writes++;
	memcpy(w->fs[block], data, BLOCK);
	return 0;
}

static void seal(const struct jnl_super *s, uint8_t *p, uint32_t at)
{
	jnl_put_be32(p + at, 0);
	jnl_put_be32(p + at, htree_crc32c(s->seed, p, BLOCK));
}

/* Right checksums where the input has few: they are not guessed. */
static void mend(struct world *w, const struct jnl_super *s)
{
	for (uint32_t i = 1; i < LOG; i++) {
		uint8_t *p = w->log[i];

		if (jnl_be32(p) != JNL_MAGIC || !jnl_has_tail(s))
			continue;
		if (jnl_be32(p + 4) == JNL_COMMIT)
			seal(s, p, JC_CSUM);
		else
			seal(s, p, BLOCK - JNL_TAIL_SIZE);
	}
}

static void make_super(struct world *w, uint8_t features, uint8_t start)
{
	static const uint32_t incompat[] = {
		0, 1, 3, 9, 11, 17, 19, 21
	};
	uint8_t *s = w->log[0];

	memset(s, 0, BLOCK);
	jnl_put_be32(s, JNL_MAGIC);
	jnl_put_be32(s + 4, features & 128 ? JNL_SUPER_V1 : JNL_SUPER_V2);
	jnl_put_be32(s + JS_BLOCK_SIZE, BLOCK);
	jnl_put_be32(s + JS_MAXLEN, LOG);
	jnl_put_be32(s + JS_FIRST, 1);
	jnl_put_be32(s + JS_SEQUENCE, 1);
	jnl_put_be32(s + JS_START, 1 + start % (LOG - 1));
	jnl_put_be32(s + JS_INCOMPAT, incompat[features & 7]);
	if ((features & 7) < 3 && features & 8)
		jnl_put_be32(s + JS_COMPAT, JNL_COMPAT_CHECKSUM);
	s[JS_CSUM_TYPE] = JS_CRC32C;
	jnl_put_be32(s + JS_CSUM, htree_crc32c(~0u, s, JNL_SUPER_SIZE));
}

/* Blocks that begin as the input says: 0 raw, else a header is put there. */
static void make_log(struct world *w, const uint8_t *data, size_t size)
{
	for (uint32_t i = 1; i < LOG && size >= 2; i++) {
		uint8_t type = data[0], sequence = data[1];
		size_t n = size - 2 < 64 ? size - 2 : 64;
		uint8_t *p = w->log[i];

		memcpy(p + (type % 8 ? JNL_HEADER_SIZE : 0), data + 2, n);
		if (type % 8) {
			jnl_put_be32(p, JNL_MAGIC);
			jnl_put_be32(p + 4, type % 8);
			jnl_put_be32(p + 8, sequence % 8);
		}
		data += 2 + n;
		size -= 2 + n;
	}
}

static void replay(struct world *w, const struct jnl_super *s)
{
	struct jnl_io io = { read_block, allowed, write_block, w };
	struct jnl_log log;
	uint8_t (*copy)[BLOCK] = malloc(sizeof(w->fs));

	CHECK(copy);
	CHECK(!jnl_log_scan(&log, s, &io));
	CHECK(!jnl_log_replay(&log));
	CHECK(w->reads <= 4 * LOG && w->writes <= LOG);
	memcpy(copy, w->fs, sizeof(w->fs));
	CHECK(!jnl_log_replay(&log));
	CHECK(!memcmp(copy, w->fs, sizeof(w->fs)));
	jnl_log_free(&log);
	free(copy);
}

/* Where they would lie in a longer journal. */
static void fast(struct world *w, struct jnl_super *s)
{
	struct jnl_io io = { read_block, allowed, write_block, w };
	struct fc_log log;

	s->fc_first = 1;
	s->fc_end = LOG;
	CHECK(!fc_scan(s, &io, 1, &log));
	for (size_t i = 0; i < log.n; i++)
		CHECK(log.v[i].at + log.v[i].len <= log.used);
	fc_free(&log);
}

/* Fast commits are one checksum: the input says where they end. */
static void make_fast(struct world *w)
{
	uint32_t crc = 0;

	for (uint32_t i = 1; i < LOG; i++) {
		uint8_t *p = w->log[i];
		uint32_t at = 0;

		while (at + 12 <= BLOCK) {
			uint32_t tag = (uint32_t)p[at] | (uint32_t)p[at + 1] << 8;
			uint32_t len = (uint32_t)p[at + 2] |
				       (uint32_t)p[at + 3] << 8;

			if (tag == FC_TAIL) {
				crc = htree_crc32c(crc, p + at, 8);
				for (int k = 0; k < 4; k++)
					p[at + 8 + k] = (uint8_t)(crc >> 8 * k);
				crc = 0;
			} else if (at + 4 + len <= BLOCK) {
				crc = htree_crc32c(crc, p + at, 4 + len);
			}
			at += 4 + len;
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct world *w = calloc(1, sizeof(*w));
	struct jnl_super s;

	CHECK(w);
	if (size < 3 || data[0] & 64) {
		/* A superblock of any bytes. */
		memcpy(w->log[0], data, size < BLOCK ? size : BLOCK);
		if (!jnl_super_load(w->log[0], BLOCK, LOG, 0, &s))
			replay(w, &s);
		free(w);
		return 0;
	}
	make_super(w, data[0], data[1]);
	CHECK(!jnl_super_load(w->log[0], BLOCK, LOG, 0, &s));
	make_log(w, data + 2, size - 2);
	if (data[0] & 16)
		mend(w, &s);
	replay(w, &s);
	if (data[0] & 32)
		make_fast(w);
	fast(w, &s);
	free(w);
	return 0;
}
