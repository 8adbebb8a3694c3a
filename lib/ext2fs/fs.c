/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ext2fs/fs.h"
#include "ext2fs/replace.h"
