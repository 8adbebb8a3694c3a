/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A directory from memory inside a filesystem, by libext2fs alone; any error
   ends the program. */
#ifndef TESTS_INJECT_H
#define TESTS_INJECT_H

#include <ext2fs/ext2fs.h>
#include "htree/blocks.h"
#include "htree/dir.h"

#define INJECT_LINKS	60000u		/* of one file */

void inject_need(errcode_t err, const char *what);

/* What htree needs to know of a directory. */
struct htree_dir inject_describe(ext2_filsys fs, ext2_ino_t ino);

/* An empty file without a name yet. */
ext2_ino_t inject_make_file(ext2_filsys fs, uint32_t links);

/* The directory gets exactly these blocks. */
void inject_write_blocks(ext2_filsys fs, ext2_ino_t ino,
			 const struct htree_memory *m, bool indexed);

#endif
