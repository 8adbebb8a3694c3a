/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A superblock for people.  libe2p prints the lines that scripts know; what
 * it would stumble over is taken out before, and what it does not know is put
 * right after.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <e2p/e2p.h>
#include "cli/cli.h"

#define LOG_BLOCK_MAX	6	/* blocks of 64 KiB */
#define LOG_CLUSTER_MAX	20
#define LOG_FLEX_MAX	31

static const char hash_line[] = "Default directory hash:";

/* A text must not look like further lines. */
static void one_line(void *text, size_t size)
{
	char *p = text;

	for (size_t i = 0; i < size; i++)
		if (p[i] == '\n' || p[i] == '\t')
			p[i] = '?';
}

static void tame_texts(struct ext2_super_block *sb)
{
	one_line(sb->s_volume_name, sizeof(sb->s_volume_name));
	one_line(sb->s_last_mounted, sizeof(sb->s_last_mounted));
	one_line(sb->s_mount_opts, sizeof(sb->s_mount_opts));
	one_line(sb->s_first_error_func, sizeof(sb->s_first_error_func));
	one_line(sb->s_last_error_func, sizeof(sb->s_last_error_func));
}

/* libe2p shifts by these. */
static void tame(const struct cli *c, const char *device,
		 struct ext2_super_block *sb)
{
	if (sb->s_log_block_size > LOG_BLOCK_MAX) {
		cli_note(c, device,
			 "the block size is damaged (1024 << %u): figures that depend on it are wrong",
			 sb->s_log_block_size);
		sb->s_log_block_size = LOG_BLOCK_MAX;
	}
	if (sb->s_log_cluster_size > LOG_CLUSTER_MAX) {
		cli_note(c, device, "the cluster size is damaged (1024 << %u)",
			 sb->s_log_cluster_size);
		sb->s_log_cluster_size = sb->s_log_block_size;
	}
	if (sb->s_log_groups_per_flex > LOG_FLEX_MAX) {
		cli_note(c, device, "the flex_bg size is damaged (1 << %u)",
			 sb->s_log_groups_per_flex);
		sb->s_log_groups_per_flex = 0;
	}
}

static void print_hash(int version)
{
	const char *name = dirhash_on_disk(version) ?
			   dirhash_version_name(version) : NULL;

	if (name)
		printf("%-25s %s\n", hash_line, name);
	else
		printf("%-25s unknown (%d)\n", hash_line, version);
}

/* What stands between libe2p's own tabs may come from the device. */
static errcode_t print_line(char *line)
{
	char *quoted = malloc(4 * strlen(line) + 1);
	const char *part = strsep(&line, "\t");

	if (!quoted)
		return ENOMEM;
	fputs(cli_quote(quoted, part, strlen(part)), stdout);
	while ((part = strsep(&line, "\t")))
		printf("\t%s", cli_quote(quoted, part, strlen(part)));
	putchar('\n');
	free(quoted);
	return 0;
}

static errcode_t print_lines(char *text, int version)
{
	errcode_t err = 0;

	for (char *line; !err && (line = strsep(&text, "\n")) && text; )
		if (strncmp(line, hash_line, sizeof(hash_line) - 1))
			err = print_line(line);
		else
			print_hash(version);
	return err;
}

errcode_t cli_show_super(const struct cli *c, const char *device,
			 const struct ext2_super_block *super)
{
	struct ext2_super_block sb = *super;
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	errcode_t err;

	if (!f)
		return errno;
	tame(c, device, &sb);
	tame_texts(&sb);
	list_super2(&sb, f);
	err = fclose(f) ? errno : print_lines(text, sb.s_def_hash_version);
	free(text);
	return err;
}
