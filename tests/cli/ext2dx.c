/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A user's program, for tests/cli/ext2dx.sh: which library do the functions
 * come from that libext2dx replaces, also where libext2fs calls them?
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <e2dx/ext2dx.h>
#include <ext2fs/ext2fs.h>
#include <e2p/e2p.h>

int main(void)
{
	static char name[] = "siphash";
	ext2_dirhash_t hash = 0;
	Dl_info info;
	void *first = dlsym(RTLD_DEFAULT, "ext2fs_dirhash");

	if (!first || !dladdr(first, &info) ||
	    !strstr(info.dli_fname, "libext2dx"))
		return 1;
	if (e2p_string2hash(name) != DIRHASH_SIPHASH ||
	    ext2fs_dirhash(DIRHASH_SIPHASH, "foo", 3, NULL, &hash, NULL) ||
	    htree_crc32c(0, "", 0) != 0)
		return 2;
	printf("%s %08x\n", dirhash_version_name(DIRHASH_SIPHASH), hash);
	return 0;
}
