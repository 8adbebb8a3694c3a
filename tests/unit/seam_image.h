/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Images for the tests of lib/ext2fs, made by stock mke2fs on the spot. */
#ifndef SEAM_IMAGE_H
#define SEAM_IMAGE_H

#include "ext2fs/fs.h"

/* A directory that goes away at the end of the program; made once. */
const char *seam_dir(void);

/* Path of a file in it; valid for the next 63 calls. */
const char *seam_path(const char *name);

/*
 * mke2fs with these options, filled from a tree with small, large, sparse and
 * fragmented files, directories, links, a fifo, long symbolic links and
 * attributes; returns the path.  Fails the test where mke2fs does.
 */
const char *seam_make(const char *name, const char *options, const char *size);

/* A command by the shell; returns its exit status. */
int seam_run(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Open or fail the test. */
struct e2dx_fs *seam_open(const char *path, bool writable);

/* Overwrite bytes of a file. */
void seam_poke(const char *path, uint64_t offset, const void *data, size_t n);

/* A stock filesystem handle, bitmaps read: the judge. */
ext2_filsys seam_stock(const char *path);

/* The inode number of a path, by stock libext2fs; 0: none. */
ext2_ino_t seam_inode(ext2_filsys fs, const char *path);

#endif
