/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An inode's block map: its faults, and what size and i_blocks make of it. */
#include "check_inode.h"
#include "ext2fs/xattr_area.h"

static void show_faults(struct inode_check *c)
{
	for (unsigned i = 0; i < c->seen->n_faults; i++) {
		const struct e2dx_map_fault *f = &c->seen->faults[i];

		inode_problem(c, (struct problem){
			.code = (enum problem_code)(P_MAP + f->code),
			.block = f->block, .value = f->value,
			.expected = f->logical });
	}
}

static void show_shared(struct inode_check *c)
{
	const struct e2dx_seen_inode *seen = c->seen;

	if (seen->first_fixed)
		inode_problem(c, (struct problem){
			.code = P_MAP_FIXED, .block = seen->first_fixed });
	if (seen->shared)
		inode_problem(c, (struct problem){
			.code = P_MAP_SHARED, .block = seen->first_shared,
			.value = seen->shared });
}

/* ---- i_size */

/*
 * How far a map of this kind reaches: block numbers in extents have 32 bits; a
 * map of indirect blocks ends with its third level.
 */
static uint64_t size_limit(const struct inode_check *c)
{
	uint64_t size = c->seen->efs->fs->blocksize, n = size / 4;

	if (c->seen->inode->i_flags & EXT4_EXTENTS_FL)
		return (size << 32) - 1;
	return (EXT2_NDIR_BLOCKS + n + n * n + n * n * n) * size;
}

void check_size_limit(struct inode_check *c)
{
	uint64_t size = EXT2_I_SIZE(c->seen->inode);

	if (size > size_limit(c))
		inode_problem(c, (struct problem){
			.code = P_INODE_SIZE_LIMIT, .value = size,
			.expected = size_limit(c) });
}

/*
 * How far written blocks reach.  Where a tree has levels, none lies wholly
 * past the end; else the last one may, as in a file that grows.
 */
static uint64_t least_size(const struct e2dx_seen_inode *seen)
{
	uint64_t blocks = seen->written_end;

	if (!blocks)
		return 0;
	blocks--;
	return blocks * seen->efs->fs->blocksize +
	       (seen->inode->i_flags & EXT4_EXTENTS_FL && seen->meta_blocks);
}

static void check_size(struct inode_check *c)
{
	const struct e2dx_seen_inode *seen = c->seen;
	uint64_t size = EXT2_I_SIZE(seen->inode);
	uint64_t least = least_size(seen);

	check_size_limit(c);
	/* Blocks past the end may be unwritten, or hold a Merkle tree. */
	if (size < least && !(seen->inode->i_flags & EXT4_VERITY_FL))
		inode_problem(c, (struct problem){
			.code = P_INODE_SIZE, .value = size,
			.expected = least });
}

/* ---- i_blocks */

/* Values in inodes of their own count as blocks of whoever names them. */
static bool may_have_values(const struct inode_check *c)
{
	const struct e2dx_seen_inode *seen = c->seen;
	struct e2dx_xattr_area a;

	return e2dx_inode_file_acl(seen->efs, seen->inode) ||
	       e2dx_xattr_area_inode(seen->efs, seen->raw, &a);
}

static uint64_t own_blocks(const struct inode_check *c)
{
	const struct e2dx_seen_inode *seen = c->seen;
	ext2_filsys fs = seen->efs->fs;
	uint64_t clusters = seen->clusters + seen->meta_blocks;
	uint64_t ea = e2dx_inode_file_acl(seen->efs, seen->inode);

	if (e2dx_blocks_valid(seen->efs, ea, 1))
		clusters++;
	return clusters << fs->cluster_ratio_bits;
}

void check_blocks(struct inode_check *c)
{
	struct ext2_super_block *sb = c->seen->efs->fs->super;
	const struct ext2_inode_large *inode = c->seen->inode;
	bool huge = ext2fs_has_feature_huge_file(sb);
	uint64_t unit = huge && inode->i_flags & EXT4_HUGE_FILE_FL ? 1 :
			c->seen->efs->fs->blocksize / 512;
	uint64_t own = own_blocks(c) * unit;
	uint64_t found = inode->i_blocks;

	if (huge)
		found |= (uint64_t)inode->osd2.linux2.l_i_blocks_hi << 32;
	if (found == own)
		return;
	if (may_have_values(c))
		xattr_blocks_differ(c, found, own, unit == 1 ?
				    c->seen->efs->fs->blocksize / 512 : 1);
	else
		inode_problem(c, (struct problem){
			.code = P_INODE_BLOCKS, .value = found,
			.expected = own });
}

/* ---- the whole */

/* Both say something only where all of the map could be seen. */
static void check_against_map(struct inode_check *c)
{
	const struct e2dx_seen_inode *seen = c->seen;
	uint8_t type = seen->flags & E2DX_INODE_TYPE;

	if (type == EXT2_FT_REG_FILE)
		check_size(c);
	else if (type == EXT2_FT_SYMLINK)
		check_link(c);
	if (seen->inode->i_flags & EXT4_INLINE_DATA_FL)
		check_inline(c);
	check_blocks(c);
}

void check_map(struct inode_check *c)
{
	const struct e2dx_seen_inode *seen = c->seen;

	show_faults(c);
	show_shared(c);
	if (seen->unaligned)
		inode_problem(c, (struct problem){ .code = P_MAP_UNALIGNED });
	if (seen->unwritten && LINUX_S_ISDIR(seen->inode->i_mode))
		inode_problem(c, (struct problem){ .code = P_MAP_UNWRITTEN });
	if (seen->map || seen->partial || seen->ino == EXT2_BAD_INO ||
	    !(seen->flags & E2DX_INODE_TYPE) ||
	    (!inode_is_reserved(seen->ino) && !seen->inode->i_links_count))
		return;
	check_against_map(c);
}
