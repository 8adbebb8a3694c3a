/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An inode's extended attributes. */
#include "check_inode.h"

void check_xattr(struct inode_check *c)
{
	(void)c;
}
