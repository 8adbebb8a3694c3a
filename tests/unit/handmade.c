/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directory blocks made by hand. */
#include "handmade.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void need(bool ok)
{
	if (!ok) {
		fprintf(stderr, "handmade: cannot make the block\n");
		abort();
	}
}

void hand_put16(uint8_t *p, unsigned v)
{
	p[0] = (uint8_t)(v & 0xff);
	p[1] = (uint8_t)(v >> 8 & 0xff);
}

void hand_put32(uint8_t *p, uint32_t v)
{
	hand_put16(p, v & 0xffff);
	hand_put16(p + 2, v >> 16);
}

uint32_t hand_get32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
		(uint32_t)p[3] << 24;
}

void hand_init(struct hand *h, uint32_t block_size, bool csum)
{
	memset(h, 0, sizeof(*h));
	h->dir.ino = 12;
	h->dir.inodes_count = 4000;
	h->dir.csum_seed = 0x12345678;
	h->dir.block_size = block_size;
	h->dir.metadata_csum = csum;
	h->dir.filetype = true;
	h->dir.dir_index = true;
	h->dir.max_indirect = 1;
	h->dir.default_version = DIRHASH_HALF_MD4;
	memset(h->dir.seed, 0xa5, sizeof(h->dir.seed));
	htree_memory_init(&h->m, block_size);
}

void hand_free(struct hand *h)
{
	htree_memory_free(&h->m);
}

void hand_resize(struct hand *h, uint32_t blocks)
{
	need(blocks <= sizeof(h->kind));
	need(!htree_blocks_resize(&h->m.blocks, blocks));
}

uint8_t *hand_block(struct hand *h, uint32_t number)
{
	need(number < h->m.blocks.count);
	return h->m.data + (size_t)number * h->dir.block_size;
}

uint32_t hand_room(const struct hand *h)
{
	return h->dir.block_size - (h->dir.metadata_csum ? 12 : 0);
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

uint32_t hand_size(const struct hand *h, const char *name)
{
	uint32_t size = (8 + (uint32_t)strlen(name) + 3) / 4 * 4;

	if (h->dir.encrypted && h->dir.casefold && !is_dots(name))
		size += 8;
	return size;
}

uint32_t hand_record(struct hand *h, uint32_t block, uint32_t offset,
		     uint32_t ino, uint32_t rec_len, const char *name)
{
	uint8_t *p = hand_block(h, block) + offset;
	size_t len = strlen(name);

	need(offset + 8 + len <= h->dir.block_size);
	hand_put32(p, ino);
	hand_put16(p + 4, rec_len);
	p[6] = (uint8_t)len;
	p[7] = h->dir.filetype ? (is_dots(name) ? 2 : 1) : 0;
	memcpy(p + 8, name, len);
	return offset + rec_len;
}

uint32_t hand_dots(struct hand *h)
{
	hand_record(h, 0, 0, h->dir.ino, 12, ".");
	return hand_record(h, 0, 12, 2, 12, "..");
}

void hand_fill(struct hand *h, uint32_t block, uint32_t offset, uint32_t ino,
	       const char *const *names)
{
	if (!names[0])
		hand_record(h, block, offset, 0, hand_room(h) - offset, "");
	for (; *names; names++, ino++) {
		uint32_t size = hand_size(h, *names);

		if (!names[1])
			size = hand_room(h) - offset;
		offset = hand_record(h, block, offset, ino, size, *names);
	}
}

uint8_t *hand_table(struct hand *h, uint32_t block)
{
	return hand_block(h, block) +
		(h->kind[block] == HAND_ROOT_BLOCK ? 32 : 8);
}

void hand_limit(struct hand *h, uint32_t block, unsigned limit, unsigned count)
{
	hand_put16(hand_table(h, block), limit);
	hand_put16(hand_table(h, block) + 2, count);
}

void hand_entry(struct hand *h, uint32_t block, unsigned i, uint32_t hash,
		uint32_t child)
{
	if (i)
		hand_put32(hand_table(h, block) + 8 * i, hash);
	hand_put32(hand_table(h, block) + 8 * i + 4, child);
}

unsigned hand_room_entries(const struct hand *h, uint32_t block)
{
	uint32_t room = h->dir.block_size - (h->dir.metadata_csum ? 8 : 0);

	if (h->kind[block] == HAND_ROOT_BLOCK)
		return (room - 32) / 8;
	if (h->dir.encrypted && h->dir.casefold)
		return (room - 16) / 8;
	return (room - 8) / 8;
}

void hand_root(struct hand *h, int levels, int version, unsigned count)
{
	uint8_t *p = hand_block(h, 0);

	memset(p, 0, h->dir.block_size);
	hand_record(h, 0, 0, h->dir.ino, 12, ".");
	hand_record(h, 0, 12, 2, h->dir.block_size - 12, "..");
	p[28] = (uint8_t)version;
	p[29] = 8;
	p[30] = (uint8_t)levels;
	h->kind[0] = HAND_ROOT_BLOCK;
	hand_limit(h, 0, hand_room_entries(h, 0), count);
}

void hand_node(struct hand *h, uint32_t block, unsigned count)
{
	memset(hand_block(h, block), 0, h->dir.block_size);
	hand_put16(hand_block(h, block) + 4,
		   h->dir.block_size == 65536 ? 65535 : h->dir.block_size);
	h->kind[block] = HAND_NODE_BLOCK;
	hand_limit(h, block, hand_room_entries(h, block), count);
}

/* CRC-32C a bit at a time. */
static uint32_t crc(uint32_t c, const uint8_t *p, size_t n)
{
	while (n--) {
		c ^= *p++;
		for (int k = 0; k < 8; k++)
			c = c & 1 ? c >> 1 ^ 0x82f63b78 : c >> 1;
	}
	return c;
}

static void seal_leaf(struct hand *h, uint8_t *p)
{
	uint8_t *tail = p + h->dir.block_size - 12;

	memset(tail, 0, 12);
	tail[4] = 12;
	tail[7] = 0xde;
	hand_put32(tail + 8, crc(h->dir.csum_seed, p, h->dir.block_size - 12));
}

static void seal_index(struct hand *h, uint32_t block)
{
	static const uint8_t zero[4];
	uint8_t *p = hand_block(h, block), *table = hand_table(h, block), *tail;
	unsigned limit = table[0] | table[1] << 8;
	unsigned count = table[2] | table[3] << 8;
	uint32_t c;

	tail = table + 8 * limit;
	if (tail + 8 > p + h->dir.block_size || count > limit)
		return;
	c = crc(h->dir.csum_seed, p, (size_t)(table - p) + 8 * count);
	c = crc(c, tail, 4);
	hand_put32(tail + 4, crc(c, zero, 4));
}

void hand_seal(struct hand *h)
{
	if (!h->dir.metadata_csum)
		return;
	for (uint32_t b = 0; b < h->m.blocks.count; b++) {
		if (h->kind[b] == HAND_LEAF_BLOCK)
			seal_leaf(h, hand_block(h, b));
		else
			seal_index(h, b);
	}
}

static int by_hash(const void *a, const void *b)
{
	const struct hand_name *x = a, *y = b;

	return dirhash_compare(&x->hash, &y->hash);
}

static void make_names(struct hand *h, int version)
{
	struct dirhasher hasher;

	need(!htree_dir_hasher(&h->dir, version, &hasher));
	for (uint32_t i = 0; i < HAND_NAMES; i++) {
		struct hand_name *n = &h->names[i];

		n->ino = 100 + i;
		snprintf(n->name, sizeof(n->name), "name-%02u", i);
		need(!dirhash_name(&hasher, n->name, strlen(n->name),
				   &n->hash));
	}
	qsort(h->names, HAND_NAMES, sizeof(h->names[0]), by_hash);
}

static void make_leaf(struct hand *h, uint32_t block,
		      const struct hand_name *n)
{
	uint32_t offset = 0;

	for (unsigned i = 0; i < HAND_LEAF; i++, n++) {
		uint32_t size = hand_size(h, n->name), at = offset;

		if (i + 1 == HAND_LEAF)
			size = hand_room(h) - offset;
		offset = hand_record(h, block, at, n->ino, size, n->name);
		if (h->dir.encrypted && h->dir.casefold) {
			uint8_t *p = hand_block(h, block) + at +
				(8 + strlen(n->name) + 3) / 4 * 4;

			hand_put32(p, n->hash.hash);
			hand_put32(p + 4, n->hash.minor_hash);
		}
	}
}

void hand_indexed(struct hand *h, int levels, int version)
{
	struct htree_dir dir = h->dir;
	unsigned per_node = HAND_LEAVES / 2;

	h->dir.indexed = true;
	if (dir.encrypted && dir.casefold)	/* any hashes do, once stored */
		h->dir.encrypted = h->dir.casefold = false;
	make_names(h, version);
	h->dir.encrypted = dir.encrypted;
	h->dir.casefold = dir.casefold;
	hand_resize(h, 1 + HAND_LEAVES + (levels ? 2 : 0));
	for (uint32_t l = 0; l < HAND_LEAVES; l++)
		make_leaf(h, l + 1, &h->names[l * HAND_LEAF]);
	hand_root(h, levels, version, levels ? 2 : HAND_LEAVES);
	for (uint32_t n = 0; levels && n < 2; n++) {
		hand_node(h, HAND_LEAVES + 1 + n, per_node);
		hand_entry(h, 0, n, h->names[n * per_node * HAND_LEAF].hash.hash,
			   HAND_LEAVES + 1 + n);
	}
	for (uint32_t l = 0; l < HAND_LEAVES; l++)
		hand_entry(h, levels ? HAND_LEAVES + 1 + l / per_node : 0,
			   levels ? l % per_node : l,
			   h->names[l * HAND_LEAF].hash.hash, l + 1);
	hand_seal(h);
}

static struct hand *of_failing(struct htree_blocks *b)
{
	return (struct hand *)((char *)b - offsetof(struct hand, failing));
}

static errcode_t failing_read(struct htree_blocks *b, uint32_t first,
			      uint32_t n, void *buf)
{
	struct hand *h = of_failing(b);

	if (h->fail_block >= first && h->fail_block - first < n)
		return h->fail_with;
	return htree_blocks_read(&h->m.blocks, first, n, buf);
}

struct htree_blocks *hand_failing(struct hand *h, uint32_t number,
				  errcode_t with)
{
	static const struct htree_blocks_ops ops = { .read = failing_read };

	h->failing.ops = &ops;
	h->failing.block_size = h->dir.block_size;
	h->failing.count = h->m.blocks.count;
	h->fail_block = number;
	h->fail_with = with;
	return &h->failing;
}

static int fold(const void *table, const uint8_t *name, size_t len,
		uint8_t *out, size_t out_size)
{
	(void)table;
	if (len > out_size)
		return -1;
	for (size_t i = 0; i < len; i++) {
		if (name[i] >= 0x80)
			return -1;
		out[i] = (uint8_t)tolower(name[i]);
	}
	return (int)len;
}

static bool same(const void *table, const uint8_t *a, size_t a_len,
		 const uint8_t *b, size_t b_len)
{
	(void)table;
	if (a_len != b_len)
		return false;
	for (size_t i = 0; i < a_len; i++)
		if (tolower(a[i]) != tolower(b[i]))
			return false;
	return true;
}

const struct dirhash_fold hand_fold = { NULL, fold, same };
