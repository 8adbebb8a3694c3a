/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which loop devices show an image file.  libext2fs asks the devices
 * themselves, which only root may open; sysfs tells everybody.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "ext2fs/loop.h"

#define MAX_LOOPS 4096	/* numbers looked at */

/* The file behind loop device n, without its newline. */
static bool backing_file(unsigned n, char *path, int size)
{
	char attribute[64];
	FILE *f;
	bool got;

	snprintf(attribute, sizeof(attribute),
		 "/sys/block/loop%u/loop/backing_file", n);
	f = fopen(attribute, "re");
	if (!f)
		return false;
	got = fgets(path, size, f);
	fclose(f);
	if (got)
		path[strcspn(path, "\n")] = '\0';
	return got;
}

/* Devices are numbered as they are made; gaps are rare and small. */
static bool exists(unsigned n)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/sys/block/loop%u", n);
	return !stat(path, &st);
}

bool e2dx_loop_next(const char *file, unsigned *state, char *name, size_t size)
{
	struct stat own, other;
	char path[PATH_MAX];
	unsigned missing = 0;

	if (stat(file, &own) || !S_ISREG(own.st_mode))
		return false;
	while (*state < MAX_LOOPS && missing < 64) {
		unsigned n = (*state)++;

		if (!exists(n)) {
			missing++;
			continue;
		}
		if (!backing_file(n, path, sizeof(path)) ||
		    stat(path, &other) || own.st_dev != other.st_dev ||
		    own.st_ino != other.st_ino)
			continue;
		snprintf(name, size, "/dev/loop%u", n);
		return true;
	}
	return false;
}
