/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Opening a filesystem whatever its bytes are, and closing it unwritten. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "ext2fs/fs.h"
#include "ext2fs/nls.h"
#include "ext2fs/supercheck.h"

/* The superblock that is asked for, as bytes. */
static errcode_t read_super(const char *device,
			    const struct e2dx_open_options *o, uint8_t *sb)
{
	unsigned block_size = o->superblock ? o->block_size : E2DX_SB_PRIMARY;
	io_channel io;
	errcode_t err, closed;

	err = e2dx_io_manager->open(device, 0, &io);
	if (err)
		return err;
	err = io_channel_set_blksize(io, (int)block_size);
	if (!err)
		err = io_channel_read_blk64(io, o->superblock ? o->superblock : 1,
					    -E2DX_SB_SIZE, sb);
	closed = io_channel_close(io);
	if (err == EXT2_ET_SHORT_READ)
		return E2DX_ET_NOT_EXT;
	return err ? err : closed;
}

static errcode_t check_options(const struct e2dx_open_options *o)
{
	unsigned bs = o->block_size;

	if (bs && (bs < EXT2_MIN_BLOCK_SIZE || bs > EXT2_MAX_BLOCK_SIZE ||
		   (bs & (bs - 1))))
		return EINVAL;
	return o->superblock && !bs ? EINVAL : 0;
}

static errcode_t check_super(struct e2dx_fs *efs,
			     const struct e2dx_open_options *o)
{
	uint8_t sb[E2DX_SB_SIZE];
	blk64_t bytes;
	errcode_t err;

	err = read_super(efs->device, o, sb);
	if (!err)
		err = ext2fs_get_device_size2(efs->device, 1, &bytes);
	if (err)
		return err;
	efs->device_bytes = bytes;
	err = e2dx_super_check(sb, bytes, o->journal_device);
	if (err)
		return err;
	efs->stock_csum_bad = !e2dx_super_csum_ok(sb);
	if (efs->stock_csum_bad && !o->ignore_csum && !o->catastrophic)
		return E2DX_ET_CHECKSUM;
	return 0;
}

/*
 * libext2fs 1.47's undo manager says success, and leaves no channel, where it
 * cannot open its file.  It takes an empty file for a new one.
 */
static errcode_t make_undo_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return errno;
	return close(fd) ? errno : 0;
}

/*
 * The undo manager goes between libext2fs and our own; libext2fs keeps its
 * file's name in a variable of its own.
 */
static errcode_t choose_manager(const struct e2dx_open_options *o,
				io_manager *manager)
{
	errcode_t err;

	*manager = e2dx_io_manager;
	if (!o->undo_file || !o->writable)
		return 0;
	err = make_undo_file(o->undo_file);
	if (!err)
		err = set_undo_io_backing_manager(e2dx_io_manager);
	if (!err)
		err = set_undo_io_backup_file((char *)o->undo_file);
	*manager = undo_io_manager;
	return err;
}

/*
 * Features that libext2fs does not know are no reason not to look (FORCE);
 * what may be written is decided by e2dx_write_refusal().  Its checksum
 * errors stay off while it opens: a wrong one in a group descriptor is the
 * survey's to find.
 */
static errcode_t open_fs(struct e2dx_fs *efs, const struct e2dx_open_options *o)
{
	int flags = EXT2_FLAG_64BITS | EXT2_FLAG_FORCE | EXT2_FLAG_SKIP_MMP |
		    EXT2_FLAG_JOURNAL_DEV_OK | EXT2_FLAG_IGNORE_CSUM_ERRORS |
		    EXT2_FLAG_IGNORE_SB_ERRORS;
	io_manager manager;
	errcode_t err;

	if (o->writable)
		flags |= EXT2_FLAG_RW;
	if (o->exclusive)
		flags |= EXT2_FLAG_EXCLUSIVE;
	err = choose_manager(o, &manager);
	if (err)
		return err;
	/* Empty options: a '?' in the name is part of it. */
	err = ext2fs_open2(efs->device, "", flags, (int)o->superblock,
			   o->block_size, manager, &efs->fs);
	if (err)
		return err == EXT2_ET_BAD_MAGIC ? E2DX_ET_NOT_EXT : err;
	efs->superblock = o->superblock;
	efs->writable = o->writable;
	efs->exclusive = o->exclusive &&
			 (efs->fs->io->flags & CHANNEL_FLAGS_BLOCK_DEVICE);
	if (!o->ignore_csum && !o->catastrophic)
		efs->fs->flags &= ~EXT2_FLAG_IGNORE_CSUM_ERRORS;
	return 0;
}

/*
 * An encoding that is not known leaves has_fold false: everything but the
 * hashes of casefolded names can still be read.
 */
static void set_up_folding(struct e2dx_fs *efs)
{
	struct ext2_super_block *sb = efs->fs->super;

	if (ext2fs_has_feature_casefold(sb))
		efs->has_fold = !e2dx_fold_init(sb->s_encoding, &efs->fold);
}

errcode_t e2dx_open(const char *device, const struct e2dx_open_options *o,
		    struct e2dx_fs **out)
{
	struct e2dx_fs *efs;
	errcode_t err = check_options(o);

	if (err)
		return err;
	efs = calloc(1, sizeof(*efs));
	if (!efs)
		return ENOMEM;
	efs->device = device;
	err = check_super(efs, o);
	if (!err)
		err = open_fs(efs, o);
	if (err) {
		free(efs);
		return err;
	}
	set_up_folding(efs);
	*out = efs;
	return 0;
}

errcode_t e2dx_close(struct e2dx_fs *efs)
{
	io_channel io;

	if (!efs)
		return 0;
	/* Closed here, not by ext2fs_free(): that drops the error. */
	io = efs->fs->io;
	efs->fs->io = NULL;
	efs->fs->image_io = NULL;
	efs->fs->flags &= ~(EXT2_FLAG_DIRTY | EXT2_FLAG_CHANGED |
			    EXT2_FLAG_IB_DIRTY | EXT2_FLAG_BB_DIRTY);
	ext2fs_free(efs->fs);
	free(efs);
	return io_channel_close(io);
}
