/* SPDX-License-Identifier: GPL-2.0-or-later */
/* e2fsck(8); all of it is in the library, where tests reach it. */
#include <malloc.h>
#include "e2fsck.h"

/*
 * What the heap has it keeps, and large arrays stay outside of it however many
 * were freed before: then they grow without being copied.  Both save the kernel
 * clearing pages.  What mallopt() refuses is only slower.
 */
#define KEPT_BYTES	(1 << 30)

int main(int argc, char **argv)
{
	mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
	return e2fsck_program(argc, argv);
}
