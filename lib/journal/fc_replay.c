/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fast commits, done to the filesystem: the order of it all. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/desc.h"
#include "journal/fc_priv.h"
#include "journal/orphan.h"

static bool test_bit(const uint64_t *words, uint64_t i)
{
	return words[i / 64] >> (i % 64) & 1;
}

static void set_bit(uint64_t *words, uint64_t i)
{
	words[i / 64] |= (uint64_t)1 << (i % 64);
}

/* Which of the inodes are orphans already? */
static errcode_t mark_listed(struct fc_state *s)
{
	struct orphans o;
	errcode_t err = orphans_find(s->efs, &o);

	if (!err && o.fault)
		err = E2DX_ET_DAMAGED;
	for (size_t i = 0; i < o.n && !err; i++) {
		struct fc_inode *x = fc_find(s, o.v[i].ino);

		if (x)
			x->listed = true;
	}
	orphans_free(&o);
	return err;
}

/*
 * A replay that was cut may have left inodes whose blocks, and whose own
 * bits, older bitmaps call free: they are in use.
 */
static void adopt(struct e2dx_survey *v)
{
	for (uint64_t i = 0; i < (v->clusters + 63) / 64; i++)
		v->bitmap[i] |= v->owned[i];
	v->owned_free = 0;
	v->inodes_free = 0;
}

static bool had(const struct fc_inode *x, uint64_t cluster)
{
	size_t low = 0, high = x->before.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct e2dx_piece *p = &x->before.v[mid];

		if (cluster >= p->first && cluster - p->first < p->count)
			return true;
		if (cluster < p->first)
			high = mid;
		else
			low = mid + 1;
	}
	return false;
}

/* What the ranges name is used before anything else is given space. */
static errcode_t claim(struct fc_state *s, const struct fc_inode *x)
{
	struct e2dx_survey *v = s->survey;

	for (size_t i = 0; i < x->data.n; i++) {
		uint64_t c = x->data.v[i].first;
		uint64_t end = c + x->data.v[i].count;

		for (; c < end; c++) {
			if (test_bit(v->owned, c) && !had(x, c))
				return E2DX_ET_SHARED;
			set_bit(v->owned, c);
			set_bit(v->bitmap, c);
		}
	}
	return 0;
}

/* Nothing is written up to the end of this. */
static errcode_t look_ahead(struct fc_state *s)
{
	errcode_t err = fc_plan(s);

	if (!err)
		err = mark_listed(s);
	if (!err)
		err = e2dx_survey(s->efs, 0, NULL, NULL, &s->survey);
	if (err)
		return err;
	adopt(s->survey);
	if (!e2dx_survey_sound(s->survey))
		return E2DX_ET_SHARED;
	for (size_t i = 0; i < s->n && !err; i++)
		err = claim(s, &s->inodes[i]);
	return err;
}

/* Every bitmap once, as the survey has it: few groups, many inodes. */
static errcode_t write_bitmaps(struct fc_state *s)
{
	ext2_filsys fs = s->efs->fs;
	uint8_t *groups = malloc(fs->group_desc_count);
	errcode_t err;

	if (!groups)
		return ENOMEM;
	for (dgrp_t g = 0; g < fs->group_desc_count; g++)
		groups[g] = !ext2fs_has_group_desc_csum(fs) ||
			    !ext2fs_bg_flags_test(fs, g, EXT2_BG_BLOCK_UNINIT);
	err = e2dx_replace_start(s->r);
	if (!err)
		err = e2dx_bitmaps_write(s->efs, &s->r->space, groups);
	if (!err)
		err = io_channel_flush(fs->io);
	if (!err)
		err = e2dx_descs_write(s->efs, &s->r->space, groups);
	free(groups);
	return err ? err : io_channel_flush(fs->io);
}

static errcode_t run(struct fc_state *s)
{
	errcode_t err = e2dx_replace_begin(s->efs, s->survey, &s->r), ended;

	if (err)
		return err;
	err = write_bitmaps(s);
	for (size_t i = 0; i < s->n && !err; i++)
		err = fc_write_inode(s, &s->inodes[i]);
	if (!err)
		err = fc_names(s);
	ended = e2dx_replace_end(s->r);
	if (!err)
		err = ended;
	/* Orphans give back more; then all is summed up again. */
	if (!err && orphans_sum_counts(s->efs))
		err = e2dx_super_write(s->efs);
	return err;
}

errcode_t fc_replay(struct e2dx_fs *efs, const struct fc_log *log)
{
	struct fc_state s = { .efs = efs, .log = log };
	errcode_t err;

	if (!log->n)
		return 0;
	err = look_ahead(&s);
	if (!err)
		err = run(&s);
	e2dx_survey_free(s.survey);
	fc_plan_free(&s);
	return err;
}
