/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ranges laid over one another, and an extent tree made of what they leave. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/extent.h"
#include "journal/fc_map.h"

#define ROOT_ENTRIES	((E2DX_I_BLOCK_SIZE - EXTENT_HEADER_SIZE) / EXTENT_SIZE)
#define MAX_UNWRITTEN	(EXTENT_MAX_INIT - 1)

/* ---- laying over */

static uint64_t end_of(const struct fc_range *r)
{
	return r->first + r->count;
}

/* A range without its first blocks. */
static struct fc_range behind(const struct fc_range *r, uint64_t from)
{
	struct fc_range rest = *r;

	rest.first = from;
	rest.count = end_of(r) - from;
	if (r->physical)
		rest.physical = r->physical + (from - r->first);
	return rest;
}

/* What of a is not under b's ranges, and all of b, in order. */
static size_t merge(const struct fc_range *a, size_t na,
		    const struct fc_range *b, size_t nb, struct fc_range *out)
{
	size_t n = 0, i = 0, k = 0;
	struct fc_range x = na ? a[0] : (struct fc_range){ 0 };

	while (i < na || k < nb) {
		if (i < na && (k == nb || x.first < b[k].first)) {
			struct fc_range head = x;

			if (k < nb && end_of(&x) > b[k].first)
				head.count = b[k].first - x.first;
			out[n++] = head;
			if (head.count < x.count)
				x = behind(&x, end_of(&head));
			else if (++i < na)
				x = a[i];
			continue;
		}
		while (i < na && end_of(&x) <= end_of(&b[k]))
			if (++i < na)
				x = a[i];
		if (i < na && x.first < end_of(&b[k]))
			x = behind(&x, end_of(&b[k]));
		out[n++] = b[k++];
	}
	return n;
}

/* Each half for itself, then the later one over the earlier one. */
static errcode_t resolve(const struct fc_range *v, size_t n,
			 struct fc_ranges *out)
{
	struct fc_ranges a = { 0 }, b = { 0 };
	errcode_t err;

	if (n == 1) {
		out->v = malloc(sizeof(*v));
		if (!out->v)
			return ENOMEM;
		out->v[0] = v[0];
		out->n = 1;
		return 0;
	}
	err = resolve(v, n / 2, &a);
	if (!err)
		err = resolve(v + n / 2, n - n / 2, &b);
	/* Each range of b can cut one of a in two. */
	if (!err) {
		out->v = malloc((a.n + 2 * b.n) * sizeof(*v));
		err = out->v ? 0 : ENOMEM;
	}
	if (!err)
		out->n = merge(a.v, a.n, b.v, b.n, out->v);
	free(a.v);
	free(b.v);
	return err;
}

/* Holes go; what follows one another becomes one. */
static void tidy(struct fc_ranges *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		struct fc_range *last = n ? &r->v[n - 1] : NULL;
		const struct fc_range *x = &r->v[i];

		if (!x->physical)
			continue;
		if (last && end_of(last) == x->first &&
		    last->physical + last->count == x->physical &&
		    last->unwritten == x->unwritten)
			last->count += x->count;
		else
			r->v[n++] = *x;
	}
	r->n = n;
}

errcode_t fc_overlay(const struct fc_range *v, size_t n,
		     struct fc_ranges *out)
{
	errcode_t err;

	memset(out, 0, sizeof(*out));
	if (!n)
		return 0;
	err = resolve(v, n, out);
	if (!err)
		tidy(out);
	return err;
}

/* ---- the tree */

static uint64_t most(const struct fc_range *r)
{
	return r->unwritten ? MAX_UNWRITTEN : EXTENT_MAX_INIT;
}

static uint64_t pieces(const struct fc_range *r)
{
	return (r->count + most(r) - 1) / most(r);
}

static uint64_t entries_of(const struct fc_ranges *r)
{
	uint64_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += pieces(&r->v[i]);
	return n;
}

static uint32_t per_block(const struct e2dx_fs *efs)
{
	return (efs->fs->blocksize - EXTENT_HEADER_SIZE) / EXTENT_SIZE;
}

uint64_t fc_tree_blocks(const struct e2dx_fs *efs, const struct fc_ranges *r)
{
	uint64_t n = entries_of(r), blocks = 0;

	while (n > ROOT_ENTRIES) {
		n = (n + per_block(efs) - 1) / per_block(efs);
		blocks += n;
	}
	return blocks;
}

static void put_header(uint8_t *node, uint32_t entries, uint32_t max,
		       uint32_t depth)
{
	memset(node, 0, EXTENT_HEADER_SIZE);
	htree_put_le16(node, EXTENT_MAGIC);
	htree_put_le16(node + EXTENT_ENTRIES, entries);
	htree_put_le16(node + EXTENT_MAX, max);
	htree_put_le16(node + EXTENT_DEPTH, depth);
}

static void put_extent(uint8_t *e, const struct fc_range *r)
{
	htree_put_le32(e, (uint32_t)r->first);
	htree_put_le16(e + 4, (uint32_t)r->count +
		       (r->unwritten ? EXTENT_MAX_INIT : 0));
	htree_put_le16(e + 6, (uint32_t)(r->physical >> 32));
	htree_put_le32(e + 8, (uint32_t)r->physical);
}

static void put_index(uint8_t *e, uint32_t first, uint64_t block)
{
	htree_put_le32(e, first);
	htree_put_le32(e + 4, (uint32_t)block);
	htree_put_le16(e + 8, (uint32_t)(block >> 32));
	htree_put_le16(e + 10, 0);
}

/* All extents, as they stand on disk. */
static uint8_t *all_entries(const struct fc_ranges *r, uint64_t n)
{
	uint8_t *out = malloc((size_t)n * EXTENT_SIZE + 1), *e = out;

	for (size_t i = 0; out && i < r->n; i++) {
		struct fc_range x = r->v[i];

		while (x.count) {
			struct fc_range part = x;

			if (part.count > most(&x))
				part.count = most(&x);
			put_extent(e, &part);
			e += EXTENT_SIZE;
			x = behind(&x, end_of(&part));
		}
	}
	return out;
}

errcode_t fc_tree_build(const struct e2dx_fs *efs, const struct fc_ranges *r,
			uint32_t seed, const uint64_t *at, uint8_t *meta,
			uint8_t *i_block)
{
	uint32_t bs = efs->fs->blocksize, per = per_block(efs), depth = 0;
	bool csum = ext2fs_has_feature_metadata_csum(efs->fs->super);
	uint64_t n = entries_of(r);
	uint8_t *list = all_entries(r, n);

	if (!list)
		return ENOMEM;
	/* Level by level; what was packed becomes the list of the next. */
	for (; n > ROOT_ENTRIES; depth++) {
		uint64_t nodes = (n + per - 1) / per;

		for (uint64_t i = 0; i < nodes; i++, meta += bs, at++) {
			uint64_t left = n - i * per;
			uint32_t here = left < per ? (uint32_t)left : per;
			uint8_t *from = list + (size_t)(i * per) * EXTENT_SIZE;
			size_t tail = EXTENT_HEADER_SIZE +
				      (size_t)per * EXTENT_SIZE;

			memset(meta, 0, bs);
			put_header(meta, here, per, depth);
			memcpy(meta + EXTENT_HEADER_SIZE, from,
			       (size_t)here * EXTENT_SIZE);
			if (csum)
				htree_put_le32(meta + tail,
					       htree_crc32c(seed, meta, tail));
			put_index(list + (size_t)i * EXTENT_SIZE,
				  extent_first(from), *at);
		}
		n = nodes;
	}
	memset(i_block, 0, E2DX_I_BLOCK_SIZE);
	put_header(i_block, (uint32_t)n, ROOT_ENTRIES, depth);
	memcpy(i_block + EXTENT_HEADER_SIZE, list, (size_t)n * EXTENT_SIZE);
	free(list);
	return 0;
}
