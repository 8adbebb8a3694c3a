/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The tree of an index: root fields, limits, counts, order, each block named
 * once.  Read before the leaves, so that each leaf's range is known when its
 * entries pass by; told after them.  A node tells each kind of fault once, so
 * that what is kept stays small on any input.
 */
#include <errno.h>
#include <stdlib.h>
#include "e2dx_err.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/ondisk.h"
#include "htree/verify_state.h"

#define NO_UPPER	0xffffffffu	/* after the last leaf: all hashes fit */

struct tree {
	struct verify *v;
	int depth;				/* indirect levels */
	uint32_t lower[HTREE_MAX_LEVELS + 1];	/* of the child on each level */
	uint32_t upper[HTREE_MAX_LEVELS + 1];
	uint64_t told[HTREE_MAX_LEVELS + 1];	/* codes, of the node there */
	uint32_t empty;				/* the last node without entries */
	bool told_no_node;
};

static void keep(struct verify *v, enum htree_finding_code code, uint32_t block,
		 uint32_t offset, uint64_t value, uint64_t expected)
{
	if (v->n_pending == v->pending_capacity) {
		size_t capacity = v->n_pending ? v->n_pending * 2 : 16;
		void *p = realloc(v->pending, capacity * sizeof(*v->pending));

		if (!p) {
			v->err = ENOMEM;
			return;
		}
		v->pending = p;
		v->pending_capacity = capacity;
	}
	v->pending[v->n_pending++] = (struct htree_finding) {
		.code = code, .block = block, .offset = offset,
		.value = value, .expected = expected
	};
}

/* A fault of a node, or of its entry `offset`: the first of each kind. */
static void keep_once(struct tree *t, const struct htree_node *n,
		      enum htree_finding_code code, uint32_t offset,
		      uint64_t value, uint64_t expected)
{
	uint64_t bit = (uint64_t)1 << code;

	if (!(t->told[n->level] & bit))
		keep(t->v, code, n->block, offset, value, expected);
	t->told[n->level] |= bit;
}

static void check_version(struct verify *v, int version)
{
	const struct htree_dir *dir = v->dir;

	if (!dirhash_on_disk(version) ||
	    (htree_dir_stores_hash(dir) && version != DIRHASH_SIPHASH))
		keep(v, HTREE_X_VERSION, 0, HTREE_ROOT_VERSION,
		     (uint64_t)version, htree_dir_stores_hash(dir) ?
		     DIRHASH_SIPHASH : (uint64_t)dir->default_version);
	else if (version == DIRHASH_SIPHASH && !htree_dir_stores_hash(dir) &&
		 dir->default_version != DIRHASH_SIPHASH)
		keep(v, HTREE_X_VERSION_FOREIGN, 0, HTREE_ROOT_VERSION,
		     (uint64_t)version, (uint64_t)dir->default_version);
}

static errcode_t on_root(void *ctx, const struct htree_root *root)
{
	struct tree *t = ctx;
	struct verify *v = t->v;

	v->result->version = root->version;
	v->result->indirect_levels = root->indirect_levels;
	t->depth = root->indirect_levels;
	if (root->reserved)
		keep(v, HTREE_X_ROOT, 0, HTREE_ROOT_RESERVED, root->reserved, 0);
	if (root->info_length != HTREE_INFO_LENGTH)
		keep(v, HTREE_X_ROOT, 0, HTREE_ROOT_INFO_LENGTH,
		     root->info_length, HTREE_INFO_LENGTH);
	/* Linux and stock e2fsck look at this bit of the flags only. */
	if (root->flags & 1)
		keep(v, HTREE_X_ROOT, 0, HTREE_ROOT_FLAGS, root->flags,
		     root->flags & ~1u);
	check_version(v, root->version);
	if (root->indirect_levels > v->dir->max_indirect) {
		keep(v, HTREE_X_LEVELS, 0, HTREE_ROOT_LEVELS,
		     root->indirect_levels, (uint64_t)v->dir->max_indirect);
		v->broken = true;
	}
	if (!htree_dir_stores_hash(v->dir))
		v->hashing = !htree_dir_hasher(v->dir, root->version,
					       &v->hasher);
	return v->err;
}

static void check_checksum(struct tree *t, const struct htree_node *n,
			   uint32_t room)
{
	uint32_t table = n->level ? HTREE_NODE_TABLE : HTREE_ROOT_TABLE;
	uint32_t size = t->v->dir->block_size - HTREE_DX_TAIL_SIZE;

	if (!t->v->dir->metadata_csum)
		return;
	if (table + n->limit * HTREE_DX_SIZE > size)
		keep_once(t, n, HTREE_X_NO_TAIL, 0, n->limit, room);
	else if (n->disk_count <= n->limit && !n->checksum_ok)
		keep_once(t, n, HTREE_X_CHECKSUM, 0, 0, 0);
}

/*
 * Ascending, or equal where a collision goes on over more than two leaves:
 * then every entry of it has the continuation bit.
 */
static bool in_order(uint32_t before, uint32_t hash)
{
	return hash > before || (hash == before && (hash & HTREE_DX_CONTINUED));
}

static void check_order(struct tree *t, const struct htree_node *n)
{
	uint32_t before = t->lower[n->level], upper = t->upper[n->level];

	for (uint32_t i = 1; i < n->count; i++) {
		uint32_t hash = htree_node_hash(n, i);

		if (!in_order(before, hash))
			keep_once(t, n, HTREE_X_ORDER, i, hash, before);
		before = hash;
	}
	if (!in_order(before, upper))
		keep_once(t, n, HTREE_X_ORDER, n->count - 1, before, upper);
}

static errcode_t on_node(void *ctx, const struct htree_node *n)
{
	struct tree *t = ctx;
	struct verify *v = t->v;
	uint32_t room = n->level ? htree_node_limit(v->dir) :
				   htree_root_limit(v->dir);

	t->told[n->level] = 0;
	if (n->limit != room)
		keep_once(t, n, HTREE_X_LIMIT, 0, n->limit, room);
	if (n->disk_count == 0 || n->disk_count > n->limit ||
	    n->disk_count > room)
		keep_once(t, n, HTREE_X_COUNT, 0, n->disk_count, room);
	check_checksum(t, n, room);
	if (n->count == 0) {
		v->broken = true;
		t->empty = n->block;
	} else {
		check_order(t, n);
	}
	return v->err;
}

/* Which hashes belong below child i. */
static void set_range(struct tree *t, const struct htree_node *n, uint32_t i)
{
	int level = n->level;

	t->lower[level + 1] = i ? htree_node_hash(n, i) : t->lower[level];
	t->upper[level + 1] = i + 1 < n->count ? htree_node_hash(n, i + 1) :
						 t->upper[level];
}

static errcode_t on_child(void *ctx, const struct htree_node *n, uint32_t i)
{
	struct tree *t = ctx;
	struct verify *v = t->v;
	uint32_t child = htree_node_child(n, i);
	struct verify_place *p;

	set_range(t, n, i);
	if (child == 0 || child >= v->blocks->count) {
		keep_once(t, n, HTREE_X_BLOCK, i, child, 0);
		return v->err;
	}
	p = &v->place[child];
	if (p->role != VERIFY_UNREACHED) {
		keep_once(t, n, HTREE_X_TWICE, i, child, 0);
		return v->err;
	}
	p->role = n->level < t->depth ? VERIFY_NODE : VERIFY_LEAF;
	p->lower = t->lower[n->level + 1];
	p->upper = t->upper[n->level + 1];
	return 0;
}

/*
 * Told already: numbers out of range, second references, an empty table.
 * Left: a block that is no node, or that cannot be read (the pass over all
 * blocks tells that).
 */
static errcode_t on_fault(void *ctx, uint32_t block, errcode_t what)
{
	struct tree *t = ctx;
	struct verify *v = t->v;

	if (what == E2DX_ET_RANGE || what == E2DX_ET_SHARED || block == t->empty)
		return 0;
	v->broken = true;
	if (what != E2DX_ET_DAMAGED || v->place[block].role != VERIFY_NODE)
		return 0;
	v->place[block].role = VERIFY_NO_NODE;
	/* One speaks for all: wrong levels make every leaf one of these. */
	if (!t->told_no_node)
		keep(v, HTREE_X_NODE, block, 0, 0, 0);
	t->told_no_node = true;
	return v->err;
}

/*
 * Is this block an index root, if perhaps a damaged one?  Two of four signs
 * must hold, and one of them must be a sign that records do not show.
 */
static bool root_likely(const struct htree_dir *dir, const uint8_t *block)
{
	const uint8_t *dotdot = block + HTREE_DOT_SIZE;
	bool reserved = htree_le32(block + HTREE_ROOT_RESERVED) == 0;
	bool info = block[HTREE_ROOT_INFO_LENGTH] == HTREE_INFO_LENGTH;
	bool limit = htree_le16(block + HTREE_ROOT_TABLE) ==
		htree_root_limit(dir);
	bool spans = htree_rec_len_load(dir, dotdot) ==
		dir->block_size - HTREE_DOT_SIZE;

	return (info || limit) && reserved + info + limit + spans >= 2;
}

static void read_tree(struct verify *v)
{
	static const struct htree_walk_ops ops = {
		.root = on_root, .node = on_node, .child = on_child,
		.fault = on_fault
	};
	struct tree t = { .v = v };
	errcode_t err;

	t.upper[0] = NO_UPPER;
	err = htree_walk(v->dir, v->blocks, &ops, &t);
	if (err && !v->err)
		v->err = err;
}

void verify_index_read(struct verify *v)
{
	uint32_t count = v->blocks->count;
	uint8_t *block;
	errcode_t err;

	/* Until the tree has been read whole, nothing is "not in it". */
	v->broken = true;
	if (count == 0)
		return;
	block = malloc(v->blocks->block_size);
	v->n_places = count > HTREE_DX_BLOCK_MASK ? HTREE_DX_BLOCK_MASK + 1 :
						    count;
	v->place = calloc(v->n_places, sizeof(*v->place));
	if (!block || !v->place) {
		v->err = ENOMEM;
	} else {
		err = htree_blocks_read(v->blocks, 0, 1, block);
		v->root = !err && root_likely(v->dir, block);
	}
	free(block);
	if (v->err || !v->root)
		return;
	v->broken = false;
	read_tree(v);
}

/*
 * A block that no entry names is told only when it is read: holes are none,
 * and a map that is all hole costs no memory.
 */
const struct verify_place *verify_index_at(struct verify *v, uint32_t number)
{
	static const struct verify_place nowhere = { .role = VERIFY_UNREACHED };
	const struct verify_place *at = &nowhere;

	if (!v->place)
		return NULL;
	if (number < v->n_places)
		at = &v->place[number];
	if (at->role == VERIFY_UNREACHED && number != 0 && !v->broken)
		keep(v, HTREE_X_UNREFERENCED, number, 0, 0, 0);
	return at;
}

void verify_index_take(struct verify *v, struct verify *part)
{
	for (size_t i = 0; i < part->n_pending && !v->err; i++) {
		const struct htree_finding *f = &part->pending[i];

		keep(v, f->code, f->block, f->offset, f->value, f->expected);
	}
	free(part->pending);
}

void verify_index_tell(struct verify *v)
{
	struct htree_finding f = { .code = HTREE_X_NO_FEATURE };

	/* An unreadable block 0 has been told already. */
	if (!v->dir->dir_index || !v->root)
		verify_tell(v, &f);
	for (size_t i = 0; i < v->n_pending; i++)
		verify_tell(v, &v->pending[i]);
}
