/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of options behind one letter: -E a=b,c */
#include <string.h>
#include "cli/cli.h"

int cli_suboptions(char *list, int (*set)(void *ctx, char *key, char *value),
		   void *ctx)
{
	while (list) {
		char *key = strsep(&list, ",");
		char *value = strchr(key, '=');
		int result;

		if (!*key)
			continue;
		if (value)
			*value++ = '\0';
		result = set(ctx, key, value);
		if (result)
			return result;
	}
	return 0;
}
