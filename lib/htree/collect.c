/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every entry of a directory that can be read, for rebuilding it. */
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
