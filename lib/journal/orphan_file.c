/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A block of the orphan file: its checksum, and emptying it. */
#include <string.h>
#include "htree/crc32c.h"
#include "htree/ondisk.h"
#include "journal/orphan_file.h"

static uint32_t checksum(const struct e2dx_fs *efs, const uint8_t *buf,
			 uint64_t block, uint32_t seed)
{
	uint8_t number[8];
	uint32_t crc;

	htree_put_le32(number, (uint32_t)block);
	htree_put_le32(number + 4, (uint32_t)(block >> 32));
	crc = htree_crc32c(seed, number, sizeof(number));
	return htree_crc32c(crc, buf, efs->fs->blocksize - ORPHAN_TAIL_SIZE);
}

bool orphan_block_ok(const struct e2dx_fs *efs, const uint8_t *buf,
		     uint64_t block, uint32_t seed)
{
	const uint8_t *tail = buf + efs->fs->blocksize - ORPHAN_TAIL_SIZE;

	uint32_t want = ext2fs_has_feature_metadata_csum(efs->fs->super) ?
			checksum(efs, buf, block, seed) : 0;

	return htree_le32(tail) == ORPHAN_MAGIC && htree_le32(tail + 4) == want;
}

void orphan_block_clear(const struct e2dx_fs *efs, uint8_t *buf,
			uint64_t block, uint32_t seed)
{
	uint8_t *tail = buf + efs->fs->blocksize - ORPHAN_TAIL_SIZE;

	memset(buf, 0, efs->fs->blocksize);
	htree_put_le32(tail, ORPHAN_MAGIC);
	if (ext2fs_has_feature_metadata_csum(efs->fs->super))
		htree_put_le32(tail + 4, checksum(efs, buf, block, seed));
}
