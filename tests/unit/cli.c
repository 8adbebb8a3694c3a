/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lib/cli: quoting, option lists, UUIDs, the lines of -C. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli/cli.h"
#include "suite.h"

/*
 * Printable, and the same bytes when read back.  No ck_assert in here: each
 * of them writes a message, and this runs for many names.
 */
static bool round_trip(const uint8_t *name, size_t len)
{
	char *text = malloc(4 * len + 1);
	uint8_t *back = malloc(len + 1);
	bool ok = text && back && cli_quote(text, name, len) == text &&
		  cli_unquote(back, len, text) == (int)len &&
		  !memcmp(back, name, len);

	for (const char *p = text; ok && *p; p++)
		ok = (unsigned char)*p >= 0x20 && *p != 0x7f;
	free(text);
	free(back);
	return ok;
}

static const char *quoted(const char *name)
{
	static char text[4096];

	return cli_quote(text, name, strlen(name));
}

START_TEST(quote_every_byte_comes_back)
{
	uint8_t all[256];
	int bad = 0;

	for (int i = 0; i < 256; i++)
		all[i] = (uint8_t)i;
	ck_assert(round_trip(all, sizeof(all)));
	ck_assert(round_trip(all, 0));
	for (int i = 0; i < 65536; i++)
		bad += !round_trip((uint8_t[]){ (uint8_t)(i >> 8), (uint8_t)i,
						'x' }, 3);
	ck_assert_int_eq(bad, 0);
}
END_TEST

START_TEST(quote_random_names_come_back)
{
	uint8_t name[255];
	uint32_t state = 1;
	int bad = 0;

	for (int n = 0; n < 2000; n++) {
		for (size_t i = 0; i < sizeof(name); i++) {
			state = state * 1664525u + 1013904223u;
			name[i] = (uint8_t)(state >> 24 | (n & 1 ? 0x80 : 0));
		}
		bad += !round_trip(name, (size_t)n % (sizeof(name) + 1));
	}
	ck_assert_int_eq(bad, 0);
}
END_TEST

START_TEST(quote_shows_text_and_hides_the_rest)
{
	static const struct { const char *name, *text; } t[] = {
		{ "plain name", "plain name" },
		{ "Stra\xc3\x9f" "e", "Stra\xc3\x9f" "e" },
		{ "\xf0\x9f\x90\xa7", "\xf0\x9f\x90\xa7" },
		{ "a\\b", "a\\x5cb" },
		{ "tab\there", "tab\\x09here" },
		{ "\x1b[31m", "\\x1b[31m" },
		{ "\x7f", "\\x7f" },
		{ "\xc2\x9b" "31m", "\\xc2\\x9b31m" },		/* C1 CSI */
		{ "\xe2\x80\xae" "abc", "\\xe2\\x80\\xae" "abc" },	/* RTL override */
		{ "\xc0\xaf", "\\xc0\\xaf" },			/* overlong */
		{ "\xe0\x80\xaf", "\\xe0\\x80\\xaf" },
		{ "\xf0\x80\x80\xaf", "\\xf0\\x80\\x80\\xaf" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },		/* surrogate */
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },	/* > U+10FFFF */
		{ "\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80" },
		{ "\xff", "\\xff" },
		{ "\xc3", "\\xc3" },				/* cut short */
		{ "\xe2\x82", "\\xe2\\x82" },
		{ "\xc3(", "\\xc3(" },
		{ "\xbf\xbf", "\\xbf\\xbf" },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		ck_assert_str_eq(quoted(t[i].name), t[i].text);
}
END_TEST

START_TEST(unquote_refuses_malformed)
{
	static const char *const bad[] = { "\\", "\\x", "\\x1", "\\xg0", "\\x0g",
					   "\\n", "a\\", "\\\\" };
	uint8_t out[8];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_int_eq(cli_unquote(out, sizeof(out), bad[i]), -1);
	ck_assert_int_eq(cli_unquote(out, sizeof(out), "\\xAf\\x00z"), 3);
	ck_assert_mem_eq(out, "\xaf\0z", 3);
	ck_assert_int_eq(cli_unquote(out, 3, "abc"), 3);
	ck_assert_int_eq(cli_unquote(out, 2, "abc"), -1);
	ck_assert_int_eq(cli_unquote(out, 0, ""), 0);
}
END_TEST

struct seen {
	char text[256];
	int stop_at, n;
};

static int see(void *ctx, char *key, char *value)
{
	struct seen *s = ctx;
	size_t used = strlen(s->text);

	snprintf(s->text + used, sizeof(s->text) - used, "[%s|%s]", key,
		 value ? value : "-");
	return ++s->n == s->stop_at ? 7 : 0;
}

START_TEST(suboptions_are_split)
{
	static const struct { const char *list, *want; } t[] = {
		{ "a=b,c", "[a|b][c|-]" },
		{ "hash_alg=tea", "[hash_alg|tea]" },
		{ "a=", "[a|]" },
		{ "a=b=c,^d", "[a|b=c][^d|-]" },
		{ ",,a,,b,", "[a|-][b|-]" },
		{ "", "" },
		{ "=x", "[|x]" },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct seen s = { .text = "" };
		char list[64];

		snprintf(list, sizeof(list), "%s", t[i].list);
		ck_assert_int_eq(cli_suboptions(list, see, &s), 0);
		ck_assert_str_eq(s.text, t[i].want);
	}
}
END_TEST

START_TEST(suboptions_stop_where_told)
{
	struct seen s = { .stop_at = 2 };
	char list[] = "a,b=1,c";

	ck_assert_int_eq(cli_suboptions(list, see, &s), 7);
	ck_assert_str_eq(s.text, "[a|-][b|1]");
}
END_TEST

START_TEST(uuid_words_and_text)
{
	static const uint8_t want[16] = { 0xc1, 0xb9, 0xd5, 0xa2, 0xf1, 0x62,
		0x11, 0xcf, 0x9e, 0xce, 0x00, 0x20, 0xaf, 0xc7, 0x6f, 0x16 };
	static const uint8_t zero[16];
	static const char *const bad[] = { "", "randomly", "Random",
		"c1b9d5a2-f162-11cf-9ece-0020afc76f1",
		"c1b9d5a2-f162-11cf-9ece-0020afc76f166",
		"c1b9d5a2f16211cf9ece0020afc76f16",
		"g1b9d5a2-f162-11cf-9ece-0020afc76f16" };
	uint8_t a[16], b[16];

	ck_assert(cli_parse_uuid("C1b9d5a2-f162-11cf-9ece-0020afc76f16", a));
	ck_assert_mem_eq(a, want, 16);
	ck_assert(cli_parse_uuid("clear", a));
	ck_assert_mem_eq(a, zero, 16);
	ck_assert(cli_parse_uuid("random", a));
	ck_assert(cli_parse_uuid("random", b));
	ck_assert_mem_ne(a, b, 16);
	ck_assert_int_eq(a[6] >> 4, 4);
	ck_assert(cli_parse_uuid("time", a));
	ck_assert_int_eq(a[6] >> 4, 1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert(!cli_parse_uuid(bad[i], a));
}
END_TEST

START_TEST(status_only_worsens)
{
	struct cli c;

	cli_init(&c, "/usr/sbin/tune2fs");
	ck_assert_str_eq(c.program, "tune2fs");
	ck_assert_int_eq(c.status, 0);
	cli_worsen(&c, 4);
	cli_worsen(&c, 1);
	cli_worsen(&c, 0);
	ck_assert_int_eq(c.status, 5);
	cli_init(&c, "debugfs");
	ck_assert_str_eq(c.program, "debugfs");
}
END_TEST

START_TEST(progress_lines_for_fsck)
{
	struct cli_progress p;
	char got[256];
	int fds[2];
	ssize_t n;

	ck_assert_int_eq(pipe(fds), 0);
	cli_progress_init(&p, fds[1], "/dev/x");
	cli_progress_show(&p, 1, 0, 10);
	cli_progress_show(&p, 1, 0, 10);	/* nothing new */
	cli_progress_show(&p, 1, 5, 10);
	cli_progress_show(&p, 2, 11, 10);
	cli_progress_show(&p, 2, 1, 0);		/* no total: nothing */
	cli_progress_clear(&p);
	close(fds[1]);
	n = read(fds[0], got, sizeof(got) - 1);
	ck_assert_int_gt(n, 0);
	got[n] = '\0';
	ck_assert_str_eq(got, "1 0 10 /dev/x\n1 5 10 /dev/x\n2 10 10 /dev/x\n");
	close(fds[0]);
}
END_TEST

int main(void)
{
	TCase *tc = make_case("all");

	tcase_add_test(tc, quote_every_byte_comes_back);
	tcase_add_test(tc, quote_random_names_come_back);
	tcase_add_test(tc, quote_shows_text_and_hides_the_rest);
	tcase_add_test(tc, unquote_refuses_malformed);
	tcase_add_test(tc, suboptions_are_split);
	tcase_add_test(tc, suboptions_stop_where_told);
	tcase_add_test(tc, uuid_words_and_text);
	tcase_add_test(tc, status_only_worsens);
	tcase_add_test(tc, progress_lines_for_fsck);
	return run_case("cli", tc);
}
