/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a path or "<inode>" to an inode number. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "debugfs.h"
#include "htree/walk.h"
#include "htree/verify.h"

#define MAX_LINKS 40	/* symbolic links on one path, as in Linux */

struct walk {
	struct debugfs *d;
	int links;		/* symbolic links followed so far */
};

struct inline_search {
	const uint8_t *name;
	size_t len;
	ext2_ino_t found;
};

static void inline_match(void *ctx, const struct htree_dirent *e, int dot)
{
	struct inline_search *s = ctx;

	if (!dot && !s->found && e->name_len == s->len &&
	    !memcmp(e->name, s->name, s->len))
		s->found = e->ino;
}

/* Directories in an inode are small: every entry is looked at. */
static errcode_t lookup_inline(struct e2dx_dir *dir, const uint8_t *name,
			       size_t len, ext2_ino_t *ino)
{
	struct htree_verify_ops ops = { .entry = inline_match };
	struct inline_search s = { name, len, 0 };
	struct htree_verify_result r;
	errcode_t err = htree_verify_inline(&dir->dir, dir->inline_parts,
					    dir->inline_lengths, &ops, &s, &r);

	if (err)
		return err;
	*ino = s.found;
	return s.found ? 0 : E2DX_ET_NOT_FOUND;
}

/*
 * Where the index does not lead to a name, every block is searched: a damaged
 * index hides from Linux what is there all the same.
 */
static errcode_t lookup_blocks(struct debugfs *d, struct e2dx_dir *dir,
			       const uint8_t *name, size_t len, ext2_ino_t *ino)
{
	struct htree_dir linear = dir->dir;
	uint8_t *buffer = malloc(dir->blocks.block_size);
	char text[DBG_NAME_TEXT];
	struct htree_dirent e;
	errcode_t err;

	if (!buffer)
		return ENOMEM;
	err = htree_lookup(&dir->dir, &dir->blocks, name, len, buffer, &e);
	if (err && dir->dir.indexed) {
		linear.indexed = false;
		err = htree_lookup(&linear, &dir->blocks, name, len, buffer,
				   &e);
		if (!err)
			cli_note(&d->cli, cli_quote(text, name, len),
				 "the index of directory inode %u does not lead to it",
				 dir->dir.ino);
	}
	if (!err)
		*ino = e.ino;
	free(buffer);
	return err;
}

static bool is_name(const uint8_t *name, size_t len, const char *what)
{
	return len == strlen(what) && !memcmp(name, what, len);
}

/* One step from directory *ino; ".." of the root is the root. */
static errcode_t step(struct debugfs *d, const uint8_t *name, size_t len,
		      ext2_ino_t *ino)
{
	struct e2dx_dir *dir;
	errcode_t err = e2dx_dir_open(d->efs, *ino, &dir);

	if (err)
		return err;
	if (is_name(name, len, "."))
		err = 0;
	else if (is_name(name, len, ".."))
		err = *ino == EXT2_ROOT_INO ? 0 : dirscan_parent(dir, ino);
	else if (dir->inline_data)
		err = lookup_inline(dir, name, len, ino);
	else
		err = lookup_blocks(d, dir, name, len, ino);
	e2dx_dir_close(dir);
	if (!err && (*ino < 1 || *ino > d->efs->fs->super->s_inodes_count))
		err = E2DX_ET_DAMAGED;
	return err;
}

errcode_t name_argument(const char *text, uint8_t name[DIRHASH_NAME_MAX],
			size_t *len)
{
	int n = cli_unquote(name, DIRHASH_NAME_MAX, text);

	if (n < 0) {
		n = (int)strnlen(text, DIRHASH_NAME_MAX + 1);
		if (n > DIRHASH_NAME_MAX)
			return E2DX_ET_NAME_LENGTH;
		memcpy(name, text, (size_t)n);
	}
	*len = (size_t)n;
	return 0;
}

/* One component: the targets of links are not quoted. */
static errcode_t component_name(const char *text, size_t len, bool quoted,
				uint8_t name[DIRHASH_NAME_MAX], size_t *name_len)
{
	char copy[DBG_NAME_TEXT];

	if (len >= sizeof(copy) || (!quoted && len > DIRHASH_NAME_MAX))
		return E2DX_ET_NAME_LENGTH;
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (quoted)
		return name_argument(copy, name, name_len);
	memcpy(name, text, len);
	*name_len = len;
	return 0;
}

static errcode_t walk_path(struct walk *w, const char *text, size_t len,
			   bool quoted, bool follow_last, ext2_ino_t *ino);

/* Where *ino is a symbolic link in directory `from`, go where it leads. */
static errcode_t follow(struct walk *w, ext2_ino_t from, ext2_ino_t *ino)
{
	struct ext2_inode_large inode;
	errcode_t err = e2dx_inode_read(w->d->efs, *ino, &inode);
	char *target;
	size_t len;

	if (err || !LINUX_S_ISLNK(inode.i_mode))
		return err;
	if (++w->links > MAX_LINKS)
		return ELOOP;
	/* The target is ciphertext. */
	if (inode.i_flags & EXT4_ENCRYPT_FL)
		return E2DX_ET_UNSUPPORTED;
	err = data_link_target(w->d, *ino, &inode, &target, &len);
	if (err)
		return err;
	*ino = from;
	err = walk_path(w, target, len, false, true, ino);
	free(target);
	return err;
}

/* Recursion is bounded: each level has followed a link more. */
static errcode_t walk_path(struct walk *w, const char *text, size_t len,
			   bool quoted, bool follow_last, ext2_ino_t *ino)
{
	size_t i = 0, start, name_len;
	uint8_t name[DIRHASH_NAME_MAX];
	errcode_t err;

	if (len && text[0] == '/')
		*ino = EXT2_ROOT_INO;
	while (i < len) {
		ext2_ino_t from = *ino;

		for (start = i; i < len && text[i] != '/'; i++)
			;
		err = component_name(text + start, i - start, quoted, name,
				     &name_len);
		/* A slash after it makes the last component one to follow. */
		bool last = i == len;

		while (i < len && text[i] == '/')
			i++;
		if (!err && !name_len)
			continue;
		if (!err)
			err = step(w->d, name, name_len, ino);
		if (!err && (!last || follow_last))
			err = follow(w, from, ino);
		if (err)
			return err;
	}
	return 0;
}

static bool parse_inode(const char *text, uint64_t *n)
{
	size_t len = strlen(text);
	char digits[32];

	if (len < 3 || len >= sizeof(digits) || text[0] != '<' ||
	    text[len - 1] != '>')
		return false;
	memcpy(digits, text + 1, len - 2);
	digits[len - 2] = '\0';
	return parse_number(digits, n);
}

errcode_t path_resolve(struct debugfs *d, const char *text, ext2_ino_t *ino)
{
	struct walk w = { .d = d };
	uint64_t n;

	if (parse_inode(text, &n)) {
		if (!n || n > d->efs->fs->super->s_inodes_count)
			return E2DX_ET_RANGE;
		*ino = (ext2_ino_t)n;
		return 0;
	}
	if (!*text)
		return E2DX_ET_NOT_FOUND;
	*ino = d->cwd;
	return walk_path(&w, text, strlen(text), true, false, ino);
}

int path_argument(struct debugfs *d, const char *text, ext2_ino_t *ino)
{
	errcode_t err = path_resolve(d, text, ino);

	if (err == E2DX_ET_RANGE)
		return dbg_fail(d, text, 0, "inode number out of range (1 to %u)",
				d->efs->fs->super->s_inodes_count);
	return err ? dbg_fail(d, text, err, "not found") : 0;
}

int directory_argument(struct debugfs *d, const char *text,
		       struct e2dx_dir **dir)
{
	ext2_ino_t ino;
	errcode_t err;

	if (path_argument(d, text, &ino))
		return 1;
	err = e2dx_dir_open(d->efs, ino, dir);
	return err ? dbg_fail(d, text, err, "cannot read") : 0;
}

int inode_argument(struct debugfs *d, const char *text, ext2_ino_t *ino,
		   struct ext2_inode_large *inode)
{
	errcode_t err;

	if (path_argument(d, text, ino))
		return 1;
	err = e2dx_inode_read(d->efs, *ino, inode);
	return err ? dbg_fail(d, text, err, "cannot read the inode") : 0;
}
