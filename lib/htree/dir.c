/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A directory's hasher. */
#include "htree/dir.h"

#include "e2dx_err.h"

errcode_t htree_dir_hasher(const struct htree_dir *d, int on_disk,
			   struct dirhasher *h)
{
	if (!dirhash_on_disk(on_disk))
		return E2DX_ET_HASH_UNKNOWN;
	/* Names that should be folded cannot be hashed without the table. */
	if (d->casefold && !d->fold)
		return E2DX_ET_UNSUPPORTED;
	return dirhasher_init(h, dirhash_effective(on_disk, d->unsigned_chars),
			      d->seed, d->casefold ? d->fold : NULL);
}
