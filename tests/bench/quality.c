/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How well hashes scatter names: of names of several kinds, how many have the
 * major hash of another one, and how evenly the upper bits spread over 2^k
 * buckets, both beside what chance would give.
 *
 *	quality [NAMES...]
 *
 * Writes lines of fields with tabs between them: number, kind, an example,
 * hash, names whose major hash one before them has, the most names of one hash,
 * and the unevenness over 2^8, 2^12 and 2^16 buckets; "chance" as a hash has
 * the first figure only.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench/hashes.h"

#define NAME_MAX_BYTES	64
#define VALUES		2147483648.0	/* of a major hash: bit 0 is not used */

static const unsigned buckets_log[] = { 8, 12, 16 };
#define LOGS	(sizeof(buckets_log) / sizeof(buckets_log[0]))

static uint64_t state;

static uint32_t random32(void)
{
	/* splitmix64, by Sebastiano Vigna (public domain) */
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (uint32_t)((z ^ z >> 31) >> 32);
}

/* ---- names, all different, number i of each kind */

static size_t digits(size_t i, char *name)
{
	return (size_t)snprintf(name, NAME_MAX_BYTES, "%07zu", i);
}

static size_t uuids(size_t i, char *name)
{
	(void)i;
	return (size_t)snprintf(name, NAME_MAX_BYTES,
				"%08x-%04x-4%03x-%04x-%08x%04x", random32(),
				random32() >> 16, random32() >> 20,
				0x8000 | random32() >> 18, random32(),
				random32() >> 16);
}

/* Maildir: seconds, microseconds and process, host, size, flags. */
static size_t mails(size_t i, char *name)
{
	static const char *const flags[] = { "", "S", "RS", "FS" };

	return (size_t)snprintf(name, NAME_MAX_BYTES,
				"%zu.M%uP%u.mx%u.example.org,S=%u:2,%s",
				1500000000 + i * 7, random32() % 1000000,
				1000 + random32() % 30000, random32() % 4,
				600 + random32() % 90000,
				flags[random32() % 4]);
}

static const char *const words[] = {
	"about", "account", "after", "agenda", "album", "annual", "april",
	"archive", "august", "backup", "board", "book", "budget", "build",
	"camera", "chapter", "city", "client", "cloud", "contract", "copy",
	"data", "design", "draft", "event", "family", "figure", "final",
	"garden", "holiday", "house", "image", "index", "invoice", "january",
	"journal", "kitchen", "letter", "library", "list", "march", "meeting",
	"minutes", "monday", "music", "network", "notes", "office", "old",
	"paper", "photo", "plan", "policy", "project", "recipe", "report",
	"review", "school", "server", "summer", "table", "travel", "water",
	"winter"
};
#define WORDS	(sizeof(words) / sizeof(words[0]))

/* Four of 64 words: 2^24 of them. */
static size_t phrases(size_t i, char *name)
{
	return (size_t)snprintf(name, NAME_MAX_BYTES, "%s-%s-%s_%s",
				words[i % WORDS], words[i / WORDS % WORDS],
				words[i / (WORDS * WORDS) % WORDS],
				words[i / (WORDS * WORDS * WORDS) % WORDS]);
}

static const struct kind {
	const char *name;
	size_t (*make)(size_t i, char *name);
} kinds[] = {
	{ "digits", digits }, { "words", phrases }, { "UUIDs", uuids },
	{ "mail files", mails }
};

struct names {
	char *bytes;
	size_t *at;	/* n + 1 of them */
	size_t n;
};

static void *room(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p) {
		fprintf(stderr, "quality: no memory\n");
		exit(1);
	}
	return p;
}

static void make_names(struct names *t, const struct kind *kind, size_t n)
{
	state = 1;
	t->n = n;
	t->bytes = room(n, NAME_MAX_BYTES);
	t->at = room(n + 1, sizeof(*t->at));
	for (size_t i = 0; i < n; i++)
		t->at[i + 1] = t->at[i] + kind->make(i, t->bytes + t->at[i]);
}

/* ---- figures */

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Names whose value another one before them has; the most of one value. */
static size_t count_equal(const uint32_t *v, size_t n, size_t *most)
{
	size_t equal = 0, run = 1;

	*most = 1;
	for (size_t i = 1; i < n; i++) {
		if (v[i] != v[i - 1]) {
			run = 1;
			continue;
		}
		equal++;
		if (++run > *most)
			*most = run;
	}
	return equal;
}

/*
 * Chi-square over the 2^k buckets of the upper bits, as standard deviations
 * from what chance would give: within about 3 is as good as random, far below
 * is more even than random.
 */
static double unevenness(const uint32_t *v, size_t n, unsigned k)
{
	size_t buckets = (size_t)1 << k;
	double expected = (double)n / (double)buckets, chi = 0;
	uint32_t *count = room(buckets, sizeof(*count));

	for (size_t i = 0; i < n; i++)
		count[v[i] >> (32 - k)]++;
	for (size_t i = 0; i < buckets; i++)
		chi += (count[i] - expected) * (count[i] - expected) / expected;
	free(count);
	return (chi - (double)(buckets - 1)) /
	       sqrt(2.0 * (double)(buckets - 1));
}

static void judge(const struct bench_hash *h, const char *what,
		  const struct names *t)
{
	uint32_t *v = room(t->n, sizeof(*v));
	size_t equal, most;

	for (size_t i = 0; i < t->n; i++)
		v[i] = bench_hash_major(h, (const uint8_t *)t->bytes + t->at[i],
					t->at[i + 1] - t->at[i]);
	qsort(v, t->n, sizeof(*v), by_value);
	equal = count_equal(v, t->n, &most);
	printf("%s\t%s\t%zu\t%zu", what, h->name, equal, most);
	for (size_t i = 0; i < LOGS; i++)
		printf("\t%.1f", unevenness(v, t->n, buckets_log[i]));
	printf("\n");
	free(v);
}

static void judge_all(const struct kind *kind, size_t n)
{
	struct names t;
	char what[3 * NAME_MAX_BYTES];
	double by_chance = (double)n - VALUES * -expm1(-(double)n / VALUES);

	make_names(&t, kind, n);
	snprintf(what, sizeof(what), "%zu\t%s\t%.*s", n, kind->name,
		 (int)(t.at[n / 2 + 1] - t.at[n / 2]), t.bytes + t.at[n / 2]);
	printf("%s\tchance\t%.0f\n", what, by_chance);
	for (const struct bench_hash *h = bench_hashes(); h->name; h++)
		if (!strchr(h->name, ','))	/* the same hash again */
			judge(h, what, &t);
	free(t.bytes);
	free(t.at);
}

int main(int argc, char **argv)
{
	static char *one_million[] = { "", "1000000" };
	int n = argc > 1 ? argc : 2;

	for (int i = 1; i < n; i++)
		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
			judge_all(&kinds[k], strtoul((argc > 1 ? argv :
						      one_million)[i], NULL,
						     10));
	return 0;
}
