/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One node of an extent tree, as bytes: what those who read trees share. */
#ifndef E2DX_EXTENT_H
#define E2DX_EXTENT_H

#include "ext2fs/map.h"
#include "htree/crc32c.h"
#include "htree/ondisk.h"

/* A header and entries of 12 bytes each. */
#define EXTENT_MAGIC		0xf30a
#define EXTENT_HEADER_SIZE	12
#define EXTENT_ENTRIES		2	/* offsets in the header, 16 bits each */
#define EXTENT_MAX		4
#define EXTENT_DEPTH		6
#define EXTENT_SIZE		12
#define EXTENT_MAX_DEPTH	5
#define EXTENT_MAX_INIT		32768	/* longer ones are unwritten */
#define EXTENT_LOGICAL_END	(1ULL << 32)

static inline int extent_depth(const uint8_t *node)
{
	return (int)htree_le16(node + EXTENT_DEPTH);
}

static inline uint32_t extent_entries(const uint8_t *node)
{
	return htree_le16(node + EXTENT_ENTRIES);
}

static inline const uint8_t *extent_entry(const uint8_t *node, uint32_t i)
{
	return node + EXTENT_HEADER_SIZE + (size_t)i * EXTENT_SIZE;
}

/* The first logical block that an entry, of either kind, speaks of. */
static inline uint32_t extent_first(const uint8_t *entry)
{
	return htree_le32(entry);
}

/* The block that an index entry points to. */
static inline uint64_t extent_child(const uint8_t *entry)
{
	return (uint64_t)htree_le16(entry + 8) << 32 | htree_le32(entry + 4);
}

/* An extent, unchecked. */
static inline void extent_load(const uint8_t *entry, struct e2dx_run *run)
{
	uint32_t len = htree_le16(entry + 4);
	bool unwritten = len > EXTENT_MAX_INIT;

	*run = (struct e2dx_run){
		.kind = unwritten ? E2DX_MAP_UNWRITTEN : E2DX_MAP_DATA,
		.logical = extent_first(entry),
		.physical = (uint64_t)htree_le16(entry + 6) << 32 |
			    htree_le32(entry + 8),
		.count = unwritten ? len - EXTENT_MAX_INIT : len
	};
}

/*
 * What is wrong with the header of a node of `size` bytes at this depth; 0:
 * nothing, and all of its entries lie inside it.
 */
static inline enum e2dx_map_fault_code
extent_header_fault(const uint8_t *node, size_t size, int depth, bool root)
{
	uint32_t max = htree_le16(node + EXTENT_MAX);

	if (htree_le16(node) != EXTENT_MAGIC)
		return E2DX_FAULT_MAGIC;
	if (extent_depth(node) != depth)
		return E2DX_FAULT_DEPTH;
	if (EXTENT_HEADER_SIZE + (size_t)max * EXTENT_SIZE > size)
		return E2DX_FAULT_MAX;
	if (extent_entries(node) > max)
		return E2DX_FAULT_ENTRIES;
	/* Only an empty file has a node without entries: its root. */
	if (!extent_entries(node) && !(root && depth == 0))
		return E2DX_FAULT_EMPTY;
	return E2DX_FAULT_NONE;
}

static inline bool extent_header_ok(const uint8_t *node, size_t size,
				    int depth, bool root)
{
	return !extent_header_fault(node, size, depth, root);
}

/*
 * Does a node say that it has room for fewer entries than fit?  Its maker
 * rounds down, and may keep some room for a checksum: two at most.
 */
static inline bool extent_max_low(const uint8_t *node, size_t size)
{
	uint32_t fits = (uint32_t)((size - EXTENT_HEADER_SIZE) / EXTENT_SIZE);

	return htree_le16(node + EXTENT_MAX) + 2 < fits;
}

/*
 * Is the checksum of a block of a tree right?  It stands behind the room for
 * entries, used or not.  `seed`: of the inode.
 */
static inline bool extent_csum_ok(const uint8_t *node, size_t size,
				  uint32_t seed)
{
	size_t at = EXTENT_HEADER_SIZE +
		    (size_t)htree_le16(node + EXTENT_MAX) * EXTENT_SIZE;

	return at + 4 <= size &&
	       htree_le32(node + at) == htree_crc32c(seed, node, at);
}

#endif
