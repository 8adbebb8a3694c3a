/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A reader of whole directories that shares no code with lib/htree. */
#include "htree_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct walk {
	const struct htree_dir *dir;
	const uint8_t *data;
	uint32_t blocks;
	uint8_t *seen;			/* block reached */
	struct reading *r;
};

static unsigned get16(const uint8_t *p)
{
	return p[0] + 256u * p[1];
}

static uint32_t get32(const uint8_t *p)
{
	return get16(p) + 65536u * get16(p + 2);
}

#define WRONG(w, ...) \
	(snprintf((w)->r->why, sizeof((w)->r->why), __VA_ARGS__), false)

uint32_t reading_crc(uint32_t crc, const uint8_t *p, size_t n)
{
	static uint32_t table[256];
	uint32_t i, c;
	int k;

	if (!table[1])
		for (i = 0; i < 256; i++) {
			for (c = i, k = 0; k < 8; k++)
				c = c & 1 ? c >> 1 ^ 0x82f63b78u : c >> 1;
			table[i] = c;
		}
	while (n--)
		crc = crc >> 8 ^ table[(crc ^ *p++) & 0xff];
	return crc;
}

static bool stored(const struct htree_dir *d)
{
	return d->encrypted && d->casefold;
}

static const uint8_t *block_at(const struct walk *w, uint32_t block)
{
	return w->data + (size_t)block * w->dir->block_size;
}

static void *room_for(void *array, size_t n, size_t *room, size_t size)
{
	if (n < *room)
		return array;
	*room = *room * 2 + 64;
	array = realloc(array, *room * size);
	if (!array)
		abort();
	return array;
}

static uint32_t length_at(const struct walk *w, const uint8_t *p)
{
	uint32_t len = get16(p + 4);

	if (w->dir->block_size == 65536 && (len == 0 || len == 65535))
		return 65536;
	return len;
}

static uint32_t least(const struct walk *w, uint32_t name_len, bool dot)
{
	uint32_t size = (8 + (name_len ? name_len : 1) + 3) / 4 * 4;

	return size + (stored(w->dir) && !dot ? 8 : 0);
}

static bool take_entry(struct walk *w, uint32_t block, const uint8_t *p,
		       uint32_t name_len)
{
	struct reading *r = w->r;
	struct read_entry *e;
	const uint8_t *hash = p + (8 + name_len + 3) / 4 * 4;

	r->v = room_for(r->v, r->n, &r->room, sizeof(*r->v));
	e = &r->v[r->n++];
	memset(e, 0, sizeof(*e));
	e->ino = get32(p);
	e->leaf = block;
	e->len = (uint8_t)name_len;
	e->type = w->dir->filetype ? p[7] : 0;
	memcpy(e->name, p + 8, name_len);
	if (stored(w->dir)) {
		e->major = get32(hash);
		e->minor = get32(hash + 4);
	}
	return true;
}

/* Records from `at` to the end of the leaf, and its tail. */
static bool read_leaf(struct walk *w, uint32_t block, uint32_t at,
		      uint32_t bound)
{
	const struct htree_dir *d = w->dir;
	const uint8_t *b = block_at(w, block), *t = b + d->block_size - 12;
	uint32_t end = d->block_size - (d->metadata_csum ? 12 : 0);
	uint32_t len, name_len;
	struct read_leaf leaf = { block, bound, at, w->r->n, 0 };
	struct reading *r = w->r;

	if (d->metadata_csum &&
	    (memcmp(t, "\0\0\0\0\014\0\0\336", 8) ||
	     get32(t + 8) != reading_crc(d->csum_seed, b, end)))
		return WRONG(w, "block %u: tail", block);
	for (; at < end; at += len) {
		if (end - at < 12)
			return WRONG(w, "block %u: rest of %u", block, end - at);
		len = length_at(w, b + at);
		name_len = d->filetype ? b[at + 6] : get16(b + at + 6);
		if (len % 4 || len > end - at || name_len > 255)
			return WRONG(w, "block %u+%u: rec_len %u", block, at, len);
		if (len < least(w, name_len, false))
			return WRONG(w, "block %u+%u: too short", block, at);
		if (len < end - at && end - at - len < least(w, 0, false))
			return WRONG(w, "block %u+%u: rest", block, at);
		if (!get32(b + at))
			continue;
		if (!name_len)
			return WRONG(w, "block %u+%u: no name", block, at);
		take_entry(w, block, b + at, name_len);
		leaf.used += least(w, name_len, false);
		leaf.n++;
	}
	r->leaves = room_for(r->leaves, r->n_leaves, &r->leaf_room,
			     sizeof(*r->leaves));
	r->leaves[r->n_leaves++] = leaf;
	return true;
}

/* "." of 12 bytes, ".."; returns the length of "..", 0 where wrong. */
static uint32_t read_dots(struct walk *w)
{
	const uint8_t *b = w->data;
	unsigned type = w->dir->filetype ? 2 : 0;
	uint32_t len = length_at(w, b + 12);

	if (get32(b) != w->dir->ino || length_at(w, b) != 12 || b[6] != 1 ||
	    b[7] != type || memcmp(b + 8, ".\0\0\0", 4))
		return WRONG(w, "the entry .");
	if (b[18] != 2 || b[19] != type || memcmp(b + 20, "..\0\0", 4))
		return WRONG(w, "the entry ..");
	w->r->parent = get32(b + 12);
	return len;
}

static bool index_csum(struct walk *w, uint32_t block, uint32_t table)
{
	const uint8_t *b = block_at(w, block);
	uint32_t limit = get16(b + table), count = get16(b + table + 2);
	const uint8_t *tail = b + table + 8 * limit;
	uint8_t last[8] = { 0 };
	uint32_t crc;

	memcpy(last, tail, 4);
	crc = reading_crc(w->dir->csum_seed, b, table + 8 * count);
	crc = reading_crc(crc, last, 8);
	return get32(tail + 4) == crc;
}

/* The table at b+table, `level` interior levels above the leaves. */
static bool read_node(struct walk *w, uint32_t block, uint32_t table,
		      int level, uint32_t bound)
{
	const struct htree_dir *d = w->dir;
	const uint8_t *b = block_at(w, block), *e;
	uint32_t count = get16(b + table + 2), i, child, hash, last = bound;
	uint32_t limit = (d->block_size - table - (d->metadata_csum ? 8 : 0)) / 8;

	if (table == 8 && stored(d))
		limit--;
	if (get16(b + table) != limit)
		return WRONG(w, "block %u: limit %u", block, get16(b + table));
	if (count == 0 || count > limit)
		return WRONG(w, "block %u: count %u", block, count);
	if (d->metadata_csum && !index_csum(w, block, table))
		return WRONG(w, "block %u: index checksum", block);
	for (i = 0; i < count; i++) {
		e = b + table + 8 * i;
		hash = i ? get32(e) : bound;
		child = get32(e + 4);
		if (child >= w->blocks || w->seen[child]++)
			return WRONG(w, "block %u: child %u", block, child);
		if (i && (hash & ~1u) < (last & ~1u))
			return WRONG(w, "block %u: order", block);
		last = hash;
		if (level == 0) {
			if (!read_leaf(w, child, 0, hash))
				return false;
			continue;
		}
		w->r->nodes++;
		e = block_at(w, child);
		if (get32(e) || length_at(w, e) != d->block_size || get16(e + 6))
			return WRONG(w, "block %u: fake record", child);
		if (!read_node(w, child, 8, level - 1, hash))
			return false;
	}
	return true;
}

static bool read_indexed(struct walk *w)
{
	const uint8_t *b = w->data;
	uint32_t i;

	if (read_dots(w) != w->dir->block_size - 12)
		return WRONG(w, "length of ..");
	if (get32(b + 24) || b[29] != 8 || b[31])
		return WRONG(w, "dx_root_info");
	w->r->version = b[28];
	w->r->levels = b[30];
	w->seen[0] = 1;
	if (!read_node(w, 0, 32, b[30], 0))
		return false;
	for (i = 0; i < w->blocks; i++)
		if (!w->seen[i])
			return WRONG(w, "block %u is not in the index", i);
	return true;
}

static bool read_linear(struct walk *w)
{
	const struct htree_dir *d = w->dir;
	uint32_t i, end = d->block_size - (d->metadata_csum ? 12 : 0);
	uint32_t at = 12 + read_dots(w);

	if (at == 12 || (at != 24 && at != end))
		return WRONG(w, "length of ..");
	for (i = 0; i < w->blocks; i++, at = 0)
		if (!read_leaf(w, i, at, 0))
			return false;
	return true;
}

bool reading_get(const struct htree_dir *dir, bool indexed,
		 const uint8_t *data, uint32_t blocks, struct reading *r)
{
	struct walk w = { dir, data, blocks, calloc(blocks, 1), r };
	bool ok;

	memset(r, 0, sizeof(*r));
	r->levels = r->version = -1;
	if (!w.seen || !blocks)
		abort();
	ok = indexed ? read_indexed(&w) : read_linear(&w);
	free(w.seen);
	return ok;
}

void reading_free(struct reading *r)
{
	free(r->v);
	free(r->leaves);
}

bool reading_check_hashes(struct reading *r, const struct dirhasher *h)
{
	struct walk w = { .r = r };
	uint32_t last = 0;
	struct dirhash hash;
	size_t l, i;

	for (l = 0; l < r->n_leaves; l++) {
		const struct read_leaf *leaf = &r->leaves[l];

		for (i = leaf->first; i < leaf->first + leaf->n; i++) {
			hash.hash = r->v[i].major;
			if (h && dirhash_name(h, r->v[i].name, r->v[i].len, &hash))
				return WRONG(&w, "hash");
			if (hash.hash < last)
				return WRONG(&w, "leaf %zu: not sorted", l);
			/* The first of a leaf decides its bound. */
			if (i == leaf->first && l) {
				if (leaf->bound != (hash.hash | (hash.hash == last)))
					return WRONG(&w, "leaf %zu: bound", l);
				r->straddling += leaf->bound & 1;
			}
			last = hash.hash;
		}
	}
	return true;
}
