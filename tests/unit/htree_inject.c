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
#include <ext2fs/ext2fs.h>

#include "htree/build.h"

#define LINKS	60000u		/* of one file */

static void need(errcode_t err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "htree_inject: %s: %s\n", what, error_message(err));
	exit(2);
}


/* The checksum seed of an inode, as libext2fs has it for its own blocks. */
static uint32_t csum_seed(ext2_filsys fs, ext2_ino_t ino, uint32_t generation)
{
	uint32_t le[2] = { ext2fs_cpu_to_le32(ino),
			   ext2fs_cpu_to_le32(generation) };

	return ext2fs_crc32c_le(fs->csum_seed, (unsigned char *)le, sizeof(le));
}

static struct htree_dir describe(ext2_filsys fs, ext2_ino_t ino)
{
	struct ext2_inode inode;
	struct htree_dir d = {
		.ino = ino, .block_size = fs->blocksize, .dir_index = true,
		.metadata_csum = ext2fs_has_feature_metadata_csum(fs->super),
		.filetype = ext2fs_has_feature_filetype(fs->super),
		.max_indirect = ext2fs_has_feature_largedir(fs->super) ? 2 : 1,
		.unsigned_chars = fs->super->s_flags & EXT2_FLAGS_UNSIGNED_HASH
	};

	need(ext2fs_read_inode(fs, ino, &inode), "directory inode");
	d.csum_seed = csum_seed(fs, ino, inode.i_generation);
	/* libext2fs has the seed as words of this machine. */
	for (int i = 0; i < 4; i++) {
		uint32_t w = ext2fs_cpu_to_le32(fs->super->s_hash_seed[i]);

		memcpy(d.seed + 4 * i, &w, 4);
	}
	return d;
}

static ext2_ino_t make_file(ext2_filsys fs, uint32_t links)
{
	struct ext2_inode_large inode = { .i_mode = LINUX_S_IFREG | 0644 };
	ext2_ino_t ino;

	inode.i_links_count = (uint16_t)links;
	inode.i_atime = inode.i_ctime = inode.i_mtime = 1700000000;
	inode.i_extra_isize = 32;
	need(ext2fs_new_inode(fs, EXT2_ROOT_INO, LINUX_S_IFREG, NULL, &ino),
	     "new inode");
	if (ext2fs_has_feature_extents(fs->super)) {
		ext2_extent_handle_t h;

		inode.i_flags = EXT4_EXTENTS_FL;
		need(ext2fs_extent_open2(fs, ino, EXT2_INODE(&inode), &h),
		     "extents");
		ext2fs_extent_free(h);
	}
	ext2fs_inode_alloc_stats2(fs, ino, 1, 0);
	need(ext2fs_write_inode_full(fs, ino, EXT2_INODE(&inode),
				     sizeof(inode)), "write inode");
	return ino;
}

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
		need(htree_entries_add(e, &d), "add");
	}
}

static void keep_colliding(const struct htree_dir *d, struct htree_entries *e,
			   int version)
{
	struct dirhasher h;
	size_t i;

	need(htree_dir_hasher(d, version, &h), "hasher");
	need(htree_entries_hash(e, &h), "hash");
	need(htree_entries_sort(e), "sort");
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
		if (i % LINKS == 0)
			ino = make_file(fs, left < LINKS ? (uint32_t)left : LINKS);
		e->v[i].ino = ino;
		printf("%.*s\n", e->v[i].name_len, htree_entry_name(e, i));
	}
}

static void write_blocks(ext2_filsys fs, ext2_ino_t ino,
			 const struct htree_memory *m, bool indexed)
{
	struct ext2_inode inode;
	uint32_t i;
	blk64_t at;

	for (i = 0; i < m->blocks.count; i++) {
		need(ext2fs_bmap2(fs, ino, NULL, NULL, BMAP_ALLOC, i, NULL, &at),
		     "allocate");
		need(io_channel_write_blk64(fs->io, at, 1, m->data +
			(size_t)i * fs->blocksize), "write");
	}
	need(ext2fs_read_inode(fs, ino, &inode), "inode");
	need(ext2fs_inode_size_set(fs, &inode, (ext2_off64_t)m->blocks.count *
				   fs->blocksize), "size");
	if (indexed)
		inode.i_flags |= EXT2_INDEX_FL;
	need(ext2fs_write_inode(fs, ino, &inode), "inode");
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
	need(ext2fs_open(argv[1], EXT2_FLAG_RW | EXT2_FLAG_64BITS, 0, 0,
			 unix_io_manager, &fs), argv[1]);
	need(ext2fs_read_bitmaps(fs), "bitmaps");
	need(ext2fs_mkdir(fs, EXT2_ROOT_INO, 0, "big"), "mkdir");
	need(ext2fs_lookup(fs, EXT2_ROOT_INO, "big", 3, NULL, &ino), "lookup");
	dir = describe(fs, ino);
	htree_entries_init(&e);
	htree_memory_init(&m, dir.block_size);
	fill(&e, strtoul(argv[4], NULL, 10), strtoul(argv[5], NULL, 10));
	o.version = atoi(argv[2]);
	o.indexed = strcmp(argv[3], "linear") != 0;
	if (!strcmp(argv[3], "collide"))
		keep_colliding(&dir, &e, o.version);
	name_inodes(fs, &e);
	need(htree_build(&dir, &e, &o, &m.blocks, &result), "build");
	write_blocks(fs, ino, &m, result.indexed);
	fprintf(stderr, "%u blocks, levels %d\n", result.blocks,
		result.indirect_levels);
	need(ext2fs_close(fs), "close");
	htree_memory_free(&m);
	htree_entries_free(&e);
	return 0;
}
