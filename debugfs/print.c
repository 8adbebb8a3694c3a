/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small things that several commands print. */
#include <stdio.h>
#include <string.h>
#include "debugfs.h"

#define LINE_COLUMNS 80

void columns_put(struct columns *c, const char *item)
{
	int len = (int)strlen(item);

	if (c->used && c->used + len > LINE_COLUMNS) {
		putchar('\n');
		c->used = 0;
	}
	fputs(item, stdout);
	c->used += len;
}

void columns_end(struct columns *c)
{
	putchar('\n');
	c->used = 0;
}

char *entry_text(char *text, const struct htree_dirent *e)
{
	return cli_quote(text, e->name, e->name_len);
}

int64_t inode_time(uint32_t seconds, uint32_t extra)
{
	/* The low two bits of the extra field lead beyond 2038. */
	return (int64_t)(int32_t)seconds + ((int64_t)(extra & 3) << 32);
}
