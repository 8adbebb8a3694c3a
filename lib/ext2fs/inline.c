/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Attributes in the inode: as much of them as inline directories need. */
#include <string.h>
#include "ext2fs/inline.h"
#include "htree/ondisk.h"

#define EXTRA_ISIZE	0x80	/* offset in an inode, 16 bits */
#define INDEX_SYSTEM	7	/* prefix "system." */

/* An attribute's entry: offsets from its first byte. */
#define EA_NAME_LEN	0	/* 8 bits */
#define EA_NAME_INDEX	1	/* 8 bits */
#define EA_VALUE_OFFSET	2	/* 16 bits, from the first entry */
#define EA_VALUE_INODE	4	/* 32 bits; 0: the value lies here */
#define EA_VALUE_SIZE	8	/* 32 bits */
#define EA_NAME		16
#define EA_ALIGN	4

static const uint8_t *value_of(const uint8_t *area, size_t size,
			       const uint8_t *entry, size_t *len)
{
	size_t offset = htree_le16(entry + EA_VALUE_OFFSET);
	size_t n = htree_le32(entry + EA_VALUE_SIZE);

	if (htree_le32(entry + EA_VALUE_INODE) || offset > size ||
	    n > size - offset)
		return NULL;
	*len = n;
	return area + offset;
}

static bool is_system_data(const uint8_t *entry)
{
	return entry[EA_NAME_LEN] == 4 && entry[EA_NAME_INDEX] == INDEX_SYSTEM &&
	       !memcmp(entry + EA_NAME, "data", 4);
}

const uint8_t *e2dx_inline_value(const struct e2dx_fs *efs, const uint8_t *raw,
				 size_t *len)
{
	size_t size = EXT2_INODE_SIZE(efs->fs->super);
	size_t at = 0, start;
	const uint8_t *area;

	*len = 0;
	if (size < EXTRA_ISIZE + 2)
		return NULL;
	start = EXTRA_ISIZE + htree_le16(raw + EXTRA_ISIZE);
	if (start + 4 > size || htree_le32(raw + start) != E2DX_EA_MAGIC)
		return NULL;
	area = raw + start + 4;
	size -= start + 4;
	/* Four zero bytes end the list. */
	while (size - at >= EA_NAME && htree_le32(area + at)) {
		const uint8_t *entry = area + at;
		size_t entry_len = (EA_NAME + entry[EA_NAME_LEN] + EA_ALIGN - 1) &
				   ~(size_t)(EA_ALIGN - 1);

		if (entry_len > size - at)
			return NULL;
		if (is_system_data(entry))
			return value_of(area, size, entry, len);
		at += entry_len;
	}
	return NULL;
}
