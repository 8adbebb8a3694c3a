/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names come and go in one directory, for the benches: by the kernel, by
 * libext2fs' ext2fs_link() and ext2fs_unlink() (with libext2dx.so preloaded:
 * ours), or by htree_insert() and htree_remove() in memory.
 *
 *	names [-n NAMES] [-w WRITERS] [-r] [-s] [-x SEED]
 *	      { -k DIR | -l IMAGE | -m VERSION } ACTION...
 *
 * NAMES six-digit names by WRITERS writers, each of which has its own range of
 * them and is let to one name in turn; -r: in random order instead.  In memory,
 * -s: the directory shrinks; -x: of the hash, a number before -m.  Actions: create, remove, half (removes half of
 * the names, at random).  For each a line of four fields with tabs between
 * them: action, real, user and system time in seconds; in memory also a line
 * "leaves" with blocks, leaves and the bytes used in these.
 *
 * In an image (directory /d, made if need be) and in memory only names are
 * made, all for one inode.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <ext2fs/ext2fs.h>
#include "e2dx_err.h"
#include "htree/build.h"
#include "htree/change.h"
#include "htree/walk.h"

#define NAME_SIZE	16

struct where;

struct how {
	void (*add)(struct where *w, const char *name);
	void (*take)(struct where *w, const char *name);
	void (*done)(struct where *w);
};

struct where {
	const struct how *how;
	int fd;				/* the directory */
	ext2_filsys fs;
	ext2_ino_t dir, file;
	struct htree_dir htree;
	struct htree_memory memory;
	enum htree_shrink shrink;
	uint32_t names, writers, seed;
	bool random;
	uint32_t *order;
};

static _Noreturn void die(const char *what, const char *why)
{
	fprintf(stderr, "names: %s: %s\n", what, why);
	exit(1);
}

static void need(errcode_t err, const char *what)
{
	if (err)
		die(what, error_message(err));
}

/* ---- by the kernel */

static void kernel_add(struct where *w, const char *name)
{
	int fd = openat(w->fd, name, O_CREAT | O_EXCL | O_WRONLY, 0644);

	if (fd < 0 || close(fd)) {
		perror(name);
		exit(1);
	}
}

static void kernel_take(struct where *w, const char *name)
{
	if (unlinkat(w->fd, name, 0)) {
		perror(name);
		exit(1);
	}
}

static void kernel_done(struct where *w)
{
	(void)w;
}

static const struct how by_kernel = { kernel_add, kernel_take, kernel_done };

static void open_kernel(struct where *w, const char *path)
{
	w->how = &by_kernel;
	w->fd = open(path, O_RDONLY | O_DIRECTORY);
	if (w->fd < 0) {
		perror(path);
		exit(1);
	}
}

/* ---- by libext2fs */

static void image_add(struct where *w, const char *name)
{
	errcode_t err = ext2fs_link(w->fs, w->dir, name, w->file,
				    EXT2_FT_REG_FILE);

	if (err == EXT2_ET_DIR_NO_SPACE) {
		need(ext2fs_expand_dir(w->fs, w->dir), "expand_dir");
		err = ext2fs_link(w->fs, w->dir, name, w->file,
				  EXT2_FT_REG_FILE);
	}
	need(err, name);
}

static void image_take(struct where *w, const char *name)
{
	need(ext2fs_unlink(w->fs, w->dir, name, 0, 0), name);
}

static void image_done(struct where *w)
{
	need(ext2fs_flush(w->fs), "flush");
}

static const struct how by_image = { image_add, image_take, image_done };

static ext2_ino_t make_file(ext2_filsys fs)
{
	struct ext2_inode_large inode = {
		.i_mode = LINUX_S_IFREG | 0644, .i_links_count = 1
	};
	ext2_ino_t ino;

	need(ext2fs_new_inode(fs, EXT2_ROOT_INO, LINUX_S_IFREG, NULL, &ino),
	     "new_inode");
	need(ext2fs_write_new_inode(fs, ino, EXT2_INODE(&inode)), "inode");
	ext2fs_inode_alloc_stats2(fs, ino, +1, 0);
	need(ext2fs_link(fs, EXT2_ROOT_INO, "f", ino, EXT2_FT_REG_FILE), "f");
	return ino;
}

static void open_image(struct where *w, const char *path)
{
	w->how = &by_image;
	need(ext2fs_open(path, EXT2_FLAG_RW | EXT2_FLAG_64BITS, 0, 0,
			 unix_io_manager, &w->fs), path);
	need(ext2fs_read_bitmaps(w->fs), "bitmaps");
	if (!ext2fs_lookup(w->fs, EXT2_ROOT_INO, "d", 1, NULL, &w->dir)) {
		need(ext2fs_lookup(w->fs, EXT2_ROOT_INO, "f", 1, NULL,
				   &w->file), "f");
		return;
	}
	need(ext2fs_mkdir(w->fs, EXT2_ROOT_INO, 0, "d"), "mkdir");
	need(ext2fs_lookup(w->fs, EXT2_ROOT_INO, "d", 1, NULL, &w->dir), "d");
	w->file = make_file(w->fs);
}

/* ---- in memory */

static void memory_add(struct where *w, const char *name)
{
	const struct htree_dirent d = {
		.ino = 12, .file_type = EXT2_FT_REG_FILE,
		.name = (const uint8_t *)name, .name_len = (uint8_t)strlen(name)
	};

	need(htree_insert(&w->htree, &w->memory.blocks, &d), name);
}

static void memory_take(struct where *w, const char *name)
{
	need(htree_remove(&w->htree, &w->memory.blocks, (const uint8_t *)name,
			  strlen(name), w->shrink), name);
}

static void memory_done(struct where *w)
{
	(void)w;
}

static void figures(struct where *w)
{
	struct htree_stats s;

	need(htree_stats(&w->htree, &w->memory.blocks, &s), "stats");
	printf("leaves\t%u\t%llu\t%llu\n", w->memory.blocks.count,
	       (unsigned long long)s.leaves,
	       (unsigned long long)s.leaf_bytes_used);
}

static const struct how by_memory = { memory_add, memory_take, memory_done };

static void open_memory(struct where *w, int version)
{
	const struct htree_dir dir = {
		.ino = 2, .block_size = 4096, .metadata_csum = true,
		.filetype = true, .dir_index = true, .max_indirect = 1,
		.default_version = version, .seed = "a seed that is 1"
	};

	struct htree_build_options empty = { .parent = 2 };
	struct htree_entries none = { 0 };
	struct htree_build_result made;

	w->how = &by_memory;
	w->htree = dir;
	memcpy(w->htree.seed, &w->seed, sizeof(w->seed));
	htree_memory_init(&w->memory, dir.block_size);
	need(htree_build(&w->htree, &none, &empty, &w->memory.blocks, &made),
	     "build");
}

/* ---- actions */

/* splitmix64, by Sebastiano Vigna (public domain) */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static void shuffle(uint32_t *v, uint32_t n, uint64_t seed)
{
	for (uint32_t i = n; i > 1; i--) {
		uint32_t j = (uint32_t)(next_random(&seed) % i), t = v[i - 1];

		v[i - 1] = v[j];
		v[j] = t;
	}
}

static void make_order(struct where *w)
{
	uint32_t each = w->names / w->writers;

	w->order = calloc(w->names, sizeof(*w->order));
	if (!w->order)
		die("order", "no memory");
	for (uint32_t i = 0; i < w->names; i++)
		w->order[i] = i % w->writers * each + i / w->writers;
	if (w->random)
		shuffle(w->order, w->names, 1);
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

struct clocks {
	double real, user, system;
};

static struct clocks now(void)
{
	struct timespec t;
	struct rusage u;

	clock_gettime(CLOCK_MONOTONIC, &t);
	getrusage(RUSAGE_SELF, &u);
	return (struct clocks){
		(double)t.tv_sec + (double)t.tv_nsec / 1e9,
		seconds(u.ru_utime), seconds(u.ru_stime)
	};
}

static void all(struct where *w, void (*one)(struct where *w, const char *name),
		uint32_t n)
{
	char name[NAME_SIZE];

	for (uint32_t i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "%06u", w->order[i]);
		one(w, name);
	}
}

static void act(struct where *w, const char *action)
{
	struct clocks a, b;

	if (!strcmp(action, "half"))
		shuffle(w->order, w->names, 2);
	a = now();
	if (!strcmp(action, "create"))
		all(w, w->how->add, w->names);
	else if (!strcmp(action, "remove"))
		all(w, w->how->take, w->names);
	else if (!strcmp(action, "half"))
		all(w, w->how->take, w->names / 2);
	else
		die(action, "no such action");
	w->how->done(w);
	b = now();
	printf("%s\t%.6f\t%.6f\t%.6f\n", action, b.real - a.real,
	       b.user - a.user, b.system - a.system);
	if (w->memory.data)
		figures(w);
}

int main(int argc, char **argv)
{
	struct where w = { .fd = -1, .names = 1000000, .writers = 1 };
	int c;

	initialize_ext2_error_table();
	initialize_e2dx_error_table();
	while ((c = getopt(argc, argv, "n:w:rsx:k:l:m:")) != -1)
		switch (c) {
		case 'n':
			w.names = (uint32_t)strtoul(optarg, NULL, 10);
			break;
		case 'w':
			w.writers = (uint32_t)strtoul(optarg, NULL, 10);
			break;
		case 'r':
			w.random = true;
			break;
		case 's':
			w.shrink = HTREE_SHRINK;
			break;
		case 'x':
			w.seed = (uint32_t)strtoul(optarg, NULL, 10);
			break;
		case 'k':
			open_kernel(&w, optarg);
			break;
		case 'l':
			open_image(&w, optarg);
			break;
		case 'm':
			open_memory(&w, atoi(optarg));
			break;
		default:
			return 2;
		}
	if (!w.how || !w.writers || w.names % w.writers || optind == argc)
		die("usage", "see the head of names.c");
	make_order(&w);
	for (int i = optind; i < argc; i++)
		act(&w, argv[i]);
	if (w.fs)
		need(ext2fs_close(w.fs), "close");
	htree_memory_free(&w.memory);
	free(w.order);
	return 0;
}
