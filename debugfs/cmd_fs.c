/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open, close, help, list_requests, quit. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "debugfs.h"

int filesystem_open(struct debugfs *d, const char *device,
		    const struct e2dx_open_options *options)
{
	struct e2dx_open_options o = *options;

	if (o.catastrophic && o.writable) {
		cli_note(&d->cli, device, "-c opens for reading only");
		o.writable = false;
	}
	d->device = cli_device(&d->cli, device);
	if (!d->device)
		return 1;
	d->efs = cli_open(&d->cli, d->device, &o);
	if (d->efs && (!o.writable || cli_may_write(&d->cli, d->efs))) {
		d->cwd = EXT2_ROOT_INO;
		return 0;
	}
	filesystem_close(d);
	return 1;
}

int filesystem_close(struct debugfs *d)
{
	int failed = writing_end(d);
	errcode_t err = e2dx_close(d->efs);

	if (err)
		failed = dbg_fail(d, d->device, err, "cannot close");
	d->efs = NULL;
	free(d->device);
	d->device = NULL;
	return failed;
}

static bool open_option(struct e2dx_open_options *o, int c)
{
	uint64_t n = 0;

	switch (c) {
	case 'w': o->writable = true; return true;
	case 'c': o->catastrophic = true; return true;
	case 'n': o->ignore_csum = true; return true;
	case 'b':
		if (!parse_number(optarg, &n) || !n || n > 65536)
			return false;
		o->block_size = (unsigned)n;
		return true;
	case 's':
		if (!parse_number(optarg, &n) || !n)
			return false;
		o->superblock = n;
		return true;
	default: return false;
	}
}

int command_open(struct debugfs *d, int argc, char **argv)
{
	struct e2dx_open_options o = { 0 };
	int c;

	while ((c = getopt(argc, argv, "wcnb:s:")) >= 0)
		if (!open_option(&o, c))
			return command_usage(d, argv);
	if (argc - optind != 1 || (o.superblock && !o.block_size))
		return command_usage(d, argv);
	if (d->efs)
		return dbg_fail(d, argv[0], 0, "%s is open; close it first",
				d->device);
	return filesystem_open(d, argv[optind], &o);
}

int command_close(struct debugfs *d, int argc, char **argv)
{
	if (argc != 1)
		return command_usage(d, argv);
	if (!d->efs)
		return dbg_fail(d, argv[0], 0, "no filesystem is open");
	return filesystem_close(d);
}

static void print_names(const struct debugfs_command *c, char *text,
			size_t size)
{
	char name[40];
	size_t used = 0;

	text[0] = '\0';
	for (unsigned n = 0; command_name(c, n, name); n++) {
		int len = snprintf(text + used, size - used, "%s%s",
				   n ? ", " : "", name);

		if (len < 0 || (size_t)len >= size - used)
			return;
		used += (size_t)len;
	}
}

int command_list(struct debugfs *d, int argc, char **argv)
{
	const struct debugfs_command *c;
	char names[120];

	if (argc != 1)
		return command_usage(d, argv);
	puts("Requests of debugfs; \"help NAME\" tells how one is used:\n");
	for (c = debugfs_commands; c->run; c++) {
		print_names(c, names, sizeof(names));
		if (strlen(names) > 24)
			printf("%s\n%-24s %s\n", names, "", c->help);
		else
			printf("%-24s %s\n", names, c->help);
	}
	return 0;
}

int command_help(struct debugfs *d, int argc, char **argv)
{
	const struct debugfs_command *c;
	char names[120];

	if (argc == 1)
		return command_list(d, argc, argv);
	if (argc != 2)
		return command_usage(d, argv);
	c = command_find(argv[1]);
	if (!c)
		return dbg_fail(d, argv[1], 0, "unknown command");
	print_names(c, names, sizeof(names));
	printf("usage: %s %s\n%s: %s\n", argv[1], c->usage, names, c->help);
	return 0;
}

int command_quit(struct debugfs *d, int argc, char **argv)
{
	if (argc != 1)
		return command_usage(d, argv);
	d->quit = true;
	return 0;
}
