/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record parser and the iterator over one block of any bytes: each item
 * lies in the block, they follow one another, and what was read can be
 * written and is then read the same.
 */
#include "fuzz.h"

static void check_item(const struct htree_dirents *it,
		       const struct htree_dirent *d)
{
	CHECK(d->rec_len > 0 && d->offset + d->rec_len <= it->end);
	if (!d->ino)
		return;
	CHECK(d->name_len > 0);
	CHECK(d->name >= it->block && d->name + d->name_len <=
	      it->block + it->end);
}

/* Write a sound record somewhere else and read it back. */
static void check_writer(const struct htree_dir *dir,
			 const struct htree_dirent *d)
{
	uint8_t other[1024];
	struct htree_dirent again;
	struct htree_dir small = *dir;

	small.block_size = sizeof(other);
	memset(other, 0xee, sizeof(other));
	htree_dirent_write(&small, other, 0, sizeof(other), d);
	CHECK(!htree_dirent_parse(&small, other, sizeof(other), 0, &again));
	CHECK(again.ino == d->ino && again.name_len == d->name_len);
	CHECK(again.file_type == d->file_type);
	CHECK(!memcmp(again.name, d->name, d->name_len));
	CHECK(again.has_hash == d->has_hash);
	if (d->has_hash)
		CHECK(!dirhash_compare(&again.hash, &d->hash));
}

static errcode_t count(void *ctx, const struct htree_dirent *d)
{
	(void)d;
	++*(unsigned *)ctx;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum htree_finding_code fault;
	unsigned sound = 0, given = 0;
	struct htree_dirents it;
	struct htree_dirent d;
	struct fuzz f;
	bool whole = true;
	uint32_t start;
	errcode_t err;

	fuzz_begin(&f, data, size);
	fuzz_make(&f);
	start = f.dir.indexed ? 0 : fuzz_byte(&f) % 16 * 4;
	for (uint32_t b = 0; b < f.m.blocks.count; b++) {
		/* A copy of its own, so that ASan sees its ends. */
		uint8_t *block = malloc(f.dir.block_size);
		uint32_t next = start, end;

		CHECK(block);
		memcpy(block, f.m.data + (size_t)b * f.dir.block_size,
		       f.dir.block_size);
		end = htree_block_end(&f.dir, block, b);
		CHECK(end <= f.dir.block_size);
		htree_dirents_begin(&it, &f.dir, block, b, start, end);
		while (htree_dirents_next(&it, &d, &fault)) {
			CHECK(d.offset == next && d.block == b);
			next = d.offset + d.rec_len;
			check_item(&it, &d);
			whole = whole && fault == HTREE_OK;
			if (fault == HTREE_OK && d.ino) {
				sound++;
				check_writer(&f.dir, &d);
			}
		}
		CHECK(next == end);
		err = htree_leaf_entries(&f.dir, block, b, count, &given);
		if (start == 0 && whole)
			CHECK(!err && given == sound);
		free(block);
	}
	fuzz_end(&f);
	return 0;
}
