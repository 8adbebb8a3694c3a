/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Everything that libext2dx offers under names of its own.  The functions
 * that stand in for libext2fs' and libe2p's are declared by <ext2fs/ext2fs.h>
 * and <e2p/e2p.h>.  See ext2dx(3).
 */
#ifndef E2DX_EXT2DX_H
#define E2DX_EXT2DX_H

#include "dirhash/dirhash.h"
#include "e2dx_err.h"
#include "htree/blocks.h"
#include "htree/build.h"
#include "htree/change.h"
#include "htree/crc32c.h"
#include "htree/dir.h"
#include "htree/entry.h"
#include "htree/verify.h"
#include "htree/walk.h"

#endif
