/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The names of fast commits, in their order, and what follows from them: link
 * counts of directories, and inodes that nothing names any more.
 */
#include <errno.h>
#include <stdlib.h>
#include "ext2fs/create.h"
#include "ext2fs/living.h"
#include "htree/change.h"
#include "htree/verify.h"
#include "htree/walk.h"
#include "journal/fc_priv.h"

/* The directory at hand stays open while names in it follow one another. */
struct names {
	struct fc_state *s;
	struct e2dx_living *dir;
	ext2_ino_t ino;
	uint8_t *buf;		/* one block */
};

static errcode_t open_dir(struct names *n, ext2_ino_t ino)
{
	errcode_t err;

	if (n->dir && n->ino == ino)
		return 0;
	e2dx_living_close(n->dir);
	n->dir = NULL;
	n->ino = ino;
	err = e2dx_living_open(n->s->r, ino, &n->dir);
	return err;
}

/* What a name stands for now; 0: nothing. */
static errcode_t look_up(struct names *n, const uint8_t *name, size_t len,
			 ext2_ino_t *ino)
{
	struct htree_dirent d;
	errcode_t err = htree_lookup(&n->dir->dir, &n->dir->blocks, name, len,
				     n->buf, &d);

	*ino = err ? 0 : d.ino;
	return err == E2DX_ET_NOT_FOUND ? 0 : err;
}

/* No entry moves: a replay that begins anew finds what it knows. */
static errcode_t take_away(struct names *n, const uint8_t *name, size_t len)
{
	return htree_remove(&n->dir->dir, &n->dir->blocks, name, len,
			    HTREE_KEEP_BLOCKS);
}

static int file_type(const struct names *n, ext2_ino_t ino)
{
	if (!n->dir->dir.filetype)
		return 0;
	return n->s->survey->inode[ino] & E2DX_INODE_TYPE;
}

static errcode_t add_name(struct names *n, const struct fc_op *op)
{
	const uint8_t *name = n->s->log->bytes + op->at;
	struct htree_dirent d = {
		.ino = op->ino, .name = name, .name_len = (uint8_t)op->len,
		.file_type = (uint8_t)file_type(n, op->ino)
	};
	ext2_ino_t has;
	errcode_t err = look_up(n, name, op->len, &has);

	if (err || has == op->ino)
		return err;
	if (has)
		err = take_away(n, name, op->len);
	return err ? err : htree_insert(&n->dir->dir, &n->dir->blocks, &d);
}

static errcode_t remove_name(struct names *n, const struct fc_op *op)
{
	const uint8_t *name = n->s->log->bytes + op->at;
	ext2_ino_t has;
	errcode_t err = look_up(n, name, op->len, &has);

	if (err || has != op->ino)
		return err;
	return take_away(n, name, op->len);
}

static errcode_t do_names(struct names *n)
{
	errcode_t err = 0;

	for (size_t i = 0; i < n->s->log->n && !err; i++) {
		const struct fc_op *op = &n->s->log->v[i];
		bool add = op->tag == FC_CREAT || op->tag == FC_LINK;

		if (!add && op->tag != FC_UNLINK)
			continue;
		/* Names of a directory that goes in the end need not be. */
		if (!fc_mode(fc_find(n->s, op->parent)))
			continue;
		err = open_dir(n, op->parent);
		if (!err)
			err = add ? add_name(n, op) : remove_name(n, op);
	}
	e2dx_living_close(n->dir);
	return err;
}

/* ---- link counts of directories */

static void count_dir(void *ctx, const struct htree_dirent *d, int dot)
{
	struct names *n = ctx;

	if (!dot && d->ino && d->ino <= n->s->survey->inodes_count &&
	    (n->s->survey->inode[d->ino] & E2DX_INODE_TYPE) == EXT2_FT_DIR)
		n->ino++;
}

static errcode_t recount(struct fc_state *s, const struct fc_inode *x)
{
	static const struct htree_verify_ops ops = { .entry = count_dir };
	struct names n = { .s = s, .ino = 2 };
	struct htree_verify_result result;
	struct e2dx_dir *d;
	errcode_t err;

	if (!htree_le16(x->raw + E2DX_I_LINKS))
		return 0;
	err = e2dx_dir_open(s->efs, x->ino, &d);
	if (err)
		return err;
	err = e2dx_dir_verify(d, &ops, &n, &result);
	e2dx_dir_close(d);
	if (n.ino > EXT2_LINK_MAX)
		n.ino = 1;
	return err ? err : e2dx_set_links(s->r, x->ino, n.ino);
}

/* ---- inodes that nothing names */

static errcode_t make_orphan(struct fc_state *s, const struct fc_inode *x)
{
	struct ext2_super_block *sb = s->efs->fs->super;
	uint8_t *raw = malloc(EXT2_INODE_SIZE(sb));
	errcode_t err = raw ? e2dx_inode_load(s->efs, x->ino, raw) : ENOMEM;

	if (!err) {
		htree_put_le32(raw + E2DX_I_DTIME, sb->s_last_orphan);
		e2dx_inode_seal(s->efs, x->ino, raw);
		err = e2dx_inode_store(s->efs, x->ino, raw);
	}
	free(raw);
	if (!err)
		err = io_channel_flush(s->efs->fs->io);
	sb->s_last_orphan = x->ino;
	return err ? err : e2dx_super_write(s->efs);
}

errcode_t fc_names(struct fc_state *s)
{
	struct names n = { .s = s, .buf = malloc(s->efs->fs->blocksize) };
	errcode_t err = n.buf ? do_names(&n) : ENOMEM;

	free(n.buf);
	for (size_t i = 0; i < s->n && !err; i++)
		if (s->inodes[i].recount && fc_is_dir(&s->inodes[i]))
			err = recount(s, &s->inodes[i]);
	for (size_t i = 0; i < s->n && !err; i++) {
		const struct fc_inode *x = &s->inodes[i];

		if (x->dirty && fc_mode(x) && !x->listed &&
		    !htree_le16(x->raw + E2DX_I_LINKS))
			err = make_orphan(s, x);
	}
	return err;
}
