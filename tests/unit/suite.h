/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands around the tests of every program that uses Check. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>

/* A case whose tests may each take a minute: Check's 4 seconds are too few for a
   machine that is busy. */
static inline TCase *make_case(const char *name)
{
	TCase *c = tcase_create(name);

	tcase_set_timeout(c, 60);
	return c;
}

/* Run the tests of a case; CK_VERBOSITY says how much is told.  Returns main()'s
   exit status. */
static inline int run_case(const char *name, TCase *c)
{
	Suite *s = suite_create(name);
	SRunner *r = srunner_create(s);
	int failed;

	suite_add_tcase(s, c);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}

#endif
