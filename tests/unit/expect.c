/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One directory, verified, and what was told of it. */
#include <check.h>
#include <stdio.h>
#include <string.h>
#include "expect.h"

struct hand h;

static void on_finding(void *ctx, const struct htree_finding *f)
{
	struct seen *s = ctx;

	s->code[f->code]++;
	s->last = *f;
	s->last.name = NULL;
}

static void on_entry(void *ctx, const struct htree_dirent *d, int dot)
{
	struct seen *s = ctx;
	char text[256] = "";
	unsigned i;

	if (dot) {
		s->dots++;
		return;
	}
	s->entries++;
	memcpy(text, d->name, d->name_len);
	if (sscanf(text, "name-%02u", &i) == 1 && i < HAND_NAMES)
		s->name[i]++;
}

const struct htree_verify_ops seen_ops = {
	.finding = on_finding, .entry = on_entry
};

struct htree_verify_result verify(struct htree_blocks *b, struct seen *s)
{
	struct htree_verify_result r;

	memset(s, 0, sizeof(*s));
	ck_assert_int_eq(htree_verify(&h.dir, b, &seen_ops, s, &r), 0);
	ck_assert_uint_eq(r.entries, s->entries);
	return r;
}

void expect_on(struct htree_blocks *b, const int *codes)
{
	struct seen s;

	verify(b, &s);
	for (int i = 0; codes[i]; i++)
		if (!s.code[codes[i]])
			ck_abort_msg("missing: %s", htree_finding_text(
				(enum htree_finding_code)codes[i]));
	for (; *codes; codes++)
		s.code[*codes] = 0;
	for (int i = 0; i < HTREE_FINDING_MAX; i++)
		if (s.code[i])
			ck_abort_msg("unexpected: %s", htree_finding_text(
				(enum htree_finding_code)i));
}

void all_names(void)
{
	struct seen s;

	verify(&h.m.blocks, &s);
	for (int i = 0; i < HAND_NAMES; i++)
		ck_assert_uint_eq(s.name[i], 1);
}

void linear(bool csum)
{
	static const char *const first[] = { "alpha", "beta", "gamma", NULL };
	static const char *const second[] = { "delta", "epsilon", NULL };

	hand_init(&h, 1024, csum);
	hand_resize(&h, 2);
	hand_fill(&h, 0, hand_dots(&h), 100, first);
	hand_fill(&h, 1, 0, 200, second);
	hand_seal(&h);
}

void indexed(bool csum, int levels)
{
	hand_init(&h, 1024, csum);
	hand_indexed(&h, levels, DIRHASH_HALF_MD4);
}
