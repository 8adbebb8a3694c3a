/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The check of an area of attributes, of any bytes and any size: every entry
 * that it lets through lies in the area with its value, no two of them share a
 * byte, and the sloppier iterator sees the same entries.
 */
#include "fuzz.h"
#include "ext2fs/xattr_area.h"

struct seen {
	const struct e2dx_xattr_area *area;
	uint8_t *taken;		/* a byte for each of the area's; owned */
	size_t at;		/* the iterator's place */
	unsigned n;
};

static void take(struct seen *s, const uint8_t *p, size_t len)
{
	CHECK(p >= s->area->base && len <= s->area->size &&
	      p + len <= s->area->base + s->area->size);
	for (size_t i = 0; i < len; i++) {
		CHECK(!s->taken[p - s->area->base + i]);
		s->taken[p - s->area->base + i] = 1;
	}
}

static errcode_t each(void *ctx, const struct e2dx_xattr *x)
{
	enum e2dx_xattr_fault fault;
	struct seen *s = ctx;
	struct e2dx_xattr y;

	CHECK(e2dx_xattr_next(s->area, &s->at, &y, &fault));
	CHECK(y.name == x->name && y.value == x->value);
	take(s, x->name, x->name_len);
	take(s, x->hash, 4);
	if (x->value && x->value_len) {
		take(s, x->value, x->value_len);
		e2dx_xattr_hash_ok(x, s->n++ & 1);
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct e2dx_xattr_area a = { NULL, 0, 0 };
	struct e2dx_xattr bad;
	errcode_t err;
	bool in_block = size && (data[0] & 1);

	if (!size)
		return 0;
	data++;
	size = (size - 1) & ~(size_t)3;
	if (in_block && size < E2DX_XB_FIRST)
		return 0;
	if (size > 65536)
		size = 65536;
	/* A copy of its own, so that ASan sees its ends. */
	uint8_t *copy = malloc(size + !size);
	struct seen s = { &a, calloc(size + 1, 1), 0, 0 };

	CHECK(copy && s.taken);
	memcpy(copy, data, size);
	a.base = copy;
	a.size = size;
	s.at = a.first = in_block ? E2DX_XB_FIRST : 0;
	e2dx_xattr_check(&a, in_block, each, &s, &bad, &err);
	CHECK(!err);
	free(s.taken);
	free(copy);
	return 0;
}
