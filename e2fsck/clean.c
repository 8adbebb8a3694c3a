/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filesystems that are marked clean: seen from the superblock alone. */
#include <string.h>
#include <time.h>
#include "e2fsck.h"
#include "ext2fs/supercheck.h"

#define SOON_MOUNTS	5	/* say so when a check is due that soon */
#define DAY		86400

/* Why it is to be checked though nobody said -f; false: it need not be. */
static bool due(const struct ext2_super_block *s, char *why, size_t size)
{
	int16_t max = s->s_max_mnt_count;
	uint64_t now = (uint64_t)time(NULL), since = 0;

	if (now > s->s_lastcheck)
		since = now - s->s_lastcheck;
	if (s->s_state & EXT2_ERROR_FS)
		snprintf(why, size, "it is marked as having errors");
	else if (!(s->s_state & EXT2_VALID_FS))
		snprintf(why, size, "it was not unmounted cleanly");
	else if (max > 0 && s->s_mnt_count >= (uint16_t)max)
		snprintf(why, size, "it has been mounted %u times without being checked",
			 s->s_mnt_count);
	else if (s->s_checkinterval && since >= s->s_checkinterval)
		snprintf(why, size, "it has gone %llu days without being checked",
			 (unsigned long long)(since / DAY));
	else
		return false;
	return true;
}

bool check_marked_clean(const struct e2dx_fs *efs, char *why, size_t size)
{
	struct ext2_super_block *s = efs->fs->super;

	*why = '\0';
	/* Something cut the device off, which its own mark cannot say. */
	return !efs->primary_fault && ext2fs_blocks_count(s) <=
	       efs->device_bytes / efs->fs->blocksize &&
	       !ext2fs_has_feature_journal_needs_recovery(s) &&
	       !due(s, why, size);
}

void check_report_clean(const char *device, struct ext2_super_block *s)
{
	int16_t max = s->s_max_mnt_count;
	uint64_t blocks = ext2fs_blocks_count(s);
	uint64_t free_blocks = ext2fs_free_blocks_count(s);
	int left = max - s->s_mnt_count;

	/* Scripts read this line. */
	printf("%s: clean, %u/%u files, %llu/%llu blocks", device,
	       s->s_inodes_count - s->s_free_inodes_count, s->s_inodes_count,
	       (unsigned long long)(blocks - free_blocks),
	       (unsigned long long)blocks);
	if (max > 0 && left == 1)
		printf(" (check after next mount)");
	else if (max > 0 && left > 1 && left <= SOON_MOUNTS)
		printf(" (check in %d mounts)", left);
	putchar('\n');
}

/* The primary superblock, where it is whole; nothing else is read. */
static bool read_whole(const char *device, struct ext2_super_block *s)
{
	static const uint16_t one = 1;
	uint8_t sb[E2DX_SB_SIZE];
	io_channel io;
	blk64_t bytes;
	bool ok;

	if (e2dx_io_manager->open(device, 0, &io))
		return false;
	ok = !io_channel_set_blksize(io, E2DX_SB_PRIMARY) &&
	     !io_channel_read_blk64(io, 1, -E2DX_SB_SIZE, sb) &&
	     !ext2fs_get_device_size2(device, 1, &bytes) &&
	     !e2dx_super_check(sb, bytes, false) && e2dx_super_csum_ok(sb);
	if (io_channel_close(io) || !ok)
		return false;
	memcpy(s, sb, sizeof(*s));
	if (!*(const uint8_t *)&one)
		ext2fs_swap_super(s);
	return ext2fs_blocks_count(s) <= bytes / EXT2_BLOCK_SIZE(s);
}

/* Is there nothing in it that a check would want to see? */
static bool nothing_to_see(struct ext2_super_block *s)
{
	struct struct_ext2_filsys fs;
	struct e2dx_fs efs = { .fs = &fs };
	struct problem_list *faults = NULL;
	char why[80], detail[8];
	bool incompat, clean;

	memset(&fs, 0, sizeof(fs));
	fs.super = s;
	clean = !due(s, why, sizeof(why)) &&
		!ext2fs_has_feature_journal_needs_recovery(s) &&
		!ext2fs_has_feature_orphan_present(s) && !s->s_last_orphan &&
		!ext2fs_has_feature_casefold(s) &&
		!e2dx_strange_features(&efs, &incompat, detail, sizeof(detail)) &&
		dirhash_on_disk(s->s_def_hash_version) &&
		!facts_fields(&efs, &faults) && !problem_list_faults(faults);
	problem_list_free(faults);
	return clean;
}

bool check_clean_at_once(const struct options *o)
{
	struct ext2_super_block s;

	if (o->force || o->optimize || o->superblock || o->block_size ||
	    o->journal_only || o->mode == MODE_ASK ||
	    !read_whole(o->device, &s) || !nothing_to_see(&s))
		return false;
	/* On a mounted filesystem the long way says what is to be said. */
	if (e2dx_in_use(o->device, false, NULL, 0))
		return false;
	check_report_clean(o->device, &s);
	return true;
}
