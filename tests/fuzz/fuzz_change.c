/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Insertions and removals in any directory: they end, stay in bounds, refuse
 * without a trace or do what they say.  In a healthy directory, what was
 * inserted is found, what was removed is not, and the directory stays healthy.
 */
#include "fuzz.h"
#include "htree/change.h"

struct state {
	struct fuzz f;
	bool healthy;
	uint8_t *buffer;
	uint8_t *before;	/* all blocks */
	uint32_t before_count;
};

static void on_finding(void *ctx, const struct htree_finding *finding)
{
	struct state *s = ctx;

	/* Names of a strict directory, and inode numbers, are the fuzzer's. */
	(void)finding;
	s->healthy = false;
}

static bool verify(struct state *s)
{
	static const struct htree_verify_ops ops = { .finding = on_finding };
	struct htree_verify_result r;

	/* A stored hash is the fuzzer's, not the name's: nothing follows. */
	s->healthy = !htree_dir_stores_hash(&s->f.dir);
	CHECK(!htree_verify(&s->f.dir, &s->f.m.blocks, &ops, s, &r));
	return s->healthy;
}

static size_t all_bytes(const struct state *s)
{
	return (size_t)s->f.m.blocks.count * s->f.dir.block_size;
}

static void keep(struct state *s)
{
	s->before_count = s->f.m.blocks.count;
	s->before = malloc(all_bytes(s) + 1);
	CHECK(s->before);
	if (all_bytes(s))
		memcpy(s->before, s->f.m.data, all_bytes(s));
}

static void compare(struct state *s, errcode_t err)
{
	if (err) {
		CHECK(s->before_count == s->f.m.blocks.count);
		CHECK(!s->before_count ||
		      !memcmp(s->before, s->f.m.data, all_bytes(s)));
	}
	free(s->before);
}

/* One of a few names, so that they come again. */
static size_t make_name(struct state *s, uint8_t name[256])
{
	uint32_t a = fuzz_byte(&s->f), b = fuzz_byte(&s->f);
	size_t len = 16 + (b & 7) * (b & 0x80 ? 33 : 2);

	memset(name, 'n', 256);
	name[0] = (uint8_t)('a' + a % 26);
	name[1] = (uint8_t)('a' + (b >> 3) % 10);
	return len > 255 ? 255 : len;
}

static errcode_t find(struct state *s, const uint8_t *name, size_t len)
{
	struct htree_dirent found;

	return htree_lookup(&s->f.dir, &s->f.m.blocks, name, len, s->buffer,
			    &found);
}

static void insert(struct state *s)
{
	uint8_t name[256];
	struct htree_dirent d = { .ino = 100, .file_type = 1, .name = name };
	errcode_t err, was;

	d.name_len = (uint8_t)make_name(s, name);
	d.hash.hash = (uint32_t)name[0] * 0x9e3779b1u;
	was = find(s, name, d.name_len);
	err = htree_insert(&s->f.dir, &s->f.m.blocks, &d);
	compare(s, err);
	if (!s->healthy)
		return;
	if (!was)
		CHECK(err == EEXIST);
	else if (!err)
		CHECK(!find(s, name, d.name_len));
}

static void take_away(struct state *s, enum htree_shrink how)
{
	uint8_t name[256];
	size_t len = make_name(s, name);
	errcode_t err, was = find(s, name, len);

	err = htree_remove(&s->f.dir, &s->f.m.blocks, name, len, how);
	compare(s, err);
	if (!s->healthy)
		return;
	CHECK(!was == !err);
	CHECK(find(s, name, len) == E2DX_ET_NOT_FOUND);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct state s;
	uint32_t ops = size > 600 ? 600 : (uint32_t)size;
	uint8_t script[600];
	bool healthy;

	memset(&s, 0, sizeof(s));
	/* The end of the input says what is done, the beginning to what. */
	if (size > ops / 2)
		size -= ops / 2;
	memcpy(script, data + size, ops / 2);
	fuzz_begin(&s.f, data, size);
	fuzz_make(&s.f);
	s.buffer = malloc(s.f.dir.block_size);
	CHECK(s.buffer);
	healthy = verify(&s);
	s.f.data = script;
	s.f.size = ops / 2;
	while (s.f.size) {
		uint32_t op = fuzz_byte(&s.f);

		keep(&s);
		if (op & 1)
			insert(&s);
		else
			take_away(&s, op & 2 ? HTREE_SHRINK : HTREE_KEEP_BLOCKS);
	}
	CHECK(verify(&s) || !healthy);
	free(s.buffer);
	fuzz_end(&s.f);
	return 0;
}
