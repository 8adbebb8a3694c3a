/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The queue of directories to be replaced, and steps 1 and 6 around it. */
#include <errno.h>
#include <stdlib.h>
#include "ext2fs/replace_priv.h"

static void fill_lazy(struct e2dx_replacer *r)
{
	ext2_filsys fs = r->efs->fs;

	if (!ext2fs_has_group_desc_csum(fs))
		return;
	for (uint32_t g = 0; g < r->space.groups; g++)
		r->space.lazy[g] = ext2fs_bg_flags_test(fs, g,
						EXT2_BG_BLOCK_UNINIT) != 0;
}

static void release(struct e2dx_replacer *r)
{
	for (size_t i = 0; i < r->n; i++)
		e2dx_replaced_free(&r->queue[i]);
	free(r->queue);
	free(r->queued);
	free(r->groups);
	e2dx_space_done(&r->space);
	free(r);
}

errcode_t e2dx_replace_begin(struct e2dx_fs *efs, struct e2dx_survey *survey,
			     struct e2dx_replacer **out)
{
	ext2_filsys fs = efs->fs;
	struct e2dx_replacer *r;
	errcode_t err;

	if (!efs->writable)
		return E2DX_ET_READ_ONLY;
	/* Counts per user are not kept here; see doc/design.md. */
	if (ext2fs_has_feature_quota(fs->super))
		return E2DX_ET_QUOTA;
	if (ext2fs_has_feature_shared_blocks(fs->super))
		return E2DX_ET_FEATURE;
	if (!e2dx_survey_sound(survey))
		return E2DX_ET_SHARED;
	r = calloc(1, sizeof(*r));
	if (!r)
		return ENOMEM;
	r->efs = efs;
	r->survey = survey;
	err = e2dx_space_init(&r->space, survey->owned, survey->bitmap,
			      fs->super->s_first_data_block >>
			      fs->cluster_ratio_bits, survey->clusters,
			      EXT2_CLUSTERS_PER_GROUP(fs->super));
	r->queued = calloc(survey->inodes_count / 8 + 1, 1);
	r->groups = calloc(r->space.groups + 1, 1);
	if (err || !r->queued || !r->groups) {
		release(r);
		return ENOMEM;
	}
	fill_lazy(r);
	*out = r;
	return 0;
}

/* Step 1. */
errcode_t e2dx_replace_start(struct e2dx_replacer *r)
{
	struct ext2_super_block *super = r->efs->fs->super;
	errcode_t err;

	if (r->failed)
		return r->failed;
	if (r->started)
		return 0;
	r->state = super->s_state;
	super->s_state &= (uint16_t)~EXT2_VALID_FS;
	err = e2dx_super_write(r->efs);
	if (err)
		r->failed = err;
	else
		r->started = true;
	return err;
}

bool e2dx_replace_started(const struct e2dx_replacer *r)
{
	return r->started;
}

errcode_t e2dx_replace_flush(struct e2dx_replacer *r)
{
	errcode_t err = r->failed;

	if (!err && r->n)
		err = e2dx_replace_start(r);
	if (!err && r->n)
		err = e2dx_run_batch(r);
	for (size_t i = 0; i < r->n; i++) {
		r->queued[r->queue[i].ino / 8] &=
			(uint8_t)~(1u << (r->queue[i].ino % 8));
		e2dx_replaced_free(&r->queue[i]);
	}
	r->n = 0;
	r->bytes = 0;
	if (err)
		r->failed = err;
	return err;
}

static errcode_t queue_room(struct e2dx_replacer *r)
{
	size_t capacity = r->capacity ? 2 * r->capacity : 64;
	struct e2dx_replaced *q;

	if (r->n < r->capacity)
		return 0;
	q = reallocarray(r->queue, capacity, sizeof(*q));
	if (!q)
		return ENOMEM;
	r->queue = q;
	r->capacity = capacity;
	return 0;
}

errcode_t e2dx_replace_refusal(const struct e2dx_replacer *r, ext2_ino_t ino)
{
	uint8_t facts;

	if (r->failed)
		return r->failed;
	if (!ino || ino > r->survey->inodes_count)
		return E2DX_ET_RANGE;
	facts = r->survey->inode[ino];
	if (facts & E2DX_INODE_SHARED)
		return E2DX_ET_SHARED;
	return facts & E2DX_INODE_BAD ? E2DX_ET_MAP_DAMAGED : 0;
}

/* What keeps this directory from being replaced at all. */
static errcode_t refusal(const struct e2dx_replacer *r, ext2_ino_t ino,
			 const struct htree_memory *blocks)
{
	errcode_t err = e2dx_replace_refusal(r, ino);

	if (err)
		return err;
	if ((r->survey->inode[ino] & E2DX_INODE_TYPE) != EXT2_FT_DIR)
		return E2DX_ET_NOT_DIRECTORY;
	if (!blocks->blocks.count ||
	    blocks->blocks.block_size != r->efs->fs->blocksize)
		return E2DX_ET_RANGE;
	return 0;
}

errcode_t e2dx_replace_now(struct e2dx_replacer *r, struct e2dx_replaced *e)
{
	errcode_t err = e2dx_replace_flush(r);

	if (!err)
		err = queue_room(r);
	if (err) {
		e2dx_replaced_drop(r, e);
		return err;
	}
	r->queue[r->n++] = *e;
	return e2dx_replace_flush(r);
}

errcode_t e2dx_replace_dir(struct e2dx_replacer *r, ext2_ino_t ino,
			   const struct htree_memory *blocks, bool indexed)
{
	errcode_t err = refusal(r, ino, blocks);
	struct e2dx_replaced *e;

	if (!err && r->queued[ino / 8] & 1u << (ino % 8))
		err = e2dx_replace_flush(r);
	if (!err)
		err = queue_room(r);
	if (err)
		return err;
	e = &r->queue[r->n];
	err = e2dx_prepare(r, ino, blocks, indexed, e);
	if (err == E2DX_ET_NO_SPACE && r->n) {
		/* What the batch replaces becomes free. */
		err = e2dx_replace_flush(r);
		e = &r->queue[0];
		if (!err)
			err = e2dx_prepare(r, ino, blocks, indexed, e);
	}
	if (err)
		return err;
	r->queued[ino / 8] |= (uint8_t)(1u << (ino % 8));
	r->n++;
	r->bytes += (uint64_t)blocks->blocks.count * r->efs->fs->blocksize;
	return r->bytes < E2DX_BATCH_BYTES ? 0 : e2dx_replace_flush(r);
}

/* Step 6. */
static errcode_t finish(struct e2dx_replacer *r)
{
	ext2_filsys fs = r->efs->fs;
	struct ext2_super_block *super = fs->super;
	int64_t blocks = r->gained * (int64_t)EXT2FS_CLUSTER_RATIO(fs);

	ext2fs_free_blocks_count_set(super, ext2fs_free_blocks_count(super) +
				     (uint64_t)blocks);
	super->s_state = r->state;
	return e2dx_super_write(r->efs);
}

errcode_t e2dx_replace_end(struct e2dx_replacer *r)
{
	errcode_t err = e2dx_replace_flush(r);

	if (!err && r->started)
		err = finish(r);
	release(r);
	return err;
}
