/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded under a program: notes each change that it makes to the file
 * CUT_FILE, in order, in the file CUT_LOG.
 *
 * A note is a line, "write OFFSET LENGTH", "sync" or "size LENGTH", and behind
 * the line of a write its bytes.  Only the calls that this project's io manager
 * makes are seen; any other way to write aborts the program.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static FILE *notes;

static int is_recorded(int fd)
{
	const char *name = getenv("CUT_FILE");
	struct stat want, got;

	if (!name || stat(name, &want) || fstat(fd, &got))
		return 0;
	if (want.st_dev != got.st_dev || want.st_ino != got.st_ino)
		return 0;
	if (!notes)
		notes = fopen(getenv("CUT_LOG"), "ae");
	if (!notes)
		abort();
	return 1;
}

static void *next(const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);

	if (!f)
		abort();
	return f;
}

static ssize_t noted_pwrite(const char *name, int fd, const void *buf,
			    size_t n, off64_t at)
{
	ssize_t (*f)(int, const void *, size_t, off64_t) = next(name);
	ssize_t done = f(fd, buf, n, at);

	if (done > 0 && is_recorded(fd)) {
		fprintf(notes, "write %lld %zd\n", (long long)at, done);
		fwrite(buf, 1, (size_t)done, notes);
		fflush(notes);
	}
	return done;
}

ssize_t pwrite(int fd, const void *buf, size_t n, off_t at)
{
	return noted_pwrite("pwrite", fd, buf, n, at);
}

ssize_t pwrite64(int fd, const void *buf, size_t n, off64_t at)
{
	return noted_pwrite("pwrite64", fd, buf, n, at);
}

static int noted_sync(const char *name, int fd)
{
	int (*f)(int) = next(name);
	int result = f(fd);

	if (!result && is_recorded(fd)) {
		fputs("sync\n", notes);
		fflush(notes);
	}
	return result;
}

int fsync(int fd)
{
	return noted_sync("fsync", fd);
}

int fdatasync(int fd)
{
	return noted_sync("fdatasync", fd);
}

static int noted_size(const char *name, int fd, off64_t size)
{
	int (*f)(int, off64_t) = next(name);
	int result = f(fd, size);

	if (!result && is_recorded(fd)) {
		fprintf(notes, "size %lld\n", (long long)size);
		fflush(notes);
	}
	return result;
}

int ftruncate(int fd, off_t size)
{
	return noted_size("ftruncate", fd, size);
}

int ftruncate64(int fd, off64_t size)
{
	return noted_size("ftruncate64", fd, size);
}

ssize_t write(int fd, const void *buf, size_t n)
{
	ssize_t (*f)(int, const void *, size_t) = next("write");

	if (is_recorded(fd))
		abort();
	return f(fd, buf, n);
}

ssize_t pwritev(int fd, const struct iovec *v, int n, off_t at)
{
	ssize_t (*f)(int, const struct iovec *, int, off_t) = next("pwritev");

	if (is_recorded(fd))
		abort();
	return f(fd, v, n, at);
}
