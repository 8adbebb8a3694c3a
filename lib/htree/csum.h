/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checksums of leaves and index blocks (metadata_csum). */
#ifndef E2DX_HTREE_CSUM_H
#define E2DX_HTREE_CSUM_H

#include "htree/dir.h"

/* Is the checksum in the leaf's tail right?  False without a tail. */
bool htree_leaf_csum_ok(const struct htree_dir *dir, const uint8_t *block);

/* Write the leaf's tail, all 12 bytes.  Nothing without metadata_csum. */
void htree_leaf_csum_set(const struct htree_dir *dir, uint8_t *block);

/*
 * Is the checksum of an index block right?  `table`: HTREE_ROOT_TABLE or
 * HTREE_NODE_TABLE.  limit and count are taken from the block; false where
 * they do not lie in it.  True without metadata_csum.
 */
bool htree_index_csum_ok(const struct htree_dir *dir, const uint8_t *block,
			 uint32_t table);

/*
 * Do limit and count of this index block leave its checksum a place in the
 * block?  True without metadata_csum where the entries alone fit.
 */
bool htree_index_fits(const struct htree_dir *dir, const uint8_t *block,
		      uint32_t table);

/*
 * Set the checksum of an index block whose limit and count are written and
 * right.  Nothing without metadata_csum.
 */
void htree_index_csum_set(const struct htree_dir *dir, uint8_t *block,
			  uint32_t table);

#endif
