/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a line of text to arguments and numbers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "debugfs.h"

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/*
 * One argument from *line on to *out, which it moves past the terminator.
 * Returns false where a quote stays open.
 */
static bool take_argument(const char **line, char **out)
{
	const char *s = *line;
	bool quoted = false;

	for (; *s && (quoted || !blank(*s)); s++) {
		if (*s != '"')
			*(*out)++ = *s;
		else if (quoted && s[1] == '"')
			*(*out)++ = *s++;
		else
			quoted = !quoted;
	}
	*(*out)++ = '\0';
	*line = s;
	return !quoted;
}

int split_line(const char *line, char ***argv)
{
	size_t len = strlen(line), slots = len / 2 + 2;
	int argc = 0;
	char **v = malloc(slots * sizeof(*v) + len + 1);
	char *out;

	*argv = NULL;
	if (!v)
		return -1;
	out = (char *)(v + slots);
	for (;;) {
		while (blank(*line))
			line++;
		if (!*line)
			break;
		v[argc++] = out;
		if (!take_argument(&line, &out)) {
			free(v);
			return -1;
		}
	}
	v[argc] = NULL;
	*argv = v;
	return argc;
}

bool parse_number(const char *text, uint64_t *value)
{
	char *end;

	/* strtoull() takes signs and white space; a block number has none. */
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 0);
	return !errno && !*end;
}
