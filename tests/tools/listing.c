/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * listing IMAGE: inode number and path of everything that can be reached from
 * the root, by libext2fs alone, so that it can judge this project's code.
 * Bytes outside printable ASCII as \xHH.  Exit status 1 for read errors.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ext2fs/ext2fs.h>

#define DEEPEST 64

struct lister {
	ext2_filsys fs;
	char path[DEEPEST * 1024];
	size_t len;
	int depth, errors;
};

static void add_name(struct lister *l, const unsigned char *name, unsigned n)
{
	l->path[l->len++] = '/';
	for (; n--; name++)
		if (*name > 0x20 && *name < 0x7f && *name != '\\')
			l->path[l->len++] = (char)*name;
		else
			l->len += (size_t)sprintf(l->path + l->len, "\\x%02x",
						  *name);
	l->path[l->len] = '\0';
}

static int is_dot(struct ext2_dir_entry *de)
{
	int n = ext2fs_dirent_name_len(de);

	return (n == 1 || n == 2) && de->name[0] == '.' &&
	       de->name[n - 1] == '.';
}

static int entry(ext2_ino_t dir, int kind, struct ext2_dir_entry *de,
		 int offset, int block_size, char *buf, void *ctx);

static void list(struct lister *l, ext2_ino_t ino)
{
	errcode_t err;

	if (++l->depth < DEEPEST) {
		err = ext2fs_dir_iterate2(l->fs, ino, 0, NULL, entry, l);
		if (err) {
			fprintf(stderr, "listing: %s: %s\n", l->path,
				error_message(err));
			l->errors++;
		}
	}
	l->depth--;
}

static int entry(ext2_ino_t dir, int kind, struct ext2_dir_entry *de,
		 int offset, int block_size, char *buf, void *ctx)
{
	struct lister *l = ctx;
	size_t before = l->len;

	(void)dir;
	(void)kind;	/* libext2fs does not tell dots in inline directories */
	(void)offset;
	(void)block_size;
	(void)buf;
	if (is_dot(de))
		return 0;
	add_name(l, (unsigned char *)de->name,
		 (unsigned)ext2fs_dirent_name_len(de));
	printf("%u\t%s\n", de->inode, l->path);
	if (!ext2fs_check_directory(l->fs, de->inode))
		list(l, de->inode);
	l->len = before;
	l->path[l->len] = '\0';
	return 0;
}

int main(int argc, char **argv)
{
	struct lister l = { 0 };
	errcode_t err;

	if (argc != 2)
		return 2;
	initialize_ext2_error_table();
	err = ext2fs_open(argv[1], EXT2_FLAG_64BITS |
			  EXT2_FLAG_IGNORE_CSUM_ERRORS, 0, 0, unix_io_manager,
			  &l.fs);
	if (err) {
		fprintf(stderr, "listing: %s: %s\n", argv[1],
			error_message(err));
		return 2;
	}
	list(&l, EXT2_ROOT_INO);
	ext2fs_close_free(&l.fs);
	return l.errors != 0;
}
