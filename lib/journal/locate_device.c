/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A journal on a device of its own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <blkid/blkid.h>
#include <uuid/uuid.h>
#include "ext2fs/supercheck.h"
#include "htree/ondisk.h"
#include "journal/locate_priv.h"

/* The device of this UUID, or the one that the superblock numbers; malloced. */
static char *search(const struct ext2_super_block *sb)
{
	char uuid[37], *name;

	uuid_unparse(sb->s_journal_uuid, uuid);
	name = blkid_get_devname(NULL, "UUID", uuid);
	if (!name && sb->s_journal_dev)
		name = blkid_devno_to_devname(sb->s_journal_dev);
	return name;
}

/* The ext superblock in front of the journal's own. */
static enum jnl_place_fault check(const struct jnl_journal *j,
				  const uint8_t *sb, uint64_t bytes,
				  uint64_t *blocks)
{
	const struct ext2_super_block *own = j->efs->fs->super;
	uint32_t in = htree_le32(sb + SB_INCOMPAT);

	if (e2dx_super_check(sb, bytes, true) || !e2dx_super_csum_ok(sb) ||
	    !(in & EXT3_FEATURE_INCOMPAT_JOURNAL_DEV) ||
	    htree_le32(sb + SB_LOG_BLOCK) != own->s_log_block_size)
		return JNL_PLACE_NOT_JOURNAL;
	if (memcmp(sb + SB_UUID, own->s_journal_uuid, JNL_UUID_SIZE))
		return JNL_PLACE_UUID;
	*blocks = htree_le32(sb + SB_BLOCKS);
	if (in & EXT4_FEATURE_INCOMPAT_64BIT)
		*blocks |= (uint64_t)htree_le32(sb + SB_BLOCKS_HI) << 32;
	if (*blocks > bytes / j->efs->fs->blocksize)
		*blocks = bytes / j->efs->fs->blocksize;
	return JNL_PLACE_OK;
}

/* Open it and read the ext superblock. */
static errcode_t read_head(struct jnl_journal *j, const char *device,
			   uint8_t *sb, uint64_t *bytes)
{
	uint8_t head[E2DX_SB_PRIMARY + E2DX_SB_SIZE];
	blk64_t size;
	int flags = j->efs->writable ? IO_FLAG_RW | IO_FLAG_EXCLUSIVE : 0;
	errcode_t err;

	err = e2dx_io_manager->open(device, flags, &j->io);
	if (err)
		return err;
	err = ext2fs_get_device_size2(device, 1, &size);
	if (err)
		return err;
	*bytes = size;
	err = io_channel_read_blk64(j->io, 0, -(int)sizeof(head), head);
	if (!err)
		err = io_channel_set_blksize(j->io,
					     (int)j->efs->fs->blocksize);
	memcpy(sb, head + E2DX_SB_PRIMARY, E2DX_SB_SIZE);
	return err;
}

static errcode_t open_named(struct jnl_journal *j, const char *device)
{
	uint8_t sb[E2DX_SB_SIZE] = { 0 };
	uint64_t bytes = 0, blocks = 0;
	errcode_t err;

	j->error = read_head(j, device, sb, &bytes);
	if (j->error) {
		j->fault = JNL_PLACE_DEVICE;
		return j->error == ENOMEM ? ENOMEM : 0;
	}
	j->fault = check(j, sb, bytes, &blocks);
	if (j->fault)
		return 0;
	/* Its superblock is the block behind the one of the ext superblock. */
	j->base = E2DX_SB_PRIMARY / j->efs->fs->blocksize + 1;
	err = jnl_load_super(j, blocks);
	if (!err && !j->fault && (j->super.users != 1 ||
	    !jnl_super_has_user(&j->super, j->efs->fs->super->s_uuid)))
		j->fault = JNL_PLACE_USER;
	return err;
}

errcode_t jnl_open_device(struct jnl_journal *j, const char *device)
{
	char *found = NULL;
	errcode_t err = 0;

	if (!device)
		device = found = search(j->efs->fs->super);
	if (device)
		err = open_named(j, device);
	else
		j->fault = JNL_PLACE_NO_DEVICE;
	free(found);
	return err;
}
