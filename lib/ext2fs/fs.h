/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An open filesystem: the seam between libext2fs and the index code. */
#ifndef E2DX_FS_H
#define E2DX_FS_H

#include <ext2fs/ext2fs.h>
#include "dirhash/dirhash.h"
#include "e2dx_err.h"
#include "htree/blocks.h"
#include "htree/dir.h"

/*
 * The io manager under every filesystem opened here: one file descriptor, no
 * cache, only pread, pwrite, fsync, fdatasync and ftruncate; reads may come
 * from several threads.  flush syncs to the device.  (io.c)
 */
extern io_manager e2dx_io_manager;

struct e2dx_fs {
	ext2_filsys fs;		/* owned; never written by ext2fs_flush or close */
	const char *device;	/* as the user named it; not owned */
	bool writable;
	bool exclusive;		/* opened with O_EXCL: nobody else has it */
	unsigned threads;	/* for whatever is divided; 0: one a core */
	bool stock_csum_bad;	/* primary superblock's checksum was wrong */
	unsigned long long superblock;	/* block of the copy that was opened;
					   0: the primary */
	errcode_t primary_fault;	/* why a copy stands in for the primary;
					   0: it does not */
	bool primary_descs;	/* ... for the superblock alone */
	uint64_t device_bytes;	/* length of the file or block device */
	struct dirhash_fold fold;	/* table set where the filesystem casefolds */
	bool has_fold;
};

struct e2dx_open_options {
	bool writable;
	bool exclusive;		/* O_EXCL on a block device */
	unsigned long long superblock;	/* block number of a copy; 0: the primary */
	unsigned block_size;	/* bytes; 0: found out (must be set with superblock) */
	bool ignore_csum;	/* open in spite of wrong checksums */
	bool catastrophic;	/* debugfs -c: no bitmaps, no group checks */
	bool journal_device;	/* accept an external journal (tune2fs -l) */
	const char *undo_file;	/* record old contents there (e2undo's format) */
};

/*
 * Open.  The caller ends it with e2dx_close().  Errors: E2DX_ET_NOT_EXT,
 * EXT2_ET_CORRUPT_SUPERBLOCK, E2DX_ET_CHECKSUM, errno values, EXT2_ET_*; every
 * superblock field that later code divides by or indexes with has been
 * checked, so any bytes are answered by an error.  Unknown features and wrong
 * checksums of group descriptors do not keep it from opening; the bitmaps are
 * not read.
 */
errcode_t e2dx_open(const char *device, const struct e2dx_open_options *o,
		    struct e2dx_fs **out);

/* Close without writing anything.  NULL is fine.  Reports a failing close. */
errcode_t e2dx_close(struct e2dx_fs *efs);

/* ---- what the superblock says of hashing (super.c) */

/* Does the superblock's unsigned flag make 0..2 read unsigned chars? */
static inline bool e2dx_unsigned_chars(const struct e2dx_fs *efs)
{
	return efs->fs->super->s_flags & EXT2_FLAGS_UNSIGNED_HASH;
}

/*
 * Features by which nobody can tell what the rest means: their names to
 * `detail`, the sets that have one to *incompat and *other.  Casefolding by an
 * encoding that is not known is one of the other.  (refuse.c)
 */
bool e2dx_strange_features(const struct e2dx_fs *efs, bool *incompat,
			   char *detail, size_t size);

/*
 * Is the device mounted, or in use?  E2DX_ET_MOUNTED, with the mount point in
 * `detail` (may be NULL), or E2DX_ET_BUSY; 0; errors of finding out.
 * `exclusive`: the caller has it open with O_EXCL itself.  (refuse.c)
 */
errcode_t e2dx_in_use(const char *device, bool exclusive, char *detail,
		      size_t size);

/*
 * Why this filesystem must not be written, as the first of E2DX_ET_MOUNTED,
 * E2DX_ET_BUSY, E2DX_ET_FEATURE, E2DX_ET_RECOVERY, E2DX_ET_MMP,
 * E2DX_ET_UNCLEAN that holds; 0 where none does.  `detail` (may be NULL; size bytes) gets the
 * mount point or the features' names.
 */
errcode_t e2dx_write_refusal(const struct e2dx_fs *efs, char *detail,
			     size_t size);

/* ---- superblock copies (super.c) */

/*
 * The bytes of the primary superblock, or of the backup that a group with
 * ext2fs_bg_has_super() keeps, as they are on disk: E2DX_SB_SIZE of them to
 * `sb`, unchecked.  I/O errors.
 */
errcode_t e2dx_super_read(const struct e2dx_fs *efs, uint8_t *sb);
errcode_t e2dx_super_read_backup(const struct e2dx_fs *efs, dgrp_t group,
				 uint8_t *sb);

/*
 * Write the primary superblock from efs->fs->super, checksum set, as one
 * 1024-byte write; then sync.
 */
errcode_t e2dx_super_write(struct e2dx_fs *efs);

/* The fields that every copy carries and that our tools change. */
enum e2dx_super_field {
	E2DX_SB_HASH_VERSION = 1, E2DX_SB_HASH_SEED = 2, E2DX_SB_HASH_FLAGS = 4,
	E2DX_SB_FEATURES = 8, E2DX_SB_LABEL = 16, E2DX_SB_UUID = 32
};

/*
 * Write these fields (a mask) from efs->fs->super to the primary superblock,
 * then to each backup: read, changed, checksummed, one 1024-byte write each;
 * a backup that is no valid superblock is left and counted in *skipped (may
 * be NULL).  Synced.
 */
errcode_t e2dx_super_write_all(struct e2dx_fs *efs, unsigned fields,
			       unsigned *skipped);

#endif
