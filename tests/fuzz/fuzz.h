/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the harnesses share: a directory from a fuzzer's bytes.  Either the
 * bytes are the blocks, or they are changes to a healthy directory made by
 * htree_build, so that the fuzzer begins deep inside the format.  Checksums
 * may be made right afterwards, or nothing would ever get past them.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "e2dx_err.h"
#include "htree/build.h"
#include "htree/csum.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/ondisk.h"
#include "htree/verify.h"
#include "htree/walk.h"

#define FUZZ_BLOCKS	24	/* at most, of raw ones */

#define CHECK(x) do { \
	if (!(x)) { \
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x); \
		abort(); \
	} \
} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct fuzz {
	const uint8_t *data;
	size_t size;
	struct htree_dir dir;
	struct htree_memory m;
	bool fix_checksums;
	uint32_t *whole;	/* built: entries of each block that no change
				   was made to; owned, NULL of raw ones */
};

static inline uint32_t fuzz_byte(struct fuzz *f)
{
	if (!f->size)
		return 0;
	f->size--;
	return *f->data++;
}

static inline uint32_t fuzz_word(struct fuzz *f)
{
	uint32_t low = fuzz_byte(f);

	return low | fuzz_byte(f) << 8;
}

/* ASCII to lower case; bytes above 0x7f are not valid. */
static inline int fuzz_fold_one(const void *table, const uint8_t *name,
				size_t len, uint8_t *out, size_t out_size)
{
	(void)table;
	if (len > out_size)
		return -1;
	for (size_t i = 0; i < len; i++) {
		if (name[i] >= 0x80)
			return -1;
		out[i] = name[i] >= 'A' && name[i] <= 'Z' ?
			(uint8_t)(name[i] + 32) : name[i];
	}
	return (int)len;
}

/* Names that cannot be folded equal only themselves, as in libext2fs. */
static inline bool fuzz_fold_same(const void *table, const uint8_t *a,
				  size_t a_len, const uint8_t *b, size_t b_len)
{
	uint8_t fa[256], fb[256];
	int la = fuzz_fold_one(table, a, a_len, fa, sizeof(fa));
	int lb = fuzz_fold_one(table, b, b_len, fb, sizeof(fb));

	if (la < 0 || lb < 0)
		return a_len == b_len && !memcmp(a, b, a_len);
	return la == lb && !memcmp(fa, fb, (size_t)la);
}

static const struct dirhash_fold fuzz_fold = {
	NULL, fuzz_fold_one, fuzz_fold_same
};

/* Four bytes: block size, features, index, default version. */
static inline void fuzz_begin(struct fuzz *f, const uint8_t *data, size_t size)
{
	static const uint32_t sizes[] = { 1024, 1024, 1024, 2048 };
	static const int versions[] = { 0, 1, 2, 6, 3, 7, 1, 6 };
	uint32_t a, b;

	memset(f, 0, sizeof(*f));
	f->data = data;
	f->size = size;
	a = fuzz_byte(f);
	b = fuzz_byte(f);
	f->dir.ino = 12;
	f->dir.inodes_count = a & 4 ? 70000 : 0;
	f->dir.csum_seed = 0x600df00d;
	f->dir.block_size = b >= 0xe0 ? 65536 : sizes[a & 3];
	f->dir.metadata_csum = a & 8;
	f->dir.filetype = !(a & 16);
	f->dir.encrypted = a & 32;
	f->dir.casefold = a & 64;
	f->dir.strict = a & 128;
	f->dir.indexed = !(b & 1);
	f->dir.dir_index = !(b & 2) || (b & 4);
	f->dir.max_indirect = b & 8 ? 2 : 1;
	f->dir.unsigned_chars = b & 16;
	f->fix_checksums = b & 32;
	f->dir.default_version = versions[fuzz_byte(f) & 7];
	if (f->dir.casefold)
		f->dir.fold = &fuzz_fold;
	htree_memory_init(&f->m, f->dir.block_size);
}

static inline void fuzz_end(struct fuzz *f)
{
	htree_memory_free(&f->m);
	free(f->whole);
}

static inline int fuzz_version(const struct htree_dir *dir)
{
	if (htree_dir_stores_hash(dir))
		return DIRHASH_SIPHASH;
	return dirhash_on_disk(dir->default_version) ? dir->default_version :
						       DIRHASH_HALF_MD4;
}

/* Build *e into *out as *dir would have it; false where it cannot be. */
static inline bool fuzz_build(struct htree_dir *dir, struct htree_entries *e,
			      struct htree_memory *out)
{
	struct htree_build_options o = {
		.indexed = dir->indexed, .version = fuzz_version(dir),
		.parent = 2
	};
	struct htree_build_result built;

	if (htree_build(dir, e, &o, &out->blocks, &built))
		return false;
	dir->indexed = built.indexed;
	return true;
}

static inline errcode_t fuzz_count(void *ctx, const struct htree_dirent *d)
{
	uint32_t *n = ctx;

	*n += !htree_dirent_dot(d);
	return 0;
}

static inline void fuzz_count_entries(struct fuzz *f)
{
	f->whole = calloc(f->m.blocks.count, sizeof(*f->whole));
	CHECK(f->whole);
	for (uint32_t b = 0; b < f->m.blocks.count; b++)
		CHECK(!htree_leaf_entries(&f->dir, f->m.data + (size_t)b *
					  f->dir.block_size, b, fuzz_count,
					  &f->whole[b]));
}

/* A healthy directory, then changes of one byte for each four of input. */
static inline void fuzz_make_built(struct fuzz *f)
{
	uint32_t n = fuzz_byte(f), longer = fuzz_byte(f);
	struct htree_entries e;
	uint8_t name[256];

	if (n >= 240)			/* slow, but for two levels needed */
		n *= 2;
	htree_entries_init(&e);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t len = 16 + (i * 7 + longer) % (1 + longer % 200);
		struct htree_dirent d = {
			.ino = 100 + i, .file_type = 1, .name = name,
			.name_len = (uint8_t)len,
			.hash = { i * 2654435761u & ~1u, i }
		};

		memset(name, 'n', len);
		name[0] = (uint8_t)('a' + i % 26);
		name[1] = (uint8_t)('a' + i / 26 % 26);
		CHECK(!htree_entries_add(&e, &d));
	}
	CHECK(fuzz_build(&f->dir, &e, &f->m));
	htree_entries_free(&e);
	fuzz_count_entries(f);
	while (f->size >= 4) {
		uint32_t block = fuzz_byte(f) % f->m.blocks.count;
		uint32_t offset = fuzz_word(f) % f->dir.block_size;

		f->m.data[block * f->dir.block_size + offset] =
			(uint8_t)fuzz_byte(f);
		f->whole[block] = 0;
	}
}

static inline void fuzz_make_raw(struct fuzz *f)
{
	uint32_t n = fuzz_byte(f) % FUZZ_BLOCKS;
	size_t room = (size_t)n * f->dir.block_size;

	CHECK(!htree_blocks_resize(&f->m.blocks, n));
	if (n)
		memcpy(f->m.data, f->data, f->size < room ? f->size : room);
}

static inline void fuzz_checksums(struct fuzz *f)
{
	for (uint32_t b = 0; b < f->m.blocks.count; b++) {
		uint8_t *p = f->m.data + (size_t)b * f->dir.block_size;
		uint32_t table = b ? HTREE_NODE_TABLE : HTREE_ROOT_TABLE;
		bool index = htree_rec_len_load(&f->dir, p) ==
			f->dir.block_size || (!b && f->dir.indexed);

		if (index && htree_index_fits(&f->dir, p, table))
			htree_index_csum_set(&f->dir, p, table);
		else if (!index)
			htree_leaf_csum_set(&f->dir, p);
	}
}

static inline void fuzz_make(struct fuzz *f)
{
	if (fuzz_byte(f) & 1)
		fuzz_make_raw(f);
	else
		fuzz_make_built(f);
	if (f->fix_checksums && f->dir.metadata_csum)
		fuzz_checksums(f);
}

#endif
