/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The superblock's geometry from its bytes.  libext2fs divides, shifts and
 * allocates by these fields while it opens, so they are checked before.
 */
#include <string.h>
#include <ext2fs/ext2fs.h>
#include "e2dx_err.h"
#include "ext2fs/supercheck.h"
#include "htree/crc32c.h"
#include "htree/ondisk.h"

#define MIN_DESC_SIZE_64BIT	64
#define MAX_DESC_SIZE		1024
#define MAX_LOG_BLOCK		6	/* 64 KiB */
#define MAX_LOG_CLUSTER		19	/* 512 MiB */
#define MAX_LOG_FLEX		31
#define MAX_BLOCKS		(1ULL << 48)	/* as inodes can number them */

struct geometry {
	uint32_t incompat, ro_compat;
	uint32_t block_size;		/* bytes */
	uint32_t cluster_bits;		/* log2 of blocks a cluster */
	uint32_t first_data, blocks_per_group, clusters_per_group;
	uint32_t inodes_per_group, inode_size, desc_size;
	uint64_t blocks, groups;
};

static bool power_of_two(uint32_t n)
{
	return n && !(n & (n - 1));
}

static bool sizes_ok(const uint8_t *sb, struct geometry *g)
{
	uint32_t log_block = htree_le32(sb + SB_LOG_BLOCK);
	uint32_t log_cluster = htree_le32(sb + SB_LOG_CLUSTER);

	if (log_block > MAX_LOG_BLOCK || log_cluster > MAX_LOG_CLUSTER ||
	    log_cluster < log_block)
		return false;
	g->block_size = 1024u << log_block;
	g->cluster_bits = log_cluster - log_block;
	if (g->cluster_bits && !(g->ro_compat & EXT4_FEATURE_RO_COMPAT_BIGALLOC))
		return false;
	g->inode_size = EXT2_GOOD_OLD_INODE_SIZE;
	if (htree_le32(sb + SB_REV) >= EXT2_DYNAMIC_REV)
		g->inode_size = htree_le16(sb + SB_INODE_SIZE);
	if (g->inode_size < EXT2_GOOD_OLD_INODE_SIZE ||
	    g->inode_size > g->block_size || !power_of_two(g->inode_size))
		return false;
	g->desc_size = EXT2_MIN_DESC_SIZE;
	if (g->incompat & EXT4_FEATURE_INCOMPAT_64BIT) {
		g->desc_size = htree_le16(sb + SB_DESC_SIZE);
		if (g->desc_size < MIN_DESC_SIZE_64BIT ||
		    g->desc_size > MAX_DESC_SIZE || !power_of_two(g->desc_size))
			return false;
	}
	return true;
}

static bool blocks_ok(const uint8_t *sb, struct geometry *g)
{
	g->blocks = htree_le32(sb + SB_BLOCKS);
	if (g->incompat & EXT4_FEATURE_INCOMPAT_64BIT)
		g->blocks |= (uint64_t)htree_le32(sb + SB_BLOCKS_HI) << 32;
	g->first_data = htree_le32(sb + SB_FIRST_DATA);
	/* Block 0 is the boot block only where a block is no larger. */
	if (g->first_data != (g->block_size == 1024 && !g->cluster_bits))
		return false;
	return g->blocks > g->first_data && g->blocks <= MAX_BLOCKS;
}

/* A group's bitmaps are one block each, and its free counts have 16 bits. */
static bool groups_ok(const uint8_t *sb, struct geometry *g)
{
	uint32_t bits = 8 * g->block_size;
	uint32_t max_clusters = bits < 65528 ? bits : 65528;

	g->blocks_per_group = htree_le32(sb + SB_BLOCKS_PER_GROUP);
	g->clusters_per_group = htree_le32(sb + SB_CLUSTERS_PER_GROUP);
	g->inodes_per_group = htree_le32(sb + SB_INODES_PER_GROUP);
	if (g->clusters_per_group < 8 || g->clusters_per_group > max_clusters ||
	    g->clusters_per_group % 8 ||
	    g->blocks_per_group !=
	    (uint64_t)g->clusters_per_group << g->cluster_bits)
		return false;
	if (g->inodes_per_group < g->block_size / g->inode_size ||
	    g->inodes_per_group < 8 || g->inodes_per_group > bits ||
	    g->inodes_per_group % 8 ||
	    g->inodes_per_group > 65536 - g->block_size / g->inode_size)
		return false;
	g->groups = (g->blocks - g->first_data + g->blocks_per_group - 1) /
		    g->blocks_per_group;
	return g->groups * g->inodes_per_group == htree_le32(sb + SB_INODES);
}

static bool descriptors_ok(const uint8_t *sb, const struct geometry *g,
			   uint64_t device_bytes)
{
	uint64_t per_block = g->block_size / g->desc_size;
	uint64_t blocks = (g->groups + per_block - 1) / per_block;

	if (blocks * g->block_size > device_bytes || blocks > g->blocks)
		return false;
	if ((g->incompat & EXT2_FEATURE_INCOMPAT_META_BG) &&
	    htree_le32(sb + SB_FIRST_META_BG) > blocks)
		return false;
	return htree_le16(sb + SB_RESERVED_GDT) <= g->block_size / 4;
}

static bool rest_ok(const uint8_t *sb, const struct geometry *g)
{
	uint32_t first_ino = htree_le32(sb + SB_FIRST_INO);

	if (htree_le32(sb + SB_REV) >= EXT2_DYNAMIC_REV &&
	    (first_ino < EXT2_GOOD_OLD_FIRST_INO ||
	     first_ino > htree_le32(sb + SB_INODES)))
		return false;
	return !(g->incompat & EXT4_FEATURE_INCOMPAT_FLEX_BG) ||
	       sb[SB_LOG_FLEX] <= MAX_LOG_FLEX;
}

errcode_t e2dx_super_check(const uint8_t *sb, uint64_t device_bytes,
			   bool journal_device)
{
	struct geometry g = {
		.incompat = htree_le32(sb + SB_INCOMPAT),
		.ro_compat = htree_le32(sb + SB_RO_COMPAT)
	};

	if (htree_le16(sb + SB_MAGIC) != EXT2_SUPER_MAGIC)
		return E2DX_ET_NOT_EXT;
	if (htree_le32(sb + SB_REV) > EXT2_MAX_SUPP_REV)
		return EXT2_ET_REV_TOO_HIGH;
	if (!sizes_ok(sb, &g))
		return EXT2_ET_CORRUPT_SUPERBLOCK;
	if (g.incompat & EXT3_FEATURE_INCOMPAT_JOURNAL_DEV)
		return journal_device ? 0 : EXT2_ET_UNSUPP_FEATURE;
	if (!blocks_ok(sb, &g) || !groups_ok(sb, &g) ||
	    !descriptors_ok(sb, &g, device_bytes) || !rest_ok(sb, &g))
		return EXT2_ET_CORRUPT_SUPERBLOCK;
	return 0;
}

bool e2dx_super_same_geometry(const uint8_t *a, const uint8_t *b)
{
	static const struct {
		unsigned offset, size;
	} fields[] = {
		{ SB_INODES, 8 },		/* and blocks */
		{ SB_FIRST_DATA, 12 },		/* and block and cluster size */
		{ SB_BLOCKS_PER_GROUP, 12 },	/* and clusters, inodes */
		{ SB_MAGIC, 2 },
		{ SB_INODE_SIZE, 2 },
		{ SB_BLOCKS_HI, 4 },
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (memcmp(a + fields[i].offset, b + fields[i].offset,
			   fields[i].size))
			return false;
	return true;
}

static bool has_csum(const uint8_t *sb)
{
	return htree_le32(sb + SB_RO_COMPAT) &
	       EXT4_FEATURE_RO_COMPAT_METADATA_CSUM;
}

bool e2dx_super_csum_ok(const uint8_t *sb)
{
	if (!has_csum(sb))
		return true;
	return sb[SB_CSUM_TYPE] == EXT2_CRC32C_CHKSUM &&
	       htree_le32(sb + SB_CSUM) == htree_crc32c(~0u, sb, SB_CSUM);
}

void e2dx_super_csum_set(uint8_t *sb)
{
	if (has_csum(sb))
		htree_put_le32(sb + SB_CSUM, htree_crc32c(~0u, sb, SB_CSUM));
}
