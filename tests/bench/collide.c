/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench: what names of a file, one a line, cost a directory (in memory, blocks
 * of 1 KiB, metadata_csum) to insert and to look up.
 *
 *   collide HASH FILE ROUNDS [SEED]
 *
 * HASH: a version's name; SEED: 32 hex digits, without it the default.  Prints
 * nanoseconds of CPU time an insertion, and a look-up; blocks of the directory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench/random.h"
#include "htree/build.h"
#include "htree/change.h"
#include "htree/walk.h"

#define BLOCK		1024
#define NAMES_MAX	65536

struct names {
	char *name[NAMES_MAX];
	unsigned n;
};

static void must(errcode_t err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "collide: %s: error %ld\n", what, (long)err);
	exit(1);
}

static void read_names(const char *path, struct names *names)
{
	char line[512];
	FILE *f = fopen(path, "r");

	must(f ? 0 : 1, path);
	while (names->n < NAMES_MAX && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		names->name[names->n++] = strdup(line);
	}
	fclose(f);
}

static void new_dir(struct htree_dir *dir, struct htree_memory *m)
{
	struct htree_build_options o = { .parent = 2 };
	struct htree_build_result result;
	struct htree_entries none;

	htree_memory_init(m, BLOCK);
	htree_entries_init(&none);
	must(htree_build(dir, &none, &o, &m->blocks, &result), "build");
}

static uint64_t insert_all(struct htree_dir *dir, struct htree_memory *m,
			   const struct names *names)
{
	uint64_t start = bench_cpu();

	for (unsigned i = 0; i < names->n; i++) {
		struct htree_dirent d = {
			.ino = 12, .file_type = 1,
			.name = (const uint8_t *)names->name[i],
			.name_len = (uint8_t)strlen(names->name[i])
		};

		must(htree_insert(dir, &m->blocks, &d), names->name[i]);
	}
	return bench_cpu() - start;
}

static uint64_t find_all(struct htree_dir *dir, struct htree_memory *m,
			 const struct names *names)
{
	uint64_t start = bench_cpu();
	struct htree_dirent d;
	uint8_t block[BLOCK];

	for (unsigned i = 0; i < names->n; i++)
		must(htree_lookup(dir, &m->blocks,
				  (const uint8_t *)names->name[i],
				  strlen(names->name[i]), block, &d),
		     names->name[i]);
	return bench_cpu() - start;
}

static void read_seed(const char *hex, uint8_t *seed)
{
	for (int i = 0; i < DIRHASH_SEED_SIZE; i++)
		must(sscanf(hex + 2 * i, "%2hhx", &seed[i]) != 1, "seed");
}

int main(int argc, char **argv)
{
	static struct names names;
	struct htree_dir dir = {
		.ino = 11, .block_size = BLOCK, .metadata_csum = true,
		.filetype = true, .dir_index = true, .max_indirect = 2
	};
	uint64_t inserting = 0, finding = 0, count;
	int rounds = argc > 3 ? atoi(argv[3]) : 0;
	struct htree_memory m;
	uint32_t blocks = 0;

	if (rounds < 1)
		return fprintf(stderr, "usage: collide HASH FILE ROUNDS [SEED]\n"), 2;
	dir.default_version = dirhash_version_from_text(argv[1]);
	if (argc > 4)
		read_seed(argv[4], dir.seed);
	read_names(argv[2], &names);
	for (int i = 0; i < rounds; i++) {
		dir.indexed = false;
		new_dir(&dir, &m);
		inserting += insert_all(&dir, &m, &names);
		finding += find_all(&dir, &m, &names);
		blocks = m.blocks.count;
		htree_memory_free(&m);
	}
	count = (uint64_t)rounds * names.n;
	must(count ? 0 : 1, "no names");
	printf("%.1f %.1f %u\n", (double)inserting / (double)count,
	       (double)finding / (double)count, blocks);
	return 0;
}
