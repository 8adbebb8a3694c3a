/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which inodes are orphans: the list, and the orphan file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/inode.h"
#include "ext2fs/map.h"
#include "htree/crc32c.h"
#include "htree/ondisk.h"
#include "journal/orphan.h"
#include "journal/orphan_file.h"
#include "journal/revoke.h"

struct finder {
	const struct e2dx_fs *efs;
	struct orphans *out;
	struct jnl_revokes seen;	/* used as a set of inode numbers */
	uint8_t *raw;
};

void orphans_free(struct orphans *o)
{
	free(o->v);
	free(o->blocks);
	memset(o, 0, sizeof(*o));
}

static void fault(struct finder *f, enum orphan_fault what, ext2_ino_t ino,
		  uint64_t block)
{
	if (f->out->fault)
		return;
	f->out->fault = what;
	f->out->ino = ino;
	f->out->block = block;
}

static errcode_t add(struct finder *f, ext2_ino_t ino, bool listed)
{
	struct orphans *o = f->out;

	if (o->n == o->capacity) {
		size_t n = o->capacity ? o->capacity * 2 : 16;
		struct orphan *v = realloc(o->v, n * sizeof(*v));

		if (!v)
			return ENOMEM;
		o->v = v;
		o->capacity = n;
	}
	o->v[o->n++] = (struct orphan){ ino, listed };
	return jnl_revokes_add(&f->seen, ino, 0);
}

/* What may be deleted, or has a size: no device, nothing reserved. */
static bool may_be_orphan(const struct finder *f, ext2_ino_t ino)
{
	uint32_t mode = htree_le16(f->raw + E2DX_I_MODE);
	uint32_t links = htree_le16(f->raw + E2DX_I_LINKS);

	if (!mode || !e2dx_inode_csum_ok(f->efs, ino, f->raw))
		return false;
	return !links || LINUX_S_ISREG(mode) || LINUX_S_ISDIR(mode) ||
	       LINUX_S_ISLNK(mode);
}

/* One more orphan, its inode in f->raw; *good false where it is none. */
static errcode_t take(struct finder *f, ext2_ino_t ino, bool listed,
		      bool *good)
{
	const struct ext2_super_block *sb = f->efs->fs->super;
	errcode_t err;

	*good = ino >= EXT2_FIRST_INODE(sb) && ino <= sb->s_inodes_count &&
		!jnl_revokes_test(&f->seen, ino, 0);
	if (!*good)
		return 0;
	err = e2dx_inode_load(f->efs, ino, f->raw);
	if (err == E2DX_ET_RANGE) {
		*good = false;
		return 0;
	}
	*good = !err && may_be_orphan(f, ino);
	return *good ? add(f, ino, listed) : err;
}

static errcode_t find_list(struct finder *f)
{
	ext2_ino_t ino = f->efs->fs->super->s_last_orphan;
	errcode_t err = 0;
	bool good = true;

	while (ino && good && !err) {
		err = take(f, ino, true, &good);
		if (!err && !good)
			fault(f, ORPHAN_LIST, ino, 0);
		else
			ino = htree_le32(f->raw + E2DX_I_DTIME);
	}
	return err;
}

/* ---- the orphan file */

static errcode_t add_block(struct finder *f, uint64_t block)
{
	uint64_t *v = realloc(f->out->blocks,
			      (f->out->n_blocks + 1) * sizeof(*v));

	if (!v)
		return ENOMEM;
	f->out->blocks = v;
	v[f->out->n_blocks++] = block;
	return 0;
}

static errcode_t file_run(void *ctx, const struct e2dx_run *run)
{
	struct finder *f = ctx;
	errcode_t err = 0;

	if (run->kind == E2DX_MAP_META)
		return 0;
	if (run->kind != E2DX_MAP_DATA ||
	    run->count > ORPHAN_FILE_BLOCKS - f->out->n_blocks)
		return E2DX_ET_MAP_DAMAGED;
	for (uint64_t i = 0; i < run->count && !err; i++)
		err = add_block(f, run->physical + i);
	return err;
}

/* Its blocks; a fault where it is no orphan file. */
static errcode_t find_blocks(struct finder *f, ext2_ino_t ino,
			     struct ext2_inode_large *inode)
{
	uint64_t size;
	errcode_t err = e2dx_inode_read(f->efs, ino, inode);

	if (!err && (!LINUX_S_ISREG(inode->i_mode) || !inode->i_links_count))
		err = E2DX_ET_MAP_DAMAGED;
	if (!err)
		err = e2dx_map_walk(f->efs, ino, inode, file_run, f);
	size = (uint64_t)inode->i_size_high << 32 | inode->i_size;
	if (!err && f->out->n_blocks * f->efs->fs->blocksize != size)
		err = E2DX_ET_MAP_DAMAGED;
	if (err != E2DX_ET_MAP_DAMAGED && err != E2DX_ET_RANGE)
		return err;
	fault(f, ORPHAN_FILE_INODE, ino, 0);
	return 0;
}

static errcode_t read_entries(struct finder *f, uint8_t *buf, uint64_t block,
			      uint32_t seed)
{
	uint32_t end = f->efs->fs->blocksize - ORPHAN_TAIL_SIZE;
	errcode_t err;

	err = io_channel_read_blk64(f->efs->fs->io, block, 1, buf);
	if (err)
		return err;
	if (!orphan_block_ok(f->efs, buf, block, seed)) {
		fault(f, ORPHAN_FILE_BLOCK, 0, block);
		return 0;
	}
	for (uint32_t at = 0; at + 4 <= end && !err; at += 4) {
		ext2_ino_t ino = htree_le32(buf + at);
		bool good = true;

		if (ino)
			err = take(f, ino, false, &good);
		if (!err && !good)
			fault(f, ORPHAN_FILE_ENTRY, ino, block);
	}
	return err;
}

static errcode_t find_file(struct finder *f)
{
	ext2_ino_t ino = f->efs->fs->super->s_orphan_file_inum;
	struct ext2_inode_large inode = { 0 };
	uint8_t *buf = malloc(f->efs->fs->blocksize);
	uint32_t seed;
	errcode_t err = buf ? find_blocks(f, ino, &inode) : ENOMEM;

	seed = e2dx_inode_csum_seed(f->efs, ino, inode.i_generation);
	for (size_t i = 0; !err && !f->out->fault && i < f->out->n_blocks; i++)
		err = read_entries(f, buf, f->out->blocks[i], seed);
	free(buf);
	return err;
}

errcode_t orphans_find(const struct e2dx_fs *efs, struct orphans *out)
{
	struct finder f = { .efs = efs, .out = out };
	errcode_t err;

	memset(out, 0, sizeof(*out));
	f.raw = malloc(EXT2_INODE_SIZE(efs->fs->super));
	err = f.raw ? find_list(&f) : ENOMEM;
	if (!err && ext2fs_has_feature_orphan_file(efs->fs->super))
		err = find_file(&f);
	jnl_revokes_free(&f.seen);
	free(f.raw);
	return err;
}
