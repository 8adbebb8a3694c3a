/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The syntax of an access control list, as Linux wants it on disk. */
#include "htree/ondisk.h"
#include "xattr_facts.h"

#define ACL_VERSION	1
#define ACL_HEADER	4	/* 32 bits of version */
#define ACL_SHORT	4	/* tag and permissions, 16 bits each */
#define ACL_LONG	8	/* and whose they are */

/* Bytes of an entry with this tag; 0: no such tag. */
static size_t entry_size(uint32_t tag)
{
	switch (tag) {
	case 0x01:		/* the owner */
	case 0x04:		/* the group */
	case 0x10:		/* the mask */
	case 0x20:		/* others */
		return ACL_SHORT;
	case 0x02:		/* a user */
	case 0x08:		/* another group */
		return ACL_LONG;
	default:
		return 0;
	}
}

bool xattr_acl_ok(const uint8_t *value, size_t len)
{
	size_t at = ACL_HEADER;

	if (!len)
		return true;
	if (len < ACL_HEADER || htree_le32(value) != ACL_VERSION)
		return false;
	while (at < len) {
		size_t size = len - at < ACL_SHORT ? 0 :
			      entry_size(htree_le16(value + at));

		if (!size || size > len - at)
			return false;
		at += size;
	}
	return true;
}
