/* SPDX-License-Identifier: GPL-2.0-or-later */
/* UUIDs as people give them: their text, or a word for how to make one. */
#include <string.h>
#include <uuid/uuid.h>
#include "cli/cli.h"

bool cli_parse_uuid(const char *text, uint8_t uuid[16])
{
	if (!strcmp(text, "clear"))
		uuid_clear(uuid);
	else if (!strcmp(text, "random"))
		uuid_generate_random(uuid);
	else if (!strcmp(text, "time"))
		uuid_generate_time(uuid);
	else
		return uuid_parse(text, uuid) == 0;
	return true;
}
