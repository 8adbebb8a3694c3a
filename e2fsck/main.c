/* SPDX-License-Identifier: GPL-2.0-or-later */
/* e2fsck(8); all of it is in the library, where tests reach it. */
#include <malloc.h>
#include "e2fsck.h"

/*
 * What one part of the check gives back is the next one's: to unmap it, and
 * have the kernel clear other pages, costs a third of all its page faults.
 * What mallopt() refuses is only slower.
 */
#define KEPT_BYTES	(1 << 30)

int main(int argc, char **argv)
{
	mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
	mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
	return e2fsck_program(argc, argv);
}
