/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench: threads that look up names in one open filesystem (of fill by
 * bench/libext2fs).
 *
 *   threads IMAGE HAVE RUNS MILLISECONDS
 *
 * In each of RUNS turns, for 1, 2 and 4 threads, so long: "control", which
 * computes and uses no memory; "names", names 0 to HAVE - 1 of /d at random, each
 * block read from the kernel's cache; "held", the same from memory; "path", the
 * path ./file from /small, held.  Prints lines of what it was, the number of
 * threads, and nanoseconds of CPU time, then of wall time, that one took a
 * thread.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench/random.h"
#include "ext2fs/map.h"
#include "htree/entry.h"
#include "htree/walk.h"

#define THREADS_MAX	4
#define BLOCK_MAX	65536
#define HOLD_MAX	((size_t)1 << 30)

struct bench {
	struct e2dx_fs *efs;
	struct e2dx_dir *large, *held, *small;
	uint64_t have;
	_Atomic bool stop;
	pthread_barrier_t turn;
};

struct worker {
	pthread_t thread;
	struct bench *b;
	void (*work)(struct worker *w);
	uint64_t first, done, cpu;
	uint8_t block[BLOCK_MAX];
} __attribute__((aligned(128)));

static void must(errcode_t err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "threads: %s: error %ld\n", what, (long)err);
	exit(1);
}

static ext2_ino_t find(struct worker *w, struct e2dx_dir *d, const char *name)
{
	struct htree_dirent e;

	must(htree_lookup(&d->dir, &d->blocks, (const uint8_t *)name,
			  strlen(name), w->block, &e), name);
	return e.ino;
}

static ext2_ino_t find_in(struct worker *w, ext2_ino_t dir, const char *name)
{
	struct e2dx_dir *d;
	ext2_ino_t ino;

	must(e2dx_dir_open(w->b->efs, dir, &d), name);
	ino = find(w, d, name);
	e2dx_dir_close(d);
	return ino;
}

static bool stopped(const struct worker *w)
{
	return atomic_load_explicit(&w->b->stop, memory_order_relaxed);
}

static void control(struct worker *w)
{
	uint64_t i, x = w->first;

	for (i = 0; !stopped(w); i++)
		for (int k = 0; k < 100; k++)
			x = bench_random(x);
	w->done = i;
	w->first = x;	/* computed for something */
}

static void find_random(struct worker *w, struct e2dx_dir *d)
{
	char name[BENCH_NAME_LEN + 1];
	uint64_t i;

	for (i = w->first; !stopped(w); i++)
		find(w, d, bench_name(bench_random(i) % w->b->have, name));
	w->done = i - w->first;
}

static void find_names(struct worker *w)
{
	find_random(w, w->b->large);
}

static void find_held(struct worker *w)
{
	find_random(w, w->b->held);
}

/* The directory that "." leads to is open already. */
static void find_path(struct worker *w)
{
	struct e2dx_dir *d = w->b->small;
	uint64_t i;

	for (i = 0; !stopped(w); i++) {
		if (find(w, d, ".") != d->dir.ino)
			must(E2DX_ET_DAMAGED, ".");
		find(w, d, "file");
	}
	w->done = i;
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;

	pthread_barrier_wait(&w->b->turn);
	w->cpu = bench_clock(CLOCK_THREAD_CPUTIME_ID);
	w->work(w);
	w->cpu = bench_clock(CLOCK_THREAD_CPUTIME_ID) - w->cpu;
	return NULL;
}

static const struct {
	const char *name;
	void (*work)(struct worker *w);
} kinds[] = {
	{ "control", control }, { "names", find_names }, { "held", find_held },
	{ "path", find_path }
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void run(struct bench *b, struct worker *w, size_t kind, int threads,
		unsigned ms)
{
	struct timespec wait = { ms / 1000, (long)(ms % 1000) * 1000000 };
	uint64_t start, done = 0, cpu = 0;

	b->stop = false;
	pthread_barrier_init(&b->turn, NULL, (unsigned)threads + 1);
	for (int i = 0; i < threads; i++) {
		w[i].b = b;
		w[i].work = kinds[kind].work;
		w[i].first = (uint64_t)i << 40;
		must(pthread_create(&w[i].thread, NULL, worker_main, &w[i]),
		     "thread");
	}
	pthread_barrier_wait(&b->turn);
	start = bench_clock(CLOCK_MONOTONIC);
	nanosleep(&wait, NULL);
	b->stop = true;
	for (int i = 0; i < threads; i++) {
		pthread_join(w[i].thread, NULL);
		done += w[i].done;
		cpu += w[i].cpu;
	}
	start = bench_clock(CLOCK_MONOTONIC) - start;
	printf("%s %d %.1f %.1f\n", kinds[kind].name, threads,
	       (double)cpu / (double)done,
	       (double)start * threads / (double)done);
	pthread_barrier_destroy(&b->turn);
}

static struct e2dx_dir *hold(struct e2dx_fs *efs, ext2_ino_t ino)
{
	struct e2dx_dir *d;

	must(e2dx_dir_open(efs, ino, &d), "open");
	must(e2dx_dir_hold(d, HOLD_MAX), "hold");
	return d;
}

static void open_all(struct bench *b, struct worker *w, const char *image)
{
	struct e2dx_open_options options = { 0 };
	ext2_ino_t large;

	must(e2dx_open(image, &options, &b->efs), image);
	w->b = b;
	large = find_in(w, EXT2_ROOT_INO, "d");
	must(e2dx_dir_open(b->efs, large, &b->large), "d");
	b->held = hold(b->efs, large);
	b->small = hold(b->efs, find_in(w, EXT2_ROOT_INO, "small"));
}

int main(int argc, char **argv)
{
	struct bench b = { 0 };
	struct worker *w = aligned_alloc(128, THREADS_MAX * sizeof(*w));
	int runs = argc == 5 ? atoi(argv[3]) : 0;

	if (!w || runs < 1) {
		fprintf(stderr, "usage: threads IMAGE HAVE RUNS MILLISECONDS\n");
		return 2;
	}
	open_all(&b, w, argv[1]);
	b.have = strtoull(argv[2], NULL, 10);
	for (int r = 0; r < runs; r++)
		for (int n = 1; n <= THREADS_MAX; n *= 2)
			for (size_t k = 0; k < KINDS; k++)
				run(&b, w, k, n, (unsigned)atoi(argv[4]));
	e2dx_dir_close(b.large);
	e2dx_dir_close(b.held);
	e2dx_dir_close(b.small);
	must(e2dx_close(b.efs), "close");
	free(w);
	return 0;
}
