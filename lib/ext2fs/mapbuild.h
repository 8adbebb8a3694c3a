/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Build the block map of an inode from nothing: the 60 bytes of i_block and
 * the mapping blocks that they lead to.  No I/O.
 */
#ifndef E2DX_MAPBUILD_H
#define E2DX_MAPBUILD_H

#include "ext2fs/alloc.h"
#include "ext2fs/inode.h"

struct e2dx_map_format {
	bool extents;		/* an extent tree, else indirect blocks */
	bool metadata_csum;	/* extent blocks end in a checksum */
	uint32_t block_size;	/* bytes */
	uint32_t csum_seed;	/* of the inode */
};

/*
 * How many mapping blocks it takes to map `blocks` logical blocks to `data`
 * (pieces in blocks; their sum is at least `blocks`).  EXT2_ET_FILE_TOO_BIG
 * where indirect blocks cannot reach that far.
 */
errcode_t e2dx_map_meta(const struct e2dx_map_format *f,
			const struct e2dx_pieces *data, uint64_t blocks,
			uint64_t *count);

/* The same where every piece may be as short as `shortest` blocks. */
errcode_t e2dx_map_meta_worst(const struct e2dx_map_format *f, uint64_t blocks,
			      uint64_t shortest, uint64_t *count);

/*
 * Build the map.  at[0..n_meta-1]: where the mapping blocks will be, n_meta as
 * e2dx_map_meta() says; `meta` gets their contents, n_meta * block_size
 * bytes.  E2DX_ET_RANGE where a block number does not fit in the map.
 */
errcode_t e2dx_map_build(const struct e2dx_map_format *f,
			 const struct e2dx_pieces *data, uint64_t blocks,
			 const uint64_t *at, size_t n_meta, uint8_t *meta,
			 uint8_t i_block[E2DX_I_BLOCK_SIZE]);

#endif
