/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -l: the superblock, whatever state the filesystem is in.
 *
 * Only the superblock is read, and nothing of it is used for finding other
 * things, so damage elsewhere, unknown features or a dirty journal do not
 * matter.
 */
#include "ext2fs/fs.h"
#include "ext2fs/supercheck.h"
#include "tune2fs.h"
#include "config.h"

static errcode_t read_super(const char *device, struct ext2_super_block *sb)
{
	io_channel io;
	errcode_t err = e2dx_io_manager->open(device, 0, &io);

	if (err)
		return err;
	err = io_channel_set_blksize(io, E2DX_SB_PRIMARY);
	if (!err)
		err = io_channel_read_blk64(io, 1, -E2DX_SB_SIZE, sb);
	io_channel_close(io);
	if (err == EXT2_ET_SHORT_READ ||
	    (!err && ext2fs_le16_to_cpu(sb->s_magic) != EXT2_SUPER_MAGIC))
		return E2DX_ET_NOT_EXT;
	return err;
}

static void note_checksum(const struct tune *t,
			  const struct ext2_super_block *disk)
{
	if (!e2dx_super_csum_ok((const uint8_t *)disk))
		cli_note(&t->cli, t->device,
			 "the superblock has a wrong checksum; e2fsck repairs it");
}

bool tune_list(struct tune *t)
{
	struct e2dx_open_options o = {
		.ignore_csum = true, .journal_device = true
	};
	struct ext2_super_block sb;
	errcode_t err = read_super(t->device, &sb);

	if (err) {
		/* Fails likewise, and explains it. */
		t->efs = cli_open(&t->cli, t->device, &o);
		if (t->efs)
			cli_error(&t->cli, t->device, err,
				  "cannot read the superblock");
		return false;
	}
	note_checksum(t, &sb);
	if (ext2fs_cpu_to_le16(1) != 1)
		ext2fs_swap_super(&sb);
	printf("%s %s (e2dx)\n", t->cli.program, VERSION);
	err = cli_show_super(&t->cli, t->device, &sb);
	if (err)
		cli_error(&t->cli, t->device, err, "cannot list");
	return !err;
}
