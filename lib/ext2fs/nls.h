/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Case folding by libext2fs' own tables. */
#ifndef E2DX_NLS_H
#define E2DX_NLS_H

#include <ext2fs/ext2fs.h>
#include "dirhash/dirhash.h"
#include "e2dx_err.h"

/*
 * Set *out up for a filesystem whose s_encoding is `encoding` (1: UTF-8
 * 12.1).  out->table is libext2fs' and lives as long as the program; nothing
 * is to be freed.  E2DX_ET_UNSUPPORTED for an encoding that libext2fs does
 * not know, or where its private layout is not the one known here.
 */
errcode_t e2dx_fold_init(int encoding, struct dirhash_fold *out);

/* The same for a table that a caller of libext2fs has at hand. */
errcode_t e2dx_fold_from_table(const struct ext2fs_nls_table *table,
			       struct dirhash_fold *out);

#endif
