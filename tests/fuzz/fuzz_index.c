/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index of any directory: its root and nodes, the walk, figures, and
 * looking names up.  Each block is visited at most once; what a lookup finds
 * is what was looked for; what a linear search finds, a lookup finds too
 * where the directory is healthy.
 */
#include "fuzz.h"

struct visit {
	const struct fuzz *f;
	uint32_t *times;
	unsigned entries;
};

static errcode_t on_node(void *ctx, const struct htree_node *n)
{
	struct visit *v = ctx;
	const uint8_t *last = n->table + (size_t)n->count * HTREE_DX_SIZE;

	CHECK(n->level < HTREE_MAX_LEVELS);
	CHECK(n->block < v->f->m.blocks.count);
	CHECK(++v->times[n->block] == 1);
	CHECK((size_t)(last - n->table) <= v->f->dir.block_size);
	for (uint32_t i = 0; i < n->count; i++)
		CHECK(htree_node_child(n, i) <= HTREE_DX_BLOCK_MASK);
	return 0;
}

static errcode_t on_leaf(void *ctx, uint32_t block, const struct htree_dirent *d)
{
	struct visit *v = ctx;

	if (d) {
		v->entries++;
		CHECK(d->block == block);
	} else {
		CHECK(++v->times[block] == 1);
	}
	return 0;
}

static void check_walk(struct fuzz *f)
{
	static const struct htree_walk_ops ops = {
		.node = on_node, .leaf = on_leaf
	};
	struct visit v = { .f = f };
	struct htree_stats s;

	v.times = calloc(f->m.blocks.count + 1, sizeof(*v.times));
	CHECK(v.times);
	htree_walk(&f->dir, &f->m.blocks, &ops, &v);
	free(v.times);
	if (!htree_stats(&f->dir, &f->m.blocks, &s) && f->dir.indexed)
		CHECK(s.entries <= v.entries);
}

struct known {
	struct fuzz *f;
	bool healthy;
	unsigned asked;
	uint8_t *buffer;
};

static void on_finding(void *ctx, const struct htree_finding *finding)
{
	struct known *k = ctx;

	(void)finding;
	k->healthy = false;
}

static void on_entry(void *ctx, const struct htree_dirent *d, int dot)
{
	struct known *k = ctx;
	struct htree_dirent found;
	uint8_t name[256];

	(void)dot;
	if (k->asked++ > 40)
		return;
	memcpy(name, d->name, d->name_len);
	if (htree_lookup(&k->f->dir, &k->f->m.blocks, name, d->name_len,
			 k->buffer, &found)) {
		CHECK(!k->healthy);
		return;
	}
	CHECK(found.name >= k->buffer && found.name + found.name_len <=
	      k->buffer + k->f->dir.block_size);
	if (k->healthy)
		CHECK(found.ino == d->ino);
}

static void check_lookup(struct fuzz *f)
{
	static const struct htree_verify_ops first = { .finding = on_finding },
		second = { .entry = on_entry };
	struct known k = { .f = f, .healthy = true };
	struct htree_verify_result r;
	struct htree_dirent found;

	k.buffer = malloc(f->dir.block_size);
	CHECK(k.buffer);
	CHECK(!htree_verify(&f->dir, &f->m.blocks, &first, &k, &r));
	CHECK(!htree_verify(&f->dir, &f->m.blocks, &second, &k, &r));
	htree_lookup(&f->dir, &f->m.blocks, (const uint8_t *)"absent", 6,
		     k.buffer, &found);
	free(k.buffer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f;

	fuzz_begin(&f, data, size);
	fuzz_make(&f);
	check_walk(&f);
	check_lookup(&f);
	fuzz_end(&f);
	return 0;
}
