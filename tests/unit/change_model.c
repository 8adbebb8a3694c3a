/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A directory that changes, beside a plain set of what should be in it. */
#include "change_model.h"
#include <check.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "e2dx_err.h"
#include "handmade.h"
#include "htree/build.h"
#include "htree/layout.h"

uint32_t model_random(struct model *m, uint32_t below)
{
	/* splitmix64 */
	uint64_t z = m->random += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (uint32_t)((z ^ z >> 31) % below);
}

size_t model_name(const struct model *m, uint32_t i, uint8_t name[256])
{
	size_t min = m->kind->flags & MODEL_STORED ? 16 : 7;
	size_t longest = m->kind->length < min ? min : m->kind->length;
	size_t len = min + i * 2654435761u % (longest - min + 1);

	memset(name, 'a' + i % 26, len);
	for (int k = 0; k < 6; k++)
		name[k] = (uint8_t)('a' + (i >> (4 * k) & 15));
	if (m->kind->flags & MODEL_UNSIGNED)
		name[len - 1] = (uint8_t)(0x80 | (i & 0x7f));
	return len;
}

uint32_t model_number(const struct model *m, const uint8_t *name)
{
	uint32_t i = 0;

	(void)m;
	for (int k = 0; k < 6; k++)
		i |= (uint32_t)(tolower(name[k]) - 'a') << (4 * k);
	return i;
}

struct htree_dirent model_entry(const struct model *m, uint32_t i,
				uint8_t name[256])
{
	struct htree_dirent d = { .file_type = 1, .name = name };

	d.name_len = (uint8_t)model_name(m, i, name);
	d.ino = 100 + i;
	d.hash.hash = i * 2654435761u & ~1u;
	if ((m->kind->flags & MODEL_COLLIDE) && i % 2)
		d.hash.hash = 0x80001234;
	if (d.hash.hash > 0xfffffffc)
		d.hash.hash = 0xfffffffc;
	d.hash.minor_hash = i;
	return d;
}

static void begin_dir(struct model *m)
{
	const struct model_kind *k = m->kind;

	m->dir = (struct htree_dir) {
		.ino = 12, .inodes_count = 10000000, .csum_seed = 0x1234567,
		.block_size = k->block_size, .metadata_csum = k->csum,
		.filetype = !(k->flags & MODEL_NO_FILETYPE),
		.encrypted = k->flags & MODEL_STORED,
		.casefold = k->flags & (MODEL_STORED | MODEL_CASEFOLD),
		.dir_index = !(k->flags & MODEL_LINEAR),
		.max_indirect = k->max_indirect,
		.default_version = k->version,
		.unsigned_chars = k->flags & MODEL_UNSIGNED,
		.seed = "0123456789abcde"
	};
	if (m->dir.casefold)
		m->dir.fold = &hand_fold;
}

void model_init(struct model *m, const struct model_kind *kind, uint64_t seed)
{
	struct htree_build_options o = { .parent = 2 };
	struct htree_build_result r;
	struct htree_entries e;

	memset(m, 0, sizeof(*m));
	m->kind = kind;
	m->random = seed;
	m->how = HTREE_SHRINK;
	begin_dir(m);
	htree_memory_init(&m->m, kind->block_size);
	m->b = &m->m.blocks;
	htree_entries_init(&e);
	must(htree_build(&m->dir, &e, &o, m->b, &r) == 0);
	m->buffer = malloc(kind->block_size);
	m->ino = calloc(kind->names, sizeof(*m->ino));
	m->seen = malloc(kind->names);
	must(m->buffer && m->ino && m->seen);
}

void model_free(struct model *m)
{
	htree_memory_free(&m->m);
	free(m->buffer);
	free(m->ino);
	free(m->seen);
}

void model_insert(struct model *m, uint32_t i)
{
	uint8_t name[256];
	struct htree_dirent d = model_entry(m, i, name);
	errcode_t err;

	if (m->ino[i] && (m->kind->flags & MODEL_CASEFOLD) &&
	    !(m->kind->flags & MODEL_STORED))
		name[model_random(m, d.name_len)] -= 32;
	err = htree_insert(&m->dir, m->b, &d);
	if (m->ino[i]) {
		must(err == EEXIST);
		return;
	}
	if (err)
		ck_abort_msg("insert %u of %u: %ld", i, m->present, (long)err);
	m->ino[i] = d.ino;
	m->present++;
}

void model_remove(struct model *m, uint32_t i)
{
	uint8_t name[256];
	size_t len = model_name(m, i, name);
	errcode_t err = htree_remove(&m->dir, m->b, name, len, m->how);

	must(err == (m->ino[i] ? 0 : E2DX_ET_NOT_FOUND));
	m->present -= m->ino[i] != 0;
	m->ino[i] = 0;
}

void model_lookup(struct model *m, uint32_t i)
{
	uint8_t name[256];
	size_t len = model_name(m, i, name);
	struct htree_dirent d;
	errcode_t err = htree_lookup(&m->dir, m->b, name, len, m->buffer, &d);

	must(err == (m->ino[i] ? 0 : E2DX_ET_NOT_FOUND));
	if (m->ino[i]) {
		must(d.ino == m->ino[i]);
		must(d.name_len == len);
		must(!memcmp(d.name, name, len));
	}
}

void model_step(struct model *m)
{
	uint32_t i = model_random(m, m->kind->names);

	if (m->turn == 0) {
		m->growing = !m->growing;
		m->turn = 1 + model_random(m, 2 * m->kind->names);
		m->how = model_random(m, 4) ? HTREE_SHRINK : HTREE_KEEP_BLOCKS;
	}
	m->turn--;
	switch (model_random(m, 8)) {
	case 0:
		model_lookup(m, i);
		break;
	case 1:
	case 2:
		if (m->growing)
			model_remove(m, i);
		else
			model_insert(m, i);
		break;
	default:
		if (m->growing)
			model_insert(m, i);
		else
			model_remove(m, i);
	}
}

static void on_finding(void *ctx, const struct htree_finding *f)
{
	(void)ctx;
	ck_abort_msg("%s: block %u at %u, %llu, expected %llu",
		     htree_finding_text(f->code), f->block, f->offset,
		     (unsigned long long)f->value,
		     (unsigned long long)f->expected);
}

static void on_entry(void *ctx, const struct htree_dirent *d, int dot)
{
	struct model *m = ctx;
	uint32_t i;

	if (dot)
		return;
	i = model_number(m, d->name);
	must(i < m->kind->names);
	must(m->ino[i] == d->ino);
	must(!m->seen[i]);
	m->seen[i] = 1;
	m->entries++;
}

void model_check(struct model *m)
{
	static const struct htree_verify_ops ops = {
		.finding = on_finding, .entry = on_entry
	};
	struct htree_verify_result r;

	memset(m->seen, 0, m->kind->names);
	m->entries = 0;
	must(htree_verify(&m->dir, m->b, &ops, m, &r) == 0);
	must(m->entries == m->present);
	must(r.findings == 0);
}

void model_empty(struct model *m)
{
	uint32_t first = model_random(m, m->kind->names);

	m->how = HTREE_SHRINK;
	for (uint32_t i = 0; i < m->kind->names; i++) {
		uint32_t n = (first + i) % m->kind->names;

		if (m->ino[n])
			model_remove(m, n);
	}
	model_check(m);
	must(m->present == 0);
	if (m->kind->flags & MODEL_LINEAR)
		return;
	must(m->b->count == 1);
	must(!m->dir.indexed);
}
