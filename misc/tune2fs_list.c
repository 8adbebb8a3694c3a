/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -l: the superblock, whatever state the filesystem is in.
 *
 * Only the superblock is read, and nothing of it is used for finding other
 * things, so damage elsewhere, unknown features or a dirty journal do not
 * matter.  libe2p prints the lines that scripts know; what it would stumble
 * over is taken out before, and what it does not know is put right after.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <e2p/e2p.h>
#include "ext2fs/supercheck.h"
#include "tune2fs.h"
#include "config.h"

#define SUPER_SIZE	1024	/* bytes, at SUPER_OFFSET of the device */
#define SUPER_OFFSET	1024
#define LOG_SIZE_MAX	6	/* blocks of 64 KiB */

static const char hash_line[] = "Default directory hash:";

static errcode_t read_super(const char *device, struct ext2_super_block *sb)
{
	int fd = open(device, O_RDONLY | O_CLOEXEC);
	ssize_t n;
	int err;

	if (fd < 0)
		return errno;
	n = pread(fd, sb, SUPER_SIZE, SUPER_OFFSET);
	err = n < 0 ? errno : 0;
	close(fd);
	if (err)
		return err;
	if (n != SUPER_SIZE ||
	    ext2fs_le16_to_cpu(sb->s_magic) != EXT2_SUPER_MAGIC)
		return E2DX_ET_NOT_EXT;
	return 0;
}

static void note_checksum(const struct tune *t,
			  const struct ext2_super_block *disk)
{
	if (!e2dx_super_csum_ok((const uint8_t *)disk))
		cli_note(&t->cli, t->device,
			 "the superblock has a wrong checksum; e2fsck repairs it");
}

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

/* libe2p shifts and divides by these. */
static void tame(const struct tune *t, struct ext2_super_block *sb)
{
	if (sb->s_log_block_size > LOG_SIZE_MAX) {
		cli_note(&t->cli, t->device,
			 "the block size is damaged (1024 << %u): figures that depend on it are wrong",
			 sb->s_log_block_size);
		sb->s_log_block_size = LOG_SIZE_MAX;
	}
	if (sb->s_log_cluster_size > 20) {
		cli_note(&t->cli, t->device,
			 "the cluster size is damaged (1024 << %u)",
			 sb->s_log_cluster_size);
		sb->s_log_cluster_size = sb->s_log_block_size;
	}
	if (sb->s_log_groups_per_flex > 31) {
		cli_note(&t->cli, t->device,
			 "the flex_bg size is damaged (1 << %u)",
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

/* Whole lines through cli_quote(), but for the tabs that libe2p puts there. */
static errcode_t print_quoted(char *line)
{
	char *quoted = malloc(4 * strlen(line) + 1);
	const char *between = "";

	if (!quoted)
		return ENOMEM;
	for (char *part; (part = strsep(&line, "\t")); between = "\t")
		printf("%s%s", between, cli_quote(quoted, part, strlen(part)));
	putchar('\n');
	free(quoted);
	return 0;
}

/* libe2p has no name for siphash. */
static errcode_t print_lines(char *text, int hash_version)
{
	errcode_t err = 0;

	for (char *line; !err && (line = strsep(&text, "\n")) && text; ) {
		if (!strncmp(line, hash_line, sizeof(hash_line) - 1))
			print_hash(hash_version);
		else
			err = print_quoted(line);
	}
	return err;
}

static errcode_t print_super(struct ext2_super_block *sb)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	errcode_t err;

	if (!f)
		return errno;
	list_super2(sb, f);
	err = fclose(f) ? errno : print_lines(text, sb->s_def_hash_version);
	free(text);
	return err;
}

bool tune_list(struct tune *t)
{
	struct e2dx_open_options o = {
		.ignore_csum = true, .journal_device = true
	};
	struct ext2_super_block sb;
	errcode_t err = read_super(t->device, &sb);

	if (err) {
		/* Fails likewise, and explains it. */
		t->efs = cli_open(&t->cli, t->device, &o);
		if (t->efs)
			cli_error(&t->cli, t->device, err,
				  "cannot read the superblock");
		return false;
	}
	note_checksum(t, &sb);
	if (ext2fs_cpu_to_le16(1) != 1)
		ext2fs_swap_super(&sb);
	tame_texts(&sb);
	tame(t, &sb);
	printf("%s %s (e2dx)\n", t->cli.program, VERSION);
	err = print_super(&sb);
	if (err)
		cli_error(&t->cli, t->device, err, "cannot list");
	return !err;
}
