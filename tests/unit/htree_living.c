/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory of a real filesystem that grows and shrinks by htree_insert and
 * htree_remove, with others as judges: COUNT names are inserted into /big of
 * IMAGE in random order and removed in another, and STAGES times on each way
 * the directory is put into the image and "JUDGE IMAGE NAMES" is run, NAMES
 * being a file with the names that are there.
 *
 *	htree_living IMAGE VERSION COUNT LENGTH STAGES keep|shrink NAMES JUDGE
 *
 * The names are links to files /0, /1 ...  Uses libext2fs alone to write.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "e2dx_err.h"
#include "htree/change.h"
#include "htree/verify.h"
#include "inject.h"

struct living {
	const char *image, *names, *judge;
	struct htree_dir dir;
	struct htree_memory m;
	ext2_ino_t ino;
	ext2_ino_t *files;
	uint32_t n_files;
	uint32_t count, length, stages;
	enum htree_shrink how;
	uint32_t *order;
	uint8_t *present;
	uint32_t most;			/* blocks */
};

static size_t name_of(const struct living *l, uint32_t i, char name[256])
{
	size_t n = (size_t)snprintf(name, 256, "%06u", i);

	if (n < l->length) {
		memset(name + n, '-', l->length - n);
		n = l->length;
	}
	name[n] = 0;
	return n;
}

static ext2_filsys open_image(const struct living *l)
{
	ext2_filsys fs;

	inject_need(ext2fs_open(l->image, EXT2_FLAG_RW | EXT2_FLAG_64BITS, 0, 0,
				unix_io_manager, &fs), l->image);
	inject_need(ext2fs_read_bitmaps(fs), "bitmaps");
	return fs;
}

static void make_files(struct living *l, ext2_filsys fs)
{
	char name[16];

	l->n_files = l->count / INJECT_LINKS + 1;
	l->files = calloc(l->n_files, sizeof(*l->files));
	for (uint32_t i = 0; i < l->n_files; i++) {
		l->files[i] = inject_make_file(fs, 1);
		snprintf(name, sizeof(name), "%u", i);
		inject_need(ext2fs_link(fs, EXT2_ROOT_INO, name, l->files[i],
					EXT2_FT_REG_FILE), "link");
	}
}

static void read_dir(struct living *l, ext2_filsys fs)
{
	struct ext2_inode inode;
	blk64_t at;

	inject_need(ext2fs_mkdir(fs, EXT2_ROOT_INO, 0, "big"), "mkdir");
	inject_need(ext2fs_lookup(fs, EXT2_ROOT_INO, "big", 3, NULL, &l->ino),
		    "lookup");
	l->dir = inject_describe(fs, l->ino);
	inject_need(ext2fs_read_inode(fs, l->ino, &inode), "inode");
	htree_memory_init(&l->m, fs->blocksize);
	inject_need(htree_blocks_resize(&l->m.blocks, 1), "resize");
	inject_need(ext2fs_bmap2(fs, l->ino, &inode, NULL, 0, 0, NULL, &at),
		    "map");
	inject_need(io_channel_read_blk64(fs->io, at, 1, l->m.data), "read");
}

static void set_links(const struct living *l, ext2_filsys fs)
{
	struct ext2_inode inode;

	for (uint32_t f = 0; f < l->n_files; f++) {
		uint32_t links = 1;

		for (uint32_t i = f; i < l->count; i += l->n_files)
			links += l->present[i];
		inject_need(ext2fs_read_inode(fs, l->files[f], &inode), "file");
		inode.i_links_count = (uint16_t)links;
		inject_need(ext2fs_write_inode(fs, l->files[f], &inode), "file");
	}
}

static void write_names(const struct living *l)
{
	FILE *f = fopen(l->names, "w");
	char name[256];

	if (!f) {
		perror(l->names);
		exit(2);
	}
	for (uint32_t i = 0; i < l->count; i++)
		if (l->present[i]) {
			name_of(l, i, name);
			fprintf(f, "%s\n", name);
		}
	if (fclose(f)) {
		perror(l->names);
		exit(2);
	}
}

static void judge(const struct living *l)
{
	ext2_filsys fs = open_image(l);
	char command[4096];

	inject_write_blocks(fs, l->ino, &l->m, l->dir.indexed);
	set_links(l, fs);
	inject_need(ext2fs_close(fs), "close");
	write_names(l);
	snprintf(command, sizeof(command), "%s '%s' '%s'", l->judge, l->image,
		 l->names);
	if (system(command)) {
		fprintf(stderr, "refused with %u blocks\n", l->m.blocks.count);
		exit(1);
	}
}

static void shuffle(struct living *l, unsigned seed)
{
	srandom(seed);
	for (uint32_t i = 0; i < l->count; i++)
		l->order[i] = i;
	for (uint32_t i = l->count - 1; i > 0; i--) {
		uint32_t j = (uint32_t)random() % (i + 1), t = l->order[i];

		l->order[i] = l->order[j];
		l->order[j] = t;
	}
}

static void change(struct living *l, uint32_t i, bool insert)
{
	char name[256];
	struct htree_dirent d = {
		.ino = l->files[i % l->n_files], .file_type = EXT2_FT_REG_FILE,
		.name = (const uint8_t *)name
	};

	d.name_len = (uint8_t)name_of(l, i, name);
	if (insert)
		inject_need(htree_insert(&l->dir, &l->m.blocks, &d), name);
	else
		inject_need(htree_remove(&l->dir, &l->m.blocks, d.name,
					 d.name_len, l->how), name);
	l->present[i] = insert;
	if (l->m.blocks.count > l->most)
		l->most = l->m.blocks.count;
}

static void one_way(struct living *l, bool insert)
{
	uint32_t stage = 1;

	shuffle(l, insert ? 1 : 2);
	for (uint32_t i = 0; i < l->count; i++) {
		change(l, l->order[i], insert);
		if ((uint64_t)(i + 1) * l->stages >= (uint64_t)stage * l->count) {
			judge(l);
			stage++;
		}
	}
}

int main(int argc, char **argv)
{
	struct living l = { 0 };
	ext2_filsys fs;

	if (argc != 9)
		return 2;
	l.image = argv[1];
	l.count = (uint32_t)strtoul(argv[3], NULL, 10);
	l.length = (uint32_t)strtoul(argv[4], NULL, 10);
	l.stages = (uint32_t)strtoul(argv[5], NULL, 10);
	l.how = strcmp(argv[6], "keep") ? HTREE_SHRINK : HTREE_KEEP_BLOCKS;
	l.names = argv[7];
	l.judge = argv[8];
	l.order = calloc(l.count, sizeof(*l.order));
	l.present = calloc(l.count, 1);
	if (!l.order || !l.present)
		return 2;
	fs = open_image(&l);
	make_files(&l, fs);
	read_dir(&l, fs);
	l.dir.default_version = atoi(argv[2]);
	inject_need(ext2fs_close(fs), "close");
	one_way(&l, true);
	one_way(&l, false);
	printf("%u blocks at most, %u at last\n", l.most, l.m.blocks.count);
	htree_memory_free(&l.m);
	free(l.files);
	free(l.order);
	free(l.present);
	return 0;
}
