/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The problem table: bitmaps and counts. */
#include "problem_table.h"

/* Which blocks and inodes are in use is known: what only counts them follows. */
#define Q_BITMAPS	"Set the bitmaps and counts to what is in use"

#define ROW(code, text)	{ code, S_FIX, R_NONE, true, true, text, Q_BITMAPS }

static const struct problem_info table[] = {
ROW(P_BITMAP_BLOCKS_FREE,
    "blocks %v to %e are in use, but free in the block bitmap"),
ROW(P_BITMAP_BLOCKS_USED,
    "blocks %v to %e are used in the block bitmap, but nothing has them"),
ROW(P_BITMAP_INODES_FREE,
    "inodes %v to %e are in use, but free in the inode bitmap"),
ROW(P_BITMAP_INODES_USED,
    "inodes %v to %e are used in the inode bitmap, but not in use"),
ROW(P_BITMAP_BLOCKS_CSUM, "group %g: wrong checksum of the block bitmap"),
ROW(P_BITMAP_INODES_CSUM, "group %g: wrong checksum of the inode bitmap"),
ROW(P_BITMAP_BLOCKS_PADDING,
    "group %g: bits behind the end of the block bitmap are clear"),
ROW(P_BITMAP_INODES_PADDING,
    "group %g: bits behind the end of the inode bitmap are clear"),
ROW(P_BITMAP_FREE_BLOCKS,
    "group %g: its count of free clusters is %v, but %e are free"),
ROW(P_BITMAP_FREE_INODES,
    "group %g: its count of free inodes is %v, but %e are free"),
ROW(P_BITMAP_DIRS,
    "group %g: its count of directories is %v, but it has %e"),
ROW(P_BITMAP_SUPER_BLOCKS,
    "the superblock's count of free blocks is %v, but %e are free"),
ROW(P_BITMAP_SUPER_INODES,
    "the superblock's count of free inodes is %v, but %e are free"),
};

const struct problem_family problems_bitmap = PROBLEM_FAMILY(table);
