/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench: random writes of one size, each on the device before the next.
 *
 *   write TARGET SIZE SAMPLES direct|sync
 *
 * TARGET is a device or file that is overwritten, of which the length is used.
 * "direct": O_DIRECT, then fdatasync for the device's own cache; "sync": pwrite
 * through the kernel's cache, then fdatasync.  Places are random multiples of
 * SIZE (bytes).  Prints microseconds: least, most, mean, standard deviation.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include "bench/random.h"

struct times {
	double least, most, sum, squares;
	uint64_t n;
};

static void add(struct times *t, double us)
{
	if (!t->n || us < t->least)
		t->least = us;
	if (us > t->most)
		t->most = us;
	t->sum += us;
	t->squares += us * us;
	t->n++;
}

static int fail(const char *what)
{
	fprintf(stderr, "write: %s: %s\n", what, strerror(errno));
	return 1;
}

static int write_all(int fd, const char *target, size_t size, uint64_t samples,
		     uint64_t places)
{
	struct times t = { 0 };
	uint8_t *data = aligned_alloc(4096, size);
	double mean;

	if (!data)
		return fail("memory");
	for (size_t i = 0; i < size; i++)
		data[i] = (uint8_t)bench_random(i);
	for (uint64_t i = 0; i < samples; i++) {
		off_t at = (off_t)(bench_random(i ^ size) % places * size);
		uint64_t start = bench_clock(CLOCK_MONOTONIC);

		if (pwrite(fd, data, size, at) != (ssize_t)size ||
		    fdatasync(fd))
			return fail(target);
		add(&t, (double)(bench_clock(CLOCK_MONOTONIC) - start) / 1000);
	}
	mean = t.sum / (double)t.n;
	printf("%.1f %.1f %.1f %.1f\n", t.least, t.most, mean,
	       sqrt((t.squares - t.sum * mean) / (double)(t.n - 1)));
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	size_t size = argc == 5 ? (size_t)strtoull(argv[2], NULL, 10) : 0;
	uint64_t samples = argc == 5 ? strtoull(argv[3], NULL, 10) : 0;
	int fd, status;
	off_t length;

	if (!size || size % 4096 || samples < 2) {
		fprintf(stderr, "usage: write TARGET SIZE SAMPLES direct|sync\n");
		return 2;
	}
	fd = open(argv[1], O_RDWR |
		  (strcmp(argv[4], "direct") ? 0 : O_DIRECT));
	if (fd < 0)
		return fail(argv[1]);
	length = lseek(fd, 0, SEEK_END);
	if (length < (off_t)size)
		return fail("too short");
	status = write_all(fd, argv[1], size, samples,
			   (uint64_t)length / size);
	return close(fd) ? fail(argv[1]) : status;
}
