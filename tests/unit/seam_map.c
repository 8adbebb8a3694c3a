/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Block maps and directories against libext2fs' own iterators, and against
 * damage that those cannot be trusted with.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ext2fs/inline.h"
#include "ext2fs/map.h"
#include "htree/crc32c.h"
#include "htree/ondisk.h"
#include "seam_image.h"
#include "suite.h"

static const struct {
	const char *options, *size;
} kinds[] = {
	{ "-t ext2 -b 1024", "40M" },
	{ "-t ext2 -b 4096", "64M" },
	{ "-t ext4 -b 1024", "40M" },
	{ "-t ext4 -b 1024 -O ^metadata_csum", "40M" },
	{ "-t ext4 -b 4096 -O bigalloc -C 16384", "100M" },
	{ "-t ext4 -b 65536", "400M" },
	{ "-t ext4 -b 1024 -O inline_data", "40M" },
};
#define KINDS ((int)(sizeof(kinds) / sizeof(kinds[0])))

/* Logical block to physical one; META blocks as a sorted set. */
struct blocks {
	uint64_t logical[20000], physical[20000], meta[2000];
	size_t n, n_meta;
};

static void add_meta(struct blocks *b, uint64_t block)
{
	if (b->n_meta >= 2000)
		ck_abort_msg("too many mapping blocks");
	b->meta[b->n_meta++] = block;
}

static void add_data(struct blocks *b, uint64_t logical, uint64_t physical)
{
	if (b->n >= 20000)
		ck_abort_msg("too many blocks");
	b->logical[b->n] = logical;
	b->physical[b->n++] = physical;
}

static errcode_t ours(void *ctx, const struct e2dx_run *run)
{
	for (uint64_t i = 0; i < run->count; i++)
		if (run->kind == E2DX_MAP_META)
			add_meta(ctx, run->physical + i);
		else
			add_data(ctx, run->logical + i, run->physical + i);
	return 0;
}

static int theirs(ext2_filsys fs, blk64_t *block, e2_blkcnt_t logical,
		  blk64_t ref, int offset, void *ctx)
{
	(void)fs;
	(void)ref;
	(void)offset;
	if (logical < 0)
		add_meta(ctx, *block);
	else
		add_data(ctx, (uint64_t)logical, *block);
	return 0;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void compare_maps(struct e2dx_fs *efs, ext2_filsys fs, ext2_ino_t ino)
{
	static struct blocks a, b;
	struct ext2_inode_large inode;

	a.n = a.n_meta = b.n = b.n_meta = 0;
	ck_assert_int_eq(e2dx_inode_read(efs, ino, &inode), 0);
	ck_assert_int_eq(e2dx_map_walk(efs, ino, &inode, ours, &a), 0);
	if (ext2fs_inode_has_valid_blocks2(fs, (struct ext2_inode *)&inode))
		ck_assert_int_eq(ext2fs_block_iterate3(fs, ino,
						       BLOCK_FLAG_READ_ONLY,
						       NULL, theirs, &b), 0);
	qsort(a.meta, a.n_meta, sizeof(a.meta[0]), by_value);
	qsort(b.meta, b.n_meta, sizeof(b.meta[0]), by_value);
	ck_assert_uint_eq(a.n, b.n);
	ck_assert_uint_eq(a.n_meta, b.n_meta);
	ck_assert_mem_eq(a.logical, b.logical, a.n * sizeof(a.logical[0]));
	ck_assert_mem_eq(a.physical, b.physical, a.n * sizeof(a.physical[0]));
	ck_assert_mem_eq(a.meta, b.meta, a.n_meta * sizeof(a.meta[0]));
}

/* Every block that the walk gives is found by itself, and no other. */
struct find {
	struct e2dx_fs *efs;
	ext2_ino_t ino;
	const struct ext2_inode_large *inode;
	uint64_t next;		/* logical blocks before it were looked at */
};

static void find_hole(struct find *f, uint64_t logical)
{
	struct e2dx_run run;

	ck_assert_int_eq(e2dx_map_find(f->efs, f->ino, f->inode, logical,
				       &run), E2DX_ET_HOLE);
}

/* Nothing at all: a hole to who asks for what is owned, too. */
static void find_nothing(struct find *f, uint64_t logical)
{
	struct e2dx_run run;

	find_hole(f, logical);
	ck_assert_int_eq(e2dx_map_find_owned(f->efs, f->ino, f->inode, logical,
					     &run), E2DX_ET_HOLE);
}

/* A hole to who reads, and a run to who asks for what is owned. */
static void find_unwritten(struct find *f, const struct e2dx_run *walked,
			   uint64_t logical)
{
	struct e2dx_run run;

	find_hole(f, logical);
	ck_assert_int_eq(e2dx_map_find_owned(f->efs, f->ino, f->inode, logical,
					     &run), 0);
	ck_assert_int_eq(run.kind, E2DX_MAP_UNWRITTEN);
	ck_assert_uint_le(run.logical, logical);
	ck_assert_uint_gt(run.logical + run.count, logical);
	ck_assert_uint_eq(run.physical - run.logical,
			  walked->physical - walked->logical);
}

static errcode_t find_run(void *ctx, const struct e2dx_run *walked)
{
	struct find *f = ctx;
	struct e2dx_run run;

	if (walked->kind == E2DX_MAP_META)
		return 0;
	if (walked->logical > f->next) {
		find_nothing(f, f->next);
		find_nothing(f, walked->logical - 1);
	}
	f->next = walked->logical + walked->count;
	for (uint64_t i = 0; i < walked->count; i++) {
		if (walked->kind == E2DX_MAP_UNWRITTEN) {
			find_unwritten(f, walked, walked->logical + i);
			continue;
		}
		ck_assert_int_eq(e2dx_map_find(f->efs, f->ino, f->inode,
					       walked->logical + i, &run), 0);
		ck_assert_int_eq(run.kind, E2DX_MAP_DATA);
		ck_assert_uint_le(run.logical, walked->logical + i);
		ck_assert_uint_le(run.logical + run.count, f->next);
		ck_assert_uint_eq(run.physical - run.logical,
				  walked->physical - walked->logical);
	}
	return 0;
}

static void find_each(struct e2dx_fs *efs, ext2_ino_t ino)
{
	struct ext2_inode_large inode;
	struct find f = { .efs = efs, .ino = ino, .inode = &inode };

	ck_assert_int_eq(e2dx_inode_read(efs, ino, &inode), 0);
	ck_assert_int_eq(e2dx_map_walk(efs, ino, &inode, find_run, &f), 0);
	find_nothing(&f, f.next);
	find_nothing(&f, 1ULL << 40);
}

static void compare_inode(struct e2dx_fs *efs, ext2_filsys fs, ext2_ino_t ino)
{
	struct ext2_inode_large a, b;
	uint8_t raw[65536];

	memset(&b, 0, sizeof(b));
	ck_assert_int_eq(e2dx_inode_read(efs, ino, &a), 0);
	ck_assert_int_eq(ext2fs_read_inode_full(fs, ino, (struct ext2_inode *)&b,
						sizeof(b)), 0);
	ck_assert_mem_eq(&a, &b, sizeof(a));
	ck_assert_int_eq(e2dx_inode_load(efs, ino, raw), 0);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(e2dx_inode_csum_ok(efs, ino, raw),
			!!ext2fs_inode_csum_verify(fs, ino,
					(struct ext2_inode_large *)raw));
		raw[100 + i] ^= 4;
	}
}

START_TEST(all_inodes)
{
	const char *path = seam_make("img", kinds[_i].options, kinds[_i].size);
	struct e2dx_fs *efs = seam_open(path, false);
	ext2_filsys fs = seam_stock(path);
	size_t mapped = 0;

	for (ext2_ino_t i = 1; i <= fs->super->s_inodes_count; i++) {
		/* libext2fs follows the resize inode as it follows a file. */
		if (!ext2fs_test_inode_bitmap2(fs->inode_map, i))
			continue;
		compare_inode(efs, fs, i);
		compare_maps(efs, fs, i);
		find_each(efs, i);
		mapped++;
	}
	ck_assert_uint_gt(mapped, 400);
	ext2fs_free(fs);
	e2dx_close(efs);
	unlink(path);
}
END_TEST

/* ---- directories */

struct listing {
	uint8_t *data;
	uint32_t block_size;
};

static int copy_block(ext2_filsys fs, blk64_t *block, e2_blkcnt_t logical,
		      blk64_t ref, int offset, void *ctx)
{
	struct listing *l = ctx;

	(void)ref;
	(void)offset;
	if (logical >= 0)
		ck_assert_int_eq(io_channel_read_blk64(fs->io, *block, 1, l->data +
				 (size_t)logical * l->block_size), 0);
	return 0;
}

START_TEST(directory)
{
	const char *path = seam_make("img", kinds[_i].options, kinds[_i].size);
	struct e2dx_fs *efs = seam_open(path, false);
	ext2_filsys fs = seam_stock(path);
	ext2_ino_t ino = seam_inode(fs, "many");
	struct listing l = { .block_size = fs->blocksize };
	struct e2dx_dir *d;
	uint8_t *data;
	size_t size;

	ck_assert_int_eq(e2dx_dir_open(efs, ino, &d), 0);
	ck_assert(!d->map_damaged && !d->size_wrong && !d->inline_data);
	ck_assert_uint_gt(d->blocks.count, 0);
	size = (size_t)d->blocks.count * l.block_size;
	ck_assert_uint_eq(size, EXT2_I_SIZE(&d->inode));
	data = malloc(size);
	l.data = calloc(1, size);
	ck_assert_int_eq(htree_blocks_read(&d->blocks, 0, d->blocks.count, data),
			 0);
	ck_assert_int_eq(ext2fs_block_iterate3(fs, ino, BLOCK_FLAG_READ_ONLY,
					       NULL, copy_block, &l), 0);
	ck_assert_mem_eq(data, l.data, size);
	ck_assert_int_eq(htree_blocks_read(&d->blocks, d->blocks.count, 1, data),
			 E2DX_ET_RANGE);
	free(l.data);
	free(data);
	e2dx_dir_close(d);
	ck_assert_int_eq(e2dx_dir_open(efs, seam_inode(fs, "large"), &d),
			 E2DX_ET_NOT_DIRECTORY);
	ck_assert_int_eq(e2dx_dir_open(efs, 0, &d), E2DX_ET_RANGE);
	ck_assert_int_eq(e2dx_dir_open(efs, fs->super->s_inodes_count + 1, &d),
			 E2DX_ET_RANGE);
	ext2fs_free(fs);
	e2dx_close(efs);
	unlink(path);
}
END_TEST

/* stock libext2fs calls it for "." and "..", too, which it makes up. */
static int count_name(struct ext2_dir_entry *entry, int offset, int block_size,
		      char *buf, void *ctx)
{
	(void)entry;
	(void)offset;
	(void)block_size;
	(void)buf;
	++*(int *)ctx;
	return 0;
}

/* Used records of a part; ends at damage. */
static int count_records(const uint8_t *p, size_t n)
{
	size_t at = 0;
	int used = 0;

	while (at + 8 <= n && htree_le16(p + at + 4) >= 8) {
		used += htree_le32(p + at) != 0;
		at += htree_le16(p + at + 4);
	}
	return used;
}

START_TEST(inline_directory)
{
	const char *path = seam_make("img", "-t ext4 -b 1024 -O inline_data",
				     "40M");
	struct e2dx_fs *efs = seam_open(path, false);
	ext2_filsys fs = seam_stock(path);
	struct e2dx_dir *d;
	int stock = 0;

	ck_assert_int_eq(e2dx_dir_open(efs, seam_inode(fs, "deep/a"), &d), 0);
	ck_assert(d->inline_data && !d->map_damaged && !d->size_wrong);
	ck_assert_uint_eq(d->inline_lengths[0], 60);
	ck_assert_uint_eq(d->inline_lengths[1], 0);
	ck_assert_int_eq(ext2fs_dir_iterate(fs, d->dir.ino, 0, NULL, count_name,
					    &stock), 0);
	ck_assert_int_eq(stock, 3);
	ck_assert_int_eq(stock - 2, count_records(d->inline_parts[0] + 4, 56));
	e2dx_dir_close(d);
	ext2fs_free(fs);
	e2dx_close(efs);
}
END_TEST

/* What Linux writes when a directory outgrows i_block: system.data. */
static size_t inline_value(struct e2dx_fs *efs, const uint8_t *raw, int *at)
{
	size_t len;
	const uint8_t *value = e2dx_inline_value(efs, raw, &len);

	*at = value ? (int)(value - raw) : -1;
	return len;
}

START_TEST(inline_attribute)
{
	struct e2dx_fs *efs = seam_open(seam_make("img", "-t ext4 -b 1024 -O "
				"inline_data", "40M"), false);
	uint8_t raw[256] = { 0 };
	int at;

	htree_put_le16(raw + 0x80, 32);
	ck_assert_uint_eq(inline_value(efs, raw, &at), 0);
	ck_assert_int_eq(at, -1);
	htree_put_le32(raw + 160, 0xea020000);
	/* user.x first, then system.data with 20 bytes at 164 + 60. */
	raw[164] = 1;
	raw[165] = 1;
	raw[164 + 16] = 'x';
	raw[184] = 4;
	raw[185] = 7;
	htree_put_le16(raw + 186, 60);
	htree_put_le32(raw + 192, 20);
	memcpy(raw + 200, "data", 4);
	ck_assert_uint_eq(inline_value(efs, raw, &at), 20);
	ck_assert_int_eq(at, 224);
	/* As long as fits, one more, and nonsense. */
	htree_put_le32(raw + 192, 32);
	ck_assert_uint_eq(inline_value(efs, raw, &at), 32);
	htree_put_le32(raw + 192, 33);
	ck_assert_uint_eq(inline_value(efs, raw, &at), 0);
	ck_assert_int_eq(at, -1);
	htree_put_le32(raw + 192, 20);
	/* Among the entries, whose list ends with 4 zero bytes at 204. */
	htree_put_le16(raw + 186, 40);
	inline_value(efs, raw, &at);
	ck_assert_int_eq(at, -1);
	htree_put_le16(raw + 186, 44);
	inline_value(efs, raw, &at);
	ck_assert_int_eq(at, 208);
	htree_put_le16(raw + 186, 65535);
	inline_value(efs, raw, &at);
	ck_assert_int_eq(at, -1);
	htree_put_le16(raw + 186, 60);
	raw[164] = 255;
	inline_value(efs, raw, &at);
	ck_assert_int_eq(at, -1);
	htree_put_le16(raw + 0x80, 65535);
	inline_value(efs, raw, &at);
	ck_assert_int_eq(at, -1);
	e2dx_close(efs);
}
END_TEST

/* ---- damage: an inode's map made by hand in memory */

struct totals {
	uint64_t data, meta;
	int calls;
	errcode_t on_meta;
};

static errcode_t add_up(void *ctx, const struct e2dx_run *run)
{
	struct totals *t = ctx;

	t->calls++;
	if (run->kind == E2DX_MAP_META) {
		t->meta += run->count;
		return t->on_meta;
	}
	t->data += run->count;
	return 0;
}

static struct e2dx_fs *fresh(const char *options)
{
	return seam_open(seam_make("img", options, "40M"), false);
}

static void put_header(uint8_t *p, unsigned entries, unsigned max,
		       unsigned depth)
{
	htree_put_le16(p, 0xf30a);
	htree_put_le16(p + 2, entries);
	htree_put_le16(p + 4, max);
	htree_put_le16(p + 6, depth);
	htree_put_le32(p + 8, 0);
}

static void put_extent(uint8_t *p, uint32_t logical, unsigned len,
		       uint32_t start)
{
	htree_put_le32(p, logical);
	htree_put_le16(p + 4, len);
	htree_put_le16(p + 6, 0);
	htree_put_le32(p + 8, start);
}

static void put_index(uint8_t *p, uint32_t logical, uint32_t block)
{
	htree_put_le32(p, logical);
	htree_put_le32(p + 4, block);
	htree_put_le32(p + 8, 0);
}

START_TEST(damaged_extents)
{
	struct e2dx_fs *efs = fresh("-t ext4 -b 1024");
	uint32_t end = (uint32_t)ext2fs_blocks_count(efs->fs->super);
	struct ext2_inode_large inode = {
		.i_mode = LINUX_S_IFREG, .i_flags = EXT4_EXTENTS_FL
	};
	uint8_t *p = (uint8_t *)inode.i_block;
	struct totals t = { 0 };

	/* Good, unwritten, overlapping, of no length, beyond the end. */
	put_header(p, 4, 4, 0);
	put_extent(p + 12, 0, 10, 5000);
	put_extent(p + 24, 20, 32768 + 5, 6000);
	put_extent(p + 36, 24, 5, 7000);
	put_extent(p + 48, 30, 10, end - 9);
	ck_assert_int_eq(e2dx_map_walk(efs, 12, &inode, add_up, &t),
			 E2DX_ET_MAP_DAMAGED);
	ck_assert_uint_eq(t.data, 15);
	put_extent(p + 36, 26, 0, 7000);
	put_extent(p + 48, 30, 9, end - 9);
	t = (struct totals){ 0 };
	ck_assert_int_eq(e2dx_map_walk(efs, 12, &inode, add_up, &t),
			 E2DX_ET_MAP_DAMAGED);
	ck_assert_uint_eq(t.data, 24);
	/* Headers that lie. */
	for (unsigned i = 0; i < 4; i++) {
		static const unsigned bad[4][3] = {
			{ 5, 4, 0 }, { 4, 5, 0 }, { 1, 4, 6 }, { 0, 4, 1 }
		};

		put_header(p, bad[i][0], bad[i][1], bad[i][2]);
		t = (struct totals){ 0 };
		ck_assert_int_eq(e2dx_map_walk(efs, 12, &inode, add_up, &t),
				 E2DX_ET_MAP_DAMAGED);
		ck_assert_int_eq(t.calls, 0);
	}
	put_header(p, 0, 4, 0);
	ck_assert_int_eq(e2dx_map_walk(efs, 12, &inode, add_up, &t), 0);
	e2dx_close(efs);
}
END_TEST

/* An unwritten extent is found only by who asks for what is owned. */
START_TEST(unwritten)
{
	const char *path = seam_make("img", "-t ext4 -b 1024 -O ^metadata_csum",
				     "40M");
	struct e2dx_fs *efs = seam_open(path, false);
	struct ext2_inode_large inode = {
		.i_mode = LINUX_S_IFREG, .i_flags = EXT4_EXTENTS_FL
	};
	struct find f = { .efs = efs, .ino = 12, .inode = &inode };
	uint8_t *p = (uint8_t *)inode.i_block;
	struct e2dx_run run;

	put_header(p, 2, 4, 0);
	put_extent(p + 12, 0, 10, 5000);
	put_extent(p + 24, 20, 32768 + 5, 6000);
	ck_assert_int_eq(e2dx_map_walk(efs, 12, &inode, find_run, &f), 0);
	ck_assert_uint_eq(f.next, 25);
	find_nothing(&f, 25);
	ck_assert_int_eq(e2dx_map_find_owned(efs, 12, &inode, 22, &run), 0);
	ck_assert_int_eq(run.kind, E2DX_MAP_UNWRITTEN);
	ck_assert_uint_eq(run.physical + (22 - run.logical), 6002);
	e2dx_close(efs);
}
END_TEST

/* A node that is its own child, at every depth. */
START_TEST(extent_loop)
{
	const char *path = seam_make("img", "-t ext4 -b 1024 -O ^metadata_csum",
				     "40M");
	struct e2dx_fs *efs = seam_open(path, false);
	struct ext2_inode_large inode = {
		.i_mode = LINUX_S_IFREG, .i_flags = EXT4_EXTENTS_FL
	};
	uint8_t block[1024] = { 0 };
	struct totals t = { 0 };

	put_header((uint8_t *)inode.i_block, 1, 4, 5);
	put_index((uint8_t *)inode.i_block + 12, 0, 30000);
	put_header(block, 84, 84, 4);
	for (unsigned i = 0; i < 84; i++)
		put_index(block + 12 + 12 * i, i * 1000, 30000);
	seam_poke(path, 30000 * 1024, block, sizeof(block));
	ck_assert_int_eq(e2dx_map_walk(efs, 12, &inode, add_up, &t),
			 E2DX_ET_MAP_DAMAGED);
	ck_assert_uint_eq(t.meta, 85);
	ck_assert_uint_eq(t.data, 0);
	/* Told not to follow: one visit, no damage seen. */
	t = (struct totals){ .on_meta = E2DX_MAP_SKIP };
	ck_assert_int_eq(e2dx_map_walk(efs, 12, &inode, add_up, &t), 0);
	ck_assert_uint_eq(t.meta, 1);
	/* Another value stops. */
	t = (struct totals){ .on_meta = 77 };
	ck_assert_int_eq(e2dx_map_walk(efs, 12, &inode, add_up, &t), 77);
	e2dx_close(efs);
}
END_TEST

/* A wrong checksum: the map is damaged, and its blocks are still owned. */
struct told {
	unsigned n;
	struct e2dx_map_fault v[16];
};

static errcode_t take_run(void *ctx, const struct e2dx_run *run)
{
	(void)ctx;
	(void)run;
	return 0;
}

static void take_fault(void *ctx, const struct e2dx_map_fault *fault)
{
	struct told *t = ctx;

	if (t->n < 16)
		t->v[t->n] = *fault;
	t->n++;
}

static const struct e2dx_map_ops telling = {
	.run = take_run, .fault = take_fault
};

/* Walk it; there is just one fault, of this kind. */
static void check_fault(struct e2dx_fs *efs,
			const struct ext2_inode_large *inode,
			enum e2dx_map_fault_code code, uint64_t logical,
			uint64_t value)
{
	struct told t = { 0 };

	ck_assert_int_eq(e2dx_map_walk_ops(efs, 12, inode, &telling, &t),
			 E2DX_ET_MAP_DAMAGED);
	ck_assert_uint_eq(t.n, 1);
	ck_assert_int_eq(t.v[0].code, code);
	ck_assert_uint_eq(t.v[0].block, 0);
	ck_assert_uint_eq(t.v[0].logical, logical);
	ck_assert_uint_eq(t.v[0].value, value);
}

START_TEST(faults_told)
{
	struct e2dx_fs *efs = fresh("-t ext4 -b 1024");
	uint32_t end = (uint32_t)ext2fs_blocks_count(efs->fs->super);
	struct ext2_inode_large inode = {
		.i_mode = LINUX_S_IFREG, .i_flags = EXT4_EXTENTS_FL
	};
	uint8_t *p = (uint8_t *)inode.i_block;
	struct told t = { 0 };

	put_header(p, 2, 4, 0);
	put_extent(p + 12, 0, 10, 5000);
	put_extent(p + 24, 10, 5, 6000);
	ck_assert_int_eq(e2dx_map_walk_ops(efs, 12, &inode, &telling, &t), 0);
	ck_assert_uint_eq(t.n, 0);
	put_extent(p + 24, 9, 5, 6000);
	check_fault(efs, &inode, E2DX_FAULT_ORDER, 9, 6000);
	put_extent(p + 24, 10, 0, 6000);
	check_fault(efs, &inode, E2DX_FAULT_LENGTH, 10, 6000);
	put_extent(p + 24, 10, 5, end - 4);
	check_fault(efs, &inode, E2DX_FAULT_RANGE, 10, end - 4);
	put_extent(p + 24, 0xffffffff, 2, 6000);
	check_fault(efs, &inode, E2DX_FAULT_BOUNDS, 0xffffffff, 6000);
	put_header(p, 5, 4, 0);
	check_fault(efs, &inode, E2DX_FAULT_ENTRIES, 0, 5);
	put_header(p, 1, 5, 0);
	check_fault(efs, &inode, E2DX_FAULT_MAX, 0, 5);
	put_header(p, 1, 1, 0);
	check_fault(efs, &inode, E2DX_FAULT_MAX, 0, 1);
	put_header(p, 1, 2, 0);
	ck_assert_int_eq(e2dx_map_walk_ops(efs, 12, &inode, &telling, &t), 0);
	put_header(p, 1, 4, 6);
	check_fault(efs, &inode, E2DX_FAULT_DEPTH, 0, 6);
	put_header(p, 0, 4, 1);
	check_fault(efs, &inode, E2DX_FAULT_EMPTY, 0, 0);
	put_header(p, 1, 4, 1);
	put_index(p + 12, 0, end);
	check_fault(efs, &inode, E2DX_FAULT_META_RANGE, 0, end);
	htree_put_le16(p, 0xf30b);
	check_fault(efs, &inode, E2DX_FAULT_MAGIC, 0, 0xf30b);
	memset(&inode.i_block, 0, sizeof(inode.i_block));
	inode.i_flags = 0;
	inode.i_block[3] = end;
	check_fault(efs, &inode, E2DX_FAULT_RANGE, 3, end);
	inode.i_block[3] = 0;
	inode.i_block[13] = end + 7;
	check_fault(efs, &inode, E2DX_FAULT_META_RANGE, 12 + 256, end + 7);
	e2dx_close(efs);
}
END_TEST

START_TEST(extent_checksum)
{
	const char *path = seam_make("img", "-t ext4 -b 1024", "40M");
	struct e2dx_fs *efs = seam_open(path, false);
	struct ext2_inode_large inode = {
		.i_mode = LINUX_S_IFREG, .i_flags = EXT4_EXTENTS_FL,
		.i_generation = 99
	};
	uint8_t block[1024] = { 0 };
	struct totals t = { 0 };
	uint32_t seed = e2dx_inode_csum_seed(efs, 12, 99);

	put_header((uint8_t *)inode.i_block, 1, 4, 1);
	put_index((uint8_t *)inode.i_block + 12, 0, 30000);
	put_header(block, 1, 84, 0);
	put_extent(block + 12, 0, 7, 20000);
	htree_put_le32(block + 1020, htree_crc32c(seed, block, 1020));
	seam_poke(path, 30000 * 1024, block, sizeof(block));
	ck_assert_int_eq(e2dx_map_walk(efs, 12, &inode, add_up, &t), 0);
	ck_assert_uint_eq(t.data, 7);
	seam_poke(path, 30000 * 1024 + 700, "x", 1);
	t = (struct totals){ 0 };
	ck_assert_int_eq(e2dx_map_walk(efs, 12, &inode, add_up, &t),
			 E2DX_ET_MAP_DAMAGED);
	ck_assert_uint_eq(t.data, 7);
	e2dx_close(efs);
}
END_TEST

/* Pointer blocks that point to themselves, 256^3 ways: bounded. */
START_TEST(indirect_loop)
{
	const char *path = seam_make("img", "-t ext2 -b 1024", "40M");
	struct e2dx_fs *efs = seam_open(path, false);
	uint64_t blocks = ext2fs_blocks_count(efs->fs->super);
	struct ext2_inode_large inode = { .i_mode = LINUX_S_IFDIR };
	struct e2dx_dir *d;
	ext2_filsys fs = seam_stock(path);
	ext2_ino_t ino = seam_inode(fs, "many");
	uint8_t block[1024];
	struct totals t = { 0 };
	uint64_t at;

	for (int i = 0; i < 256; i++)
		htree_put_le32(block + 4 * i, 30000);
	seam_poke(path, 30000 * 1024, block, sizeof(block));
	inode.i_block[EXT2_TIND_BLOCK] = 30000;
	ck_assert_int_eq(e2dx_map_walk(efs, 12, &inode, add_up, &t),
			 E2DX_ET_MAP_DAMAGED);
	ck_assert_uint_le(t.data, blocks);
	ck_assert_uint_le(t.meta, blocks);
	/* The same as a directory that says it is 4 GiB long. */
	at = ext2fs_inode_table_loc(fs, (ino - 1) / fs->super->s_inodes_per_group)
	     * 1024 + (uint64_t)((ino - 1) % fs->super->s_inodes_per_group) *
	     EXT2_INODE_SIZE(fs->super);
	seam_poke(path, at + 4, "\xff\xff\xff\xff", 4);
	seam_poke(path, at + 0x28 + 56, block, 4);
	ck_assert_int_eq(e2dx_dir_open(efs, ino, &d), 0);
	ck_assert(d->map_damaged && d->size_wrong);
	ck_assert_uint_le(d->blocks.count, blocks);
	ck_assert_uint_ge(d->blocks.count, 1);
	e2dx_dir_close(d);
	ext2fs_free(fs);
	e2dx_close(efs);
}
END_TEST

int main(void)
{
	TCase *c = make_case("map");

	seam_dir();
	tcase_add_loop_test(c, all_inodes, 0, KINDS);
	tcase_add_loop_test(c, directory, 0, KINDS);
	tcase_add_test(c, inline_directory);
	tcase_add_test(c, inline_attribute);
	tcase_add_test(c, damaged_extents);
	tcase_add_test(c, unwritten);
	tcase_add_test(c, extent_loop);
	tcase_add_test(c, faults_told);
	tcase_add_test(c, extent_checksum);
	tcase_add_test(c, indirect_loop);
	return run_case("map", c);
}
