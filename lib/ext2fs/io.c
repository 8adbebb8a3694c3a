/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The io manager under every filesystem: one descriptor, no cache, full-length
 * pread and pwrite.  No cache, because order and moment of each write are what
 * crash safety is made of; no shared file position, so threads may read.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "ext2fs/fs.h"

#define DEFAULT_BLOCK_SIZE 1024

struct channel_file {
	int fd;
	bool unsynced;		/* written since the last good fsync */
};

static errcode_t io_open(const char *name, int flags, io_channel *channel);
static errcode_t io_close(io_channel channel);
static errcode_t io_set_blksize(io_channel channel, int blksize);
static errcode_t io_read(io_channel channel, unsigned long block, int count,
			 void *data);
static errcode_t io_write(io_channel channel, unsigned long block, int count,
			  const void *data);
static errcode_t io_read64(io_channel channel, unsigned long long block,
			   int count, void *data);
static errcode_t io_write64(io_channel channel, unsigned long long block,
			    int count, const void *data);
static errcode_t io_flush(io_channel channel);
static errcode_t io_write_byte(io_channel channel, unsigned long offset,
			       int count, const void *data);
static errcode_t io_set_option(io_channel channel, const char *option,
			       const char *arg);
static errcode_t io_get_stats(io_channel channel, io_stats *stats);
static errcode_t io_readahead(io_channel channel, unsigned long long block,
			      unsigned long long count);

/* Never changed; libext2fs' prototypes want it without const. */
static struct struct_io_manager manager = {
	.magic = EXT2_ET_MAGIC_IO_MANAGER,
	.name = "e2dx I/O manager",
	.open = io_open,
	.close = io_close,
	.set_blksize = io_set_blksize,
	.read_blk = io_read,
	.write_blk = io_write,
	.flush = io_flush,
	.write_byte = io_write_byte,
	.set_option = io_set_option,
	.get_stats = io_get_stats,
	.read_blk64 = io_read64,
	.write_blk64 = io_write64,
	.cache_readahead = io_readahead,
};

io_manager e2dx_io_manager = &manager;

/* Opening a FIFO waits for its other end, and /dev/zero has no end. */
static errcode_t usable(const struct stat *st)
{
	if (S_ISREG(st->st_mode) || S_ISBLK(st->st_mode))
		return 0;
	return S_ISDIR(st->st_mode) ? EISDIR : ENOTBLK;
}

/* O_EXCL means something on block devices only. */
static errcode_t open_file(const char *name, int flags, int *fd,
			   struct stat *st)
{
	int mode = O_CLOEXEC | (flags & IO_FLAG_RW ? O_RDWR : O_RDONLY);
	errcode_t err;

	if (stat(name, st))
		return errno;
	err = usable(st);
	if (err)
		return err;
	if ((flags & IO_FLAG_EXCLUSIVE) && S_ISBLK(st->st_mode))
		mode |= O_EXCL;
	*fd = open(name, mode);
	if (*fd < 0)
		return errno;
	err = fstat(*fd, st) ? errno : 0;
	if (err)
		close(*fd);
	return err;
}

static errcode_t new_channel(const char *name, io_channel *channel)
{
	io_channel c = calloc(1, sizeof(*c));
	struct channel_file *f = calloc(1, sizeof(*f));
	char *copy = strdup(name);

	if (!c || !f || !copy) {
		free(copy);
		free(f);
		free(c);
		return ENOMEM;
	}
	c->magic = EXT2_ET_MAGIC_IO_CHANNEL;
	c->manager = e2dx_io_manager;
	c->name = copy;
	c->block_size = DEFAULT_BLOCK_SIZE;
	c->refcount = 1;
	c->flags = CHANNEL_FLAGS_WRITETHROUGH | CHANNEL_FLAGS_THREADS;
	c->private_data = f;
	*channel = c;
	return 0;
}

static void free_channel(io_channel channel)
{
	free(channel->private_data);
	free(channel->name);
	free(channel);
}

static errcode_t io_open(const char *name, int flags, io_channel *channel)
{
	struct channel_file *f;
	struct stat st;
	errcode_t err;

	if (!name)
		return EXT2_ET_BAD_DEVICE_NAME;
	err = new_channel(name, channel);
	if (err)
		return err;
	f = (*channel)->private_data;
	err = open_file(name, flags, &f->fd, &st);
	if (err) {
		free_channel(*channel);
		*channel = NULL;
		return err;
	}
	if (S_ISBLK(st.st_mode))
		(*channel)->flags |= CHANNEL_FLAGS_BLOCK_DEVICE;
	return 0;
}

static errcode_t io_close(io_channel channel)
{
	struct channel_file *f = channel->private_data;
	errcode_t err = 0;

	if (--channel->refcount > 0)
		return 0;
	if (close(f->fd))
		err = errno;
	free_channel(channel);
	return err;
}

static errcode_t io_set_blksize(io_channel channel, int blksize)
{
	if (blksize <= 0)
		return EXT2_ET_INVALID_ARGUMENT;
	channel->block_size = blksize;
	return 0;
}

/*
 * Where in the file a request lies.  libext2fs' convention: a negative count
 * is a number of bytes.  EXT2_ET_INVALID_ARGUMENT where no file reaches that far.
 */
static errcode_t locate(io_channel channel, unsigned long long block,
			int count, size_t *size, off_t *offset)
{
	unsigned long long bs = (unsigned)channel->block_size;

	*size = count < 0 ? (size_t)-(long long)count : (size_t)count * bs;
	if (block > ((unsigned long long)INT64_MAX - *size) / bs)
		return EXT2_ET_INVALID_ARGUMENT;
	*offset = (off_t)(block * bs);
	return 0;
}

/* Bytes read before the end of the file or an error. */
static size_t read_fully(int fd, void *data, size_t size, off_t offset,
			 errcode_t *err)
{
	size_t done = 0;

	*err = 0;
	while (done < size) {
		ssize_t n = pread(fd, (char *)data + done, size - done,
				  offset + (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			*err = n < 0 ? errno : EXT2_ET_SHORT_READ;
			break;
		}
		done += (size_t)n;
	}
	return done;
}

static size_t write_fully(int fd, const void *data, size_t size, off_t offset,
			  errcode_t *err)
{
	size_t done = 0;

	*err = 0;
	while (done < size) {
		ssize_t n = pwrite(fd, (const char *)data + done, size - done,
				   offset + (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			*err = n < 0 ? errno : EXT2_ET_SHORT_WRITE;
			break;
		}
		done += (size_t)n;
	}
	return done;
}

static errcode_t io_read64(io_channel channel, unsigned long long block,
			   int count, void *data)
{
	struct channel_file *f = channel->private_data;
	size_t size, done;
	off_t offset;
	errcode_t err = locate(channel, block, count, &size, &offset);

	if (err)
		return err;
	done = read_fully(f->fd, data, size, offset, &err);
	if (!err)
		return 0;
	/* A handler may accept a short read (the undo manager's does). */
	memset((char *)data + done, 0, size - done);
	if (channel->read_error)
		err = channel->read_error(channel, (unsigned long)block, count,
					  data, size, (int)done, err);
	return err;
}

static errcode_t io_write64(io_channel channel, unsigned long long block,
			    int count, const void *data)
{
	struct channel_file *f = channel->private_data;
	size_t size, done;
	off_t offset;
	errcode_t err = locate(channel, block, count, &size, &offset);

	if (err)
		return err;
	__atomic_store_n(&f->unsynced, true, __ATOMIC_RELAXED);
	done = write_fully(f->fd, data, size, offset, &err);
	if (err && channel->write_error)
		err = channel->write_error(channel, (unsigned long)block, count,
					   data, size, (int)done, err);
	return err;
}

static errcode_t io_read(io_channel channel, unsigned long block, int count,
			 void *data)
{
	return io_read64(channel, block, count, data);
}

static errcode_t io_write(io_channel channel, unsigned long block, int count,
			  const void *data)
{
	return io_write64(channel, block, count, data);
}

static errcode_t io_write_byte(io_channel channel, unsigned long offset,
			       int count, const void *data)
{
	struct channel_file *f = channel->private_data;
	errcode_t err;

	if (count < 0 || offset > (unsigned long)LONG_MAX - (unsigned)count)
		return EXT2_ET_INVALID_ARGUMENT;
	__atomic_store_n(&f->unsynced, true, __ATOMIC_RELAXED);
	write_fully(f->fd, data, (size_t)count, (off_t)offset, &err);
	return err;
}

static errcode_t io_flush(io_channel channel)
{
	struct channel_file *f = channel->private_data;

	if (!__atomic_exchange_n(&f->unsynced, false, __ATOMIC_ACQ_REL))
		return 0;
	if (fsync(f->fd) == 0)
		return 0;
	/* What was not synced stays so, whatever the next fsync says. */
	__atomic_store_n(&f->unsynced, true, __ATOMIC_RELAXED);
	return errno;
}

static errcode_t io_set_option(io_channel channel, const char *option,
			       const char *arg)
{
	(void)channel;
	(void)arg;
	return strcmp(option, "cache") ? EXT2_ET_INVALID_ARGUMENT : 0;
}

static errcode_t io_get_stats(io_channel channel, io_stats *stats)
{
	(void)channel;
	if (stats)
		*stats = NULL;
	return EXT2_ET_UNIMPLEMENTED;
}

/* A wish: the kernel begins to read, and nobody waits. */
static errcode_t io_readahead(io_channel channel, unsigned long long block,
			      unsigned long long count)
{
	struct channel_file *f = channel->private_data;
	unsigned long long size = (unsigned)channel->block_size;

	if (block > INT64_MAX / size || count > INT64_MAX / size - block)
		return EXT2_ET_INVALID_ARGUMENT;
	return posix_fadvise(f->fd, (off_t)(block * size),
			     (off_t)(count * size), POSIX_FADV_WILLNEED);
}
