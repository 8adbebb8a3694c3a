/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command table, and what is found by looking into it. */
#include <stdio.h>
#include <string.h>
#include "debugfs.h"

const struct debugfs_command debugfs_commands[] = {
	{ "open_filesys open", "[-w] [-c] [-n] [-b BLOCKSIZE] [-s SUPERBLOCK] DEVICE",
	  "open a filesystem", command_open, false },
	{ "close_filesys close", "", "close the filesystem",
	  command_close, false },
	{ "show_super_stats stats", "[-h]",
	  "show the superblock and, without -h, the groups",
	  command_show_super_stats, true },
	{ "features feature", "", "show the superblock's features",
	  command_features, true },
	{ "list_directory ls", "[-l] [-p] [-d] [PATH]",
	  "list a directory: -l long, -p for programs, -d deleted entries too",
	  command_ls, true },
	{ "change_working_directory cd", "[PATH]",
	  "change the working directory", command_cd, true },
	{ "print_working_directory pwd", "", "print the working directory",
	  command_pwd, true },
	{ "dirsearch", "DIR NAME", "search a directory for a name, block by block",
	  command_dirsearch, true },
	{ "dx_hash hash", "[-h ALG] [-s SEED] [-c] [-e ENCODING] [-d DIR] "
	  "[-k KEYFILE] NAME ...", "calculate the directory hash of names",
	  command_dx_hash, false },
	{ "htree_dump htree", "DIR", "dump a directory's index and its leaves",
	  command_htree_dump, true },
	{ "htree_check", "DIR", "check a directory and its index",
	  command_htree_check, true },
	{ "htree_stats", "[-j] DIR",
	  "figures of a directory and its index: -j as JSON",
	  command_htree_stats, true },
	{ "show_inode_info stat", "PATH", "show an inode", command_stat, true },
	{ "imap", "PATH", "where an inode lies on the device",
	  command_imap, true },
	{ "testi", "PATH", "is an inode marked as in use?",
	  command_testi, true },
	{ "ncheck", "INODE ...", "the paths of inodes", command_ncheck, true },
	{ "icheck", "BLOCK ...", "the inodes that use blocks",
	  command_icheck, true },
	{ "testb", "BLOCK [COUNT]", "is a block marked as in use?",
	  command_testb, true },
	{ "bmap", "PATH LOGICAL_BLOCK", "the block of the device for a block of a file",
	  command_bmap, true },
	{ "blocks", "PATH", "the blocks that an inode uses",
	  command_blocks, true },
	{ "cat", "PATH", "write a file's data to standard output",
	  command_cat, true },
	{ "dump_inode dump", "[-p] PATH FILE",
	  "write a file's data to FILE: -p with owner, mode and times",
	  command_dump, true },
	{ "write", "FILE PATH", "copy FILE into the filesystem (with -w)",
	  command_write, true },
	{ "mkdir", "PATH", "make a directory (with -w)", command_mkdir, true },
	{ "rmdir", "PATH", "remove an empty directory (with -w)",
	  command_rmdir, true },
	{ "rm", "PATH", "remove a name, and its inode with the last one (with -w)",
	  command_rm, true },
	{ "ln link", "PATH NEW_PATH",
	  "add a name; the link count stays (with -w)", command_ln, true },
	{ "unlink", "PATH", "remove a name; the link count stays (with -w)",
	  command_unlink, true },
	{ "kill_file", "PATH", "release an inode; its names stay (with -w)",
	  command_kill_file, true },
	{ "help", "[COMMAND]", "what commands there are, or how one is used",
	  command_help, false },
	{ "list_requests lr ?", "", "what commands there are",
	  command_list, false },
	{ "quit q", "", "leave debugfs", command_quit, false },
	{ NULL, NULL, NULL, NULL, false }
};

bool command_name(const struct debugfs_command *c, unsigned n, char buf[40])
{
	const char *s = c->names;
	size_t len;

	for (; n; n--) {
		s = strchr(s, ' ');
		if (!s)
			return false;
		s++;
	}
	len = strcspn(s, " ");
	if (len >= 40)
		return false;
	memcpy(buf, s, len);
	buf[len] = '\0';
	return true;
}

const struct debugfs_command *command_find(const char *name)
{
	const struct debugfs_command *c;
	char alias[40];
	unsigned n;

	for (c = debugfs_commands; c->run; c++)
		for (n = 0; command_name(c, n, alias); n++)
			if (!strcmp(alias, name))
				return c;
	return NULL;
}

int command_usage(struct debugfs *d, char **argv)
{
	const struct debugfs_command *c = command_find(argv[0]);

	return dbg_fail(d, argv[0], 0, "usage: %s %s", argv[0],
			c ? c->usage : "");
}
