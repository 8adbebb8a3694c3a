/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One pass over the inode tables: who is in use, and what each one owns. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/survey_priv.h"
#include "htree/ondisk.h"

#define AHEAD	4	/* groups whose tables the device reads meanwhile */

/* An inode on its way through its own map. */
struct claimant {
	struct surveyor *sv;
	bool may_hold_fixed;	/* bad blocks or resize inode */
	bool any_last;		/* the two below are set */
	uint64_t last_logical, last_physical;	/* clusters */
	uint64_t row_end;	/* one behind the last block that was seen */
	struct e2dx_seen_inode seen;
	struct e2dx_map_fault faults[E2DX_FAULTS_SHOWN];
};

static void note_fault(void *ctx, const struct e2dx_map_fault *fault)
{
	struct claimant *c = ctx;

	if (c->seen.n_faults < E2DX_FAULTS_SHOWN)
		c->faults[c->seen.n_faults++] = *fault;
}

static bool all_zero(const uint8_t *p, size_t n)
{
	return !*p && !memcmp(p, p + 1, n - 1);
}

/* As every mkfs has it; a superblock that says more is rather wrong. */
static bool is_reserved(ext2_ino_t ino)
{
	return ino < EXT2_GOOD_OLD_FIRST_INO && ino != EXT2_ROOT_INO;
}

/*
 * Does the inode itself say that it is in use?  Without links it still is
 * where it was never deleted, or waits on the orphan list, whose links lie
 * in i_dtime.
 */
static bool in_use(const struct surveyor *sv, ext2_ino_t ino,
		   const uint8_t *raw)
{
	struct ext2_super_block *sb = sv->efs->fs->super;
	uint32_t dtime;

	/* Of the reserved ones only that of the bad blocks has no type; the
	   others are files, or not in use. */
	if (ino == EXT2_BAD_INO)
		return !all_zero(raw + E2DX_I_BLOCK, E2DX_I_BLOCK_SIZE);
	if (is_reserved(ino))
		return LINUX_S_ISREG(htree_le16(raw + E2DX_I_MODE));
	if (ino < EXT2_FIRST_INO(sb))
		return htree_le16(raw + E2DX_I_MODE);
	if (htree_le16(raw + E2DX_I_LINKS))
		return true;
	if (!htree_le16(raw + E2DX_I_MODE))
		return false;
	dtime = htree_le32(raw + E2DX_I_DTIME);
	return !dtime || (sb->s_last_orphan && dtime <= sb->s_inodes_count);
}

/* Blocks of these two may be metadata at the same time, by right. */
static bool may_hold_fixed(const struct surveyor *sv, ext2_ino_t ino)
{
	return ino == EXT2_BAD_INO ||
	       (ino == EXT2_RESIZE_INO &&
		ext2fs_has_feature_resize_inode(sv->efs->fs->super));
}

/*
 * Metadata in bad blocks: what backups lie in them is written there all the
 * same, and read by nobody who has the primary.
 */
static void note_bad_block(struct claimant *c, uint64_t block)
{
	const struct surveyor *sv = c->sv;
	ext2_filsys fs = sv->efs->fs;
	dgrp_t g = ext2fs_group_of_blk2(fs, block);
	uint64_t behind = block - ext2fs_group_first_block2(fs, g);

	if (c->seen.ino != EXT2_BAD_INO || c->seen.first_fixed)
		return;
	if (!g || !ext2fs_bg_has_super(fs, g) ||
	    behind > fs->desc_blocks + fs->super->s_reserved_gdt_blocks)
		c->seen.first_fixed = block;
}

/*
 * Claim block by block what is no metadata; true where a claim was second.
 * mke2fs lets the resize inode of a filesystem with 1 KiB blocks in clusters
 * name one block behind each copy of the descriptors.
 */
static bool claim_around_fixed(struct claimant *c, const struct e2dx_run *run)
{
	struct surveyor *sv = c->sv;
	bool again = false;

	for (uint64_t b = run->physical; b < run->physical + run->count; b++) {
		uint64_t cluster = b >> sv->bits;

		if (survey_is_fixed(sv, b)) {
			note_bad_block(c, b);
			continue;
		}
		if (sv->bits && c->any_last && c->last_physical == cluster)
			continue;
		again |= survey_claim(sv, cluster, cluster);
		c->any_last = true;
		c->last_physical = cluster;
	}
	return again;
}

/*
 * The clusters of a run of data that the run before did not have.  Under
 * bigalloc a run may begin in the cluster where the run before it ended, if it
 * is the same cluster of the file: that is one claim.
 */
static bool new_clusters(struct claimant *c, const struct e2dx_run *run,
			 uint64_t *first, uint64_t *last)
{
	int bits = c->sv->bits;
	uint64_t ratio_mask = (1ULL << bits) - 1;

	*first = run->physical >> bits;
	*last = (run->physical + run->count - 1) >> bits;
	if ((run->logical ^ run->physical) & ratio_mask)
		c->seen.unaligned = true;
	if (bits && c->any_last && c->last_logical == run->logical >> bits &&
	    c->last_physical == *first)
		++*first;
	c->any_last = true;
	c->last_logical = (run->logical + run->count - 1) >> bits;
	c->last_physical = *last;
	if (*first > *last)
		return false;
	c->seen.clusters += *last - *first + 1;
	return true;
}

static void claim_data(struct claimant *c, const struct e2dx_run *run)
{
	uint64_t first, last;

	if (new_clusters(c, run, &first, &last))
		survey_claim(c->sv, first, last);
}

/*
 * Do the blocks lie in one row?  Indirect blocks have their places among the
 * data that they map; where those of extent trees lie says nothing.
 */
static void note_row(struct claimant *c, const struct e2dx_run *run)
{
	struct e2dx_seen_inode *seen = &c->seen;

	if (run->kind == E2DX_MAP_META &&
	    seen->inode->i_flags & EXT4_EXTENTS_FL)
		return;
	if (c->row_end && c->row_end != run->physical)
		seen->scattered = true;
	c->row_end = run->physical + run->count;
}

static void count_run(struct claimant *c, const struct e2dx_run *run)
{
	struct e2dx_seen_inode *seen = &c->seen;
	uint64_t end = run->logical + run->count;

	note_row(c, run);
	if (run->kind == E2DX_MAP_META) {
		seen->meta_blocks++;
		return;
	}
	seen->data_blocks += run->count;
	if (c->may_hold_fixed)
		seen->clusters += run->count;
	if (end > seen->logical_end)
		seen->logical_end = end;
	if (run->kind == E2DX_MAP_UNWRITTEN)
		seen->unwritten = true;
	else if (end > seen->written_end)
		seen->written_end = end;
}

/*
 * A mapping block that has an owner already is not followed again: whoever
 * claimed it first has claimed what hangs on it, and so the work stays linear
 * however often hostile inodes name it.
 */
static errcode_t claim_run(void *ctx, const struct e2dx_run *run)
{
	struct claimant *c = ctx;
	struct surveyor *sv = c->sv;
	uint64_t cluster = run->physical >> sv->bits;
	bool again = false;

	count_run(c, run);
	if (c->may_hold_fixed)
		again = claim_around_fixed(c, run);
	else if (run->kind == E2DX_MAP_META)
		again = survey_claim(sv, cluster, cluster);
	else
		claim_data(c, run);
	if (!again || run->kind != E2DX_MAP_META)
		return 0;
	c->seen.partial = true;
	return E2DX_MAP_SKIP;
}

/* Attribute blocks are shared by right: noted, and claimed once at the end. */
static bool note_ea_block(struct surveyor *sv, struct survey_worker *w,
			  const struct ext2_inode_large *inode, bool reserved)
{
	uint64_t block = e2dx_inode_file_acl(sv->efs, inode);

	if (!block)
		return true;
	/* The filesystem's own inodes have no attributes to look for. */
	if (!e2dx_blocks_valid(sv->efs, block, 1) && reserved)
		return true;
	if (!e2dx_blocks_valid(sv->efs, block, 1))
		return false;
	if (survey_list_add(&w->ea, block))
		survey_fail(sv, ENOMEM);
	return true;
}

static errcode_t walk_map(struct claimant *c,
			  errcode_t (*run)(void *ctx,
					   const struct e2dx_run *run))
{
	struct e2dx_seen_inode *seen = &c->seen;
	const struct e2dx_map_ops ops = { .run = run, .fault = note_fault };
	errcode_t err = e2dx_map_walk_ops(seen->efs, seen->ino, seen->inode,
					  &ops, c);

	if (err && err != E2DX_ET_MAP_DAMAGED)
		survey_fail(c->sv, err);
	seen->map = err;
	seen->faults = c->faults;
	return err;
}

static void show_inode(struct surveyor *sv, struct e2dx_seen_inode *seen)
{
	if (sv->watch.inode)
		sv->watch.inode(sv->watch.ctx, seen);
}

static void show_map(struct surveyor *sv, struct e2dx_seen_inode *seen)
{
	if (sv->watch.map)
		sv->watch.map(sv->watch.ctx, seen);
}

/* One that is not in use; most of those were never used at all. */
static void show_unused(struct surveyor *sv, struct e2dx_seen_inode *seen,
			struct ext2_inode_large *inode)
{
	if (!sv->watch.inode ||
	    all_zero(seen->raw, EXT2_INODE_SIZE(sv->efs->fs->super)))
		return;
	e2dx_inode_decode(sv->efs, seen->raw, inode);
	seen->inode = inode;
	seen->csum_ok = e2dx_inode_csums_ok(&sv->csums, seen->ino,
					    seen->raw);
	show_inode(sv, seen);
}

/* All that is the same for either round. */
static void begin_inode(struct claimant *c, struct surveyor *sv, ext2_ino_t ino,
			const uint8_t *raw)
{
	c->sv = sv;
	c->may_hold_fixed = may_hold_fixed(sv, ino);
	c->any_last = false;
	c->row_end = 0;
	c->seen = (struct e2dx_seen_inode){
		.efs = sv->efs, .ino = ino, .raw = raw,
		.group = (ino - 1) / sv->efs->fs->super->s_inodes_per_group
	};
}

static void claim_inode(struct surveyor *sv, struct survey_worker *w,
			ext2_ino_t ino, const uint8_t *raw)
{
	uint8_t *flags = &sv->s->inode[ino];
	struct ext2_inode_large inode;
	struct claimant c;
	errcode_t err;

	begin_inode(&c, sv, ino, raw);
	if (!in_use(sv, ino, raw)) {
		show_unused(sv, &c.seen, &inode);
		return;
	}
	e2dx_inode_decode(sv->efs, raw, &inode);
	c.seen.inode = &inode;
	c.seen.csum_ok = e2dx_inode_csums_ok(&sv->csums, ino, raw);
	*flags = E2DX_INODE_USED | e2dx_file_type(inode.i_mode);
	if (!(*flags & E2DX_INODE_TYPE) &&
	    (inode.i_mode || ino >= EXT2_FIRST_INO(sv->efs->fs->super)))
		*flags |= E2DX_INODE_BAD;
	err = walk_map(&c, claim_run);
	if (err || c.seen.unaligned || !note_ea_block(sv, w, &inode, is_reserved(ino)) ||
	    !c.seen.csum_ok)
		*flags |= E2DX_INODE_BAD;
	c.seen.flags = *flags;
	show_inode(sv, &c.seen);
	show_map(sv, &c.seen);
}

/* ---- the second pass */

static void note_shared(struct claimant *c, const struct e2dx_run *run,
			uint64_t first, uint64_t last)
{
	struct surveyor *sv = c->sv;
	uint64_t which = 0;
	uint64_t n = survey_count_shared(sv, first, last, &which);

	if (!n)
		return;
	which <<= sv->bits;
	if (!c->seen.shared)
		c->seen.first_shared = which > run->physical ? which :
				       run->physical;
	c->seen.shared += n;
	if (!c->seen.first_fixed && !c->may_hold_fixed)
		c->seen.first_fixed = survey_first_fixed(sv, run->physical,
							 run->count);
}

/* Block by block, for those that may name metadata. */
static void find_around_fixed(struct claimant *c, const struct e2dx_run *run)
{
	struct surveyor *sv = c->sv;

	for (uint64_t b = run->physical; b < run->physical + run->count; b++)
		if (survey_is_fixed(sv, b))
			note_bad_block(c, b);
		else
			note_shared(c, run, b >> sv->bits, b >> sv->bits);
}

/* A mapping block that others have too is nobody's to follow. */
static errcode_t find_shared(void *ctx, const struct e2dx_run *run)
{
	struct claimant *c = ctx;
	struct surveyor *sv = c->sv;
	uint64_t before = c->seen.shared, first, last;

	count_run(c, run);
	if (c->may_hold_fixed)
		find_around_fixed(c, run);
	else if (run->kind == E2DX_MAP_META)
		note_shared(c, run, run->physical >> sv->bits,
			    run->physical >> sv->bits);
	else if (new_clusters(c, run, &first, &last))
		note_shared(c, run, first, last);
	if (c->seen.shared == before || run->kind != E2DX_MAP_META)
		return 0;
	c->seen.partial = true;
	return E2DX_MAP_SKIP;
}

static void mark_inode(struct surveyor *sv, struct survey_worker *w,
		       ext2_ino_t ino, const uint8_t *raw)
{
	uint8_t *flags = &sv->s->inode[ino];
	struct ext2_inode_large inode;
	struct e2dx_run ea = { .count = 1 };
	struct claimant c;

	(void)w;
	if (!(*flags & E2DX_INODE_USED))
		return;
	begin_inode(&c, sv, ino, raw);
	e2dx_inode_decode(sv->efs, raw, &inode);
	c.seen.inode = &inode;
	c.seen.csum_ok = e2dx_inode_csums_ok(&sv->csums, ino, raw);
	walk_map(&c, find_shared);
	ea.physical = e2dx_inode_file_acl(sv->efs, &inode);
	if (e2dx_blocks_valid(sv->efs, ea.physical, 1))
		note_shared(&c, &ea, ea.physical >> sv->bits,
			    ea.physical >> sv->bits);
	if (c.seen.shared)
		*flags |= E2DX_INODE_SHARED;
	c.seen.flags = *flags;
	show_map(sv, &c.seen);
}

/* ---- tables */

/*
 * Call `visit` for the first `count` inodes of a group, from large reads of
 * its table.  False where some could not be read.
 */
static bool read_table(struct surveyor *sv, struct survey_worker *w, dgrp_t g,
		       uint32_t count,
		       void (*visit)(struct surveyor *sv,
				     struct survey_worker *w, ext2_ino_t ino,
				     const uint8_t *raw))
{
	ext2_filsys fs = sv->efs->fs;
	uint32_t size = EXT2_INODE_SIZE(fs->super);
	uint64_t block = ext2fs_inode_table_loc(fs, g);
	ext2_ino_t ino = g * fs->super->s_inodes_per_group + 1;

	if (!e2dx_blocks_valid(sv->efs, block, fs->inode_blocks_per_group))
		return false;
	while (count) {
		uint32_t n = SURVEY_CHUNK / size;

		if (n > count)
			n = count;
		if (io_channel_read_blk64(fs->io, block, -(int)(n * size),
					  w->buf))
			return false;
		for (uint32_t i = 0; i < n; i++)
			visit(sv, w, ino + i, w->buf + (size_t)i * size);
		count -= n;
		ino += n;
		block += (uint64_t)n * size / fs->blocksize;
	}
	return true;
}

/* The device begins to read a group's table; whoever takes it finds it read. */
static void read_ahead(struct surveyor *sv, dgrp_t g)
{
	ext2_filsys fs = sv->efs->fs;
	uint64_t bytes;

	if (g >= fs->group_desc_count)
		return;
	bytes = (uint64_t)survey_group_inodes(sv, g) *
		EXT2_INODE_SIZE(fs->super);
	if (bytes)
		io_channel_cache_readahead(fs->io, ext2fs_inode_table_loc(fs, g),
					   (bytes - 1) / fs->blocksize + 1);
}

void survey_inodes(struct surveyor *sv, struct survey_worker *w, dgrp_t g)
{
	ext2_filsys fs = sv->efs->fs;
	uint32_t count = survey_group_inodes(sv, g);

	if (!g)
		for (dgrp_t i = 0; i < AHEAD; i++)
			read_ahead(sv, i);
	read_ahead(sv, g + AHEAD);
	sv->s->group[g].read = count;
	/* A table out of bounds was counted with the descriptors. */
	if (!read_table(sv, w, g, count, claim_inode) &&
	    e2dx_blocks_valid(sv->efs, ext2fs_inode_table_loc(fs, g),
			      fs->inode_blocks_per_group))
		__atomic_fetch_add(&sv->s->tables_bad, 1, __ATOMIC_RELAXED);
	survey_bitmaps(sv, w, g);
}

void survey_mark(struct surveyor *sv, struct survey_worker *w, dgrp_t g)
{
	read_table(sv, w, g, survey_group_inodes(sv, g), mark_inode);
}
