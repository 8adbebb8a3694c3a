/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write, mkdir, rmdir. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "debugfs.h"
#include "ext2fs/create.h"
#include "ext2fs/links.h"
#include "htree/dirent.h"

/* A new name must not be there; says so where it is. */
static int is_new(struct debugfs *d, const struct place *p)
{
	ext2_ino_t ino;
	errcode_t err = path_resolve(d, p->text, &ino);

	if (err == E2DX_ET_NOT_FOUND)
		return 0;
	return dbg_fail(d, p->text, err ? err : EEXIST, "cannot make it");
}

/* Name a new inode, or drop it again. */
static int name_it(struct debugfs *d, const struct place *p, ext2_ino_t ino,
		   int type)
{
	errcode_t err;

	if (!name_add(d, p, ino, type))
		return 0;
	err = e2dx_delete(d->writer, ino);
	if (err)
		dbg_fail(d, p->text, err, "cannot release inode %u", ino);
	return 1;
}

/* ---- write */

static errcode_t read_all(void *ctx, void *buf, size_t len)
{
	int fd = *(int *)ctx;
	char *at = buf;

	while (len) {
		ssize_t n = read(fd, at, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		/* It became shorter: the rest is zeroes. */
		if (!n)
			return 0;
		at += n;
		len -= (size_t)n;
	}
	return 0;
}

static int write_file(struct debugfs *d, const char *native, int fd,
		      const struct place *p)
{
	struct e2dx_new n = {
		.links = 1, .mtime = time(NULL), .data = read_all, .ctx = &fd
	};
	struct stat st;
	ext2_ino_t ino;
	errcode_t err;

	if (fstat(fd, &st))
		return dbg_fail(d, native, errno, "cannot read it");
	if (!S_ISREG(st.st_mode))
		return dbg_fail(d, native, 0, "not a regular file");
	n.mode = (uint16_t)(LINUX_S_IFREG | (st.st_mode & 07777));
	n.size = (uint64_t)st.st_size;
	if (is_new(d, p) || writing_begin(d))
		return 1;
	err = e2dx_create(d->writer, p->dir, &n, &ino);
	if (err)
		return dbg_fail(d, p->text, err, "cannot write the file");
	printf("Allocated inode: %u\n", ino);
	return name_it(d, p, ino, EXT2_FT_REG_FILE);
}

int command_write(struct debugfs *d, int argc, char **argv)
{
	struct place p;
	int fd, failed;

	if (argc != 3)
		return command_usage(d, argv);
	if (place_argument(d, argv[2], &p))
		return 1;
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return dbg_fail(d, argv[1], errno, "cannot open it");
	failed = write_file(d, argv[1], fd, &p);
	close(fd);
	return failed;
}

/* ---- mkdir, rmdir */

static int set_parent_links(struct debugfs *d, const struct place *p,
			    uint32_t links)
{
	errcode_t err = e2dx_set_links(d->writer, p->dir, links);

	return err ? dbg_fail(d, p->text, err, "cannot set the link count of "
			      "directory inode %u", p->dir) : 0;
}

int command_mkdir(struct debugfs *d, int argc, char **argv)
{
	struct e2dx_new n = {
		.mode = LINUX_S_IFDIR | 0755, .links = 2, .mtime = time(NULL)
	};
	struct ext2_inode_large parent;
	struct place p;
	uint32_t links;
	ext2_ino_t ino;
	errcode_t err;

	if (argc != 2)
		return command_usage(d, argv);
	if (place_argument(d, argv[1], &p) || is_new(d, &p) ||
	    writing_begin(d))
		return 1;
	err = e2dx_inode_read(d->efs, p.dir, &parent);
	links = err ? 0 : parent.i_links_count;
	if (!err)
		err = e2dx_links_add(d->efs->fs->super, &links);
	if (!err)
		err = e2dx_create_dir(d->writer, p.dir, &n, &ino);
	if (err)
		return dbg_fail(d, argv[1], err, "cannot make the directory");
	printf("Allocated inode: %u\n", ino);
	if (name_it(d, &p, ino, EXT2_FT_DIR))
		return 1;
	return set_parent_links(d, &p, links);
}

static errcode_t not_a_dot(void *ctx, const struct htree_dirent *e)
{
	(void)ctx;
	return htree_dirent_dot(e) ? 0 : ENOTEMPTY;
}

static errcode_t check_empty(struct debugfs *d, ext2_ino_t ino)
{
	struct dirscan_ops ops = { .entry = not_a_dot };
	struct e2dx_dir *dir;
	errcode_t err = e2dx_dir_open(d->efs, ino, &dir);

	if (err)
		return err;
	err = dirscan(dir, &ops, NULL);
	e2dx_dir_close(dir);
	return err;
}

int command_rmdir(struct debugfs *d, int argc, char **argv)
{
	struct ext2_inode_large parent;
	struct place p;
	uint32_t links;
	ext2_ino_t ino;
	errcode_t err;

	if (argc != 2)
		return command_usage(d, argv);
	if (place_argument(d, argv[1], &p) || path_argument(d, argv[1], &ino))
		return 1;
	err = check_empty(d, ino);
	if (!err)
		err = e2dx_inode_read(d->efs, p.dir, &parent);
	if (err)
		return dbg_fail(d, argv[1], err, "cannot remove the directory");
	if (writing_begin(d) || name_remove(d, &p))
		return 1;
	links = parent.i_links_count;
	e2dx_links_subtract(&links);
	err = e2dx_delete(d->writer, ino);
	if (err)
		return dbg_fail(d, argv[1], err, "the name is gone, but inode %u "
				"cannot be released", ino);
	return set_parent_links(d, &p, links);
}
