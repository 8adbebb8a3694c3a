/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The survey as a whole: its threads, and what is added up at the end. */
#include <errno.h>
#include <stdlib.h>
#include "ext2fs/survey_priv.h"
#include "ext2fs/threads.h"

#define WORD_BITS	64

/* ---- threads */

static bool take_group(struct surveyor *sv, dgrp_t *g)
{
	if (__atomic_load_n(&sv->err, __ATOMIC_RELAXED))
		return false;
	*g = __atomic_fetch_add(&sv->next, 1, __ATOMIC_RELAXED);
	return *g < sv->efs->fs->group_desc_count;
}

static void show_progress(struct surveyor *sv)
{
	if (!sv->watch.progress)
		return;
	pthread_mutex_lock(&sv->lock);
	sv->watch.progress(sv->watch.ctx, ++sv->done,
			   sv->efs->fs->group_desc_count);
	pthread_mutex_unlock(&sv->lock);
}

static void merge_worker(struct surveyor *sv, struct survey_worker *w)
{
	pthread_mutex_lock(&sv->lock);
	for (size_t i = 0; i < w->ea.n && !sv->err; i++)
		sv->err = survey_list_add(&sv->ea, w->ea.v[i]);
	pthread_mutex_unlock(&sv->lock);
}

static void *work(void *arg)
{
	struct surveyor *sv = arg;
	struct survey_worker w = {
		.sv = sv,
		.buf = malloc(SURVEY_CHUNK),
		.bitmap = malloc(sv->efs->fs->blocksize)
	};
	dgrp_t g;

	if (!w.buf || !w.bitmap)
		survey_fail(sv, ENOMEM);
	while (take_group(sv, &g)) {
		sv->group(sv, &w, g);
		show_progress(sv);
	}
	merge_worker(sv, &w);
	free(w.ea.v);
	free(w.bitmap);
	free(w.buf);
	return NULL;
}

static errcode_t for_all_groups(struct surveyor *sv, unsigned threads,
				void (*group)(struct surveyor *sv,
					      struct survey_worker *w, dgrp_t g))
{
	sv->group = group;
	sv->next = 0;
	sv->done = 0;
	e2dx_run_threads(threads, work, sv);
	return sv->err;
}

/* ---- attribute blocks */

static int compare_blocks(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void claim_ea_blocks(struct surveyor *sv)
{
	uint64_t *v = sv->ea.v;

	if (sv->ea.n)
		qsort(v, sv->ea.n, sizeof(*v), compare_blocks);
	for (size_t i = 0; i < sv->ea.n; i++)
		if (!i || v[i] != v[i - 1])
			survey_claim(sv, v[i] >> sv->bits, v[i] >> sv->bits);
}

/* ---- adding up */

/* Counts a & ~b, and the first block of its lowest cluster. */
static uint64_t count_bits(const struct surveyor *sv, const uint64_t *a,
			   const uint64_t *b, uint64_t *first)
{
	uint64_t words = (sv->s->clusters + WORD_BITS - 1) / WORD_BITS;
	uint64_t n = 0;

	for (uint64_t w = 0; w < words; w++) {
		uint64_t v = a[w] & ~(b ? b[w] : 0);

		if (v && !n)
			*first = (w * WORD_BITS +
				  (uint64_t)__builtin_ctzll(v)) << sv->bits;
		n += (uint64_t)__builtin_popcountll(v);
	}
	return n;
}

/* Where files may share blocks, only metadata is nobody else's. */
static void allow_sharing(struct surveyor *sv)
{
	uint64_t words = (sv->s->clusters + WORD_BITS - 1) / WORD_BITS;

	for (uint64_t w = 0; sv->twice && w < words; w++) {
		uint64_t v = sv->twice[w];

		for (; v; v &= v - 1) {
			unsigned b = (unsigned)__builtin_ctzll(v);

			if (!survey_is_fixed(sv, (w * WORD_BITS + b) << sv->bits))
				sv->twice[w] &= ~(1ULL << b);
		}
	}
}

static void add_up_bitmaps(struct surveyor *sv)
{
	struct e2dx_survey *s = sv->s;

	for (dgrp_t g = 0; g < s->groups; g++) {
		uint8_t faults = s->group[g].faults;

		s->owned_free += s->group[g].missing;
		s->bitmaps_lost += !!(faults & E2DX_BLOCKS_LOST);
		s->bitmaps_lost += !!(faults & E2DX_INODES_LOST);
		s->bitmaps_bad += !!(faults & E2DX_BLOCKS_CSUM);
		s->bitmaps_bad += !!(faults & E2DX_INODES_CSUM);
	}
	s->bitmaps_bad += s->bitmaps_lost;
	if (s->owned_free)
		count_bits(sv, s->owned, s->bitmap, &s->first_owned_free);
}

static void note_free_inode(struct e2dx_survey *s, ext2_ino_t ino)
{
	if (!s->inodes_free++)
		s->first_inode_free = ino;
}

static void note_inode(struct e2dx_survey *s, const struct e2dx_group_use *u,
		       ext2_ino_t ino)
{
	uint8_t flags = s->inode[ino];

	if (!(flags & E2DX_INODE_USED))
		return;
	if (!s->dirs && (u->faults & E2DX_INODES_DIFFER) &&
	    !(s->inode_bitmap[(ino - 1) / WORD_BITS] >>
	      (ino - 1) % WORD_BITS & 1))
		note_free_inode(s, ino);
	if ((flags & E2DX_INODE_TYPE) == EXT2_FT_DIR) {
		if (s->dirs)
			s->dirs[s->n_dirs] = ino;
		s->n_dirs++;
	}
	if (s->dirs)
		return;
	if (flags & E2DX_INODE_BAD) {
		s->inodes_bad++;
		if (!s->first_inode_bad)
			s->first_inode_bad = ino;
	}
	if ((flags & E2DX_INODE_SHARED) && !s->first_shared_inode)
		s->first_shared_inode = ino;
}

static void note_inodes(struct e2dx_survey *s)
{
	for (dgrp_t g = 0; g < s->groups; g++)
		for (uint32_t i = 1; i <= s->group[g].read; i++)
			note_inode(s, &s->group[g],
				   g * s->inodes_per_group + i);
}

/* The first round counts, the second fills the list of directories. */
static errcode_t add_up_inodes(struct e2dx_survey *s)
{
	note_inodes(s);
	s->dirs = malloc((s->n_dirs + 1) * sizeof(*s->dirs));
	if (!s->dirs)
		return ENOMEM;
	s->n_dirs = 0;
	note_inodes(s);
	return 0;
}

static errcode_t add_up(struct surveyor *sv)
{
	struct e2dx_survey *s = sv->s;
	uint64_t blocks = ext2fs_blocks_count(sv->efs->fs->super);

	if (sv->twice)
		s->shared = count_bits(sv, sv->twice, NULL, &s->first_shared);
	add_up_bitmaps(sv);
	s->short_device = sv->efs->device_bytes / sv->efs->fs->blocksize < blocks;
	s->no_root = s->inodes_count < EXT2_ROOT_INO ||
		!(s->inode[EXT2_ROOT_INO] & E2DX_INODE_USED) ||
		(s->inode[EXT2_ROOT_INO] & E2DX_INODE_TYPE) != EXT2_FT_DIR;
	return add_up_inodes(s);
}

/*
 * Without the feature a number means nothing, and yet takes its inode away
 * from files, where that is one of those that are read.
 */
static ext2_ino_t quota_number(const struct e2dx_fs *efs, ext2_ino_t ino)
{
	ext2_filsys fs = efs->fs;
	uint32_t per_group = fs->super->s_inodes_per_group, unused;
	dgrp_t g;

	if (!ino || ino > fs->super->s_inodes_count ||
	    ext2fs_has_feature_quota(fs->super))
		return ino;
	g = (ino - 1) / per_group;
	unused = ext2fs_has_group_desc_csum(fs) ?
		 ext2fs_bg_itable_unused(fs, g) : 0;
	return (uint64_t)(ino - 1) % per_group + unused < per_group ? ino : 0;
}

/* ---- the whole */

static errcode_t allocate(struct surveyor *sv)
{
	struct ext2_super_block *sb = sv->efs->fs->super;
	struct e2dx_survey *s = calloc(1, sizeof(*s));
	uint64_t bytes;

	sv->s = s;
	if (!s)
		return ENOMEM;
	s->inodes_count = sb->s_inodes_count;
	s->clusters = ((ext2fs_blocks_count(sb) - 1) >> sv->bits) + 1;
	s->inodes_per_group = sb->s_inodes_per_group;
	s->first_ino = EXT2_FIRST_INO(sb);
	s->quota_ino[0] = quota_number(sv->efs, sb->s_usr_quota_inum);
	s->quota_ino[1] = quota_number(sv->efs, sb->s_grp_quota_inum);
	s->quota_ino[2] = quota_number(sv->efs, sb->s_prj_quota_inum);
	s->groups = sv->efs->fs->group_desc_count;
	s->group = calloc((size_t)s->groups + 1, sizeof(*s->group));
	bytes = survey_set_size(s->clusters);
	s->inode = survey_sparse((uint64_t)s->inodes_count + 1);
	s->owned = survey_sparse(bytes);
	s->bitmap = survey_sparse(bytes);
	s->inode_bitmap = survey_sparse(survey_set_size(s->inodes_count));
	return s->group && s->inode && s->owned && s->bitmap &&
	       s->inode_bitmap ? 0 : ENOMEM;
}

static errcode_t run_survey(struct surveyor *sv, unsigned threads)
{
	errcode_t err = allocate(sv);

	if (!err)
		err = e2dx_inode_csums_init(&sv->csums, sv->efs);
	if (!err)
		err = survey_fixed(sv);
	if (!err)
		err = for_all_groups(sv, threads, survey_inodes);
	if (!err) {
		claim_ea_blocks(sv);
		err = sv->err;
	}
	sv->watch.progress = NULL;
	if (!err && ext2fs_has_feature_shared_blocks(sv->efs->fs->super))
		allow_sharing(sv);
	if (!err && sv->twice) {
		if (sv->watch.forget)
			sv->watch.forget(sv->watch.ctx);
		err = for_all_groups(sv, threads, survey_mark);
	}
	if (!err)
		err = for_all_groups(sv, threads, survey_compare);
	return err ? err : add_up(sv);
}

/*
 * Are the inode tables and bitmaps, which take more room than the survey,
 * longer than the device?  Then a superblock, not a device, asks for memory.
 */
static bool too_short(const struct e2dx_fs *efs)
{
	struct ext2_super_block *sb = efs->fs->super;
	uint64_t tables = (uint64_t)sb->s_inodes_count * EXT2_INODE_SIZE(sb);
	uint64_t clusters = ext2fs_blocks_count(sb) >>
			    efs->fs->cluster_ratio_bits;

	return tables + clusters / 8 > efs->device_bytes;
}

errcode_t e2dx_survey(struct e2dx_fs *efs, unsigned threads,
		      void (*progress)(void *ctx, uint64_t done, uint64_t total),
		      void *ctx, struct e2dx_survey **out)
{
	struct e2dx_survey_watch watch = { .progress = progress, .ctx = ctx };

	return e2dx_survey_watched(efs, threads, &watch, out);
}

errcode_t e2dx_survey_watched(struct e2dx_fs *efs, unsigned threads,
			      const struct e2dx_survey_watch *watch,
			      struct e2dx_survey **out)
{
	struct surveyor sv = {
		.efs = efs, .bits = efs->fs->cluster_ratio_bits,
		.lock = PTHREAD_MUTEX_INITIALIZER
	};
	errcode_t err;

	if (watch)
		sv.watch = *watch;
	/* An external journal has no inodes and no groups. */
	if (!efs->fs->group_desc_count)
		return E2DX_ET_UNSUPPORTED;
	if (too_short(efs))
		return EXT2_ET_SHORT_READ;
	err = run_survey(&sv, e2dx_thread_count(threads,
						efs->fs->group_desc_count));
	pthread_mutex_destroy(&sv.lock);
	free(sv.ea.v);
	if (sv.s)
		survey_sparse_free(sv.twice, survey_set_size(sv.s->clusters));
	free(sv.fixed);
	free(sv.descriptor_ok);
	if (err) {
		e2dx_survey_free(sv.s);
		return err;
	}
	*out = sv.s;
	return 0;
}

void e2dx_survey_free(struct e2dx_survey *s)
{
	if (!s)
		return;
	free(s->dirs);
	survey_sparse_free(s->inode_bitmap, survey_set_size(s->inodes_count));
	survey_sparse_free(s->bitmap, survey_set_size(s->clusters));
	survey_sparse_free(s->owned, survey_set_size(s->clusters));
	survey_sparse_free(s->inode, (uint64_t)s->inodes_count + 1);
	free(s->group);
	free(s);
}

/* Why an owner is in doubt, or a bitmap has no place. */
static const char *owners_reason(const struct e2dx_survey *s)
{
	if (s->shared)
		return "blocks are claimed twice";
	if (s->tables_bad)
		return "inode tables cannot be read";
	if (s->bitmaps_lost)
		return "bitmaps cannot be read";
	if (s->descriptors_bad)
		return "group descriptors have wrong checksums";
	if (s->inodes_bad)
		return "inodes in use are damaged";
	if (s->short_device)
		return "the device is shorter than the filesystem";
	/* Excluded by its group's descriptor, it takes others with it. */
	if (s->no_root)
		return "there is no root directory";
	return NULL;
}

const char *e2dx_survey_reason(const struct e2dx_survey *s)
{
	const char *reason = owners_reason(s);

	if (reason)
		return reason;
	if (s->owned_free)
		return "the bitmaps call blocks free that are in use";
	if (s->inodes_free)
		return "the bitmaps call inodes free that are in use";
	return s->bitmaps_bad ? "bitmaps have wrong checksums" : NULL;
}

bool e2dx_survey_owners_known(const struct e2dx_survey *s)
{
	return !owners_reason(s);
}

bool e2dx_survey_sound(const struct e2dx_survey *s)
{
	return !e2dx_survey_reason(s);
}
