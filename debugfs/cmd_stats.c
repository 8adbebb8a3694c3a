/* SPDX-License-Identifier: GPL-2.0-or-later */
/* htree_stats: how deep and how full a directory is, drawn or as JSON. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "debugfs.h"
#include "htree/walk.h"

#define BAR_COLUMNS 50	/* of the longest bar */
#define BINS 10

/* Per ten thousand of `whole`, rounded; what is printed has two decimals. */
static uint64_t share(uint64_t part, uint64_t whole)
{
	return whole ? (part * 10000 + whole / 2) / whole : 0;
}

static uint64_t average(uint64_t sum, uint64_t n)
{
	return n ? (sum + n / 2) / n : 0;
}

static const char *version_text(int version)
{
	const char *name = dirhash_on_disk(version) ?
			   dirhash_version_name(version) : NULL;

	return name ? name : version < 0 ? "none" : "unknown";
}

static void print_bar(uint32_t n, uint32_t largest)
{
	uint64_t len = largest ? (uint64_t)n * BAR_COLUMNS / largest : 0;

	/* Few are not none. */
	if (n && !len)
		len = 1;
	while (len--)
		putchar('#');
	putchar('\n');
}

static void print_histogram(const struct htree_stats *s)
{
	uint32_t largest = 0;
	int i;

	for (i = 0; i < BINS; i++)
		if (s->fill[i] > largest)
			largest = s->fill[i];
	puts("Leaves by fill:");
	for (i = 0; i < BINS; i++) {
		printf("  %3d-%3d%%  %8u  ", i * 10, i * 10 + 10, s->fill[i]);
		print_bar(s->fill[i], largest);
	}
}

static void print_text(const struct e2dx_dir *dir, const struct htree_stats *s)
{
	uint64_t percent = share(s->leaf_bytes_used, s->leaf_bytes);

	printf("Directory inode:         %u\n", dir->dir.ino);
	if (s->version >= 0)
		printf("Hash version:            %s (%d)\n",
		       version_text(s->version), s->version);
	else
		puts("Hash version:            none (no index)");
	printf("Index levels:            %d\n", s->levels);
	printf("Entries:                 %" PRIu64 "\n", s->entries);
	printf("Blocks:                  %u (%u bytes each)\n", s->blocks,
	       dir->dir.block_size);
	printf("Index blocks:            %u\n", s->nodes);
	printf("Leaves:                  %u\n", s->leaves);
	printf("Average fill of a leaf:  %" PRIu64 " of %" PRIu64
	       " bytes, %" PRIu64 ".%02" PRIu64 "%%\n",
	       average(s->leaf_bytes_used, s->leaves),
	       average(s->leaf_bytes, s->leaves), percent / 100, percent % 100);
	printf("Equal-hash groups:       %" PRIu64 "\n", s->equal_groups);
	printf("Longest collision chain: %" PRIu64 "\n", s->longest_chain);
	printf("Straddling leaves:       %" PRIu64 "\n", s->straddling);
	print_histogram(s);
}

static void print_json(const struct e2dx_dir *dir, const struct htree_stats *s)
{
	uint64_t percent = share(s->leaf_bytes_used, s->leaf_bytes);

	printf("{\"inode\": %u, \"hash_version\": %d, \"hash_name\": \"%s\", "
	       "\"indexed\": %s, \"levels\": %d, \"entries\": %" PRIu64 ", ",
	       dir->dir.ino, s->version, version_text(s->version),
	       s->levels ? "true" : "false", s->levels, s->entries);
	printf("\"block_size\": %u, \"blocks\": %u, \"index_blocks\": %u, "
	       "\"leaves\": %u, ", dir->dir.block_size, s->blocks, s->nodes,
	       s->leaves);
	printf("\"leaf_bytes\": %" PRIu64 ", \"leaf_bytes_used\": %" PRIu64
	       ", \"average_fill_bytes\": %" PRIu64
	       ", \"average_fill_percent\": %" PRIu64 ".%02" PRIu64 ", ",
	       s->leaf_bytes, s->leaf_bytes_used,
	       average(s->leaf_bytes_used, s->leaves), percent / 100,
	       percent % 100);
	printf("\"equal_hash_groups\": %" PRIu64
	       ", \"longest_collision_chain\": %" PRIu64
	       ", \"straddling_leaves\": %" PRIu64 ", \"fill_histogram\": [",
	       s->equal_groups, s->longest_chain, s->straddling);
	for (int i = 0; i < BINS; i++)
		printf("%s%u", i ? ", " : "", s->fill[i]);
	puts("]}");
}

/* A directory in its inode is no block: there is nothing to fill. */
static errcode_t count_entry(void *ctx, const struct htree_dirent *e)
{
	struct htree_stats *s = ctx;
	bool dot = e->name[0] == '.' &&
		   (e->name_len == 1 || (e->name_len == 2 && e->name[1] == '.'));

	s->entries += !dot;
	return 0;
}

static errcode_t inline_stats(struct e2dx_dir *dir, struct htree_stats *s)
{
	struct dirscan_ops ops = { .entry = count_entry };

	memset(s, 0, sizeof(*s));
	s->version = -1;
	return dirscan(dir, &ops, s);
}

/*
 * Figures of a damaged directory would mislead without a word: an index that
 * names blocks twice or not at all is counted only as far as it is walked.
 */
static errcode_t note_fault(void *ctx, uint32_t block, errcode_t what)
{
	bool *damaged = ctx;

	(void)block;
	(void)what;
	*damaged = true;
	return 0;
}

static bool is_damaged(struct e2dx_dir *dir)
{
	static const struct htree_walk_ops ops = { .fault = note_fault };
	bool damaged = dir->map_damaged;

	if (!dir->inline_data && dir->dir.indexed &&
	    htree_walk(&dir->dir, &dir->blocks, &ops, &damaged))
		damaged = true;
	return damaged;
}

static int stats_of(struct debugfs *d, const char *object,
		    struct e2dx_dir *dir, bool json)
{
	struct htree_stats s;
	errcode_t err = dir->inline_data ? inline_stats(dir, &s) :
			htree_stats(&dir->dir, &dir->blocks, &s);

	if (err)
		return dbg_fail(d, object, err, "no figures");
	if (json)
		print_json(dir, &s);
	else
		print_text(dir, &s);
	if (is_damaged(dir))
		return dbg_fail(d, object, 0,
				"damaged: the figures are of what can be read; htree_check tells more");
	return 0;
}

int command_htree_stats(struct debugfs *d, int argc, char **argv)
{
	struct e2dx_dir *dir;
	bool json = false;
	int c, status;

	while ((c = getopt(argc, argv, "j")) >= 0) {
		if (c != 'j')
			return command_usage(d, argv);
		json = true;
	}
	if (argc - optind != 1)
		return command_usage(d, argv);
	if (directory_argument(d, argv[optind], &dir))
		return 1;
	status = stats_of(d, argv[optind], dir, json);
	e2dx_dir_close(dir);
	return status;
}
