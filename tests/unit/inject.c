/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A directory from memory inside a filesystem, by libext2fs alone. */
#include "inject.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void inject_need(errcode_t err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "inject: %s: %s\n", what, error_message(err));
	exit(2);
}


/* The checksum seed of an inode, as libext2fs has it for its own blocks. */
static uint32_t csum_seed(ext2_filsys fs, ext2_ino_t ino, uint32_t generation)
{
	uint32_t le[2] = { ext2fs_cpu_to_le32(ino),
			   ext2fs_cpu_to_le32(generation) };

	return ext2fs_crc32c_le(fs->csum_seed, (unsigned char *)le, sizeof(le));
}

struct htree_dir inject_describe(ext2_filsys fs, ext2_ino_t ino)
{
	struct ext2_inode inode;
	struct htree_dir d = {
		.ino = ino, .block_size = fs->blocksize,
		.dir_index = ext2fs_has_feature_dir_index(fs->super),
		.metadata_csum = ext2fs_has_feature_metadata_csum(fs->super),
		.filetype = ext2fs_has_feature_filetype(fs->super),
		.max_indirect = ext2fs_has_feature_largedir(fs->super) ? 2 : 1,
		.unsigned_chars = fs->super->s_flags & EXT2_FLAGS_UNSIGNED_HASH
	};

	inject_need(ext2fs_read_inode(fs, ino, &inode), "directory inode");
	d.csum_seed = csum_seed(fs, ino, inode.i_generation);
	/* libext2fs has the seed as words of this machine. */
	for (int i = 0; i < 4; i++) {
		uint32_t w = ext2fs_cpu_to_le32(fs->super->s_hash_seed[i]);

		memcpy(d.seed + 4 * i, &w, 4);
	}
	return d;
}

ext2_ino_t inject_make_file(ext2_filsys fs, uint32_t links)
{
	struct ext2_inode_large inode = { .i_mode = LINUX_S_IFREG | 0644 };
	ext2_ino_t ino;

	inode.i_links_count = (uint16_t)links;
	inode.i_atime = inode.i_ctime = inode.i_mtime = 1700000000;
	inode.i_extra_isize = 32;
	inject_need(ext2fs_new_inode(fs, EXT2_ROOT_INO, LINUX_S_IFREG, NULL, &ino),
	     "new inode");
	if (ext2fs_has_feature_extents(fs->super)) {
		ext2_extent_handle_t h;

		inode.i_flags = EXT4_EXTENTS_FL;
		inject_need(ext2fs_extent_open2(fs, ino, EXT2_INODE(&inode), &h),
		     "extents");
		ext2fs_extent_free(h);
	}
	ext2fs_inode_alloc_stats2(fs, ino, 1, 0);
	inject_need(ext2fs_write_inode_full(fs, ino, EXT2_INODE(&inode),
				     sizeof(inode)), "write inode");
	return ino;
}

/* The directory gets exactly these blocks. */
static void set_length(ext2_filsys fs, ext2_ino_t ino, uint32_t count)
{
	struct ext2_inode inode;
	blk64_t at;

	for (uint32_t i = 0; i < count; i++)
		inject_need(ext2fs_bmap2(fs, ino, NULL, NULL, BMAP_ALLOC, i,
					 NULL, &at), "allocate");
	inject_need(ext2fs_punch(fs, ino, NULL, NULL, count, ~0ULL), "punch");
	inject_need(ext2fs_read_inode(fs, ino, &inode), "inode");
	inject_need(ext2fs_inode_size_set(fs, &inode, (ext2_off64_t)count *
					  fs->blocksize), "size");
	inject_need(ext2fs_write_inode(fs, ino, &inode), "inode");
}

void inject_write_blocks(ext2_filsys fs, ext2_ino_t ino,
			 const struct htree_memory *m, bool indexed)
{
	struct ext2_inode inode;
	blk64_t at;

	set_length(fs, ino, m->blocks.count);
	for (uint32_t i = 0; i < m->blocks.count; i++) {
		inject_need(ext2fs_bmap2(fs, ino, NULL, NULL, 0, i, NULL, &at),
			    "map");
		inject_need(io_channel_write_blk64(fs->io, at, 1, m->data +
			(size_t)i * fs->blocksize), "write");
	}
	inject_need(ext2fs_read_inode(fs, ino, &inode), "inode");
	inode.i_flags &= ~EXT2_INDEX_FL;
	if (indexed)
		inode.i_flags |= EXT2_INDEX_FL;
	inject_need(ext2fs_write_inode(fs, ino, &inode), "inode");
}
