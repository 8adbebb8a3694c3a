/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening a filesystem for a program, with messages that lead further. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <blkid/blkid.h>
#include "cli/cli.h"

char *cli_device(const struct cli *c, const char *argument)
{
	char *device = NULL;

	if (!strncmp(argument, "LABEL=", 6) || !strncmp(argument, "UUID=", 5)) {
		device = blkid_evaluate_tag(argument, NULL, NULL);
		if (!device)
			cli_error(c, argument, 0,
				  "no block device has this label or UUID");
		return device;
	}
	device = strdup(argument);
	if (!device)
		cli_error(c, argument, ENOMEM, "cannot start");
	return device;
}

/*
 * What libblkid takes the contents for: "xfs filesystem", "dos partition
 * table"; false where it knows none.
 */
static bool probe(const char *device, char *what, size_t size)
{
	blkid_probe p = blkid_new_probe_from_filename(device);
	const char *type = NULL, *label = NULL;
	bool found = false;

	if (!p)
		return false;
	blkid_probe_enable_superblocks(p, 1);
	blkid_probe_enable_partitions(p, 1);
	if (blkid_do_safeprobe(p) == 0) {
		if (blkid_probe_lookup_value(p, "LABEL", &label, NULL))
			label = NULL;
		if (!blkid_probe_lookup_value(p, "TYPE", &type, NULL))
			snprintf(what, size, "%s filesystem or container%s%s",
				 type, label ? ", label " : "",
				 label ? label : "");
		else if (!blkid_probe_lookup_value(p, "PTTYPE", &type, NULL))
			snprintf(what, size, "%s partition table", type);
		found = type != NULL;
	}
	blkid_free_probe(p);
	return found;
}

/* blkid may well say ext4 where a superblock field makes it unusable. */
static bool is_ext(const char *what)
{
	return !strncmp(what, "ext", 3);
}

#define LOOKED_AT	65536	/* bytes that superblocks lie within */

/* Nothing is there at all: "no bytes", "zeros"; false where something is. */
static bool is_blank(const char *device, char *what, size_t size)
{
	FILE *f = fopen(device, "re");
	size_t n = 0;
	int c;

	if (!f)
		return false;
	while (n < LOOKED_AT && (c = getc(f)) == 0)
		n++;
	if (n < LOOKED_AT && !feof(f)) {
		fclose(f);
		return false;
	}
	fclose(f);
	if (n)
		snprintf(what, size, "zeros, in the first %zu bytes", n);
	else
		snprintf(what, size, "no bytes");
	return true;
}

static void explain_contents(const struct cli *c, const char *device,
			     const struct e2dx_open_options *o)
{
	char what[128], quoted[sizeof(what) * 4 + 1];

	if ((probe(device, what, sizeof(what)) && !is_ext(what)) ||
	    is_blank(device, what, sizeof(what)))
		cli_note(c, device, "it contains: %s",
			 cli_quote(quoted, what, strlen(what)));
	else if (!o->superblock)
		cli_note(c, device,
			 "if it held an ext2, ext3 or ext4 filesystem, e2fsck looks for a backup of its superblock");
}

static void explain(const struct cli *c, const char *device,
		    const struct e2dx_open_options *o, errcode_t err)
{
	switch (err) {
	case E2DX_ET_NOT_EXT:
	case EXT2_ET_BAD_MAGIC:
	case EXT2_ET_CORRUPT_SUPERBLOCK:
		explain_contents(c, device, o);
		break;
	case E2DX_ET_CHECKSUM:
		cli_note(c, device, "e2fsck repairs a superblock's checksum");
		break;
	case EACCES:
	case EPERM:
		cli_note(c, device, "the device may need root");
		break;
	case EBUSY:
		cli_note(c, device,
			 "it is mounted or another program has it to itself");
		break;
	default:
		break;
	}
}

struct e2dx_fs *cli_open(const struct cli *c, const char *device,
			 const struct e2dx_open_options *o)
{
	struct e2dx_fs *efs = NULL;
	errcode_t err = e2dx_open(device, o, &efs);

	if (!err)
		return efs;
	cli_error(c, device, err, "cannot open");
	explain(c, device, o, err);
	return NULL;
}

static const char *remedy(errcode_t why)
{
	switch (why) {
	case E2DX_ET_MOUNTED:
		return "unmount it first";
	case E2DX_ET_BUSY:
		return "stop what uses it first (lsof, dmsetup, swapoff)";
	case E2DX_ET_FEATURE:
		return "use a version of e2fsprogs that knows them";
	case E2DX_ET_RECOVERY:
		return "run e2fsck, or mount and unmount it, to replay the journal";
	case E2DX_ET_MMP:
		return "another host may be using it; e2fsprogs' own tune2fs -O ^mmp removes the guard";
	case E2DX_ET_UNCLEAN:
		return "check it with e2fsprogs' own e2fsck -f first";
	default:
		return NULL;
	}
}

void cli_refused(const struct cli *c, const char *device, errcode_t why,
		 const char *detail)
{
	const char *help = remedy(why);
	char quoted[4 * 512 + 1];
	size_t len = detail ? strnlen(detail, 512) : 0;

	cli_error(c, device, 0, "not written to: %s%s%s%s%s%s",
		  error_message(why), len ? " (" : "",
		  len ? cli_quote(quoted, detail, len) : "", len ? ")" : "",
		  help ? "; " : "", help ? help : "");
}

bool cli_may_write(const struct cli *c, const struct e2dx_fs *efs)
{
	char detail[512] = "";
	errcode_t why = e2dx_write_refusal(efs, detail, sizeof(detail));

	if (why)
		cli_refused(c, efs->device, why, detail);
	return !why;
}
