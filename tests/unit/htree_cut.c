/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The power fails while a directory changes.  Each change is recorded, and
 * then done again up to each of its steps, and with some of the steps since
 * the last barrier left out: every name that was there before and was not the
 * one being removed is still found by htree_collect.
 *
 * HTREE_CUT_OPS: changes of each kind of directory (default below).
 */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "change_model.h"
#include "change_record.h"
#include "e2dx_err.h"
#include "htree/ondisk.h"
#include "suite.h"

#define QUICK_OPS	500
#define SUBSETS		3	/* tries of leaving steps out, at each step */

struct cut {
	struct model m;
	struct record r;
	struct htree_memory before, now;
	bool indexed_before;
	uint8_t *old;		/* names there before */
	size_t least;		/* steps of changes that are looked at */
	unsigned long cuts, changes, levels;
};

static void copy(struct htree_memory *to, const struct htree_memory *from)
{
	must(htree_blocks_resize(&to->blocks, from->blocks.count) == 0);
	memcpy(to->data, from->data,
	       (size_t)from->blocks.count * from->blocks.block_size);
}

/* Any finding may be there; but each name of `old`. */
static void check_names(struct cut *c, bool indexed)
{
	struct htree_dir dir = c->m.dir;
	struct htree_verify_result result;
	struct htree_entries e;

	dir.indexed = indexed;
	htree_entries_init(&e);
	must(htree_collect(&dir, &c->now.blocks, &e, NULL, NULL,
				       &result) == 0);
	memset(c->m.seen, 0, c->m.kind->names);
	for (size_t i = 0; i < e.n; i++) {
		uint32_t k = model_number(&c->m, htree_entry_name(&e, i));

		must(k < c->m.kind->names);
		must(e.v[i].ino == 100 + k);
		c->m.seen[k] = 1;
	}
	for (uint32_t i = 0; i < c->m.kind->names; i++)
		if (c->old[i] && !c->m.seen[i])
			ck_abort_msg("name %u is lost", i);
	htree_entries_free(&e);
	c->cuts++;
}

/* All steps before `sure`, and of those up to `end` some (all: each). */
static void cut_at(struct cut *c, size_t sure, size_t end, bool all)
{
	bool indexed = c->indexed_before;

	copy(&c->now, &c->before);
	for (size_t i = 0; i < end; i++)
		if (i < sure || all || model_random(&c->m, 2))
			record_replay(&c->r.events[i], &c->now, &indexed);
	check_names(c, indexed);
}

static void cut_everywhere(struct cut *c)
{
	size_t sure = 0;

	for (size_t end = 0; end <= c->r.n; end++) {
		cut_at(c, sure, end, true);
		for (int i = 0; i < SUBSETS && end > sure + 1; i++)
			cut_at(c, sure, end, false);
		if (end < c->r.n && c->r.events[end].kind == RECORD_BARRIER)
			sure = end + 1;
	}
}

static int levels_of(const struct cut *c)
{
	return c->m.dir.indexed ? c->m.m.data[HTREE_ROOT_LEVELS] + 1 : 0;
}

static void change(struct cut *c, uint32_t i, bool insert)
{
	int levels = levels_of(c);

	copy(&c->before, &c->m.m);
	c->indexed_before = c->m.dir.indexed;
	for (uint32_t k = 0; k < c->m.kind->names; k++)
		c->old[k] = c->m.ino[k] != 0;
	if (insert)
		model_insert(&c->m, i);
	else
		model_remove(&c->m, i);
	c->old[i] &= insert;
	c->changes++;
	c->levels += levels != levels_of(c);
	if (c->r.n >= c->least)
		cut_everywhere(c);
	record_clear(&c->r);
}

static void begin(struct cut *c, const struct model_kind *kind, uint64_t seed)
{
	memset(c, 0, sizeof(*c));
	model_init(&c->m, kind, seed);
	record_init(&c->r, &c->m.m);
	c->m.b = &c->r.blocks;
	htree_memory_init(&c->before, kind->block_size);
	htree_memory_init(&c->now, kind->block_size);
	c->old = calloc(kind->names, 1);
	must(c->old != NULL);
	c->least = 2;
}

static void end(struct cut *c)
{
	model_check(&c->m);
	record_free(&c->r);
	htree_memory_free(&c->before);
	htree_memory_free(&c->now);
	free(c->old);
	model_free(&c->m);
}

static const struct model_kind kinds[] = {
	{ DIRHASH_HALF_MD4, 1024, true, 1, 250, 200, 0 },
	{ DIRHASH_TEA, 1024, false, 1, 250, 200, 0 },
	{ DIRHASH_SIPHASH, 1024, true, 1, 700, 255, 0 },
	{ DIRHASH_SIPHASH, 1024, false, 1, 700, 255, MODEL_STORED },
	{ DIRHASH_SIPHASH, 1024, true, 1, 250, 200,
	  MODEL_STORED | MODEL_COLLIDE },
	{ DIRHASH_HALF_MD4, 1024, true, 1, 100, 100, MODEL_LINEAR },
	{ DIRHASH_HALF_MD4, 2048, true, 1, 250, 100, MODEL_CASEFOLD },
};
#define KINDS	(int)(sizeof(kinds) / sizeof(kinds[0]))

static unsigned long operations(void)
{
	const char *s = getenv("HTREE_CUT_OPS");

	return s ? strtoul(s, NULL, 10) : QUICK_OPS;
}

/* Up and down, so that all kinds of changes come, and to nothing at last. */
START_TEST(test_cut)
{
	unsigned long n = operations();
	struct cut c;

	begin(&c, &kinds[_i], 77 + (uint64_t)_i);
	c.m.growing = true;
	for (unsigned long i = 0; i < n; i++) {
		uint32_t name = model_random(&c.m, c.m.kind->names);

		if (c.m.present > c.m.kind->names * 9 / 10)
			c.m.growing = false;
		if (c.m.present < c.m.kind->names / 20)
			c.m.growing = true;
		change(&c, name, model_random(&c.m, 8) ? c.m.growing :
						     !c.m.growing);
	}
	model_check(&c.m);
	c.m.how = HTREE_SHRINK;
	for (uint32_t i = 0; i < c.m.kind->names; i++)
		if (c.m.ino[i])
			change(&c, i, false);
	must(c.cuts > 0);
	if (!(c.m.kind->flags & MODEL_LINEAR)) {
		must(c.levels >= 2);
		must(c.m.b->count == 1);
	}
	end(&c);
}
END_TEST

/*
 * Nodes split and merge, and levels come and go: only those changes (of at
 * least seven steps) are cut.
 */
START_TEST(test_nodes)
{
	static const struct model_kind kind = {
		DIRHASH_SIPHASH, 1024, true, 1, 1400, 255, 0
	};
	struct cut c;

	begin(&c, &kind, 5);
	c.least = 7;
	for (uint32_t i = 0; i < kind.names; i++)
		change(&c, i, true);
	must(levels_of(&c) == 2);
	for (uint32_t i = 0; i < kind.names; i++)
		change(&c, i * 577 % kind.names, false);
	must(c.levels >= 4);
	must(c.cuts > 1000);
	must(c.m.b->count == 1);
	end(&c);
}
END_TEST

int main(void)
{
	TCase *t = make_case("cut");

	/* Verifying takes and frees large buffers, thousands of times. */
	mallopt(M_MMAP_THRESHOLD, 1 << 28);
	mallopt(M_TRIM_THRESHOLD, 1 << 28);
	tcase_set_timeout(t, 0);
	tcase_add_loop_test(t, test_cut, 0, KINDS);
	tcase_add_test(t, test_nodes);
	return run_case("htree_cut", t);
}
