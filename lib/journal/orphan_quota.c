/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What owners no longer have, taken from the quota files. */
#include <errno.h>
#include <stdlib.h>
#include "ext2fs/quota_file.h"
#include "journal/orphan_priv.h"

static uint64_t space_of(const struct e2dx_fs *efs,
			 const struct ext2_inode_large *inode)
{
	return ext2fs_get_stat_i_blocks(efs->fs,
		(struct ext2_inode *)(uintptr_t)inode) * 512;
}

static uint32_t owner(const struct ext2_inode_large *inode,
		      enum e2dx_quota_type type)
{
	switch (type) {
	case E2DX_QUOTA_USER:
		return (uint32_t)inode->osd2.linux2.l_i_uid_high << 16 |
		       inode->i_uid;
	case E2DX_QUOTA_GROUP:
		return (uint32_t)inode->osd2.linux2.l_i_gid_high << 16 |
		       inode->i_gid;
	default:
		return inode->i_projid;
	}
}

errcode_t orphan_quota_note(struct release *r, const uint8_t *old,
			    const uint8_t *raw)
{
	struct ext2_inode_large before, after;
	struct quota_change *q;

	if (!ext2fs_has_feature_quota(r->efs->fs->super))
		return 0;
	q = realloc(r->quota, (r->n_quota + 1) * sizeof(*q));
	if (!q)
		return ENOMEM;
	r->quota = q;
	q += r->n_quota++;
	e2dx_inode_decode(r->efs, old, &before);
	e2dx_inode_decode(r->efs, raw, &after);
	for (int t = 0; t < E2DX_QUOTA_TYPES; t++)
		q->id[t] = owner(&before, (enum e2dx_quota_type)t);
	q->inodes = before.i_links_count ? 0 : 1;
	q->space = space_of(r->efs, &before) - space_of(r->efs, &after);
	return 0;
}

errcode_t orphan_quota_apply(struct release *r)
{
	errcode_t err = 0;

	for (int t = 0; t < E2DX_QUOTA_TYPES; t++) {
		if (!e2dx_quota_inode(r->efs, (enum e2dx_quota_type)t))
			continue;
		for (size_t i = 0; i < r->n_quota && !err; i++) {
			const struct quota_change *q = &r->quota[i];
			struct e2dx_quota_entry less = {
				q->id[t], q->inodes, q->space
			};

			err = e2dx_quota_subtract(r->efs,
					(enum e2dx_quota_type)t, &less);
		}
	}
	return err ? err : io_channel_flush(r->efs->fs->io);
}
