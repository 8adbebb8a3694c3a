/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Directories that lie in their inode. */
#ifndef E2DX_INLINE_H
#define E2DX_INLINE_H

#include "ext2fs/inode.h"

/*
 * The value of the system.data attribute among those in the inode `raw`:
 * points into raw, *len bytes.  NULL where there is none or the
 * attributes are damaged.
 */
const uint8_t *e2dx_inline_value(const struct e2dx_fs *efs, const uint8_t *raw,
				 size_t *len);

#endif
