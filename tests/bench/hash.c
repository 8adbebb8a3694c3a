/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What hashing costs: ns a name for names of several lengths, and MB/s on 4 KiB,
 * one at a time and many at once.
 *
 *	hash [RUNS]
 *
 * Every cell is measured once in each run, so that what else the machine does
 * falls on all alike.  CPU time.  Writes lines of four fields with tabs between
 * them: "one" or "many", hash, column, value; and "variant", hash, "", the name
 * of the code that many at once runs.  Exits with 1 where two ways to the same
 * hash do not agree.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "bench/hashes.h"
#include "dirhash/many.h"

/* In one pass; so many that their lengths are not learnt by heart. */
#define NAMES		2048
#define LARGE		4096		/* bytes: a block */
#define TIME_NS		2000000.0	/* of one measurement */
#define RUNS		10
#define ROWS_MAX	24

/* Columns: names of one length; of mixed ones; blocks. */
static const size_t lengths[] = { 6, 16, 40, 255, 0, LARGE };
static const char *const titles[] = { "6", "16", "40", "255", "6-40", "MB/s" };
#define COLUMNS		(sizeof(lengths) / sizeof(lengths[0]))
#define BLOCKS		(COLUMNS - 1)

struct row {
	const struct bench_hash *hash;
	bool many;
};

struct text {
	size_t n;
	struct dirhash_text v[NAMES];
};

/* What is computed must be used. */
static volatile uint64_t sink;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* One after another in memory, as in a directory's blocks. */
static void make_text(struct text *t, size_t column)
{
	size_t len = lengths[column], at = 0;
	uint8_t *bytes = malloc(NAMES * (LARGE + 8));
	uint32_t r = 1;

	if (!bytes)
		exit(1);
	t->n = len == LARGE ? 16 : NAMES;
	for (size_t i = 0; i < t->n; i++) {
		size_t this = len ? len : 6 + r % 35;

		t->v[i] = (struct dirhash_text){ bytes + at, this };
		for (size_t k = 0; k < this; k++) {
			r = r * 1664525 + 1013904223;
			bytes[at++] = (uint8_t)('a' + (r >> 16) % 26);
		}
		at = (at + 8 + 3) & ~(size_t)3;
	}
}

/* As a program calls it for names one after another. */
static uint64_t pass_names(const struct bench_hash *h, const struct text *t)
{
	struct dirhasher hasher;
	struct dirhash d;
	uint64_t sum = 0;

	dirhasher_init(&hasher, h->version, NULL, NULL);
	for (size_t i = 0; i < t->n; i++) {
		if (dirhash_name(&hasher, t->v[i].name, t->v[i].len, &d))
			exit(1);
		sum += (uint64_t)d.hash << 32 | d.minor_hash;
	}
	return sum;
}

static uint64_t pass_one(const struct bench_hash *h, const struct text *t)
{
	uint64_t sum = 0;

	if (h->version >= 0 && t->v[0].len <= DIRHASH_NAME_MAX)
		return pass_names(h, t);
	for (size_t i = 0; i < t->n; i++)
		sum += bench_hash_one(h, t->v[i].name, t->v[i].len);
	return sum;
}

static uint64_t pass_many(const struct bench_hash *h, const struct text *t)
{
	static struct dirhash out[NAMES];
	struct dirhasher hasher;
	uint64_t sum = 0;

	dirhasher_init(&hasher, h->version, NULL, NULL);
	if (dirhash_many(&hasher, t->v, t->n, out))
		exit(1);
	for (size_t i = 0; i < t->n; i++)
		sum += (uint64_t)out[i].hash << 32 | out[i].minor_hash;
	return sum;
}

static uint64_t pass(const struct row *r, const struct text *t)
{
	return r->many ? pass_many(r->hash, t) : pass_one(r->hash, t);
}

/* ns a name. */
static double measure(const struct row *r, const struct text *t)
{
	double start, took;
	unsigned passes = 0, more = 1;

	sink += pass(r, t);
	start = now();
	do {
		for (unsigned i = 0; i < more; i++)
			sink += pass(r, t);
		passes += more;
		more *= 2;
		took = now() - start;
	} while (took < TIME_NS);
	return took / passes / (double)t->n;
}

static bool has_cell(const struct row *r, size_t column)
{
	return !r->many || column != BLOCKS;
}

static void run(struct row *rows, size_t n, const struct text *texts)
{
	for (size_t r = 0; r < n; r++)
		for (size_t c = 0; c < COLUMNS; c++) {
			double ns;

			if (!has_cell(&rows[r], c))
				continue;
			ns = measure(&rows[r], &texts[c]);
			printf("%s\t%s\t%s\t%.4f\n",
			       rows[r].many ? "many" : "one",
			       rows[r].hash->name, titles[c],
			       c == BLOCKS ? LARGE * 1e3 / ns : ns);
		}
}

static size_t make_rows(struct row *rows)
{
	const struct bench_hash *h;
	size_t n = 0;

	for (h = bench_hashes(); h->name; h++)
		rows[n++] = (struct row){ .hash = h };
	for (h = bench_hashes(); h->name; h++)
		if (h->version >= 0)
			rows[n++] = (struct row){ .hash = h, .many = true };
	return n;
}

/* Many at once is the same as one at a time. */
static bool agree(const struct row *rows, size_t n, const struct text *texts)
{
	bool good = true;

	for (size_t r = 0; r < n; r++)
		for (size_t c = 0; c < BLOCKS && rows[r].many; c++)
			if (pass_many(rows[r].hash, &texts[c]) !=
			    pass_one(rows[r].hash, &texts[c])) {
				fprintf(stderr, "%s differs, many at once\n",
					rows[r].hash->name);
				good = false;
			}
	return good;
}

static void print_variants(const struct row *rows, size_t n)
{
	for (size_t r = 0; r < n; r++)
		if (rows[r].many)
			printf("variant\t%s\t\t%s\n", rows[r].hash->name,
			       dirhash_variant_chosen(rows[r].hash->version));
}

int main(int argc, char **argv)
{
	unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : RUNS;
	static struct row rows[ROWS_MAX];
	static struct text texts[COLUMNS];
	size_t n = make_rows(rows);

	for (size_t c = 0; c < COLUMNS; c++)
		make_text(&texts[c], c);
	if (!agree(rows, n, texts))
		return 1;
	for (unsigned i = 0; i < runs; i++)
		run(rows, n, texts);
	print_variants(rows, n);
	return 0;
}
