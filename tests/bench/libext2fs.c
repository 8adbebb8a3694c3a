/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench: libext2fs' own functions on names, timed.  Linked with libext2fs
 * alone: run as it is it shows stock, with libext2dx.so in LD_PRELOAD ours.
 *
 *   libext2fs fill IMAGE COUNT          make /d with names 0 to COUNT - 1
 *   libext2fs link IMAGE FROM COUNT     add names FROM to FROM + COUNT - 1
 *   libext2fs lookup IMAGE HAVE COUNT [THREADS]
 *                                       find COUNT of names 0 to HAVE - 1 in
 *                                       each thread, which has a handle of its
 *                                       own, since libext2fs' are not shared
 *   libext2fs path IMAGE COUNT [THREADS]    find ./file from /small
 *
 * Prints nanoseconds of CPU time an operation, then of wall time.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ext2fs/ext2fs.h>
#include "bench/random.h"

#define THREADS_MAX	64

static void must(errcode_t err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "libext2fs: %s: error %ld\n", what, (long)err);
	exit(1);
}

static ext2_filsys open_fs(const char *image, int flags)
{
	ext2_filsys fs;

	must(ext2fs_open(image, flags | EXT2_FLAG_64BITS, 0, 0,
			 unix_io_manager, &fs), image);
	if (flags & EXT2_FLAG_RW)
		must(ext2fs_read_bitmaps(fs), image);
	return fs;
}

static ext2_ino_t find(ext2_filsys fs, ext2_ino_t dir, const char *name)
{
	ext2_ino_t ino;

	must(ext2fs_lookup(fs, dir, name, (int)strlen(name), NULL, &ino), name);
	return ino;
}

static ext2_ino_t make_file(ext2_filsys fs)
{
	struct ext2_inode inode = {
		.i_mode = LINUX_S_IFREG | 0644, .i_links_count = 1
	};
	ext2_ino_t ino;

	must(ext2fs_new_inode(fs, EXT2_ROOT_INO, LINUX_S_IFREG, NULL, &ino),
	     "inode");
	must(ext2fs_write_new_inode(fs, ino, &inode), "inode");
	ext2fs_inode_alloc_stats2(fs, ino, +1, 0);
	return ino;
}

static void link_names(ext2_filsys fs, ext2_ino_t dir, ext2_ino_t ino,
		       uint64_t from, uint64_t count)
{
	char name[BENCH_NAME_LEN + 1];

	for (uint64_t i = from; i < from + count; i++) {
		errcode_t err = ext2fs_link(fs, dir, bench_name(i, name), ino,
					    EXT2_FT_REG_FILE);

		if (err == EXT2_ET_DIR_NO_SPACE) {
			must(ext2fs_expand_dir(fs, dir), name);
			err = ext2fs_link(fs, dir, name, ino, EXT2_FT_REG_FILE);
		}
		must(err, name);
	}
}

static void show(uint64_t cpu, uint64_t wall, uint64_t operations)
{
	printf("%.1f %.1f\n", (double)cpu / (double)operations,
	       (double)wall / (double)operations);
}

static int fill(const char *image, uint64_t count)
{
	ext2_filsys fs = open_fs(image, EXT2_FLAG_RW);
	ext2_ino_t ino = make_file(fs), small;

	must(ext2fs_mkdir(fs, EXT2_ROOT_INO, 0, "d"), "d");
	must(ext2fs_mkdir(fs, EXT2_ROOT_INO, 0, "small"), "small");
	small = find(fs, EXT2_ROOT_INO, "small");
	link_names(fs, small, ino, 0, 20);
	must(ext2fs_link(fs, small, "file", ino, EXT2_FT_REG_FILE), "file");
	link_names(fs, find(fs, EXT2_ROOT_INO, "d"), ino, 0, count);
	must(ext2fs_close_free(&fs), "close");
	return 0;
}

/* To the end of closing, when all that was cached is written. */
static int link_more(const char *image, uint64_t from, uint64_t count)
{
	ext2_filsys fs = open_fs(image, EXT2_FLAG_RW);
	ext2_ino_t ino = find(fs, find(fs, EXT2_ROOT_INO, "small"), "file");
	ext2_ino_t dir = find(fs, EXT2_ROOT_INO, "d");
	uint64_t cpu = bench_cpu(), wall = bench_clock(CLOCK_MONOTONIC);

	link_names(fs, dir, ino, from, count);
	cpu = bench_cpu() - cpu;
	show(cpu, bench_clock(CLOCK_MONOTONIC) - wall, count);
	must(ext2fs_close_free(&fs), "close");
	return 0;
}

/* ---- finding, in threads */

struct finder {
	pthread_t thread;
	const char *image;
	uint64_t have;		/* 0: the path ./file */
	uint64_t count, first;
	pthread_barrier_t *start;
};

static void find_names(ext2_filsys fs, const struct finder *f)
{
	ext2_ino_t dir = find(fs, EXT2_ROOT_INO, "d");
	char name[BENCH_NAME_LEN + 1];

	for (uint64_t i = 0; i < f->count; i++)
		find(fs, dir, bench_name(bench_random(f->first + i) % f->have,
					 name));
}

static void find_path(ext2_filsys fs, const struct finder *f)
{
	ext2_ino_t dir = find(fs, EXT2_ROOT_INO, "small"), ino;

	for (uint64_t i = 0; i < f->count; i++)
		must(ext2fs_namei(fs, EXT2_ROOT_INO, dir, "./file", &ino),
		     "./file");
}

static void *finder_main(void *arg)
{
	struct finder *f = arg;
	ext2_filsys fs = open_fs(f->image, 0);

	pthread_barrier_wait(f->start);
	if (f->have)
		find_names(fs, f);
	else
		find_path(fs, f);
	pthread_barrier_wait(f->start);
	ext2fs_close_free(&fs);
	return NULL;
}

static int lookup(const char *image, uint64_t have, uint64_t count,
		  unsigned threads)
{
	struct finder f[THREADS_MAX];
	pthread_barrier_t start;
	uint64_t cpu, wall;

	if (!threads || threads > THREADS_MAX)
		return 2;
	pthread_barrier_init(&start, NULL, threads + 1);
	for (unsigned i = 0; i < threads; i++) {
		f[i] = (struct finder) {
			.image = image, .have = have, .count = count,
			.first = i * count, .start = &start
		};
		must(pthread_create(&f[i].thread, NULL, finder_main, &f[i]),
		     "thread");
	}
	pthread_barrier_wait(&start);
	cpu = bench_cpu();
	wall = bench_clock(CLOCK_MONOTONIC);
	pthread_barrier_wait(&start);
	cpu = bench_cpu() - cpu;
	show(cpu, bench_clock(CLOCK_MONOTONIC) - wall, count * threads);
	for (unsigned i = 0; i < threads; i++)
		pthread_join(f[i].thread, NULL);
	return 0;
}

static uint64_t number(char **argv, int argc, int i, uint64_t otherwise)
{
	return i < argc ? strtoull(argv[i], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
	const char *what = argc > 3 ? argv[1] : "";
	uint64_t a = number(argv, argc, 3, 0), b = number(argv, argc, 4, 0);

	if (!strcmp(what, "fill"))
		return fill(argv[2], a);
	if (!strcmp(what, "link") && b)
		return link_more(argv[2], a, b);
	if (!strcmp(what, "lookup") && a && b)
		return lookup(argv[2], a, b,
			      (unsigned)number(argv, argc, 5, 1));
	if (!strcmp(what, "path") && a)
		return lookup(argv[2], 0, a, b ? (unsigned)b : 1);
	fprintf(stderr, "usage: libext2fs fill|link|lookup|path IMAGE ...\n");
	return 2;
}
