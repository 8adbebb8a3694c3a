/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -O: dir_index and large_dir. */
#include <errno.h>
#include <stdlib.h>
#include "htree/walk.h"
#include "tune2fs.h"

/* Beyond this a directory's size needs the high word that large_dir brings. */
#define SMALL_DIR_MAX	(UINT64_C(2) << 30)

/* Why a directory needs large_dir; NULL where it does not. */
static const char *needs_large_dir(struct e2dx_dir *d)
{
	struct htree_root root;
	errcode_t err;

	if (EXT2_I_SIZE(&d->inode) > SMALL_DIR_MAX)
		return "is larger than 2 GiB";
	if (!d->dir.indexed || d->inline_data)
		return NULL;
	err = htree_read_root(&d->dir, &d->blocks, &root);
	if (err == ENOMEM)
		return "could not be read for want of memory";
	if (err && err != E2DX_ET_UNSUPPORTED)
		return "has an index that cannot be read (run e2fsck first)";
	return root.indirect_levels > 1 ? "has three index levels" : NULL;
}

static bool all_directories_small(struct tune *t)
{
	const struct e2dx_survey *s = t->survey;

	for (size_t i = 0; i < s->n_dirs; i++) {
		struct e2dx_dir *d;
		errcode_t err = e2dx_dir_open(t->efs, s->dirs[i], &d);
		const char *why;

		if (err) {
			cli_error(&t->cli, t->device, err,
				  "cannot read directory inode %u", s->dirs[i]);
			return false;
		}
		why = needs_large_dir(d);
		e2dx_dir_close(d);
		if (why) {
			cli_error(&t->cli, t->device, 0,
				  "large_dir is not cleared: directory inode %u %s",
				  s->dirs[i], why);
			return false;
		}
	}
	return true;
}

bool tune_features_allowed(struct tune *t)
{
	return t->o.large_dir != TUNE_CLEAR ||
	       !ext2fs_has_feature_largedir(t->efs->fs->super) ||
	       all_directories_small(t);
}

/* In memory; dir_index is cleared only when no directory has an index. */
void tune_features_set(struct tune *t)
{
	struct ext2_super_block *sb = t->efs->fs->super;

	if (t->o.dir_index == TUNE_SET)
		ext2fs_set_feature_dir_index(sb);
	if (t->o.large_dir == TUNE_SET)
		ext2fs_set_feature_largedir(sb);
	if (t->o.large_dir == TUNE_CLEAR)
		ext2fs_clear_feature_largedir(sb);
}

static bool has_index(void *ctx, const struct htree_dir *dir, int root_version,
		      uint32_t blocks)
{
	(void)ctx;
	(void)root_version;
	(void)blocks;
	return dir->indexed;
}

bool tune_dir_index_clear(struct tune *t)
{
	struct ext2_super_block *sb = t->efs->fs->super;

	if (!tune_convert(t, false, sb->s_def_hash_version, has_index)) {
		cli_error(&t->cli, t->device, 0,
			  "dir_index stays set: some directories still have an index");
		return false;
	}
	ext2fs_clear_feature_dir_index(sb);
	return tune_super_write(t, E2DX_SB_FEATURES);
}
