/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of any bytes as text that a terminal shows and cli_unquote() reads. */
#include <ctype.h>
#include <limits.h>
#include <string.h>
#include "cli/cli.h"

/*
 * Length of the well-formed UTF-8 character at p (RFC 3629: no overlong
 * forms, no surrogates, up to U+10FFFF) and its number in *c; 0 where there
 * is none.
 */
static size_t utf8_char(const uint8_t *p, size_t left, uint32_t *c)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;

	if (p[0] < 0x80) {
		*c = p[0];
		return 1;
	}
	if (p[0] < 0xc2 || p[0] > 0xf4 || len > left)
		return 0;
	*c = p[0] & (0x7f >> len);
	for (size_t i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (p[i] & 0x3f);
	}
	if (*c < smallest[len] || *c > 0x10ffff ||
	    (*c >= 0xd800 && *c <= 0xdfff))
		return 0;
	return len;
}

/*
 * Characters that would steer a terminal or change the order in which a line
 * is read: control characters of both halves, line and paragraph separators,
 * the bidirectional overrides and isolates.
 */
static bool steers(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) ||
	       c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

char *cli_quote(char *out, const void *name, size_t len)
{
	static const char hex[] = "0123456789abcdef";
	const uint8_t *p = name;
	char *o = out;
	uint32_t c;

	for (size_t i = 0; i < len; ) {
		size_t n = utf8_char(p + i, len - i, &c);

		if (n && c != '\\' && !steers(c)) {
			memcpy(o, p + i, n);
			o += n;
			i += n;
			continue;
		}
		/* All bytes of a character that is not shown, one by one. */
		for (size_t end = i + (n ? n : 1); i < end; i++) {
			*o++ = '\\';
			*o++ = 'x';
			*o++ = hex[p[i] >> 4];
			*o++ = hex[p[i] & 15];
		}
	}
	*o = '\0';
	return out;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int cli_unquote(uint8_t *out, size_t out_size, const char *text)
{
	size_t n = 0;

	for (; *text; n++) {
		int high, low;

		if (n >= out_size || n >= INT_MAX)
			return -1;
		if (*text != '\\') {
			out[n] = (uint8_t)*text++;
			continue;
		}
		if (text[1] != 'x')
			return -1;
		high = hex_digit(text[2]);
		low = high < 0 ? -1 : hex_digit(text[3]);
		if (low < 0)
			return -1;
		out[n] = (uint8_t)(high << 4 | low);
		text += 4;
	}
	return (int)n;
}
