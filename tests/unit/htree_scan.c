/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fast pass over a leaf's records against a plain one made of the parser:
 * the same answers on sound blocks and on damaged ones.
 */
#include <stdlib.h>
#include <string.h>
#include "e2dx_err.h"
#include "htree/scan.h"
#include "suite.h"

#define BLOCK	1024
#define ROUNDS	40000

static const struct htree_dir dir = {
	.ino = 11, .block_size = BLOCK, .filetype = true
};

static unsigned pick(unsigned n)
{
	return (unsigned)rand() % n;
}

/* Few letters, so that names are alike; often a dot. */
static uint8_t pick_name(uint8_t *name)
{
	unsigned len = pick(8) ? pick(7) + 1 : pick(255) + 1;

	for (unsigned i = 0; i < len; i++)
		name[i] = "ab."[pick(3)];
	return (uint8_t)len;
}

static void fill(uint8_t *block)
{
	uint8_t name[256];
	uint32_t offset = 0;

	while (offset < BLOCK) {
		struct htree_dirent d = { .file_type = 1, .name = name };
		uint32_t len, left = BLOCK - offset;

		d.name_len = pick_name(name);
		d.ino = pick(6) ? pick(99) + 1 : 0;
		len = htree_plain_record_size(d.name_len);
		if (len > left) {
			d.ino = d.name_len = 0;
			len = HTREE_DE_MIN;
		}
		if (pick(3) == 0)
			len += 4 * pick(12);
		if (len > left || left - len < HTREE_DE_MIN)
			len = left;
		htree_dirent_write(&dir, block, offset, len, &d);
		offset += len;
	}
}

static bool takes(const struct htree_dirent *d)
{
	return !d->ino || htree_dirent_dot(d) != 1;
}

static errcode_t plainly(const uint8_t *block, struct htree_scan *s)
{
	uint32_t previous = HTREE_NO_OFFSET, offset = 0;
	struct htree_dirent d;

	s->used = 0;
	s->gap = HTREE_NO_OFFSET;
	for (; offset < BLOCK; previous = offset, offset += d.rec_len) {
		uint32_t need;

		if (htree_dirent_parse(&dir, block, BLOCK, offset, &d))
			return E2DX_ET_DAMAGED;
		need = d.ino ? htree_dirent_size(&dir, &d) : 0;
		s->used += need;
		if (s->size && d.rec_len - need >= s->size && takes(&d) &&
		    s->gap == HTREE_NO_OFFSET)
			s->gap = offset;
		s->found = s->name && d.ino && d.name_len == s->len &&
			   !memcmp(d.name, s->name, s->len);
		if (s->found)
			break;
	}
	s->at = offset;
	s->previous = previous;
	return 0;
}

static void compare(const uint8_t *block)
{
	uint8_t name[256];
	struct htree_scan a = { .name = name, .len = pick_name(name) }, b;
	errcode_t err;

	if (pick(4) == 0)
		a.name = NULL;
	if (pick(2))
		a.size = htree_plain_record_size((uint32_t)a.len);
	b = a;
	err = htree_scan_block(&dir, block, 1, &a);
	ck_assert_int_eq(err, plainly(block, &b));
	if (err)
		return;
	ck_assert_int_eq(a.found, b.found);
	ck_assert_uint_eq(a.at, b.at);
	ck_assert_uint_eq(a.previous, b.previous);
	ck_assert_uint_eq(a.gap, b.gap);
	ck_assert_uint_eq(a.used, b.used);
	if (a.found)
		ck_assert_uint_eq(a.d.offset, b.at);
}

START_TEST(as_the_parser)
{
	uint8_t *block = malloc(BLOCK);		/* ASan sees its end */

	srand(7);
	for (int i = 0; i < ROUNDS; i++) {
		fill(block);
		compare(block);
		for (unsigned n = pick(4); n > 0; n--)
			block[pick(BLOCK)] = (uint8_t)(pick(2) ? pick(256)
							       : pick(16));
		compare(block);
	}
	free(block);
}
END_TEST

int main(void)
{
	TCase *c = make_case("scan");

	tcase_add_test(c, as_the_parser);
	return run_case("scan", c);
}
