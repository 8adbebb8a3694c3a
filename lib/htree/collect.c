/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every entry of a directory that can be read, for rebuilding it. */
#include <stdlib.h>
#include "htree/verify.h"

struct collect {
	struct htree_entries *entries;
	void (*finding)(void *ctx, const struct htree_finding *f);
	void *ctx;
	errcode_t err;
};

static void on_finding(void *ctx, const struct htree_finding *f)
{
	struct collect *c = ctx;

	if (c->finding)
		c->finding(c->ctx, f);
}

static void on_entry(void *ctx, const struct htree_dirent *d, int dot)
{
	struct collect *c = ctx;

	if (!dot && !c->err)
		c->err = htree_entries_add(c->entries, d);
}

errcode_t htree_collect(const struct htree_dir *dir, struct htree_blocks *blocks,
			struct htree_entries *e,
			void (*finding)(void *ctx, const struct htree_finding *f),
			void *ctx, struct htree_verify_result *result)
{
	static const struct htree_verify_ops ops = {
		.finding = on_finding, .entry = on_entry
	};
	struct collect c = { .entries = e, .finding = finding, .ctx = ctx };
	errcode_t err = htree_verify(dir, blocks, &ops, &c, result);

	return err ? err : c.err;
}

/* ---- by a crew: each part has entries of its own */

struct part {
	struct htree_entries entries;
	bool in_doubt;
	errcode_t err;
};

static void part_finding(void *ctx, const struct htree_finding *f)
{
	struct part *p = ctx;

	if (htree_finding_remedy(f->code) != HTREE_REMEDY_INDEX)
		p->in_doubt = true;
}

static void part_entry(void *ctx, const struct htree_dirent *d, int dot)
{
	struct part *p = ctx;

	if (!dot && !p->err)
		p->err = htree_entries_add(&p->entries, d);
}

/* All parts' entries, in their order, to *e; parts are freed. */
static errcode_t unite(struct part *parts, unsigned n, struct htree_entries *e,
		       bool *in_doubt)
{
	errcode_t err = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!err)
			err = parts[i].err;
		if (!err)
			err = htree_entries_append(e, &parts[i].entries);
		*in_doubt = *in_doubt || parts[i].in_doubt;
		htree_entries_free(&parts[i].entries);
	}
	return err;
}

errcode_t htree_collect_divided(const struct htree_dir *dir,
				struct htree_blocks *blocks,
				struct htree_entries *e,
				const struct htree_verify_crew *crew,
				bool *in_doubt,
				struct htree_verify_result *result)
{
	static const struct htree_verify_ops ops = {
		.finding = part_finding, .entry = part_entry
	};
	unsigned n = htree_verify_parts(blocks->count);
	struct part parts[HTREE_VERIFY_PARTS + 1] = { 0 };
	void *part[HTREE_VERIFY_PARTS];
	struct htree_verify_crew own = *crew;
	errcode_t err, united;

	for (unsigned i = 0; i < n; i++)
		part[i] = &parts[i];
	own.part = part;
	*in_doubt = false;
	/* What is found of the whole goes to one more. */
	err = htree_verify_divided(dir, blocks, &ops, &parts[n], &own, result);
	united = unite(parts, n + 1, e, in_doubt);
	return err ? err : united;
}
