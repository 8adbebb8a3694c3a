/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libext2dx.so: libe2p's names of directory hashes, with siphash.  What they
 * give goes to disk (tune2fs), so the hole 3 to 5 has neither a name here nor
 * a number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <ext2fs/ext2fs.h>
#include <e2p/e2p.h>
#include "dirhash/dirhash.h"

#define NUMBERED	"HASHALG_"	/* any other number, 0 to 255 */
#define NUMBERED_LEN	(sizeof(NUMBERED) - 1)
#define NUMBER_MAX	255		/* s_def_hash_version is one byte */

static int numbered(const char *digits)
{
	char *end;
	long number = strtol(digits, &end, 10);

	if (end == digits || *end || number < 0 || number > NUMBER_MAX)
		return -1;
	if (dirhash_known((int)number) && !dirhash_on_disk((int)number))
		return -1;
	return (int)number;
}

int e2p_string2hash(char *string)
{
	for (int v = 0; dirhash_known(v); v++)
		if (dirhash_on_disk(v) &&
		    strcasecmp(string, dirhash_version_name(v)) == 0)
			return v;
	if (strncasecmp(string, NUMBERED, NUMBERED_LEN) == 0)
		return numbered(string + NUMBERED_LEN);
	return -1;
}

/*
 * The prototype leaves no other place for a number's text than one that the
 * next call overwrites; here it is the calling thread's own.
 */
const char *e2p_hash2string(int num)
{
	static _Thread_local char text[NUMBERED_LEN + 12];

	if (dirhash_on_disk(num))
		return dirhash_version_name(num);
	snprintf(text, sizeof(text), NUMBERED "%d", num);
	return text;
}
