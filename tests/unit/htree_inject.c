/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Put a directory that htree_build() made into a filesystem, so that others
 * can judge it: /big of IMAGE gets COUNT names of LENGTH bytes, hard links to
 * a few files.  Prints the names.  Uses libext2fs alone to write.
 *
 *	htree_inject IMAGE VERSION indexed|linear|collide COUNT LENGTH
 *
 * collide: of COUNT names only one, and then those that share their major
 * hash with another, are taken.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "htree/build.h"
#include "inject.h"

static void fill(struct htree_entries *e, size_t count, size_t length)
{
	char name[256];
	struct htree_dirent d = { .name = (const uint8_t *)name, .ino = 1,
				  .file_type = EXT2_FT_REG_FILE };
	size_t i, n;

	for (i = 0; i < count; i++) {
		n = (size_t)snprintf(name, sizeof(name), "%zu", i);
		if (n < length) {
			memset(name + n, '-', length - n);
			n = length;
		}
		d.name_len = (uint8_t)n;
		inject_need(htree_entries_add(e, &d), "add");
	}
}

static void keep_colliding(const struct htree_dir *d, struct htree_entries *e,
			   int version)
{
	struct dirhasher h;
	size_t i;

	inject_need(htree_dir_hasher(d, version, &h), "hasher");
	inject_need(htree_entries_hash(e, &h), "hash");
	inject_need(htree_entries_sort(e), "sort");
	for (i = 1; i < e->n; i++)
		if (e->v[i].hash.hash != e->v[i - 1].hash.hash &&
		    (i + 1 == e->n ||
		     e->v[i].hash.hash != e->v[i + 1].hash.hash))
			e->v[i].ino = 0;
	htree_entries_compact(e);
}

static void name_inodes(ext2_filsys fs, struct htree_entries *e)
{
	ext2_ino_t ino = 0;
	size_t i, left;

	for (i = 0; i < e->n; i++) {
		left = e->n - i;
		if (i % INJECT_LINKS == 0)
			ino = inject_make_file(fs, left < INJECT_LINKS ?
					(uint32_t)left : INJECT_LINKS);
		e->v[i].ino = ino;
		printf("%.*s\n", e->v[i].name_len, htree_entry_name(e, i));
	}
}

int main(int argc, char **argv)
{
	struct htree_build_options o = { .parent = EXT2_ROOT_INO };
	struct htree_build_result result;
	struct htree_entries e;
	struct htree_memory m;
	struct htree_dir dir;
	ext2_filsys fs;
	ext2_ino_t ino;

	if (argc != 6)
		return 2;
	inject_need(ext2fs_open(argv[1], EXT2_FLAG_RW | EXT2_FLAG_64BITS, 0, 0,
			 unix_io_manager, &fs), argv[1]);
	inject_need(ext2fs_read_bitmaps(fs), "bitmaps");
	inject_need(ext2fs_mkdir(fs, EXT2_ROOT_INO, 0, "big"), "mkdir");
	inject_need(ext2fs_lookup(fs, EXT2_ROOT_INO, "big", 3, NULL, &ino), "lookup");
	dir = inject_describe(fs, ino);
	htree_entries_init(&e);
	htree_memory_init(&m, dir.block_size);
	fill(&e, strtoul(argv[4], NULL, 10), strtoul(argv[5], NULL, 10));
	o.version = atoi(argv[2]);
	o.indexed = strcmp(argv[3], "linear") != 0;
	if (!strcmp(argv[3], "collide"))
		keep_colliding(&dir, &e, o.version);
	name_inodes(fs, &e);
	inject_need(htree_build(&dir, &e, &o, &m.blocks, &result), "build");
	inject_write_blocks(fs, ino, &m, result.indexed);
	fprintf(stderr, "%u blocks, levels %d\n", result.blocks,
		result.indirect_levels);
	inject_need(ext2fs_close(fs), "close");
	htree_memory_free(&m);
	htree_entries_free(&e);
	return 0;
}
