/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "seam_image.h"

static char dir[PATH_MAX];
static pid_t owner;

static void remove_dir(void)
{
	/* Check forks for each test: only the first process cleans up. */
	if (getpid() == owner)
		seam_run("rm -rf %s", dir);
}

/* What mke2fs -d copies, and then attributes in blocks of their own. */
static const char tree[] =
	"mkdir -p t/many t/deep/a/b/c t/empty && cd t && "
	"for i in $(seq 400); do echo $i >many/file_number_$i; done && "
	"head -c 600000 /dev/urandom >large && "
	"truncate -s 40M sparse && "
	"for i in 0 3 11 13 200 300 5000 9999; do "
	"  echo x | dd of=sparse bs=4k seek=$i conv=notrunc status=none; done && "
	"for i in $(seq 0 2 300); do "
	"  echo y | dd of=holes bs=4k seek=$i conv=notrunc status=none; done && "
	"ln -s short s1 && ln -s $(printf '%0200d' 0) s2 && "
	"ln -s $(printf '%059d' 0) s3 && ln -s $(printf '%060d' 0) s4 && "
	"ln large hard && mkfifo fifo && echo hello >deep/a/b/c/end";

const char *seam_dir(void)
{
	const char *tmp = getenv("TMPDIR");

	if (*dir)
		return dir;
	snprintf(dir, sizeof(dir), "%s/e2dx-seam.XXXXXX", tmp ? tmp : "/tmp");
	/* Before any test runs, so not with Check's assertions. */
	if (!mkdtemp(dir)) {
		perror(dir);
		exit(99);
	}
	owner = getpid();
	atexit(remove_dir);
	if (seam_run("cd %s && (%s)", dir, tree)) {
		fputs("cannot make the tree\n", stderr);
		exit(99);
	}
	return dir;
}

const char *seam_path(const char *name)
{
	static char path[64][PATH_MAX + 64];
	static unsigned turn;
	char *p = path[turn++ % 64];

	snprintf(p, sizeof(path[0]), "%s/%s", seam_dir(), name);
	return p;
}

int seam_run(const char *format, ...)
{
	char command[8192];
	va_list args;
	int status;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const char *seam_make(const char *name, const char *options, const char *size)
{
	const char *path = seam_path(name);

	ck_assert_int_eq(seam_run("cd %s && rm -f %s && "
				  "/sbin/mke2fs -qF %s -d t %s %s >%s.log 2>&1",
				  dir, path, options, path, size, path), 0);
	/* Attributes too large for the inode.  With MMP debugfs waits long. */
	if (!strstr(options, "mmp"))
		ck_assert_int_eq(seam_run(
			"cd %s && head -c 900 /dev/zero | tr '\\0' v >v && "
			"for f in large many/file_number_1; do "
			"echo ea_set -f v $f user.big; done | "
			"/sbin/debugfs -w %s >>%s.log 2>&1", dir, path, path), 0);
	return path;
}

struct e2dx_fs *seam_open(const char *path, bool writable)
{
	struct e2dx_open_options o = { .writable = writable };
	struct e2dx_fs *efs;

	ck_assert_int_eq(e2dx_open(path, &o, &efs), 0);
	return efs;
}

void seam_poke(const char *path, uint64_t offset, const void *data, size_t n)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || pwrite(fd, data, n, (off_t)offset) != (ssize_t)n)
		ck_abort_msg("cannot write to %s", path);
	close(fd);
}

ext2_filsys seam_stock(const char *path)
{
	ext2_filsys fs;

	ck_assert_int_eq(ext2fs_open(path, EXT2_FLAG_64BITS, 0, 0,
				     unix_io_manager, &fs), 0);
	ck_assert_int_eq(ext2fs_read_bitmaps(fs), 0);
	return fs;
}

ext2_ino_t seam_inode(ext2_filsys fs, const char *path)
{
	ext2_ino_t ino;

	return ext2fs_namei(fs, EXT2_ROOT_INO, EXT2_ROOT_INO, path, &ino) ? 0
									  : ino;
}
