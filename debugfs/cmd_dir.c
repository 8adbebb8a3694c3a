/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ls, cd, pwd, dirsearch. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "debugfs.h"

struct listing {
	struct debugfs *d;
	const char *object;	/* as the user named the directory */
	const struct htree_dir *dir;
	bool parsable, details;	/* -p, -l */
	struct columns columns;
	int failed;
};

static void print_brief(struct listing *l, const struct htree_dirent *e,
			bool removed)
{
	char name[DBG_NAME_TEXT], item[DBG_NAME_TEXT + 40];

	snprintf(item, sizeof(item), "%c%u%c (%u) %s   ", removed ? '<' : ' ',
		 e->ino, removed ? '>' : ' ', e->rec_len,
		 entry_text(name, l->dir, e));
	columns_put(&l->columns, item);
}

static void format_date(char text[32], int64_t seconds)
{
	time_t t = (time_t)seconds;
	struct tm tm;

	if (!localtime_r(&t, &tm) ||
	    !strftime(text, 32, "%e-%b-%Y %H:%M", &tm))
		strcpy(text, "?");
}

static void print_details(const struct listing *l,
			  const struct htree_dirent *e, bool removed,
			  const struct ext2_inode_large *inode, uint64_t size)
{
	char name[DBG_NAME_TEXT], date[32] = "";

	if (!removed)
		format_date(date, inode_time(inode->i_mtime,
					     inode->i_mtime_extra));
	printf("%c%6u%c %6o (%u)  %5u  %5u   %5" PRIu64 " %17s %s\n",
	       removed ? '<' : ' ', removed ? 0 : e->ino,
	       removed ? '>' : ' ', inode->i_mode, e->file_type,
	       inode_uid(*inode), inode_gid(*inode), size, date,
	       entry_text(name, l->dir, e));
}

static void print_parsable(const struct listing *l,
			   const struct htree_dirent *e, bool removed,
			   const struct ext2_inode_large *inode, uint64_t size)
{
	char name[DBG_NAME_TEXT];

	printf("/%u/%06o/%u/%u/%s/", removed ? 0 : e->ino, inode->i_mode,
	       inode_uid(*inode), inode_gid(*inode),
	       entry_text(name, l->dir, e));
	if (LINUX_S_ISDIR(inode->i_mode))
		puts("/");
	else
		printf("%" PRIu64 "/\n", size);
}

static errcode_t list_entry(struct listing *l, const struct htree_dirent *e,
			    bool removed)
{
	struct ext2_inode_large inode = { 0 };
	char text[32];
	errcode_t err = 0;
	uint64_t size;

	if (!l->details && !l->parsable) {
		print_brief(l, e, removed);
		return 0;
	}
	/* A removed entry's inode is another file's now, if any. */
	if (!removed)
		err = e2dx_inode_read(l->d->efs, e->ino, &inode);
	if (err) {
		snprintf(text, sizeof(text), "<%u>", e->ino);
		l->failed = dbg_fail(l->d, text, err, "cannot read the inode");
	}
	size = data_size(l->d, &inode);
	if (l->parsable)
		print_parsable(l, e, removed, &inode, size);
	else
		print_details(l, e, removed, &inode, size);
	return 0;
}

static errcode_t list_used(void *ctx, const struct htree_dirent *e)
{
	return list_entry(ctx, e, false);
}

static errcode_t list_removed(void *ctx, const struct htree_dirent *e)
{
	return list_entry(ctx, e, true);
}

static errcode_t list_fault(void *ctx, uint32_t block, errcode_t err)
{
	struct listing *l = ctx;

	l->failed = dbg_fail(l->d, l->object, err, "block %u", block);
	return 0;
}

static int list_directory(struct listing *l, bool removed)
{
	struct dirscan_ops ops = { list_used, removed ? list_removed : NULL,
				   list_fault };
	struct e2dx_dir *dir;
	errcode_t err;

	if (directory_argument(l->d, l->object, &dir))
		return 1;
	l->dir = &dir->dir;
	err = dirscan(dir, &ops, l);
	columns_end(&l->columns);
	if (err && !l->failed)
		l->failed = dbg_fail(l->d, l->object, dir->map_damaged ?
				     E2DX_ET_MAP_DAMAGED : err,
				     "not all of it could be read");
	e2dx_dir_close(dir);
	return l->failed;
}

int command_ls(struct debugfs *d, int argc, char **argv)
{
	struct listing l = { .d = d, .object = "." };
	bool removed = false;
	int c;

	while ((c = getopt(argc, argv, "lpd")) >= 0) {
		switch (c) {
		case 'l': l.details = true; break;
		case 'p': l.parsable = true; break;
		case 'd': removed = true; break;
		default: return command_usage(d, argv);
		}
	}
	if (argc - optind > 1)
		return command_usage(d, argv);
	if (argc > optind)
		l.object = argv[optind];
	return list_directory(&l, removed);
}

int command_cd(struct debugfs *d, int argc, char **argv)
{
	struct e2dx_dir *dir;

	if (argc > 2)
		return command_usage(d, argv);
	if (argc == 1) {
		d->cwd = EXT2_ROOT_INO;
		return 0;
	}
	if (directory_argument(d, argv[1], &dir))
		return 1;
	d->cwd = dir->dir.ino;
	e2dx_dir_close(dir);
	return 0;
}

int command_pwd(struct debugfs *d, int argc, char **argv)
{
	char *path;

	if (argc != 1)
		return command_usage(d, argv);
	path = directory_path(d, d->cwd);
	printf("[pwd]   INODE: %6u  PATH: %s\n", d->cwd, path ? path : "?");
	printf("[root]  INODE: %6u  PATH: /\n", EXT2_ROOT_INO);
	if (!path)
		dbg_fail(d, argv[0], 0, "no path leads from the root to inode %u",
			 d->cwd);
	free(path);
	return path ? 0 : 1;
}

struct search {
	const struct e2dx_dir *dir;
	uint8_t name[DIRHASH_NAME_MAX];
	size_t len;
};

static errcode_t search_entry(void *ctx, const struct htree_dirent *e)
{
	struct search *s = ctx;

	if (e->name_len != s->len || memcmp(e->name, s->name, s->len))
		return 0;
	printf("Entry found at logical block %u, phys %" PRIu64
	       ", offset %u\noffset %u\n", e->block,
	       e2dx_dir_physical(s->dir, e->block), e->offset, e->offset);
	return EEXIST;
}

int command_dirsearch(struct debugfs *d, int argc, char **argv)
{
	struct dirscan_ops ops = { .entry = search_entry };
	struct e2dx_dir *dir;
	struct search s;
	errcode_t err;

	if (argc != 3)
		return command_usage(d, argv);
	err = name_argument(argv[2], s.name, &s.len);
	if (err)
		return dbg_fail(d, argv[2], err, "not a name");
	if (directory_argument(d, argv[1], &dir))
		return 1;
	s.dir = dir;
	err = dirscan(dir, &ops, &s);
	e2dx_dir_close(dir);
	if (err == EEXIST)
		return 0;
	return dbg_fail(d, argv[2], err ? err : E2DX_ET_NOT_FOUND,
			"not found in %s", argv[1]);
}
