/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An inode of fast commits written, its map beside the old one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ext2fs/inode_alloc.h"
#include "htree/csum.h"
#include "htree/layout.h"
#include "htree/pack.h"
#include "journal/fc_priv.h"

/*
 * Clusters to be marked: those of data that are not.  Those that it had and
 * has no more, mapping blocks among them, go.
 */
static errcode_t differences(struct fc_inode *x, struct e2dx_replaced *e)
{
	size_t k = 0;
	errcode_t err = 0;

	for (size_t i = 0; i < x->data.n && !err; i++)
		err = e2dx_pieces_add(&e->new_data, x->data.v[i].first,
				      x->data.v[i].count);
	for (size_t i = 0; i < x->before.n; i++) {
		uint64_t c = x->before.v[i].first;
		uint64_t end = c + x->before.v[i].count;

		for (; c < end && !err; c++) {
			while (k < x->data.n && c >= x->data.v[k].first +
						     x->data.v[k].count)
				k++;
			if (k == x->data.n || c < x->data.v[k].first)
				err = e2dx_pieces_add(&e->old, c, 1);
		}
	}
	return err;
}

static errcode_t take_meta(struct fc_state *s, struct fc_inode *x,
			   struct e2dx_replaced *e)
{
	uint32_t goal = (x->ino - 1) / s->efs->fs->super->s_inodes_per_group;

	e->n_meta = fc_tree_blocks(s->efs, &x->map);
	if (!e->n_meta)
		return 0;
	return e2dx_space_take(&s->r->space, goal, e->n_meta,
			       s->r->space.end, &e->new_meta);
}

static errcode_t build(struct fc_state *s, struct fc_inode *x,
		       struct e2dx_replaced *e)
{
	unsigned bits = (unsigned)s->efs->fs->cluster_ratio_bits;
	uint64_t *at = calloc(e->n_meta + 1, sizeof(*at)), n = 0;
	errcode_t err = ENOMEM;

	e->meta = malloc((size_t)e->n_meta * s->efs->fs->blocksize + 1);
	for (size_t i = 0; at && i < e->new_meta.n; i++)
		for (uint64_t k = 0; k < e->new_meta.v[i].count; k++)
			at[n++] = (e->new_meta.v[i].first + k) << bits;
	if (at && e->meta)
		err = fc_tree_build(s->efs, &x->map,
			e2dx_inode_csum_seed(s->efs, x->ino,
				htree_le32(x->raw + E2DX_I_GENERATION)),
			at, e->meta, e->raw + E2DX_I_BLOCK);
	free(at);
	return err;
}

/* i_blocks anew: the record counts mapping blocks that Linux had. */
static errcode_t count_blocks(const struct fc_state *s,
			      const struct fc_inode *x,
			      struct e2dx_replaced *e)
{
	bool acl = htree_le32(e->raw + E2DX_I_FILE_ACL) ||
		   htree_le16(e->raw + E2DX_I_FILE_ACL_HIGH);

	htree_put_le32(e->raw + E2DX_I_BLOCKS, 0);
	htree_put_le16(e->raw + E2DX_I_BLOCKS_HIGH, 0);
	return e2dx_inode_change_blocks(s->efs, e->raw, 0,
					e2dx_pieces_total(&x->data) +
					e->n_meta + acl);
}

/* The block of a directory that was made: only names in it are recorded. */
static errcode_t add_dots(struct fc_state *s, struct fc_inode *x,
			  struct e2dx_replaced *e)
{
	uint32_t bs = s->efs->fs->blocksize;
	struct ext2_inode_large inode;
	struct htree_dir dir;
	errcode_t err = e2dx_prepare_data(s->r, e, 1);

	if (err)
		return err;
	e2dx_inode_set_flags(e->raw, e2dx_inode_flags(e->raw) &
			     ~(uint32_t)EXT2_INDEX_FL);
	e2dx_inode_set_size(s->efs, e->raw, bs);
	e->data = calloc(1, bs);
	e->blocks = 1;
	if (!e->data)
		return ENOMEM;
	e2dx_inode_decode(s->efs, e->raw, &inode);
	e2dx_dir_describe(s->efs, x->ino, &inode, &dir);
	htree_pack_dots(&dir, x->parent, true, htree_leaf_room(&dir), e->data);
	htree_leaf_csum_set(&dir, e->data);
	err = e2dx_prepare_map(s->r, e, &e->new_data, 1);
	htree_put_le32(e->raw + E2DX_I_BLOCKS, 0);
	htree_put_le16(e->raw + E2DX_I_BLOCKS_HIGH, 0);
	return err ? err : e2dx_inode_change_blocks(s->efs, e->raw, 0,
						    1 + e->n_meta);
}

static errcode_t with_map(struct fc_state *s, struct fc_inode *x,
			  struct e2dx_replaced *e)
{
	errcode_t err = differences(x, e);

	if (!err)
		err = take_meta(s, x, e);
	if (!err)
		err = build(s, x, e);
	return err ? err : count_blocks(s, x, e);
}

static errcode_t prepare(struct fc_state *s, struct fc_inode *x,
			 struct e2dx_replaced *e)
{
	size_t size = EXT2_INODE_SIZE(s->efs->fs->super);
	errcode_t err = 0;

	e->raw = malloc(size);
	if (!e->raw)
		return ENOMEM;
	memcpy(e->raw, x->raw, size);
	/* The next one's number where it is an orphan; else it becomes one. */
	htree_put_le32(e->raw + E2DX_I_DTIME,
		       x->listed ? htree_le32(x->old + E2DX_I_DTIME) : 0);
	if (x->created && x->fresh && fc_is_dir(x) && !x->map.n &&
	    !(e2dx_inode_flags(x->raw) & EXT4_INLINE_DATA_FL))
		err = add_dots(s, x, e);
	else if (fc_has_extents(x))
		err = with_map(s, x, e);
	e2dx_inode_seal(s->efs, x->ino, e->raw);
	return err;
}

errcode_t fc_write_inode(struct fc_state *s, struct fc_inode *x)
{
	struct e2dx_replaced e = { .ino = x->ino };
	errcode_t err;

	/* Without a type it was gone already, before an earlier replay's cut. */
	if ((!x->dirty && x->n == x->n_old) || !fc_mode(x))
		return 0;
	err = e2dx_replace_start(s->r);
	if (!err)
		err = prepare(s, x, &e);
	if (err) {
		e2dx_replaced_drop(s->r, &e);
		return err;
	}
	err = e2dx_replace_now(s->r, &e);
	return err ? err : e2dx_inode_mark(s->r, x->ino, e2dx_file_type(fc_mode(x)));
}
