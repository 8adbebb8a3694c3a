/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Backup superblocks.  They lie at the beginning of groups, and which groups
 * there are is written in what is lost; so every candidate is judged by its
 * own fields: is this the place of a copy, if they are right?
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/findsuper.h"
#include "ext2fs/supercheck.h"
#include "htree/ondisk.h"

#define CHUNK		(1u << 20)	/* bytes of one read of the scan */
#define MIN_BLOCK	1024u
#define MAX_BLOCK	65536u
#define MAX_GROUP_BLOCKS_DEFAULT	65528u
#define MAX_CLUSTER_BITS	10	/* mke2fs' default is 4 */

struct search {
	io_channel io;
	uint64_t bytes;			/* of the device */
	bool has_uuid;
	uint8_t uuid[16];		/* the primary's, as far as it is one */
	bool found_other;		/* `other` is one with another UUID */
	struct e2dx_copy other;
};

/* Does the copy at this byte say of itself that it belongs there? */
static bool is_copy(const struct search *s, const uint8_t *sb, uint64_t at,
		    struct e2dx_copy *out)
{
	uint64_t block, first, per_group;

	if (htree_le16(sb + SB_MAGIC) != EXT2_SUPER_MAGIC ||
	    e2dx_super_check(sb, s->bytes, false) || !e2dx_super_csum_ok(sb))
		return false;
	out->block_size = MIN_BLOCK << htree_le32(sb + SB_LOG_BLOCK);
	if (at % out->block_size)
		return false;
	block = at / out->block_size;
	first = htree_le32(sb + SB_FIRST_DATA);
	per_group = htree_le32(sb + SB_BLOCKS_PER_GROUP);
	out->block = block;
	return block > first && (block - first) % per_group == 0;
}

/* A candidate: true ends the search. */
static bool judge(struct search *s, const uint8_t *sb, uint64_t at,
		  struct e2dx_copy *out)
{
	struct e2dx_copy copy;

	if (!is_copy(s, sb, at, &copy))
		return false;
	if (s->has_uuid && memcmp(sb + SB_UUID, s->uuid, sizeof(s->uuid))) {
		if (!s->found_other)
			s->other = copy;
		s->found_other = true;
		return false;
	}
	*out = copy;
	return true;
}

static bool try_at(struct search *s, uint64_t at, struct e2dx_copy *out)
{
	uint8_t sb[E2DX_SB_SIZE];

	if (at < E2DX_SB_PRIMARY + E2DX_SB_SIZE || at > s->bytes - E2DX_SB_SIZE)
		return false;
	if (io_channel_read_blk64(s->io, at / MIN_BLOCK, -E2DX_SB_SIZE, sb))
		return false;
	return judge(s, sb, at, out);
}

/* The groups that keep copies under sparse_super, the first few of them. */
static bool try_groups(struct search *s, uint32_t block_size, uint64_t first,
		       uint64_t per_group, struct e2dx_copy *out)
{
	static const uint16_t groups[] = {
		1, 3, 5, 7, 9, 25, 27, 49, 81, 125, 243, 343
	};

	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		if (try_at(s, (first + groups[i] * per_group) * block_size, out))
			return true;
	return false;
}

/* What is left of the primary's fields. */
static bool try_primary_fields(struct search *s, const uint8_t *sb,
			       struct e2dx_copy *out)
{
	uint32_t log_block = htree_le32(sb + SB_LOG_BLOCK);
	uint64_t per_group = htree_le32(sb + SB_BLOCKS_PER_GROUP);
	uint64_t first = htree_le32(sb + SB_FIRST_DATA);
	uint32_t size;

	if (log_block > 6 || !per_group || first > 1)
		return false;
	size = MIN_BLOCK << log_block;
	for (int i = 0; i < 2; i++) {
		uint64_t group = htree_le32(sb + SB_BACKUP_BGS + 4 * i);

		if (group && try_at(s, (first + group * per_group) * size, out))
			return true;
	}
	return try_groups(s, size, first, per_group, out);
}

static bool try_defaults(struct search *s, struct e2dx_copy *out)
{
	for (uint32_t size = MIN_BLOCK; size <= MAX_BLOCK; size *= 2) {
		uint64_t per_group = 8ull * size;

		if (per_group > MAX_GROUP_BLOCKS_DEFAULT)
			per_group = MAX_GROUP_BLOCKS_DEFAULT;
		if (try_groups(s, size, size == MIN_BLOCK, per_group, out))
			return true;
		for (int bits = 1; bits <= MAX_CLUSTER_BITS; bits++)
			if (try_groups(s, size, 0, per_group << bits, out))
				return true;
	}
	return false;
}

/* Groups of an odd size: the first copy lies no further than one of them. */
static bool scan(struct search *s, uint8_t *buf, struct e2dx_copy *out)
{
	uint64_t end = s->bytes < FINDSUPER_SCAN ? s->bytes : FINDSUPER_SCAN;

	for (uint64_t at = 0; at < end; at += CHUNK) {
		uint64_t n = end - at < CHUNK ? end - at : CHUNK;

		n -= n % MIN_BLOCK;
		if (!n || io_channel_read_blk64(s->io, at / MIN_BLOCK,
						-(int)n, buf))
			continue;
		for (uint64_t i = 0; i < n; i += MIN_BLOCK)
			if (at + i > E2DX_SB_PRIMARY &&
			    judge(s, buf + i, at + i, out))
				return true;
	}
	return false;
}

static errcode_t search(struct search *s, struct e2dx_copy *out)
{
	static const uint8_t zero[16];
	uint8_t sb[E2DX_SB_SIZE], *buf;
	bool found = false;

	if (s->bytes < E2DX_SB_PRIMARY + 2 * E2DX_SB_SIZE)
		return E2DX_ET_NOT_FOUND;
	buf = malloc(CHUNK);
	if (!buf)
		return ENOMEM;
	if (!io_channel_read_blk64(s->io, 1, -E2DX_SB_SIZE, sb)) {
		memcpy(s->uuid, sb + SB_UUID, sizeof(s->uuid));
		s->has_uuid = memcmp(s->uuid, zero, sizeof(zero)) != 0;
		found = try_primary_fields(s, sb, out);
	}
	found = found || try_defaults(s, out) || scan(s, buf, out);
	free(buf);
	if (!found && s->found_other)
		*out = s->other;
	return found || s->found_other ? 0 : E2DX_ET_NOT_FOUND;
}

errcode_t e2dx_find_backup(const char *device, struct e2dx_copy *out)
{
	struct search s = { .bytes = 0 };
	errcode_t err, closed;
	blk64_t bytes;

	err = e2dx_io_manager->open(device, 0, &s.io);
	if (err)
		return err;
	err = io_channel_set_blksize(s.io, MIN_BLOCK);
	if (!err)
		err = ext2fs_get_device_size2(device, 1, &bytes);
	if (!err) {
		s.bytes = bytes;
		err = search(&s, out);
	}
	closed = io_channel_close(s.io);
	return err ? err : closed;
}

/* ---- descriptors */

uint64_t e2dx_piece_at(const struct e2dx_fs *efs, dgrp_t g,
		       enum e2dx_piece piece)
{
	switch (piece) {
	case E2DX_BLOCK_BITMAP:
		return ext2fs_block_bitmap_loc(efs->fs, g);
	case E2DX_INODE_BITMAP:
		return ext2fs_inode_bitmap_loc(efs->fs, g);
	default:
		return ext2fs_inode_table_loc(efs->fs, g);
	}
}

uint64_t e2dx_piece_blocks(const struct e2dx_fs *efs, enum e2dx_piece piece)
{
	return piece == E2DX_INODE_TABLE ? efs->fs->inode_blocks_per_group : 1;
}

bool e2dx_piece_in_place(const struct e2dx_fs *efs, dgrp_t g,
			 enum e2dx_piece piece)
{
	ext2_filsys fs = efs->fs;
	uint64_t at = e2dx_piece_at(efs, g, piece);
	uint64_t n = e2dx_piece_blocks(efs, piece);
	uint64_t first = fs->super->s_first_data_block;
	uint64_t end = ext2fs_blocks_count(fs->super);

	if (!ext2fs_has_feature_flex_bg(fs->super)) {
		first = ext2fs_group_first_block2(fs, g);
		end = ext2fs_group_last_block2(fs, g) + 1;
	}
	return at >= first && at < end && n <= end - at;
}

bool e2dx_piece_on_head(const struct e2dx_fs *efs, dgrp_t g,
			enum e2dx_piece piece)
{
	ext2_filsys fs = efs->fs;
	uint64_t old_blocks = fs->desc_blocks;

	if (ext2fs_has_feature_meta_bg(fs->super) &&
	    fs->super->s_first_meta_bg < old_blocks)
		old_blocks = fs->super->s_first_meta_bg;
	return e2dx_piece_at(efs, g, piece) <=
	       fs->super->s_first_data_block + old_blocks;
}

bool e2dx_descs_plausible(const struct e2dx_fs *efs)
{
	for (dgrp_t g = 0; g < efs->fs->group_desc_count; g++)
		for (int p = E2DX_BLOCK_BITMAP; p <= E2DX_INODE_TABLE; p++)
			if (!e2dx_piece_in_place(efs, g, (enum e2dx_piece)p) ||
			    e2dx_piece_on_head(efs, g, (enum e2dx_piece)p))
				return false;
	return true;
}

/* The primary descriptor table, in the machine's order. */
static errcode_t read_primary(const struct e2dx_fs *efs, uint8_t *table)
{
	static const uint16_t one = 1;
	ext2_filsys fs = efs->fs;
	size_t size = EXT2_DESC_SIZE(fs->super);
	size_t bytes = (size_t)fs->desc_blocks * fs->blocksize;
	errcode_t err = 0;

	for (dgrp_t i = 0; !err && i < fs->desc_blocks; i++) {
		blk64_t block = ext2fs_descriptor_block_loc2(fs,
				fs->super->s_first_data_block, i);

		err = io_channel_read_blk64(fs->io, block, 1,
					    table + (size_t)i * fs->blocksize);
	}
	if (!err && !*(const uint8_t *)&one)
		for (size_t at = 0; at + size <= bytes; at += size)
			ext2fs_swap_group_desc2(fs, (void *)(table + at));
	return err;
}

bool e2dx_descs_summed(const struct e2dx_fs *efs)
{
	for (dgrp_t g = 0; g < efs->fs->group_desc_count; g++)
		if (!ext2fs_group_desc_csum_verify(efs->fs, g))
			return false;
	return true;
}

bool e2dx_descs_use_primary(struct e2dx_fs *efs)
{
	ext2_filsys fs = efs->fs;
	struct opaque_ext2_group_desc *kept = fs->group_desc;
	uint8_t *table = calloc(fs->desc_blocks, fs->blocksize);

	if (!table || read_primary(efs, table)) {
		free(table);
		return false;
	}
	fs->group_desc = (void *)table;
	if (e2dx_descs_plausible(efs) && e2dx_descs_summed(efs)) {
		memcpy(kept, table, (size_t)fs->desc_blocks * fs->blocksize);
		fs->group_desc = kept;
		free(table);
		return true;
	}
	fs->group_desc = kept;
	free(table);
	return false;
}
