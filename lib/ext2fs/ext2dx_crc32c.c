/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* libext2dx.so: libext2fs' CRC-32C by the best code that this CPU runs. */
#include <ext2fs/ext2fs.h>
#include "htree/crc32c.h"

__u32 ext2fs_crc32c_le(__u32 crc, unsigned char const *p, size_t len)
{
	return htree_crc32c(crc, p, len);
}
