/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What debugfs' files share: its state, the command table, paths, messages. */
#ifndef DEBUGFS_H
#define DEBUGFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cli/cli.h"
#include "ext2fs/inode.h"
#include "ext2fs/map.h"
#include "ext2fs/replace.h"
#include "htree/dirent.h"
#include "htree/entry.h"

/* Bytes for the quoted form of a directory entry's name. */
#define DBG_NAME_TEXT (4 * DIRHASH_NAME_MAX + 1)

struct debugfs {
	struct cli cli;
	struct e2dx_fs *efs;	/* NULL: none is open */
	char *device;		/* its name; owned */
	ext2_ino_t cwd;		/* where relative paths start */
	bool quit;		/* the quit command was given */
	/* From the first request that writes on; NULL before. */
	struct e2dx_survey *survey;
	struct e2dx_replacer *writer;
};

/* ---- commands (table.c) */

struct debugfs_command {
	const char *names;	/* the name and its aliases, space-separated */
	const char *usage;	/* the arguments, for help and usage messages */
	const char *help;	/* one line */
	/* Returns 0, or 1 where it failed (a message was given). */
	int (*run)(struct debugfs *d, int argc, char **argv);
	bool needs_open;
};

extern const struct debugfs_command debugfs_commands[];	/* run NULL: end */

/* The command that has this name; NULL for none. */
const struct debugfs_command *command_find(const char *name);

/* Name number n (0 is the main one) of a command into buf; false past it. */
bool command_name(const struct debugfs_command *c, unsigned n, char buf[40]);

/* Give the usage of the command that argv belongs to; returns 1. */
int command_usage(struct debugfs *d, char **argv);

/* ---- running requests (request.c) */

/* One line: split, look up, run.  Empty lines are fine.  Returns 0 or 1. */
int request_run(struct debugfs *d, const char *line);

/* Every line of a file ("-": standard input), echoed as it is run. */
int request_run_file(struct debugfs *d, const char *file);

/* Lines from a person at a terminal (interactive.c). */
int interactive_run(struct debugfs *d);

/* `debugfs: object: format: why` after what stdout holds; returns 1. */
int dbg_fail(struct debugfs *d, const char *object, errcode_t err,
	     const char *format, ...) __attribute__((format(printf, 4, 5)));

/*
 * Split a line at white space; double quotes keep it, and "" inside quotes
 * is a quote.  One allocation, NULL-terminated; free(*argv) frees all.
 * Returns argc, or -1 for unbalanced quotes or no memory (*argv NULL).
 */
int split_line(const char *line, char ***argv);

/* A decimal, hexadecimal or octal number, and nothing after it. */
bool parse_number(const char *text, uint64_t *value);

/* ---- filesystem objects */

/* Open a filesystem into d; d->efs is NULL before. (cmd_fs.c) */
int filesystem_open(struct debugfs *d, const char *device,
		    const struct e2dx_open_options *o);
/* Finish writing, close; returns 0, or 1 with a message. */
int filesystem_close(struct debugfs *d);

/*
 * The inode of `text`: "<N>", or a path with names as cli_quote() prints
 * them.  Symbolic links on the way are followed; the last one only where a
 * slash ends the path.  (path.c)
 */
errcode_t path_resolve(struct debugfs *d, const char *text, ext2_ino_t *ino);

/* path_resolve() with a message; returns 0 or 1. */
int path_argument(struct debugfs *d, const char *text, ext2_ino_t *ino);

/*
 * A name's bytes from its text: as cli_quote() shows names, or, where that
 * does not parse (a lone backslash), as it stands.
 */
errcode_t name_argument(const char *text, uint8_t name[DIRHASH_NAME_MAX],
			size_t *len);

/* path_argument() and opening the directory there; closed by the caller. */
int directory_argument(struct debugfs *d, const char *text,
		       struct e2dx_dir **dir);

/* path_argument() and reading the inode there. */
int inode_argument(struct debugfs *d, const char *text, ext2_ino_t *ino,
		   struct ext2_inode_large *inode);

/* ---- writing (change.c) */

/*
 * Be ready to write: read all metadata, unless that was done.  Refuses, with
 * a message, where a block's owner is in doubt.  Returns 0 or 1.
 */
int writing_begin(struct debugfs *d);

/* Write counts and state; with a message.  Returns 0 or 1. */
int writing_end(struct debugfs *d);

/* Where a name stands or is to stand. */
struct place {
	const char *text;	/* as the user has it; not owned */
	ext2_ino_t dir;
	uint8_t name[DIRHASH_NAME_MAX];
	size_t len;
};

/* A path's last name and the directory before it; returns 0 or 1. */
int place_argument(struct debugfs *d, const char *text, struct place *p);

/*
 * Add or remove a name, between writing_begin() and the end; the inode's link
 * count is the caller's.  Synced.  Returns 0, or 1 with a message.
 */
int name_add(struct debugfs *d, const struct place *p, ext2_ino_t ino,
	     int type);
int name_remove(struct debugfs *d, const struct place *p);

/* ---- entries of a directory in the order of their blocks (dirscan.c) */

/* All but `entry` may be NULL; what they return other than 0 ends the scan. */
struct dirscan_ops {
	/* Each used entry, "." and ".." too, of damaged blocks as well. */
	errcode_t (*entry)(void *ctx, const struct htree_dirent *e);
	/* What looks like a removed entry; its inode may be 0. */
	errcode_t (*removed)(void *ctx, const struct htree_dirent *e);
	/* A block, or a part of one, that is damaged or cannot be read. */
	errcode_t (*fault)(void *ctx, uint32_t block, errcode_t err);
};

/* E2DX_ET_DAMAGED at the end where there were faults. */
errcode_t dirscan(struct e2dx_dir *dir, const struct dirscan_ops *ops,
		  void *ctx);

/*
 * The path of a directory from the root, quoted; the caller frees it.
 * NULL where none can be found (damage, no memory).  (dirpath.c)
 */
char *directory_path(struct debugfs *d, ext2_ino_t ino);

/* The inode that ".." names. */
errcode_t dirscan_parent(struct e2dx_dir *dir, ext2_ino_t *parent);

/* ---- an inode's data (data.c) */

struct data_map {
	struct e2dx_run *runs;	/* in the order of the map; owned */
	size_t n;
	bool damaged;		/* part of the map could not be followed */
};

errcode_t data_map_read(struct debugfs *d, ext2_ino_t ino,
			const struct ext2_inode_large *inode,
			struct data_map *map);
void data_map_free(struct data_map *map);

/* Bytes of the inode's data: i_size, both halves. */
uint64_t data_size(const struct debugfs *d,
		   const struct ext2_inode_large *inode);

/*
 * Give an inode's data to `write` in order; holes as (NULL, length).
 * E2DX_ET_MAP_DAMAGED after what can be read.
 */
errcode_t data_read(struct debugfs *d, ext2_ino_t ino,
		    const struct ext2_inode_large *inode,
		    errcode_t (*write)(void *ctx, const void *buf, size_t len),
		    errcode_t (*hole)(void *ctx, uint64_t len), void *ctx);

/* A symbolic link's target, terminated; *target is the caller's to free. */
errcode_t data_link_target(struct debugfs *d, ext2_ino_t ino,
			   const struct ext2_inode_large *inode,
			   char **target, size_t *len);

/* ---- printing (print.c) */

/* Items beside each other, up to 80 columns a line. */
struct columns {
	int used;
};
void columns_put(struct columns *c, const char *item);
void columns_end(struct columns *c);

/*
 * The name of an entry of `dir`, quoted, into text (DBG_NAME_TEXT bytes); a
 * slash is quoted too, and in encrypted directories all that is not a letter,
 * a digit or one of "._-".  Returns text.
 */
char *entry_text(char *text, const struct htree_dir *dir,
		 const struct htree_dirent *e);

/* Seconds since 1970 of a timestamp and its extra field (0: has none). */
int64_t inode_time(uint32_t seconds, uint32_t extra);

/* ---- all inodes in use (inode.c) */

/*
 * Call `each` for each inode whose link count is not 0, leaving out those
 * that the descriptors exclude; non-zero stops with that value.  Inodes that
 * cannot be read are given to `unreadable` (may be NULL).
 */
errcode_t inode_scan(struct debugfs *d,
		     errcode_t (*each)(void *ctx, ext2_ino_t ino,
				       const struct ext2_inode_large *inode),
		     void (*unreadable)(void *ctx, ext2_ino_t ino,
					errcode_t err),
		     void *ctx);

/* ---- the commands, by family */

#define DEBUGFS_COMMAND(name) \
	int command_##name(struct debugfs *d, int argc, char **argv)

DEBUGFS_COMMAND(open);			/* cmd_fs.c */
DEBUGFS_COMMAND(close);
DEBUGFS_COMMAND(help);
DEBUGFS_COMMAND(list);
DEBUGFS_COMMAND(quit);
DEBUGFS_COMMAND(ls);			/* cmd_dir.c */
DEBUGFS_COMMAND(cd);
DEBUGFS_COMMAND(pwd);
DEBUGFS_COMMAND(dirsearch);
DEBUGFS_COMMAND(htree_dump);		/* cmd_htree.c */
DEBUGFS_COMMAND(htree_check);
DEBUGFS_COMMAND(htree_stats);		/* cmd_stats.c */
DEBUGFS_COMMAND(dx_hash);		/* cmd_hash.c */
DEBUGFS_COMMAND(stat);			/* cmd_stat.c */
DEBUGFS_COMMAND(imap);			/* cmd_inode.c */
DEBUGFS_COMMAND(testi);
DEBUGFS_COMMAND(ncheck);		/* cmd_ncheck.c */
DEBUGFS_COMMAND(testb);			/* cmd_block.c */
DEBUGFS_COMMAND(icheck);
DEBUGFS_COMMAND(bmap);
DEBUGFS_COMMAND(blocks);
DEBUGFS_COMMAND(cat);			/* cmd_data.c */
DEBUGFS_COMMAND(dump);
DEBUGFS_COMMAND(ln);			/* cmd_link.c */
DEBUGFS_COMMAND(unlink);
DEBUGFS_COMMAND(rm);
DEBUGFS_COMMAND(kill_file);
DEBUGFS_COMMAND(write);			/* cmd_create.c */
DEBUGFS_COMMAND(mkdir);
DEBUGFS_COMMAND(rmdir);
DEBUGFS_COMMAND(show_super_stats);	/* cmd_super.c */
DEBUGFS_COMMAND(features);

#endif
