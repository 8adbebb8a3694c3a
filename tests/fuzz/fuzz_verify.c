/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Verify, collect and rebuild any directory: verifying ends and says the same
 * twice; what is collected can be built anew, and the new directory has just
 * as many entries and no fault but those of the names and numbers themselves.
 * Whatever is wrong elsewhere, no entry of a sound block is lost.
 */
#include "fuzz.h"

struct seen {
	uint64_t code[HTREE_FINDING_MAX];
	uint32_t *given;	/* entries of each block; NULL: not counted */
	const struct fuzz *f;
};

static void on_finding(void *ctx, const struct htree_finding *finding)
{
	struct seen *s = ctx;

	CHECK(finding->code > HTREE_OK && finding->code < HTREE_FINDING_MAX);
	CHECK(finding->name_len == 0 || finding->name);
	s->code[finding->code]++;
}

static void on_entry(void *ctx, const struct htree_dirent *d, int dot)
{
	struct seen *s = ctx;

	CHECK(d->ino && d->name_len);
	if (s->given && !dot)
		s->given[d->block]++;
}

/* Faults that entries carry with them wherever they are written. */
static bool of_entry(int code)
{
	return code == HTREE_F_DUPLICATE || code == HTREE_F_NAME_CHARS ||
		code == HTREE_F_ENCODING || code == HTREE_F_INODE_RANGE ||
		code == HTREE_F_STRAY_DOT;
}

static void check_rebuilt(const struct fuzz *f, struct htree_entries *e)
{
	static const struct htree_verify_ops ops = { .finding = on_finding };
	struct htree_verify_result r;
	struct htree_dir dir = f->dir;
	struct seen s = { .f = f };
	struct htree_memory m;
	size_t n = e->n;

	htree_memory_init(&m, dir.block_size);
	dir.dir_index = true;
	dir.default_version = fuzz_version(&dir);
	CHECK(fuzz_build(&dir, e, &m));
	CHECK(!htree_verify(&dir, &m.blocks, &ops, &s, &r));
	CHECK(r.entries == n);
	CHECK(r.self == dir.ino && r.parent == 2);
	for (int i = 0; i < HTREE_FINDING_MAX; i++) {
		if (s.code[i] && !of_entry(i)) {
			fprintf(stderr, "rebuilt: %s\n", htree_finding_text(
				(enum htree_finding_code)i));
			abort();
		}
	}
	htree_memory_free(&m);
}

static void check_inline(const struct fuzz *f)
{
	static const struct htree_verify_ops ops = { .finding = on_finding };
	size_t first = f->size < 60 ? f->size : 60;
	size_t second = f->size - first;
	const uint8_t *parts[2];
	size_t lengths[2] = { first, second < 200 ? second : 200 };
	struct htree_verify_result r;
	struct seen s = { .f = f };
	uint8_t *a = malloc(lengths[0] + 1), *b = malloc(lengths[1] + 1);

	CHECK(a && b);
	memcpy(a, f->data, lengths[0]);
	memcpy(b, f->data + first, lengths[1]);
	parts[0] = a;
	parts[1] = b;
	CHECK(!htree_verify_inline(&f->dir, parts, lengths, &ops, &s, &r));
	free(a);
	free(b);
}

static struct htree_verify_result verify(const struct fuzz *f)
{
	static const struct htree_verify_ops ops = {
		.finding = on_finding, .entry = on_entry
	};
	struct htree_verify_result r;
	struct seen s = { .f = f };
	uint32_t count = f->m.blocks.count;
	struct htree_memory m = f->m;

	s.given = calloc(count + 1, sizeof(*s.given));
	CHECK(s.given);
	CHECK(!htree_verify(&f->dir, &m.blocks, &ops, &s, &r));
	for (uint32_t b = 0; f->whole && b < count; b++)
		CHECK(s.given[b] >= f->whole[b]);
	free(s.given);
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct htree_verify_result r, again;
	struct htree_entries e;
	struct seen s;
	struct fuzz f;

	fuzz_begin(&f, data, size);
	check_inline(&f);
	fuzz_make(&f);
	r = verify(&f);
	htree_entries_init(&e);
	s = (struct seen){ .f = &f };
	CHECK(!htree_collect(&f.dir, &f.m.blocks, &e, on_finding, &s, &again));
	CHECK(r.findings == again.findings && r.entries == again.entries);
	CHECK(e.n == r.entries);
	check_rebuilt(&f, &e);
	htree_entries_free(&e);
	fuzz_end(&f);
	return 0;
}
