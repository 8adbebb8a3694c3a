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

/*
 * The value was changed: drop its hash, which Linux does not make for
 * attributes in an inode, and which e2fsprogs holds against them if it is
 * there and wrong.
 */
void e2dx_inline_changed(const struct e2dx_fs *efs, uint8_t *raw);

#endif
