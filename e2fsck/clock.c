/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock behind -t and -tt. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include "clock.h"

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static void read_io(struct clock_mark *m)
{
	FILE *f = fopen("/proc/self/io", "re");

	m->bytes_read = m->bytes_written = 0;
	if (!f)
		return;
	if (fscanf(f, "rchar: %" SCNu64 " wchar: %" SCNu64, &m->bytes_read,
		   &m->bytes_written) != 2)
		m->bytes_read = m->bytes_written = 0;
	fclose(f);
}

void clock_now(struct clock_mark *m)
{
	struct timespec now;
	struct rusage used;

	clock_gettime(CLOCK_MONOTONIC, &now);
	getrusage(RUSAGE_SELF, &used);
	m->wall = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
	m->user = seconds(&used.ru_utime);
	m->system = seconds(&used.ru_stime);
	read_io(m);
}

void clock_report(const char *device, const char *what,
		  struct clock_mark *from)
{
	struct clock_mark now;
	struct rusage used;

	clock_now(&now);
	getrusage(RUSAGE_SELF, &used);
	printf("%s: %s: %.2f s (user %.2f, system %.2f), %.1f MiB read, %.1f MiB written, %ld KiB of memory at most\n",
	       device, what, now.wall - from->wall, now.user - from->user,
	       now.system - from->system,
	       (double)(now.bytes_read - from->bytes_read) / 1048576,
	       (double)(now.bytes_written - from->bytes_written) / 1048576,
	       used.ru_maxrss);
	*from = now;
}
