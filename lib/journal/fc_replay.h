/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fast commits, done to the filesystem. */
#ifndef E2DX_JOURNAL_FC_REPLAY_H
#define E2DX_JOURNAL_FC_REPLAY_H

#include "ext2fs/fs.h"
#include "journal/fc.h"

/*
 * Bring the filesystem, opened after its transactions were replayed, to what
 * the fast commits say: inodes and their maps, names, bitmaps, link counts of
 * directories; what nothing names any more goes on the list of orphans.  May be
 * done again, after a cut, as long as the journal is kept.  Takes a survey of
 * the whole filesystem.
 *
 * Before anything is written: E2DX_ET_DAMAGED for records that make no sense
 * here; E2DX_ET_SHARED where the filesystem is not what it must be for that,
 * or a range belongs to something else; E2DX_ET_UNSUPPORTED for names in
 * directories that lie in their inodes or are encrypted, E2DX_ET_QUOTA.  Later
 * E2DX_ET_NO_SPACE, I/O errors.
 */
errcode_t fc_replay(struct e2dx_fs *efs, const struct fc_log *log);

#endif
