/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What hashing costs: ns a name for names of several lengths, and MB/s on 4 KiB,
 * one at a time and many at once.
 *
 *	hash [RUNS]
 *
 * Every cell is measured once in each run, so that what else the machine does
 * falls on all alike.  CPU time; mean and sample standard deviation over the
 * runs.  Exits with 1 where two ways to the same hash do not agree.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "bench/hashes.h"
#include "dirhash/many.h"

#define NAMES		256		/* in one pass */
#define LARGE		4096		/* bytes: a block */
#define TIME_NS		2000000.0	/* of one measurement */
#define RUNS		10
#define ROWS_MAX	24

/* Columns: names of one length; of mixed ones; blocks. */
static const size_t lengths[] = { 6, 16, 40, 255, 0, LARGE };
static const char *const titles[] = { "6", "16", "40", "255", "6-40", "MB/s" };
#define COLUMNS		(sizeof(lengths) / sizeof(lengths[0]))
#define BLOCKS		(COLUMNS - 1)

struct cell {
	double sum, squares;
	unsigned n;
};

struct row {
	const struct bench_hash *hash;
	bool many;
	struct cell cell[COLUMNS];
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

static void note(struct cell *c, double v)
{
	c->sum += v;
	c->squares += v * v;
	c->n++;
}

static double mean(const struct cell *c)
{
	return c->n ? c->sum / c->n : 0;
}

static double deviation(const struct cell *c)
{
	double m = mean(c), v;

	if (c->n < 2)
		return 0;
	v = (c->squares - c->n * m * m) / (c->n - 1);
	return v > 0 ? sqrt(v) : 0;
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
			note(&rows[r].cell[c],
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
				printf("%s differs, many at once\n",
				       rows[r].hash->name);
				good = false;
			}
	return good;
}

static void print_rows(const struct row *rows, size_t n)
{
	printf("%-18s", "ns a name of bytes");
	for (size_t c = 0; c < COLUMNS; c++)
		printf("%15s", c == BLOCKS ? "4 KiB, MB/s" : titles[c]);
	printf("\n");
	for (size_t r = 0; r < n; r++) {
		if (rows[r].many && !rows[r - 1].many)
			printf("many at once\n");
		printf("%-18s", rows[r].hash->name);
		for (size_t c = 0; c < COLUMNS; c++)
			if (has_cell(&rows[r], c))
				printf("%8.*f ±%5.*f", c == BLOCKS ? 0 : 1,
				       mean(&rows[r].cell[c]),
				       c == BLOCKS ? 0 : 2,
				       deviation(&rows[r].cell[c]));
		if (rows[r].many)
			printf("  %s",
			       dirhash_variant_chosen(rows[r].hash->version));
		printf("\n");
	}
}

static const struct row *find(const struct row *rows, size_t n,
			      const char *name, bool many)
{
	for (size_t r = 0; r < n; r++)
		if (rows[r].many == many && !strcmp(rows[r].hash->name, name))
			return &rows[r];
	exit(1);
}

/* How a stands to b in each column of names. */
static void print_ratio(const char *what, const struct row *a,
			const struct row *b)
{
	printf("%-34s", what);
	for (size_t c = 0; c < BLOCKS; c++)
		printf("  %s: %.2f", titles[c],
		       mean(&a->cell[c]) / mean(&b->cell[c]));
	printf("\n");
}

static void print_ratios(const struct row *rows, size_t n)
{
	const struct row *crc = find(rows, n, "crc32c", false);
	const struct row *one = find(rows, n, "crc32c, 1 stream", false);

	print_ratio("siphash : half_md4, one at a time",
		    find(rows, n, "siphash", false),
		    find(rows, n, "half_md4", false));
	print_ratio("siphash, one : many", find(rows, n, "siphash", false),
		    find(rows, n, "siphash", true));
	print_ratio("half_md4, one : many", find(rows, n, "half_md4", false),
		    find(rows, n, "half_md4", true));
	print_ratio("tea, one : many", find(rows, n, "tea", false),
		    find(rows, n, "tea", true));
	printf("crc32c on 4 KiB, ours : one stream  %.2f\n",
	       mean(&crc->cell[BLOCKS]) / mean(&one->cell[BLOCKS]));
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
	printf("%u runs, mean and sample standard deviation; CPU time\n", runs);
	print_rows(rows, n);
	print_ratios(rows, n);
	return 0;
}
