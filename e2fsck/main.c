/* SPDX-License-Identifier: GPL-2.0-or-later */
/* e2fsck(8); all of it is in the library, where tests reach it. */
#include "e2fsck.h"

int main(int argc, char **argv)
{
	return e2fsck_program(argc, argv);
}
