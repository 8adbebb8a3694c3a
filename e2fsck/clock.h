/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each pass took: time, processor time, bytes read and written. */
#ifndef E2FSCK_CLOCK_H
#define E2FSCK_CLOCK_H

#include <stdint.h>

struct clock_mark {
	double wall, user, system;	/* seconds */
	uint64_t bytes_read, bytes_written;	/* by the whole process */
};

/* Now; bytes are 0 where the kernel does not count them. */
void clock_now(struct clock_mark *m);

/*
 * `what` (of the device) took the time since *from: prints it, with the
 * memory that was used at most, and sets *from to now.
 */
void clock_report(const char *device, const char *what,
		  struct clock_mark *from);

#endif
