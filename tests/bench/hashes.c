/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hashes that the benches compare: ours, CRC-32C, xxHash, lookup3. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench/hashes.h"
#include "dirhash/algorithm.h"
#include "htree/crc32c.h"
#include "htree/crc32c_variants.h"

#define HASHES_MAX	16

static uint64_t crc_chosen(const uint8_t *p, size_t len)
{
	return htree_crc32c(~0u, p, len);
}

static uint64_t crc_table(const uint8_t *p, size_t len)
{
	return htree_crc32c_table(~0u, p, len);
}

/* One chain of the CPU's instruction: what libext2fs' users could have. */
static uint64_t crc_one_stream(const uint8_t *p, size_t len)
{
	static htree_crc32c_function *one;

	if (!one) {
		struct htree_crc32c_variant v[HTREE_CRC32C_VARIANTS];

		one = htree_crc32c_table;
		htree_crc32c_usable(v);
		for (int i = 0; v[i].function; i++)
			if (!strcmp(v[i].name, "sse4.2"))
				one = v[i].function;
	}
	return one(~0u, p, len);
}

/* ---- Bob Jenkins' lookup3 (2006, public domain), hashword(); in Linux jhash2 */

static inline uint32_t rotate(uint32_t v, unsigned n)
{
	return v << n | v >> (32 - n);
}

static inline uint32_t word(const uint8_t *p)
{
	uint32_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

struct three {
	uint32_t a, b, c;
};

static inline void mix(struct three *t)
{
	t->a = (t->a - t->c) ^ rotate(t->c, 4);
	t->c += t->b;
	t->b = (t->b - t->a) ^ rotate(t->a, 6);
	t->a += t->c;
	t->c = (t->c - t->b) ^ rotate(t->b, 8);
	t->b += t->a;
	t->a = (t->a - t->c) ^ rotate(t->c, 16);
	t->c += t->b;
	t->b = (t->b - t->a) ^ rotate(t->a, 19);
	t->a += t->c;
	t->c = (t->c - t->b) ^ rotate(t->b, 4);
	t->b += t->a;
}

static inline uint32_t final(struct three *t)
{
	t->c = (t->c ^ t->b) - rotate(t->b, 14);
	t->a = (t->a ^ t->c) - rotate(t->c, 11);
	t->b = (t->b ^ t->a) - rotate(t->a, 25);
	t->c = (t->c ^ t->b) - rotate(t->b, 16);
	t->a = (t->a ^ t->c) - rotate(t->c, 4);
	t->b = (t->b ^ t->a) - rotate(t->a, 14);
	t->c = (t->c ^ t->b) - rotate(t->b, 24);
	return t->c;
}

/* It takes whole words: the last one is filled up with zeros. */
static uint64_t jhash2(const uint8_t *p, size_t len)
{
	uint8_t last[12] = { 0 };
	size_t words = (len + 3) / 4;
	uint32_t start = 0xdeadbeef + ((uint32_t)words << 2);
	struct three t = { start, start, start };

	for (; words > 3; words -= 3, p += 12, len -= 12) {
		t.a += word(p);
		t.b += word(p + 4);
		t.c += word(p + 8);
		mix(&t);
	}
	if (!words)
		return t.c;
	memcpy(last, p, len);
	t.a += word(last);
	t.b += word(last + 4);
	t.c += word(last + 8);
	return final(&t);
}

/* ---- all */

static const struct bench_hash ours[] = {
	{ "legacy", DIRHASH_LEGACY, NULL },
	{ "half_md4", DIRHASH_HALF_MD4, NULL },
	{ "tea", DIRHASH_TEA, NULL },
	{ "siphash", DIRHASH_SIPHASH, NULL },
	{ "crc32c", -1, crc_chosen },
	{ "crc32c, 1 stream", -1, crc_one_stream },
	{ "crc32c, table", -1, crc_table },
	{ "jhash2", -1, jhash2 },
	{ NULL, -1, NULL }
};

const struct bench_hash *bench_hashes(void)
{
	static struct bench_hash all[HASHES_MAX];
	size_t n = 0;

	for (const struct bench_hash *h = ours; h->name; h++)
		all[n++] = *h;
	for (const struct bench_hash *h = bench_xxh; h->name; h++)
		all[n++] = *h;
	all[n].name = NULL;
	return all;
}

uint64_t bench_hash_one(const struct bench_hash *h, const uint8_t *p,
			size_t len)
{
	static struct dirhasher hasher = { .version = -1 };
	struct dirhash d;

	if (h->version < 0)
		return h->one(p, len);
	if (hasher.version != h->version)
		dirhasher_init(&hasher, h->version, NULL, NULL);
	if (len > DIRHASH_NAME_MAX)
		dirhash_bytes(&hasher, p, len, &d);
	else
		dirhash_name(&hasher, p, len, &d);
	return (uint64_t)d.hash << 32 | d.minor_hash;
}

uint32_t bench_hash_major(const struct bench_hash *h, const uint8_t *p,
			  size_t len)
{
	uint64_t v = bench_hash_one(h, p, len);

	/* The index has no use for bit 0. */
	return (uint32_t)(h->version < 0 ? v : v >> 32) & ~1u;
}
