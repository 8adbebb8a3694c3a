/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ext2fs_lookup(), ext2fs_link(), ext2fs_unlink() and ext2fs_mkdir() of
 * libext2dx against a plain set of names, with stock e2fsck and libext2fs' own
 * iterator as the judges; and what they do where they cannot.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "htree/ondisk.h"
#include "seam_image.h"
#include "suite.h"

#define NAMES	3000		/* different ones */

static const struct {
	const char *options, *size;
	int operations;
	bool indexed;		/* how the directory ends */
	bool stock;		/* stock e2fsck knows it all */
} kinds[] = {
	{ "-t ext4 -b 1024", "64M", 9000, true, true },
	{ "-t ext4 -b 4096", "64M", 9000, true, true },
	{ "-t ext4 -b 65536", "400M", 9000, true, true },
	{ "tea", "64M", 9000, true, true },
	{ "-t ext4 -b 1024 -O bigalloc -C 4096", "128M", 9000, true, true },
	{ "-t ext4 -b 1024 -O inline_data", "64M", 9000, true, true },
	{ "-t ext4 -b 1024 -O casefold", "64M", 9000, true, true },
	{ "-t ext4 -b 1024 -O large_dir,^metadata_csum", "64M", 9000, true, true },
	{ "-t ext2 -b 1024 -O ^dir_index", "64M", 1500, false, true },
	{ "-t ext2 -b 1024 -O ^dir_index,^filetype", "64M", 1500, false, true },
	{ "siphash", "64M", 9000, true, false },
};
#define KINDS ((int)(sizeof(kinds) / sizeof(kinds[0])))

/* mke2fs; "siphash", of which stock mke2fs knows nothing, is our tune2fs'. */
static const char *make(const char *options, const char *size)
{
	const char *path = seam_path("link.img");
	const char *then = "true";

	if (!strcmp(options, "siphash")) {
		options = "-t ext4 -b 1024";
		then = "$E2DX_BUILD/misc/tune2fs -E hash_alg=siphash";
	} else if (!strcmp(options, "tea")) {
		options = "-t ext3 -b 1024";
		then = "tune2fs -E hash_alg=tea";
	}
	ck_assert_int_eq(seam_run("PATH=$PATH:/sbin; rm -f %s && "
				  "truncate -s %s %s && mke2fs -qF %s %s && "
				  "%s %s >/dev/null 2>&1", path, size, path,
				  options, path, then, path), 0);
	return path;
}

static ext2_filsys open_fs(const char *path)
{
	ext2_filsys fs;

	ck_assert_int_eq(ext2fs_open(path, EXT2_FLAG_RW | EXT2_FLAG_64BITS, 0,
				     0, unix_io_manager, &fs), 0);
	ck_assert_int_eq(ext2fs_read_bitmaps(fs), 0);
	return fs;
}

static ext2_ino_t make_dir(ext2_filsys fs, const char *name)
{
	ext2_ino_t ino;

	ck_assert_int_eq(ext2fs_mkdir(fs, EXT2_ROOT_INO, 0, name), 0);
	ck_assert_int_eq(ext2fs_lookup(fs, EXT2_ROOT_INO, name,
				       (int)strlen(name), NULL, &ino), 0);
	return ino;
}

/* A file for the names to stand for. */
static ext2_ino_t make_file(ext2_filsys fs)
{
	struct ext2_inode inode = { .i_mode = LINUX_S_IFREG | 0644 };
	ext2_ino_t ino;

	ck_assert_int_eq(ext2fs_new_inode(fs, EXT2_ROOT_INO, LINUX_S_IFREG,
					  NULL, &ino), 0);
	ck_assert_int_eq(ext2fs_write_new_inode(fs, ino, &inode), 0);
	ext2fs_inode_alloc_stats2(fs, ino, +1, 0);
	return ino;
}

static void set_links(ext2_filsys fs, ext2_ino_t ino, unsigned links)
{
	struct ext2_inode inode;

	ck_assert_int_eq(ext2fs_read_inode(fs, ino, &inode), 0);
	inode.i_links_count = (__u16)links;
	ck_assert_int_eq(ext2fs_write_inode(fs, ino, &inode), 0);
}

static bool is_indexed(ext2_filsys fs, ext2_ino_t ino)
{
	struct ext2_inode inode;

	ck_assert_int_eq(ext2fs_read_inode(fs, ino, &inode), 0);
	return inode.i_flags & EXT2_INDEX_FL;
}

static void judge(const char *path, bool stock)
{
	if (stock)
		ck_assert_int_eq(seam_run("/sbin/e2fsck -fn %s >%s 2>&1 || "
					  "{ cat %s; false; }", path,
					  seam_path("log"), seam_path("log")),
				 0);
	ck_assert_int_eq(seam_run("%s/e2fsck/e2fsck -fn %s >%s 2>&1 || "
				  "{ cat %s; false; }", getenv("E2DX_BUILD"),
				  path, seam_path("log"), seam_path("log")), 0);
}

/* ---- against a plain set */

static const char *name_of(int i)
{
	static char name[256];
	int len = snprintf(name, sizeof(name), "%d-%08x", i,
			   (unsigned)i * 2654435761u);
	int want = i % 40 == 0 ? 255 : i % 7 == 0 ? 100 : len;

	memset(name + len, 'x', (size_t)(want - len));
	name[want] = 0;
	return name;
}

struct seen {
	bool present[NAMES];
	int others;
};

static int see(struct ext2_dir_entry *e, int offset, int size, char *buf,
	       void *ctx)
{
	struct seen *s = ctx;
	int len = ext2fs_dirent_name_len(e), i;
	char name[256];

	(void)offset, (void)size, (void)buf;
	memcpy(name, e->name, (size_t)len);
	name[len] = 0;
	i = atoi(name);
	if (len < 3 || i < 0 || i >= NAMES || strcmp(name, name_of(i)) ||
	    s->present[i])
		s->others++;
	else
		s->present[i] = true;
	return 0;
}

static void compare_set(ext2_filsys fs, ext2_ino_t dir, const bool *want)
{
	static struct seen s;

	memset(&s, 0, sizeof(s));
	ck_assert_int_eq(ext2fs_dir_iterate(fs, dir, 0, NULL, see, &s), 0);
	ck_assert_int_eq(s.others, 2);	/* the dots */
	ck_assert_mem_eq(s.present, want, sizeof(s.present));
}

static unsigned long long next(unsigned long long *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* One random step; every answer is known. */
static int step(ext2_filsys fs, ext2_ino_t dir, ext2_ino_t file, bool *present,
		unsigned long long *state)
{
	int i = (int)(next(state) % NAMES), what = (int)(next(state) % 8);
	const char *name = name_of(i);
	ext2_ino_t found = 0;
	errcode_t err;

	if (what < 4) {
		err = ext2fs_link(fs, dir, name, file, EXT2_FT_REG_FILE);
		ck_assert_int_eq(err, present[i] ? EXT2_ET_FILE_EXISTS : 0);
		present[i] = true;
		return !err;
	}
	if (what < 6) {
		err = ext2fs_unlink(fs, dir, name, what == 4 ? file : 0, 0);
		ck_assert_int_eq(err, present[i] ? 0 : EXT2_ET_DIR_NO_SPACE);
		present[i] = false;
		return err ? 0 : -1;
	}
	err = ext2fs_lookup(fs, dir, name, (int)strlen(name), NULL, &found);
	ck_assert_int_eq(err, present[i] ? 0 : EXT2_ET_FILE_NOT_FOUND);
	ck_assert_uint_eq(found, present[i] ? file : 0);
	return 0;
}

START_TEST(model)
{
	const char *path = make(kinds[_i].options, kinds[_i].size);
	ext2_filsys fs = open_fs(path);
	ext2_ino_t dir = make_dir(fs, "d"), file = make_file(fs);
	unsigned long long state = (unsigned)_i;
	static bool present[NAMES];
	int count = 0;

	memset(present, 0, sizeof(present));
	for (int n = 0; n < kinds[_i].operations; n++)
		count += step(fs, dir, file, present, &state);
	compare_set(fs, dir, present);
	ck_assert_int_eq(is_indexed(fs, dir), kinds[_i].indexed);
	ck_assert_int_eq(ext2fs_link(fs, EXT2_ROOT_INO, "file", file,
				     EXT2_FT_REG_FILE), 0);
	set_links(fs, file, (unsigned)count + 1);
	ck_assert_int_eq(ext2fs_close(fs), 0);
	judge(path, kinds[_i].stock);
}
END_TEST

/* ---- errors leave the directory as it was */

/* The directory's inode and blocks. */
struct copy {
	struct ext2_inode inode;
	uint8_t *data;
	size_t size;
};

static int copy_block(ext2_filsys fs, blk64_t *block, e2_blkcnt_t logical,
		      blk64_t ref, int offset, void *ctx)
{
	struct copy *c = ctx;
	uint8_t *at = c->data + (size_t)logical * fs->blocksize;

	(void)ref, (void)offset;
	ck_assert_uint_le((size_t)(at - c->data) + fs->blocksize, c->size);
	ck_assert_int_eq(io_channel_read_blk64(fs->io, *block, 1, at), 0);
	return 0;
}

static struct copy take_copy(ext2_filsys fs, ext2_ino_t dir)
{
	struct copy c;

	ck_assert_int_eq(ext2fs_read_inode(fs, dir, &c.inode), 0);
	c.size = EXT2_I_SIZE(&c.inode);
	c.data = calloc(1, c.size);
	ck_assert_ptr_nonnull(c.data);
	ck_assert_int_eq(ext2fs_block_iterate3(fs, dir, BLOCK_FLAG_READ_ONLY |
					       BLOCK_FLAG_DATA_ONLY, NULL,
					       copy_block, &c), 0);
	return c;
}

static void same_copy(ext2_filsys fs, ext2_ino_t dir, struct copy *before)
{
	struct copy now = take_copy(fs, dir);

	ck_assert_uint_eq(now.size, before->size);
	ck_assert_mem_eq(&now.inode, &before->inode, sizeof(now.inode));
	ck_assert_mem_eq(now.data, before->data, now.size);
	free(now.data);
	free(before->data);
}

START_TEST(bad_names)
{
	const char *path = make("-t ext4 -b 1024", "16M");
	ext2_filsys fs = open_fs(path);
	ext2_ino_t dir = make_dir(fs, "d"), ino;
	char longest[257];
	struct copy before;

	memset(longest, 'l', 256);
	longest[256] = 0;
	for (int i = 0; i < 200 * _i; i++)
		ck_assert_int_eq(ext2fs_link(fs, dir, name_of(i), 12, 1), 0);
	ck_assert_int_eq(ext2fs_link(fs, dir, name_of(0), 12, 1),
			 _i ? EXT2_ET_FILE_EXISTS : 0);
	before = take_copy(fs, dir);
	ck_assert_int_eq(ext2fs_link(fs, dir, name_of(0), 12, 1),
			 EXT2_ET_FILE_EXISTS);
	ck_assert_int_eq(ext2fs_link(fs, dir, "", 12, 1),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(ext2fs_link(fs, dir, NULL, 12, 1),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(ext2fs_link(fs, dir, longest, 12, 1), ENAMETOOLONG);
	ck_assert_int_eq(ext2fs_link(fs, dir, "a/b", 12, 1),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(ext2fs_link(fs, dir, "zero", 0, 1),
			 EXT2_ET_BAD_INODE_NUM);
	ck_assert_int_eq(ext2fs_link(fs, dir, "..", 12, 2),
			 EXT2_ET_FILE_EXISTS);
	ck_assert_int_eq(ext2fs_mkdir(fs, dir, 0, name_of(0)),
			 EXT2_ET_DIR_EXISTS);
	ck_assert_int_eq(ext2fs_mkdir(fs, dir, 0, longest), ENAMETOOLONG);
	ck_assert_int_eq(ext2fs_mkdir(fs, dir, 0, ""),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(ext2fs_lookup(fs, dir, "", 0, NULL, &ino),
			 EXT2_ET_FILE_NOT_FOUND);
	ck_assert_int_eq(ext2fs_lookup(fs, dir, longest, 256, NULL, &ino),
			 EXT2_ET_FILE_NOT_FOUND);
	ck_assert_int_eq(ext2fs_unlink(fs, dir, longest, 0, 0),
			 EXT2_ET_DIR_NO_SPACE);
	ck_assert_int_eq(ext2fs_unlink(fs, dir, NULL, 0, 0),
			 EXT2_ET_INVALID_ARGUMENT);
	ck_assert_int_eq(ext2fs_unlink(fs, dir, name_of(0), 13, 0),
			 EXT2_ET_DIR_NO_SPACE);
	ck_assert_int_eq(ext2fs_link(fs, 7, "a", 12, 1), EXT2_ET_NO_DIRECTORY);
	ck_assert_int_eq(ext2fs_lookup(fs, 0, "a", 1, NULL, &ino),
			 EXT2_ET_BAD_INODE_NUM);
	same_copy(fs, dir, &before);
	fs->flags &= ~EXT2_FLAG_RW;
	ck_assert_int_eq(ext2fs_link(fs, dir, "a", 12, 1), EXT2_ET_RO_FILSYS);
	ck_assert_int_eq(ext2fs_unlink(fs, dir, name_of(0), 0, 0),
			 EXT2_ET_RO_FILSYS);
	ck_assert_int_eq(ext2fs_mkdir(fs, dir, 0, "a"), EXT2_ET_RO_FILSYS);
	ext2fs_free(fs);
}
END_TEST

/* Every block but `left` is taken, and the directory is full to the brim. */
static void no_space(ext2_filsys fs, ext2_ino_t dir, int left)
{
	blk64_t end = ext2fs_blocks_count(fs->super), block;
	struct copy before;
	errcode_t err;

	for (block = fs->super->s_first_data_block; block < end; block++)
		if (!ext2fs_test_block_bitmap2(fs->block_map, block) &&
		    left-- <= 0)
			ext2fs_block_alloc_stats2(fs, block, +1);
	for (int i = 1; ; i++) {
		before = take_copy(fs, dir);
		err = ext2fs_link(fs, dir, name_of(i), 12, 1);
		if (err)
			break;
		free(before.data);
	}
	ck_assert_int_eq(err, EXT2_ET_BLOCK_ALLOC_FAIL);
	if (!ext2fs_free_blocks_count(fs->super))
		ck_assert_int_eq(ext2fs_mkdir(fs, dir, 0, "sub"),
				 EXT2_ET_BLOCK_ALLOC_FAIL);
	same_copy(fs, dir, &before);
}

START_TEST(full_filesystem)
{
	const char *options = _i % 2 ? "-t ext4 -b 1024" : "-t ext2 -b 1024";
	ext2_filsys fs = open_fs(make(options, "8M"));

	/* 0, 1: not even the first index; then a split that needs nodes. */
	no_space(fs, make_dir(fs, "d"), _i / 2);
	ext2fs_free(fs);
}
END_TEST

START_TEST(full_index)
{
	const char *path = make("-t ext4 -b 1024 -N 64", "100M");
	ext2_filsys fs = open_fs(path);
	ext2_ino_t dir = make_dir(fs, "d"), file = make_file(fs);
	char name[256];
	struct copy before;
	errcode_t err = 0;
	blk64_t free_blocks;
	int n;

	memset(name, 'n', 255);
	name[255] = 0;
	for (n = 0; !err && n < 65000; n++) {
		snprintf(name, sizeof(name), "%08d", n);
		name[8] = 'n';
		err = ext2fs_link(fs, dir, name, file, EXT2_FT_REG_FILE);
	}
	ck_assert_int_eq(err, ENOSPC);
	before = take_copy(fs, dir);
	free_blocks = ext2fs_free_blocks_count(fs->super);
	ck_assert_int_eq(ext2fs_link(fs, dir, name, file, 1), ENOSPC);
	ck_assert_uint_eq(ext2fs_free_blocks_count(fs->super), free_blocks);
	same_copy(fs, dir, &before);
	ck_assert_int_eq(ext2fs_link(fs, EXT2_ROOT_INO, "file", file, 1), 0);
	set_links(fs, file, (unsigned)n);
	ck_assert_int_eq(ext2fs_close(fs), 0);
	judge(path, true);
}
END_TEST

/* ---- link counts */

static unsigned links_of(ext2_filsys fs, ext2_ino_t ino)
{
	struct ext2_inode inode;

	ck_assert_int_eq(ext2fs_read_inode(fs, ino, &inode), 0);
	return inode.i_links_count;
}

START_TEST(link_count)
{
	ext2_filsys fs = open_fs(make(_i ? "-t ext4 -b 1024 -O dir_nlink"
					 : "-t ext3 -b 1024 -O ^dir_nlink",
				      "16M"));
	ext2_ino_t dir = make_dir(fs, "d");
	struct copy before;

	ck_assert_uint_eq(links_of(fs, dir), 2);
	ck_assert_uint_eq(links_of(fs, EXT2_ROOT_INO), 4);
	ck_assert_int_eq(ext2fs_mkdir(fs, dir, 0, "a"), 0);
	ck_assert_uint_eq(links_of(fs, dir), 3);
	set_links(fs, dir, 64999);
	ck_assert_int_eq(ext2fs_mkdir(fs, dir, 0, "b"), 0);
	ck_assert_uint_eq(links_of(fs, dir), 65000);
	before = take_copy(fs, dir);
	ck_assert_int_eq(ext2fs_mkdir(fs, dir, 0, "c"), _i ? 0 : EMLINK);
	if (!_i) {
		same_copy(fs, dir, &before);
	} else {
		free(before.data);
		ck_assert_uint_eq(links_of(fs, dir), 1);
		ck_assert_int_eq(ext2fs_mkdir(fs, dir, 0, "d"), 0);
		ck_assert_uint_eq(links_of(fs, dir), 1);
		set_links(fs, dir, 65535);
		ck_assert_int_eq(ext2fs_mkdir(fs, dir, 0, "e"), 0);
		ck_assert_uint_eq(links_of(fs, dir), 1);
	}
	ext2fs_free(fs);
}
END_TEST

/* ---- callers' ways */

struct deleting {
	ext2_filsys fs;
	ext2_ino_t dir;
	int n;
};

/* As programs do that empty a directory: from inside the iterator. */
static int delete_it(struct ext2_dir_entry *e, int offset, int size, char *buf,
		     void *ctx)
{
	struct deleting *d = ctx;
	char name[256];

	(void)offset, (void)size, (void)buf;
	memcpy(name, e->name, (size_t)ext2fs_dirent_name_len(e));
	name[ext2fs_dirent_name_len(e)] = 0;
	if (!strcmp(name, ".") || !strcmp(name, ".."))
		return 0;
	ck_assert_int_eq(ext2fs_unlink(d->fs, d->dir, name, 0, 0), 0);
	d->n++;
	return 0;
}

START_TEST(unlink_while_iterating)
{
	const char *path = make("-t ext4 -b 1024", "16M");
	ext2_filsys fs = open_fs(path);
	struct deleting d = { .fs = fs, .dir = make_dir(fs, "d") };
	static const bool none[NAMES];
	struct ext2_inode before, after;

	for (int i = 0; i < 1000; i++)
		ck_assert_int_eq(ext2fs_link(fs, d.dir, name_of(i), 12, 1), 0);
	ck_assert_int_eq(ext2fs_read_inode(fs, d.dir, &before), 0);
	ck_assert_int_eq(ext2fs_dir_iterate(fs, d.dir, 0, NULL, delete_it, &d),
			 0);
	ck_assert_int_eq(d.n, 1000);
	compare_set(fs, d.dir, none);
	ck_assert_int_eq(ext2fs_read_inode(fs, d.dir, &after), 0);
	ck_assert_mem_eq(&before, &after, sizeof(before));
	ck_assert_int_eq(ext2fs_close(fs), 0);
	judge(path, true);
}
END_TEST

START_TEST(unlink_by_inode)
{
	ext2_filsys fs = open_fs(make("-t ext4 -b 1024", "16M"));
	ext2_ino_t dir = make_dir(fs, "d"), ino;

	for (int i = 0; i < 500; i++)
		ck_assert_int_eq(ext2fs_link(fs, dir, name_of(i),
					     1000 + (ext2_ino_t)i, 1), 0);
	ck_assert_int_eq(ext2fs_unlink(fs, dir, NULL, 1400, 0), 0);
	ck_assert_int_eq(ext2fs_unlink(fs, dir, NULL, 1400, 0),
			 EXT2_ET_DIR_NO_SPACE);
	ck_assert_int_eq(ext2fs_lookup(fs, dir, name_of(400),
				       (int)strlen(name_of(400)), NULL, &ino),
			 EXT2_ET_FILE_NOT_FOUND);
	ck_assert_int_eq(ext2fs_unlink(fs, dir, name_of(7), 9, 0),
			 EXT2_ET_DIR_NO_SPACE);
	ck_assert_int_eq(ext2fs_unlink(fs, dir, name_of(7), 9,
				       EXT2FS_UNLINK_FORCE), 0);
	ck_assert_int_eq(ext2fs_unlink(fs, dir, "..", 0, 0),
			 EXT2_ET_INVALID_ARGUMENT);
	ext2fs_free(fs);
}
END_TEST

/*
 * A caller who expands before he links, whether he has to or not: the empty
 * leaves that the index does not know are used before others.
 */
START_TEST(expanded_by_hand)
{
	const char *path = make("-t ext4 -b 1024", "16M");
	ext2_filsys fs = open_fs(path);
	ext2_ino_t dir = make_dir(fs, "d"), file = make_file(fs);
	struct ext2_inode before, after;
	static bool present[NAMES];

	for (int i = 0; i < 400; i++)
		ck_assert_int_eq(ext2fs_link(fs, dir, name_of(i), file, 1), 0);
	ck_assert(is_indexed(fs, dir));
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(ext2fs_expand_dir(fs, dir), 0);
	ck_assert_int_eq(ext2fs_read_inode(fs, dir, &before), 0);
	for (int i = 400; i < 500; i++)
		ck_assert_int_eq(ext2fs_link(fs, dir, name_of(i), file, 1), 0);
	for (int i = 0; i < 500; i++)
		present[i] = true;
	compare_set(fs, dir, present);
	ck_assert_int_eq(ext2fs_read_inode(fs, dir, &after), 0);
	ck_assert_uint_gt(after.i_size, before.i_size);
	ck_assert_int_eq(ext2fs_link(fs, EXT2_ROOT_INO, "file", file, 1), 0);
	set_links(fs, file, 501);
	ck_assert_int_eq(ext2fs_close(fs), 0);
	judge(path, true);
}
END_TEST

/* The index is damaged: names are found, and none is added to what is not
   understood. */
START_TEST(damaged_index)
{
	ext2_filsys fs = open_fs(make("-t ext4 -b 1024 -O ^metadata_csum",
				      "16M"));
	ext2_ino_t dir = make_dir(fs, "d"), ino;
	uint8_t block[1024];
	blk64_t root;

	for (int i = 0; i < 400; i++)
		ck_assert_int_eq(ext2fs_link(fs, dir, name_of(i), 12, 1), 0);
	ck_assert_int_eq(ext2fs_bmap2(fs, dir, NULL, NULL, 0, 0, NULL, &root),
			 0);
	ck_assert_int_eq(io_channel_read_blk64(fs->io, root, 1, block), 0);
	block[HTREE_ROOT_INFO_LENGTH] = 99;
	ck_assert_int_eq(io_channel_write_blk64(fs->io, root, 1, block), 0);
	for (int i = 0; i < 400; i++)
		ck_assert_int_eq(ext2fs_lookup(fs, dir, name_of(i),
					       (int)strlen(name_of(i)), NULL,
					       &ino), 0);
	ck_assert_int_eq(ext2fs_link(fs, dir, "new", 12, 1),
			 EXT2_ET_DIR_CORRUPTED);
	ck_assert_int_eq(ext2fs_unlink(fs, dir, name_of(3), 0, 0), 0);
	ck_assert_int_eq(ext2fs_lookup(fs, dir, name_of(3),
				       (int)strlen(name_of(3)), NULL, &ino),
			 EXT2_ET_FILE_NOT_FOUND);
	ext2fs_free(fs);
}
END_TEST

int main(void)
{
	TCase *t = make_case("ext2dx_link");

	seam_dir();
	tcase_add_loop_test(t, model, 0, KINDS);
	tcase_add_loop_test(t, bad_names, 0, 2);
	tcase_add_loop_test(t, full_filesystem, 0, 24);
	tcase_add_test(t, full_index);
	tcase_add_loop_test(t, link_count, 0, 2);
	tcase_add_test(t, unlink_while_iterating);
	tcase_add_test(t, unlink_by_inode);
	tcase_add_test(t, expanded_by_hand);
	tcase_add_test(t, damaged_index);
	return run_case("ext2dx_link", t);
}
