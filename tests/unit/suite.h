/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands around the tests of every program that uses Check. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>

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
