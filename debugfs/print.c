/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small things that several commands print. */
#include <ctype.h>
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

char *entry_text(char *text, const struct htree_dir *dir,
		 const struct htree_dirent *e)
{
	char quoted[DBG_NAME_TEXT], *out = text;
	size_t i;

	if (dir->encrypted) {
		/* Ciphertext says nothing to people: easy to copy is better. */
		for (i = 0; i < e->name_len; i++)
			if (isascii(e->name[i]) &&
			    (isalnum(e->name[i]) || (e->name[i] &&
			     strchr("._-", e->name[i]))))
				*out++ = (char)e->name[i];
			else
				out += sprintf(out, "\\x%02x", e->name[i]);
		*out = '\0';
		return text;
	}
	cli_quote(quoted, e->name, e->name_len);
	for (i = 0; quoted[i]; i++)
		if (quoted[i] == '/')
			out = stpcpy(out, "\\x2f");
		else
			*out++ = quoted[i];
	*out = '\0';
	return text;
}

int64_t inode_time(uint32_t seconds, uint32_t extra)
{
	/* The low two bits of the extra field lead beyond 2038. */
	return (int64_t)(int32_t)seconds + ((int64_t)(extra & 3) << 32);
}
