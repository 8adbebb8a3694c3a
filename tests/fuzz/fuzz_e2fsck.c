/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The whole of e2fsck -fn over images in memory.  The input says which of the
 * images in $E2DX_FUZZ_IMAGES (fuzz_images.py) is changed, and how: each ten
 * bytes are a change of a structure, or the copy of one over another.  The
 * checksums of what was changed may be made right afterwards, or nothing would
 * get past them.  e2fsck must end, by itself, with a status of fsck(8), and
 * leave the image alone.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../e2fsck/e2fsck.h"
#include "htree/crc32c.h"

#define CHECK(x) do { \
	if (!(x)) { \
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x); \
		abort(); \
	} \
} while (0)
#define IMAGES		16
#define EDIT_BYTES	10
#define EDITS		32
#define RANGES		8
#define PLACES		2

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

struct region {
	size_t at, length;
};

struct checksum {
	bool big;
	uint32_t seed;
	unsigned n, m;
	size_t range[RANGES][2];
	struct { size_t at, bytes; unsigned shift; } place[PLACES];
	size_t from, to;	/* all of what it covers */
};

struct image {
	char path[64];		/* where e2fsck finds it */
	uint8_t *now;		/* the same, mapped */
	uint8_t *whole;		/* how it was */
	uint8_t *expect;	/* how it is now, if nobody else writes */
	size_t size;
	struct region *region;
	size_t regions;
	struct checksum *sum;
	size_t sums;
	struct region touched[EDITS + 4096];
	size_t n_touched;
};

static struct image *image[IMAGES];
static size_t images;

static void *grow(void *old, size_t n, size_t each)
{
	void *p = realloc(old, (n + 1) * each);

	CHECK(p);
	return p;
}

static size_t number(char **text)
{
	return strtoull(*text, text, 10);
}

static void read_checksum(struct image *img, char *text)
{
	struct checksum *c;

	img->sum = grow(img->sum, img->sums, sizeof(*img->sum));
	c = &img->sum[img->sums++];
	memset(c, 0, sizeof(*c));
	c->big = number(&text);
	c->seed = (uint32_t)number(&text);
	c->n = (unsigned)number(&text);
	CHECK(c->n <= RANGES);
	c->from = SIZE_MAX;
	for (unsigned i = 0; i < c->n; i++) {
		size_t from = c->range[i][0] = number(&text);
		size_t to = c->range[i][1] = number(&text);

		CHECK(from > to || to <= img->size);
		if (from >= to)
			continue;
		c->from = from < c->from ? from : c->from;
		c->to = to > c->to ? to : c->to;
	}
	c->m = (unsigned)number(&text);
	CHECK(c->m <= PLACES);
	for (unsigned i = 0; i < c->m; i++) {
		c->place[i].at = number(&text);
		c->place[i].bytes = number(&text);
		c->place[i].shift = (unsigned)number(&text);
		CHECK(c->place[i].at + 4 <= img->size);
	}
}

static void read_map(struct image *img, const char *name)
{
	FILE *f = fopen(name, "r");
	char line[512];

	CHECK(f);
	while (fgets(line, sizeof(line), f)) {
		char *text = line + 1;
		struct region r;

		if (line[0] == 'c') {
			read_checksum(img, text);
			continue;
		}
		r.at = number(&text);
		r.length = number(&text);
		if (!r.length || r.at + r.length > img->size)
			continue;
		img->region = grow(img->region, img->regions, sizeof(r));
		img->region[img->regions++] = r;
	}
	fclose(f);
	CHECK(img->regions);
}

static void read_image(const char *folder, const char *name)
{
	struct image *img = calloc(1, sizeof(*img));
	char path[4096];
	struct stat st;
	int from, to;

	CHECK(img && images < IMAGES);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	from = open(path, O_RDONLY);
	to = memfd_create("image", 0);
	CHECK(from >= 0 && to >= 0 && !fstat(from, &st));
	img->size = (size_t)st.st_size;
	CHECK(!ftruncate(to, st.st_size));
	img->whole = malloc(img->size);
	img->expect = malloc(img->size);
	img->now = mmap(NULL, img->size, PROT_READ | PROT_WRITE, MAP_SHARED,
			to, 0);
	CHECK(img->whole && img->expect && img->now != MAP_FAILED);
	CHECK(read(from, img->whole, img->size) == st.st_size);
	memcpy(img->now, img->whole, img->size);
	memcpy(img->expect, img->whole, img->size);
	close(from);
	snprintf(img->path, sizeof(img->path), "/proc/self/fd/%d", to);
	strcpy(strrchr(path, '.'), ".map");
	read_map(img, path);
	image[images++] = img;
}

static int is_image(const struct dirent *d)
{
	const char *dot = strrchr(d->d_name, '.');

	return dot && !strcmp(dot, ".img");
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *folder = getenv("E2DX_FUZZ_IMAGES");
	struct dirent **list;
	int n;

	(void)argc;
	(void)argv;
	CHECK(folder);
	n = scandir(folder, &list, is_image, alphasort);
	CHECK(n > 0);
	for (int i = 0; i < n; i++) {
		read_image(folder, list[i]->d_name);
		free(list[i]);
	}
	free(list);
	return 0;
}

static void touch(struct image *img, size_t at, size_t length)
{
	CHECK(img->n_touched < sizeof(img->touched) / sizeof(*img->touched));
	img->touched[img->n_touched++] = (struct region){ at, length };
}

/* Ten bytes: region, what, where in it, value. */
static void edit(struct image *img, const uint8_t *e)
{
	uint32_t which = e[0] | (uint32_t)e[1] << 8 | (uint32_t)e[2] << 16;
	const struct region *r = &img->region[which % img->regions];
	size_t offset = (e[4] | (size_t)e[5] << 8) % r->length;
	size_t bytes = (size_t)1 << (e[3] & 3);
	const struct region *other;

	if (bytes == 8) {
		which = e[6] | (uint32_t)e[7] << 8 | (uint32_t)e[8] << 16;
		other = &img->region[which % img->regions];
		bytes = r->length < other->length ? r->length : other->length;
		memmove(img->now + r->at, img->now + other->at, bytes);
		touch(img, r->at, bytes);
		return;
	}
	if (bytes > r->length)
		bytes = r->length;
	if (!(e[3] & 4))
		offset &= ~(bytes - 1);
	if (offset > r->length - bytes)
		offset = r->length - bytes;
	for (size_t i = 0; i < bytes; i++) {
		uint8_t *p = img->now + r->at + offset + i;

		*p = e[3] & 8 ? *p ^ e[6 + i] : e[6 + i];
	}
	touch(img, r->at + offset, bytes);
}

static bool is_touched(const struct image *img, const struct checksum *c)
{
	for (size_t i = 0; i < img->n_touched; i++) {
		const struct region *t = &img->touched[i];

		if (t->at < c->to && t->at + t->length > c->from)
			return true;
	}
	return false;
}

static void store(struct image *img, const struct checksum *c, uint32_t crc)
{
	for (unsigned i = 0; i < c->m; i++) {
		size_t n = c->place[i].bytes;
		uint8_t *p = img->now + c->place[i].at;

		for (size_t k = 0; k < n; k++)
			p[c->big ? n - 1 - k : k] =
				(uint8_t)(crc >> (c->place[i].shift + 8 * k));
		touch(img, c->place[i].at, n);
	}
}

static void seal(struct image *img)
{
	static const uint8_t zeros[16];

	for (size_t i = 0; i < img->sums; i++) {
		const struct checksum *c = &img->sum[i];
		uint32_t crc = c->seed;

		if (!is_touched(img, c))
			continue;
		for (unsigned k = 0; k < c->n; k++) {
			size_t from = c->range[k][0], to = c->range[k][1];

			crc = from > to ?
				htree_crc32c(crc, zeros, from - to) :
				htree_crc32c(crc, img->now + from, to - from);
		}
		store(img, c, crc);
	}
}

static void copy_touched(struct image *img, uint8_t *to, const uint8_t *from)
{
	for (size_t i = 0; i < img->n_touched; i++)
		memcpy(to + img->touched[i].at, from + img->touched[i].at,
		       img->touched[i].length);
}

/* It wrote nothing; make the image whole again. */
static void check_untouched(struct image *img)
{
	CHECK(!memcmp(img->now, img->expect, img->size));
	copy_touched(img, img->now, img->whole);
	copy_touched(img, img->expect, img->whole);
	img->n_touched = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char name[] = "e2fsck", what[] = "-fn", e[] = "-E";
	char one[] = "threads=1", two[] = "threads=2";
	char *argv[] = { name, what, e, one, NULL, NULL };
	struct image *img;
	int status;

	if (size < 2)
		return -1;
	img = image[data[0] % images];
	argv[3] = data[1] & 2 ? two : one;
	argv[4] = img->path;
	for (size_t i = 0; i < EDITS && 2 + (i + 1) * EDIT_BYTES <= size; i++)
		edit(img, data + 2 + i * EDIT_BYTES);
	if (!(data[1] & 1))
		seal(img);
	copy_touched(img, img->expect, img->now);
	optind = 0;
	status = e2fsck_program(5, argv);
	CHECK(status >= 0 && status < 64);
	check_untouched(img);
	return 0;
}
