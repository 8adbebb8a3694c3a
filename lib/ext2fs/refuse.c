/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Why a filesystem must not be written. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <e2p/e2p.h>
#include "ext2fs/fs.h"
#include "ext2fs/loop.h"

/*
 * Compatible features are no bar, save two dead ones that change which blocks
 * count as used.
 */
#define COMPAT_BAD	(EXT2_FEATURE_COMPAT_LAZY_BG | \
			 EXT2_FEATURE_COMPAT_EXCLUDE_BITMAP)

/*
 * Not here: shared_blocks (files may claim the same block, so nothing may be
 * freed), snapshots, replica, and read-only, which asks for just that.
 * orphan_present is a state: see unclean().
 */
#define RO_COMPAT_KNOWN	(EXT2_FEATURE_RO_COMPAT_SPARSE_SUPER | \
			 EXT2_FEATURE_RO_COMPAT_LARGE_FILE | \
			 EXT4_FEATURE_RO_COMPAT_HUGE_FILE | \
			 EXT4_FEATURE_RO_COMPAT_GDT_CSUM | \
			 EXT4_FEATURE_RO_COMPAT_DIR_NLINK | \
			 EXT4_FEATURE_RO_COMPAT_EXTRA_ISIZE | \
			 EXT4_FEATURE_RO_COMPAT_QUOTA | \
			 EXT4_FEATURE_RO_COMPAT_BIGALLOC | \
			 EXT4_FEATURE_RO_COMPAT_METADATA_CSUM | \
			 EXT4_FEATURE_RO_COMPAT_PROJECT | \
			 EXT4_FEATURE_RO_COMPAT_VERITY | \
			 EXT4_FEATURE_RO_COMPAT_ORPHAN_PRESENT)

/*
 * Not here: compression, dirdata (data behind names, which a rewritten entry
 * would lose), external journals.
 */
#define INCOMPAT_KNOWN	(EXT2_FEATURE_INCOMPAT_FILETYPE | \
			 EXT3_FEATURE_INCOMPAT_RECOVER | \
			 EXT2_FEATURE_INCOMPAT_META_BG | \
			 EXT3_FEATURE_INCOMPAT_EXTENTS | \
			 EXT4_FEATURE_INCOMPAT_64BIT | \
			 EXT4_FEATURE_INCOMPAT_MMP | \
			 EXT4_FEATURE_INCOMPAT_FLEX_BG | \
			 EXT4_FEATURE_INCOMPAT_EA_INODE | \
			 EXT4_FEATURE_INCOMPAT_CSUM_SEED | \
			 EXT4_FEATURE_INCOMPAT_LARGEDIR | \
			 EXT4_FEATURE_INCOMPAT_INLINE_DATA | \
			 EXT4_FEATURE_INCOMPAT_ENCRYPT | \
			 EXT4_FEATURE_INCOMPAT_CASEFOLD)

struct detail {
	char *text;		/* may be NULL */
	size_t size, used;
};

static void add_detail(struct detail *d, const char *text)
{
	int n;

	if (!d->text || d->used >= d->size)
		return;
	n = snprintf(d->text + d->used, d->size - d->used, "%s%s",
		     d->used ? " " : "", text);
	if (n > 0)
		d->used += (size_t)n;
}

static void add_features(struct detail *d, int set, uint32_t mask)
{
	for (uint32_t bit = 1; bit; bit <<= 1)
		if (mask & bit)
			add_detail(d, e2p_feature2string(set, bit));
}

/* Encodings and checksums of kinds that do not exist yet are features too. */
static bool unknown_features(const struct e2dx_fs *efs, struct detail *d)
{
	struct ext2_super_block *sb = efs->fs->super;
	uint32_t compat = sb->s_feature_compat & COMPAT_BAD;
	uint32_t ro = sb->s_feature_ro_compat & ~(uint32_t)RO_COMPAT_KNOWN;
	uint32_t in = sb->s_feature_incompat & ~(uint32_t)INCOMPAT_KNOWN;

	if (ext2fs_has_feature_casefold(sb) && !efs->has_fold)
		in |= EXT4_FEATURE_INCOMPAT_CASEFOLD;
	if (ext2fs_has_feature_metadata_csum(sb) &&
	    sb->s_checksum_type != EXT2_CRC32C_CHKSUM)
		ro |= EXT4_FEATURE_RO_COMPAT_METADATA_CSUM;
	add_features(d, E2P_FEATURE_COMPAT, compat);
	add_features(d, E2P_FEATURE_INCOMPAT, in);
	add_features(d, E2P_FEATURE_RO_INCOMPAT, ro);
	return compat || ro || in;
}

/* Beyond what may be written: what can at least be checked. */
#define COMPAT_READ	(EXT2_FEATURE_COMPAT_DIR_PREALLOC | \
			 EXT2_FEATURE_COMPAT_IMAGIC_INODES | \
			 EXT3_FEATURE_COMPAT_HAS_JOURNAL | \
			 EXT2_FEATURE_COMPAT_EXT_ATTR | \
			 EXT2_FEATURE_COMPAT_RESIZE_INODE | \
			 EXT2_FEATURE_COMPAT_DIR_INDEX | \
			 EXT4_FEATURE_COMPAT_SPARSE_SUPER2 | \
			 EXT4_FEATURE_COMPAT_FAST_COMMIT | \
			 EXT4_FEATURE_COMPAT_STABLE_INODES | \
			 EXT4_FEATURE_COMPAT_ORPHAN_FILE)
#define RO_COMPAT_READ	(RO_COMPAT_KNOWN | EXT4_FEATURE_RO_COMPAT_READONLY | \
			 EXT4_FEATURE_RO_COMPAT_SHARED_BLOCKS)

bool e2dx_strange_features(const struct e2dx_fs *efs, bool *incompat,
			   char *detail, size_t size)
{
	struct detail d = { .text = size ? detail : NULL, .size = size };
	struct ext2_super_block *sb = efs->fs->super;
	uint32_t compat = sb->s_feature_compat & ~(uint32_t)COMPAT_READ;
	uint32_t in = sb->s_feature_incompat & ~(uint32_t)INCOMPAT_KNOWN;
	uint32_t ro = sb->s_feature_ro_compat & ~(uint32_t)RO_COMPAT_READ;

	if (d.text)
		*d.text = '\0';
	add_features(&d, E2P_FEATURE_COMPAT, compat);
	add_features(&d, E2P_FEATURE_INCOMPAT, in);
	add_features(&d, E2P_FEATURE_RO_INCOMPAT, ro);
	*incompat = in;
	if (compat || in || ro)
		return true;
	if (!ext2fs_has_feature_casefold(sb) || efs->has_fold)
		return false;
	add_detail(&d, "encoding");
	return true;
}

static bool unclean(const struct ext2_super_block *sb)
{
	const uint16_t bad = EXT2_ERROR_FS | EXT3_ORPHAN_FS | EXT4_FC_REPLAY;

	return !(sb->s_state & EXT2_VALID_FS) || (sb->s_state & bad) ||
	       sb->s_last_orphan ||
	       (sb->s_feature_ro_compat & EXT4_FEATURE_RO_COMPAT_ORPHAN_PRESENT);
}

/* Is it mounted, by itself or through a loop device that shows it? */
static errcode_t find_mount(const char *device, int *flags, char *where,
			    int size)
{
	unsigned state = 0;
	char loop[32];
	errcode_t err;

	err = ext2fs_check_mount_point(device, flags, where, size);
	while (!err && !(*flags & EXT2_MF_MOUNTED) &&
	       e2dx_loop_next(device, &state, loop, sizeof(loop))) {
		int of_loop = 0;

		/* A loop device without a mount is no bar. */
		err = ext2fs_check_mount_point(loop, &of_loop, where, size);
		*flags |= of_loop & EXT2_MF_MOUNTED;
	}
	return err;
}

static errcode_t in_use(const char *device, bool exclusive, struct detail *d)
{
	char where[PATH_MAX] = "";
	int flags = 0;
	errcode_t err;

	err = find_mount(device, &flags, where, sizeof(where));
	if (err)
		return err;
	if (flags & EXT2_MF_MOUNTED) {
		add_detail(d, where);
		return E2DX_ET_MOUNTED;
	}
	if (flags & EXT2_MF_SWAP)
		return E2DX_ET_BUSY;
	/* Found by O_EXCL, which our own exclusive descriptor defeats too. */
	return (flags & EXT2_MF_BUSY) && !exclusive ? E2DX_ET_BUSY : 0;
}

errcode_t e2dx_in_use(const char *device, bool exclusive, char *detail,
		      size_t size)
{
	struct detail d = { .text = size ? detail : NULL, .size = size };

	if (d.text)
		*d.text = '\0';
	return in_use(device, exclusive, &d);
}

errcode_t e2dx_write_refusal(const struct e2dx_fs *efs, char *detail,
			     size_t size)
{
	struct detail d = { .text = size ? detail : NULL, .size = size };
	struct ext2_super_block *sb = efs->fs->super;
	errcode_t err;

	if (d.text)
		*d.text = '\0';
	err = in_use(efs->device, efs->exclusive, &d);
	if (err)
		return err;
	if (unknown_features(efs, &d))
		return E2DX_ET_FEATURE;
	if (ext2fs_has_feature_journal_needs_recovery(sb))
		return E2DX_ET_RECOVERY;
	if (ext2fs_has_feature_mmp(sb))
		return E2DX_ET_MMP;
	return unclean(sb) ? E2DX_ET_UNCLEAN : 0;
}
