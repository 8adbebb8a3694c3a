/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cat, dump: a file's data. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "debugfs.h"

static errcode_t write_stdout(void *ctx, const void *buf, size_t len)
{
	(void)ctx;
	return fwrite(buf, 1, len, stdout) == len ? 0 : errno;
}

static errcode_t zeros_stdout(void *ctx, uint64_t len)
{
	static const uint8_t zeros[65536];
	errcode_t err = 0;

	while (len && !err) {
		size_t n = len < sizeof(zeros) ? (size_t)len : sizeof(zeros);

		err = write_stdout(ctx, zeros, n);
		len -= n;
	}
	return err;
}

int command_cat(struct debugfs *d, int argc, char **argv)
{
	struct ext2_inode_large inode;
	ext2_ino_t ino;
	errcode_t err;

	if (argc != 2)
		return command_usage(d, argv);
	if (inode_argument(d, argv[1], &ino, &inode))
		return 1;
	err = data_read(d, ino, &inode, write_stdout, zeros_stdout, NULL);
	clearerr(stdout);
	return err ? dbg_fail(d, argv[1], err, "not all of it was written") : 0;
}

struct target {
	int fd;
	uint64_t at;
};

static errcode_t write_target(void *ctx, const void *buf, size_t len)
{
	struct target *t = ctx;
	const uint8_t *p = buf;

	while (len) {
		ssize_t n = pwrite(t->fd, p, len, (off_t)t->at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		p += n;
		t->at += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

/* Holes of the file become holes of the copy. */
static errcode_t skip_target(void *ctx, uint64_t len)
{
	struct target *t = ctx;

	t->at += len;
	return ftruncate(t->fd, (off_t)t->at) ? errno : 0;
}

static errcode_t copy_attributes(int fd, const struct ext2_inode_large *inode)
{
	struct timespec times[2] = {
		{ .tv_sec = inode_time(inode->i_atime, inode->i_atime_extra) },
		{ .tv_sec = inode_time(inode->i_mtime, inode->i_mtime_extra) }
	};

	/* Owner before mode: changing the owner takes set-id bits away. */
	if (fchown(fd, inode_uid(*inode), inode_gid(*inode)) ||
	    fchmod(fd, inode->i_mode & 07777) || futimens(fd, times))
		return errno;
	return 0;
}

static int dump_to(struct debugfs *d, const char *path, const char *file,
		   bool attributes)
{
	struct ext2_inode_large inode;
	struct target t = { -1, 0 };
	ext2_ino_t ino;
	errcode_t err;
	int status = 0;

	if (inode_argument(d, path, &ino, &inode))
		return 1;
	t.fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (t.fd < 0)
		return dbg_fail(d, file, errno, "cannot create");
	err = data_read(d, ino, &inode, write_target, skip_target, &t);
	if (err)
		status = dbg_fail(d, path, err, "not all of it was written");
	err = attributes ? copy_attributes(t.fd, &inode) : 0;
	if (err)
		status = dbg_fail(d, file, err, "cannot set owner, mode and times");
	if (close(t.fd))
		status = dbg_fail(d, file, errno, "cannot write");
	return status;
}

int command_dump(struct debugfs *d, int argc, char **argv)
{
	bool attributes = false;
	int c;

	while ((c = getopt(argc, argv, "p")) >= 0) {
		if (c != 'p')
			return command_usage(d, argv);
		attributes = true;
	}
	if (argc - optind != 2)
		return command_usage(d, argv);
	return dump_to(d, argv[optind], argv[optind + 1], attributes);
}
