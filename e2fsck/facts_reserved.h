/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks that the superblock keeps: for more descriptors, and for MMP. */
#ifndef E2FSCK_FACTS_RESERVED_H
#define E2FSCK_FACTS_RESERVED_H

#include "facts.h"

/* The resize inode's own structure; its problems go to f->groups. */
errcode_t facts_resize_inode(struct facts *f);

/* The block of multiple mount protection: magic number and checksum. */
errcode_t facts_mmp(struct facts *f);

#endif
