/* SPDX-License-Identifier: GPL-2.0-or-later */
/* icheck: from blocks to the inodes that use them, in one pass. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include "debugfs.h"

struct wanted {
	uint64_t block;
	ext2_ino_t ino;		/* the first inode found; 0: none */
	int argument;		/* its place on the command line */
};

struct icheck {
	struct debugfs *d;
	struct wanted *v;	/* ascending by block */
	size_t n;
	ext2_ino_t ino;		/* whose map is walked */
	int failed;
};

static int by_block(const void *a, const void *b)
{
	uint64_t x = ((const struct wanted *)a)->block;
	uint64_t y = ((const struct wanted *)b)->block;

	return (x > y) - (x < y);
}

static int by_argument(const void *a, const void *b)
{
	return ((const struct wanted *)a)->argument -
	       ((const struct wanted *)b)->argument;
}

static errcode_t match_run(void *ctx, const struct e2dx_run *run)
{
	struct icheck *c = ctx;
	size_t low = 0, high = c->n;

	/* The first wanted block that is not before the run. */
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (c->v[mid].block < run->physical)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < c->n && c->v[low].block - run->physical < run->count; low++)
		if (!c->v[low].ino)
			c->v[low].ino = c->ino;
	return 0;
}

static errcode_t check_inode(void *ctx, ext2_ino_t ino,
			     const struct ext2_inode_large *inode)
{
	struct icheck *c = ctx;
	struct e2dx_run xattrs = { .count = 1 };
	errcode_t err;
	char text[32];

	c->ino = ino;
	xattrs.physical = ext2fs_file_acl_block(c->d->efs->fs,
						(const struct ext2_inode *)inode);
	if (xattrs.physical)
		match_run(c, &xattrs);
	err = e2dx_map_walk(c->d->efs, ino, inode, match_run, c);
	if (err) {
		snprintf(text, sizeof(text), "<%u>", ino);
		c->failed = dbg_fail(c->d, text, err,
				     "cannot follow all of its block map");
	}
	return 0;
}

static void unreadable(void *ctx, ext2_ino_t ino, errcode_t err)
{
	struct icheck *c = ctx;

	if (!c->failed)
		c->failed = dbg_fail(c->d, "icheck", err,
				     "cannot read inode %u (others may follow)",
				     ino);
}

static int parse_blocks(struct icheck *c, int argc, char **argv)
{
	for (int i = 1; i < argc; i++, c->n++) {
		c->v[c->n].argument = i;
		if (!parse_number(argv[i], &c->v[c->n].block))
			return dbg_fail(c->d, argv[0], 0,
					"not a block number: %s", argv[i]);
	}
	qsort(c->v, c->n, sizeof(*c->v), by_block);
	return 0;
}

static void print_result(struct icheck *c)
{
	qsort(c->v, c->n, sizeof(*c->v), by_argument);
	puts("Block\tInode number");
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].ino)
			printf("%" PRIu64 "\t%u\n", c->v[i].block, c->v[i].ino);
		else
			printf("%" PRIu64 "\t<block not found>\n",
			       c->v[i].block);
}

int command_icheck(struct debugfs *d, int argc, char **argv)
{
	struct icheck c = { .d = d };

	if (argc < 2)
		return command_usage(d, argv);
	c.v = calloc((size_t)argc, sizeof(*c.v));
	if (!c.v)
		return dbg_fail(d, argv[0], ENOMEM, "cannot start");
	c.failed = parse_blocks(&c, argc, argv);
	if (!c.failed) {
		inode_scan(d, check_inode, unreadable, &c);
		print_result(&c);
	}
	free(c.v);
	return c.failed;
}
