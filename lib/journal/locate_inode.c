/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A journal in an inode, or in the copy that the superblock has of its map. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/extent.h"
#include "ext2fs/inode.h"
#include "journal/locate_priv.h"

#define COPY_IS_MAP	1	/* s_jnl_backup_type */
#define COPY_SIZE_HIGH	15	/* words of s_jnl_blocks behind the map */
#define COPY_SIZE	16

struct collect {
	struct jnl_run *v;
	size_t n, capacity;
	uint64_t next;		/* logical block that is still missing */
	uint64_t want;		/* blocks that the inode's size tells of */
};

static errcode_t grow(struct collect *c)
{
	size_t capacity = c->capacity ? c->capacity * 2 : 16;
	struct jnl_run *v = realloc(c->v, capacity * sizeof(*v));

	if (!v)
		return ENOMEM;
	c->v = v;
	c->capacity = capacity;
	return 0;
}

/* Blocks in order and without holes, or it is no journal. */
static errcode_t add_run(void *ctx, const struct e2dx_run *run)
{
	struct collect *c = ctx;
	uint64_t count = run->count;
	struct jnl_run *last = c->n ? &c->v[c->n - 1] : NULL;
	errcode_t err;

	if (run->kind == E2DX_MAP_META || c->next >= c->want)
		return 0;
	if (run->kind != E2DX_MAP_DATA || run->logical != c->next)
		return E2DX_ET_MAP_DAMAGED;
	if (count > c->want - c->next)
		count = c->want - c->next;
	c->next += count;
	if (last && last->physical + last->count == run->physical) {
		last->count += (uint32_t)count;
		return 0;
	}
	err = c->n == c->capacity ? grow(c) : 0;
	if (!err)
		c->v[c->n++] = (struct jnl_run){ (uint32_t)run->logical,
						 (uint32_t)count, run->physical };
	return err;
}

/* The inode's size in blocks; 0 where it cannot be a journal. */
static uint64_t length(const struct e2dx_fs *efs,
		       const struct ext2_inode_large *inode)
{
	uint64_t blocks = ((uint64_t)inode->i_size_high << 32 |
			   inode->i_size) / efs->fs->blocksize;

	if (!inode->i_links_count || !LINUX_S_ISREG(inode->i_mode) ||
	    blocks < JNL_SHORTEST || blocks > UINT32_MAX)
		return 0;
	return blocks;
}

static errcode_t map_inode(struct jnl_journal *j, ext2_ino_t ino,
			   const struct ext2_inode_large *inode)
{
	struct collect c = { .want = length(j->efs, inode) };
	errcode_t err = c.want ? 0 : E2DX_ET_MAP_DAMAGED;

	if (!err)
		err = e2dx_map_walk(j->efs, ino, inode, add_run, &c);
	if (!err && c.next < c.want)
		err = E2DX_ET_MAP_DAMAGED;
	if (err) {
		free(c.v);
		return err;
	}
	j->runs = c.v;
	j->n_runs = c.n;
	return jnl_load_super(j, c.want);
}

/* The inode as the superblock remembers it; false where it does not. */
static bool from_copy(const struct e2dx_fs *efs,
		      struct ext2_inode_large *inode)
{
	const struct ext2_super_block *sb = efs->fs->super;
	uint8_t head[4];

	if (sb->s_jnl_backup_type != COPY_IS_MAP)
		return false;
	memset(inode, 0, sizeof(*inode));
	inode->i_mode = LINUX_S_IFREG | 0600;
	inode->i_links_count = 1;
	inode->i_size_high = sb->s_jnl_blocks[COPY_SIZE_HIGH];
	inode->i_size = sb->s_jnl_blocks[COPY_SIZE];
	/* An extent tree is kept as bytes, block numbers as numbers. */
	htree_put_le32(head, sb->s_jnl_blocks[0]);
	if (ext2fs_has_feature_extents(efs->fs->super) &&
	    htree_le16(head) == EXTENT_MAGIC)
		inode->i_flags = EXT4_EXTENTS_FL;
	for (int i = 0; i < EXT2_N_BLOCKS; i++) {
		if (inode->i_flags)
			htree_put_le32((uint8_t *)&inode->i_block[i],
				       sb->s_jnl_blocks[i]);
		else
			inode->i_block[i] = sb->s_jnl_blocks[i];
	}
	return true;
}

errcode_t jnl_open_inode(struct jnl_journal *j)
{
	ext2_ino_t ino = j->efs->fs->super->s_journal_inum;
	struct ext2_inode_large inode;
	errcode_t err = e2dx_inode_read(j->efs, ino, &inode);

	if (!err)
		err = map_inode(j, ino, &inode);
	if (!err || err == ENOMEM)
		return err;
	if (from_copy(j->efs, &inode))
		err = map_inode(j, ino, &inode);
	if (err == ENOMEM)
		return err;
	if (err)
		j->fault = JNL_PLACE_INODE;
	else
		j->from_copy = true;
	return 0;
}
