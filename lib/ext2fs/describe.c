/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What superblock and inode say of a directory. */
#include "ext2fs/inode.h"
#include "ext2fs/map.h"
#include "htree/ondisk.h"

#define ENCODING_STRICT		1	/* bit of s_encoding_flags */

void e2dx_dir_describe(const struct e2dx_fs *efs, ext2_ino_t ino,
		       const struct ext2_inode_large *inode,
		       struct htree_dir *dir)
{
	struct ext2_super_block *sb = efs->fs->super;

	*dir = (struct htree_dir){
		.ino = ino,
		.inodes_count = sb->s_inodes_count,
		.csum_seed = e2dx_inode_csum_seed(efs, ino, inode->i_generation),
		.block_size = efs->fs->blocksize,
		.metadata_csum = ext2fs_has_feature_metadata_csum(sb),
		.filetype = ext2fs_has_feature_filetype(sb),
		.encrypted = inode->i_flags & EXT4_ENCRYPT_FL,
		.casefold = inode->i_flags & EXT4_CASEFOLD_FL &&
			    ext2fs_has_feature_casefold(sb),
		.strict = sb->s_encoding_flags & ENCODING_STRICT,
		.indexed = inode->i_flags & EXT2_INDEX_FL,
		.dir_index = ext2fs_has_feature_dir_index(sb),
		.max_indirect = ext2fs_has_feature_largedir(sb) ? 2 : 1,
		.default_version = sb->s_def_hash_version,
		.unsigned_chars = e2dx_unsigned_chars(efs),
	};
	/* libext2fs has the seed as four words of the machine's order. */
	for (int i = 0; i < DIRHASH_SEED_SIZE / 4; i++)
		htree_put_le32(dir->seed + 4 * i, sb->s_hash_seed[i]);
	if (dir->casefold && efs->has_fold)
		dir->fold = &efs->fold;
}
