/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Case folding by libext2fs' own tables.
 *
 * libext2fs exports the loading of a table and the comparison of two names,
 * but not the folding that both hash and comparison rest on: that is the
 * first function behind the table's second member (seen in 1.46 and 1.47).
 * This file is the only one that knows so, and it asks before it believes:
 * pointers must lead into the library's own mapping, and known names must
 * fold to known names.
 */
#include <config.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "ext2fs/nls.h"

#define FOLDED_MAX	4096	/* as Linux has it; see dirhash.c */

/* libext2fs' private structures, as far as they are needed. */
struct nls_functions {
	/* Folded length (not terminated); negative where it cannot be. */
	int (*fold)(const struct ext2fs_nls_table *table,
		    const unsigned char *name, size_t len, unsigned char *out,
		    size_t out_size);
};

struct nls_table {
	int version;
	const struct nls_functions *functions;
};

static const struct nls_functions *functions_of(const void *table)
{
	const struct nls_table *t = table;

	return t->functions;
}

static int fold(const void *table, const uint8_t *name, size_t len,
		uint8_t *out, size_t out_size)
{
	int n = functions_of(table)->fold(table, name, len, out, out_size);

	return n < 0 || (size_t)n > out_size ? -1 : n;
}

/* As Linux: names that cannot be folded are the same only byte for byte. */
static bool same(const void *table, const uint8_t *a, size_t a_len,
		 const uint8_t *b, size_t b_len)
{
	uint8_t a_folded[FOLDED_MAX], b_folded[FOLDED_MAX];
	int a_n, b_n;

	if (a_len == b_len && memcmp(a, b, a_len) == 0)
		return true;
	a_n = fold(table, a, a_len, a_folded, sizeof(a_folded));
	if (a_n < 0)
		return false;
	b_n = fold(table, b, b_len, b_folded, sizeof(b_folded));
	return a_n == b_n && memcmp(a_folded, b_folded, (size_t)a_n) == 0;
}

/* The shared object that an address lies in; NULL where in none. */
static const void *object_of(const void *address)
{
	Dl_info info;

	return address && dladdr(address, &info) ? info.dli_fbase : NULL;
}

/* Can the pointers behind `table` be followed? */
static bool layout_plausible(const void *table)
{
	const void *object = object_of(table), *code;

	if (!object || (uintptr_t)table % _Alignof(struct nls_table) ||
	    object_of(functions_of(table)) != object)
		return false;
	memcpy(&code, functions_of(table), sizeof(code));
	return object_of(code) == object;
}

static bool folds_to(const void *table, const char *name, const char *want)
{
	/* Aligned: what stands in fold's place may take it for a pointer. */
	_Alignas(max_align_t) uint8_t out[64] = { 0 };
	int n = fold(table, (const uint8_t *)name, strlen(name), out,
		     sizeof(out));

	return want ? n == (int)strlen(want) && memcmp(out, want, (size_t)n) == 0
		    : n < 0;
}

static bool layout_known(const void *table)
{
	return layout_plausible(table) && folds_to(table, "A", "a") &&
	       folds_to(table, "\303\211", "e\314\201") &&
	       folds_to(table, "\377", NULL);
}

errcode_t e2dx_fold_from_table(const struct ext2fs_nls_table *table,
			       struct dirhash_fold *out)
{
	/* ext2fs_dirhash2() comes here for each name: remember the answer. */
	static _Atomic(const struct ext2fs_nls_table *) known;

	if (!table)
		return E2DX_ET_UNSUPPORTED;
	if (atomic_load_explicit(&known, memory_order_relaxed) != table) {
		if (!layout_known(table))
			return E2DX_ET_UNSUPPORTED;
		atomic_store_explicit(&known, table, memory_order_relaxed);
	}
	out->table = table;
	out->fold = fold;
	out->same = same;
	return 0;
}

errcode_t e2dx_fold_init(int encoding, struct dirhash_fold *out)
{
	const struct ext2fs_nls_table *table = ext2fs_load_nls_table(encoding);

	return table ? e2dx_fold_from_table(table, out) : E2DX_ET_UNSUPPORTED;
}
