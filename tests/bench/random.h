/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random names that two processes agree on, and clocks, for the benches. */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdint.h>
#include <time.h>

#define BENCH_NAME_LEN	12	/* letters and digits; 60 random bits */

/* The i-th number of a permutation of 64 bits (SplitMix64). */
static inline uint64_t bench_random(uint64_t i)
{
	uint64_t z = (i + 1) * 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* The i-th name; different ones for all i that a bench can reach. */
static inline const char *bench_name(uint64_t i, char name[BENCH_NAME_LEN + 1])
{
	uint64_t bits = bench_random(i);

	for (int at = 0; at < BENCH_NAME_LEN; at++, bits >>= 5)
		name[at] = "abcdefghijklmnopqrstuvwxyz234567"[bits & 31];
	name[BENCH_NAME_LEN] = 0;
	return name;
}

static inline uint64_t bench_clock(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Time in the kernel counts: libext2fs reads and writes. */
static inline uint64_t bench_cpu(void)
{
	return bench_clock(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
