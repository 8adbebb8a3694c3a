/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The problem table is complete and consistent; decisions follow it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "decide.h"
#include "facts.h"
#include "suite.h"

START_TEST(every_finding_has_a_row)
{
	for (int i = HTREE_OK + 1; i < HTREE_FINDING_MAX; i++) {
		enum problem_code code = (enum problem_code)(P_DIR + i);
		const struct problem_info *p = problem_info(code);

		ck_assert_msg(p->code == code, "finding %d has no row", i);
		ck_assert_int_ne(p->kind, R_NONE);
		ck_assert_uint_lt(problem_kind(code), DIR_KINDS);
	}
}
END_TEST

/* What the index code calls a matter of the index alone, -p may do. */
START_TEST(index_faults_are_preened)
{
	for (int i = HTREE_X_ROOT; i < HTREE_FINDING_MAX; i++)
		ck_assert_msg(problem_info((enum problem_code)(P_DIR + i))->preen,
			      "finding %d", i);
}
END_TEST

START_TEST(kinds_do_not_collide)
{
	ck_assert_uint_ne(problem_kind(P_DIR + HTREE_F_REC_LEN),
			  problem_kind(P_ENTRY_UNUSED));
	ck_assert_uint_ne(problem_kind(P_DIR + HTREE_X_NO_FEATURE),
			  problem_kind(P_ENTRY_UNUSED));
	ck_assert_uint_lt(problem_kind(P_STRAY_DOT_KEPT), DIR_KINDS);
}
END_TEST

START_TEST(names_are_quoted)
{
	struct problem p = { .code = P_ENTRY_UNUSED, .ino = 12, .block = 3,
			     .offset = 24, .value = 99,
			     .name = (const uint8_t *)"a\n\x1b", .name_len = 3 };
	char line[200], tiny[8];

	problem_format(&p, line, sizeof(line));
	ck_assert_str_eq(line, "directory inode 12, block 3, offset 24: "
			 "'a\\x0a\\x1b': it names inode 99, which is not in use");
	problem_format(&p, tiny, sizeof(tiny));
	ck_assert_uint_eq(strlen(tiny), 7);
}
END_TEST

static bool decide_with(enum answer_mode mode, const char *typed,
			enum problem_code code, struct decider *d)
{
	struct problem p = { .code = code };
	bool yes;

	memset(d, 0, sizeof(*d));
	d->mode = mode;
	d->in = typed ? fmemopen((void *)typed, strlen(typed), "r") : NULL;
	d->out = fopen("/dev/null", "w");
	yes = decide(d, &p);
	if (d->in)
		fclose(d->in);
	fclose(d->out);
	return yes;
}

START_TEST(answers)
{
	enum problem_code index = P_DIR + HTREE_X_COUNT;
	enum problem_code name = P_DIR + HTREE_F_DUPLICATE;
	struct decider d;

	ck_assert(!decide_with(MODE_NO, NULL, index, &d));
	ck_assert(decide_with(MODE_YES, NULL, name, &d));
	ck_assert(decide_with(MODE_PREEN, NULL, index, &d) && !d.manual);
	ck_assert(!decide_with(MODE_PREEN, NULL, name, &d) && d.manual);
	ck_assert(decide_with(MODE_ASK, "y\n", name, &d));
	ck_assert(!decide_with(MODE_ASK, "n\n", name, &d));
	ck_assert(decide_with(MODE_ASK, "\n", name, &d));
	ck_assert(decide_with(MODE_ASK, "what\ny\n", name, &d));
	ck_assert(decide_with(MODE_ASK, "a\n", name, &d) && d.all);
	ck_assert(!decide_with(MODE_ASK, " ", name, &d));
	/* What has no repair is never decided for. */
	ck_assert(!decide_with(MODE_YES, NULL, P_OWN_SHARED, &d));
}
END_TEST

int main(void)
{
	TCase *t = make_case("problems");

	tcase_add_test(t, every_finding_has_a_row);
	tcase_add_test(t, index_faults_are_preened);
	tcase_add_test(t, kinds_do_not_collide);
	tcase_add_test(t, names_are_quoted);
	tcase_add_test(t, answers);
	return run_case("e2fsck_problem", t);
}
