/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ncheck: from inodes to paths.  Every directory is read once: those that
 * the root leads to first, then the ones that nothing leads to, whose paths
 * begin with "<N>".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "debugfs.h"
#include "htree/dirent.h"

#define MAX_DEPTH 2048	/* components of a path that are shown */

/* A directory that was come upon, with the entry that led to it. */
struct found_dir {
	ext2_ino_t ino;
	uint32_t parent;	/* index of the parent; its own: a start */
	size_t name;		/* offset into names, terminated */
};

struct ncheck {
	struct debugfs *d;
	uint8_t *seen;		/* bit per inode: is in dirs */
	uint8_t *wanted;	/* bit per inode */
	uint8_t *met;		/* bit per inode: a path was shown */
	struct found_dir *dirs;	/* in the order in which they are read */
	size_t n, room;
	char *names;
	size_t names_len, names_room;
	size_t current;		/* the directory that is being read */
	const struct htree_dir *dir;	/* the same */
	int failed;
};

static bool test_bit(const uint8_t *bits, ext2_ino_t ino)
{
	return bits[ino / 8] >> (ino % 8) & 1;
}

static void set_bit(uint8_t *bits, ext2_ino_t ino)
{
	bits[ino / 8] |= (uint8_t)(1 << (ino % 8));
}

static void *grown(void *v, size_t *room, size_t needed, size_t size)
{
	size_t n = *room ? *room : 64;

	while (n < needed)
		n *= 2;
	v = n == *room ? v : realloc(v, n * size);
	if (v)
		*room = n;
	return v;
}

static errcode_t add_dir(struct ncheck *c, ext2_ino_t ino, size_t parent,
			 const char *name)
{
	size_t len = strlen(name) + 1;
	struct found_dir *dirs = grown(c->dirs, &c->room, c->n + 1,
				       sizeof(*dirs));
	char *names;

	if (!dirs)
		return ENOMEM;
	c->dirs = dirs;
	names = grown(c->names, &c->names_room, c->names_len + len, 1);
	if (!names)
		return ENOMEM;
	c->names = names;
	memcpy(names + c->names_len, name, len);
	dirs[c->n++] = (struct found_dir){ ino, (uint32_t)parent, c->names_len };
	c->names_len += len;
	set_bit(c->seen, ino);
	return 0;
}

static void print_path(const struct ncheck *c, ext2_ino_t ino, size_t dir,
		       const char *name)
{
	size_t chain[MAX_DEPTH], n = 0;

	while (c->dirs[dir].parent != dir && n < MAX_DEPTH) {
		chain[n++] = c->dirs[dir].name;
		dir = c->dirs[dir].parent;
	}
	printf("%u\t%s", ino, n == MAX_DEPTH ? "..." :
	       c->names + c->dirs[dir].name);
	while (n)
		printf("/%s", c->names + chain[--n]);
	printf("/%s\n", name);
}

/* Is this entry one for a directory that was not come upon before? */
static bool is_new_dir(struct ncheck *c, const struct htree_dirent *e)
{
	struct ext2_inode_large inode;

	/* Without the filetype feature only the inode knows. */
	if (test_bit(c->seen, e->ino) ||
	    (e->file_type && e->file_type != EXT2_FT_DIR))
		return false;
	return !e2dx_inode_read(c->d->efs, e->ino, &inode) &&
	       LINUX_S_ISDIR(inode.i_mode);
}

static errcode_t take_entry(void *ctx, const struct htree_dirent *e)
{
	struct ncheck *c = ctx;
	char name[DBG_NAME_TEXT];
	bool wanted, new_dir;

	if (htree_dirent_dot(e) || e->ino > c->d->efs->fs->super->s_inodes_count)
		return 0;
	wanted = test_bit(c->wanted, e->ino);
	new_dir = is_new_dir(c, e);
	if (wanted || new_dir)
		entry_text(name, c->dir, e);
	if (wanted) {
		set_bit(c->met, e->ino);
		print_path(c, e->ino, c->current, name);
	}
	return new_dir ? add_dir(c, e->ino, c->current, name) : 0;
}

static errcode_t read_dirs(struct ncheck *c)
{
	struct dirscan_ops ops = { .entry = take_entry };
	struct e2dx_dir *dir;
	errcode_t err;
	char text[32];

	for (; c->current < c->n; c->current++) {
		ext2_ino_t ino = c->dirs[c->current].ino;

		err = e2dx_dir_open(c->d->efs, ino, &dir);
		if (!err) {
			c->dir = &dir->dir;
			err = dirscan(dir, &ops, c);
			e2dx_dir_close(dir);
		}
		if (err == ENOMEM)
			return err;
		if (err) {
			snprintf(text, sizeof(text), "<%u>", ino);
			c->failed = dbg_fail(c->d, text, err,
					     "not all of it could be read");
		}
	}
	return 0;
}

static errcode_t take_lost_dir(void *ctx, ext2_ino_t ino,
			       const struct ext2_inode_large *inode)
{
	struct ncheck *c = ctx;
	char text[32];
	errcode_t err;

	if (!LINUX_S_ISDIR(inode->i_mode) || test_bit(c->seen, ino))
		return 0;
	snprintf(text, sizeof(text), "<%u>", ino);
	err = add_dir(c, ino, c->n, text);
	return err ? err : read_dirs(c);
}

static bool all_met(const struct ncheck *c, size_t bytes)
{
	return !memcmp(c->wanted, c->met, bytes);
}

static errcode_t read_all(struct ncheck *c, size_t bytes)
{
	errcode_t err = add_dir(c, EXT2_ROOT_INO, 0, "");

	if (test_bit(c->wanted, EXT2_ROOT_INO)) {
		set_bit(c->met, EXT2_ROOT_INO);
		printf("%u\t/\n", EXT2_ROOT_INO);
	}
	if (!err)
		err = read_dirs(c);
	if (!err && !all_met(c, bytes))
		err = inode_scan(c->d, take_lost_dir, NULL, c);
	return err;
}

static int parse_inodes(struct ncheck *c, int argc, char **argv)
{
	uint64_t n;

	for (int i = 1; i < argc; i++) {
		if (!parse_number(argv[i], &n) || !n ||
		    n > c->d->efs->fs->super->s_inodes_count)
			return dbg_fail(c->d, argv[0], 0,
					"not an inode number: %s", argv[i]);
		set_bit(c->wanted, (ext2_ino_t)n);
	}
	return 0;
}

/* Inode numbers without a path: each argument once. */
static void report_unmet(struct ncheck *c, int argc, char **argv)
{
	uint64_t n;

	for (int i = 1; i < argc; i++)
		if (parse_number(argv[i], &n) &&
		    !test_bit(c->met, (ext2_ino_t)n)) {
			set_bit(c->met, (ext2_ino_t)n);
			c->failed = dbg_fail(c->d, argv[0], 0,
					     "no path to inode %s", argv[i]);
		}
}

static int run(struct ncheck *c, size_t bytes, int argc, char **argv)
{
	errcode_t err;

	if (parse_inodes(c, argc, argv))
		return 1;
	puts("Inode\tPathname");
	err = read_all(c, bytes);
	if (err)
		return dbg_fail(c->d, argv[0], err, "ended early");
	report_unmet(c, argc, argv);
	return c->failed;
}

int command_ncheck(struct debugfs *d, int argc, char **argv)
{
	struct ncheck c = { .d = d };
	size_t bytes = d->efs->fs->super->s_inodes_count / 8 + 1;
	int status;

	if (argc < 2)
		return command_usage(d, argv);
	c.seen = calloc(3, bytes);
	if (!c.seen)
		return dbg_fail(d, argv[0], ENOMEM, "cannot start");
	c.wanted = c.seen + bytes;
	c.met = c.wanted + bytes;
	status = run(&c, bytes, argc, argv);
	free(c.seen);
	free(c.dirs);
	free(c.names);
	return status;
}
