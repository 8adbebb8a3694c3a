/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The records of a leaf taken apart and put into leaves again. */
#include "htree/slots.h"

#include <stdlib.h>
#include <string.h>

#include "e2dx_err.h"
#include "htree/csum.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/ondisk.h"
#include "htree/scan.h"

#define TOGETHER	256	/* names hashed in one call */

/* ---- writing a leaf record by record */

void htree_packer_begin(struct htree_packer *k, const struct htree_dir *dir,
			uint8_t *block)
{
	k->dir = dir;
	k->block = block;
	k->offset = 0;
	k->last = HTREE_NO_OFFSET;
	memset(block, 0, dir->block_size);
}

static void advance(struct htree_packer *k, uint32_t size)
{
	k->last = k->offset;
	k->offset += size;
}

void htree_packer_copy(struct htree_packer *k, const uint8_t *record,
		       uint32_t size)
{
	memcpy(k->block + k->offset, record, size);
	htree_rec_len_store(k->dir, k->block + k->offset, size);
	advance(k, size);
}

void htree_packer_add(struct htree_packer *k, const struct htree_dirent *d)
{
	uint32_t size = htree_dirent_size(k->dir, d);

	htree_dirent_write(k->dir, k->block, k->offset, size, d);
	advance(k, size);
}

void htree_packer_copy_all(struct htree_packer *k, const uint8_t *block,
			   uint32_t number)
{
	uint32_t end = htree_block_end(k->dir, block, number);
	struct htree_dirent d;

	for (uint32_t offset = 0; offset < end; offset += d.rec_len) {
		if (htree_dirent_parse(k->dir, block, end, offset, &d))
			return;
		if (d.ino)
			htree_packer_copy(k, block + offset,
					  htree_dirent_size(k->dir, &d));
	}
}

void htree_packer_end(struct htree_packer *k)
{
	uint32_t room = htree_leaf_room(k->dir);
	const struct htree_dirent unused = { 0 };

	if (k->last != HTREE_NO_OFFSET)
		htree_rec_len_store(k->dir, k->block + k->last, room - k->last);
	else
		htree_dirent_write(k->dir, k->block, 0, room, &unused);
	htree_leaf_csum_set(k->dir, k->block);
}

/* ---- dividing a leaf */

size_t htree_slots_max(const struct htree_dir *dir)
{
	return dir->block_size / HTREE_DE_MIN + 1;
}

/* Slots from `first` on whose names wait to be hashed together. */
struct waiting {
	struct htree_slot *first;
	size_t n;
	struct dirhash_text name[TOGETHER];
};

static errcode_t hash_waiting(const struct dirhasher *hasher, struct waiting *w)
{
	struct dirhash hash[TOGETHER];
	errcode_t err = dirhash_many(hasher, w->name, w->n, hash);

	for (size_t i = 0; i < w->n && !err; i++)
		w->first[i].hash = htree_hash_clean(hash[i].hash);
	w->first += w->n;
	w->n = 0;
	return err;
}

errcode_t htree_slots_read(const struct htree_dir *dir,
			   const struct dirhasher *hasher, const uint8_t *block,
			   uint32_t number, struct htree_slot *slots, size_t *n)
{
	uint32_t end = htree_block_end(dir, block, number);
	bool stored = htree_dir_stores_hash(dir);
	struct waiting w = { .first = slots };
	struct htree_dirent d;
	errcode_t err = 0;

	*n = 0;
	for (uint32_t offset = 0; offset < end && !err; offset += d.rec_len) {
		if (htree_dirent_parse(dir, block, end, offset, &d))
			return E2DX_ET_DAMAGED;
		if (!d.ino || htree_dirent_dot(&d))
			continue;
		slots[(*n)++] = (struct htree_slot) {
			.hash = stored ? htree_hash_clean(d.hash.hash) : 0,
			.offset = offset, .size = htree_dirent_size(dir, &d)
		};
		if (!stored)
			w.name[w.n++] = (struct dirhash_text) {
				d.name, d.name_len
			};
		if (w.n == TOGETHER)
			err = hash_waiting(hasher, &w);
	}
	return err || stored ? err : hash_waiting(hasher, &w);
}

static int compare(const void *a, const void *b)
{
	const struct htree_slot *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

void htree_slots_sort(struct htree_slot *slots, size_t n)
{
	qsort(slots, n, sizeof(*slots), compare);
}

/* The cut nearest to the middle; equal: between equal hashes too. */
static size_t best_cut(const struct htree_slot *slots, size_t n, uint32_t total,
		       uint32_t room, bool equal)
{
	uint32_t left = 0, nearest = total + 1;
	size_t best = 0;

	for (size_t i = 1; i < n; i++) {
		uint32_t right, apart;

		left += slots[i - 1].size;
		right = total - left;
		apart = left > right ? left - right : right - left;
		if (left > room || right > room || apart >= nearest)
			continue;
		if (!equal && slots[i].hash == slots[i - 1].hash)
			continue;
		nearest = apart;
		best = i;
	}
	return best;
}

size_t htree_slots_cut(const struct htree_dir *dir,
		       const struct htree_slot *slots, size_t n)
{
	uint32_t room = htree_leaf_room(dir), total = 0;
	size_t cut;

	for (size_t i = 0; i < n; i++)
		total += slots[i].size;
	cut = best_cut(slots, n, total, room, false);
	return cut ? cut : best_cut(slots, n, total, room, true);
}

void htree_slots_write(const struct htree_dir *dir,
		       const struct htree_slot *slots, size_t n,
		       const uint8_t *block, const struct htree_dirent *d,
		       uint8_t *out)
{
	struct htree_packer k;

	htree_packer_begin(&k, dir, out);
	for (size_t i = 0; i < n; i++)
		if (slots[i].offset == HTREE_NO_OFFSET)
			htree_packer_add(&k, d);
		else
			htree_packer_copy(&k, block + slots[i].offset,
					  slots[i].size);
	htree_packer_end(&k);
}
