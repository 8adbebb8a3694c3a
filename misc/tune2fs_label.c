/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -L: the volume label, through the kernel where the filesystem is mounted. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include "tune2fs.h"

static void warn_if_long(const struct tune *t)
{
	if (strlen(t->o.label) > TUNE_LABEL_MAX)
		cli_note(&t->cli, t->device,
			 "the label is longer than %d bytes and is cut there",
			 TUNE_LABEL_MAX);
}

/* 0 or an errno value.  Other filesystems than ext have longer labels. */
static int set_by_kernel(const struct tune *t, int fd)
{
	char label[FSLABEL_MAX] = "";
	struct statfs st;
	size_t len = strlen(t->o.label);

	if (fstatfs(fd, &st))
		return errno;
	if (st.f_type == EXT2_SUPER_MAGIC) {
		warn_if_long(t);
		if (len > TUNE_LABEL_MAX)
			len = TUNE_LABEL_MAX;
	} else if (len >= sizeof(label)) {
		return EINVAL;
	}
	memcpy(label, t->o.label, len);
	return ioctl(fd, FS_IOC_SETFSLABEL, label) ? errno : 0;
}

bool tune_label_mounted(struct tune *t, bool *handled)
{
	char where[PATH_MAX] = "";
	int flags = 0, fd, err;

	*handled = false;
	if (ext2fs_check_mount_point(t->device, &flags, where, sizeof(where)) ||
	    !(flags & EXT2_MF_MOUNTED) || !where[0])
		return true;
	fd = open(where, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		err = errno;
	} else {
		err = set_by_kernel(t, fd);
		close(fd);
	}
	/* A kernel without this call: write the superblock, as ever. */
	if (err == ENOTTY || err == EOPNOTSUPP)
		return true;
	*handled = true;
	if (err)
		cli_error(&t->cli, t->device, err,
			  "cannot set the label of what is mounted on %s",
			  where);
	return !err;
}

void tune_label_set(struct tune *t)
{
	uint8_t *label = (uint8_t *)t->efs->fs->super->s_volume_name;

	warn_if_long(t);
	memset(label, 0, TUNE_LABEL_MAX);
	memcpy(label, t->o.label, strnlen(t->o.label, TUNE_LABEL_MAX));
}
