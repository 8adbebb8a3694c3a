/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What people get to read: problems, and how it ended. */
#include "report.h"

#define LINE_MAX_BYTES	2048

void report_problem(const struct check *c, const struct problem *p)
{
	char line[LINE_MAX_BYTES];

	problem_format(p, line, sizeof(line));
	if (c->o->verbose)
		printf("%s: [%04x] %s\n", c->o->device, (unsigned)p->code, line);
	else
		printf("%s: %s\n", c->o->device, line);
}

void report_more(const struct check *c, const struct problem_list *l,
		 enum problem_code code)
{
	uint64_t count = problem_list_count(l, code);

	if (count > PROBLEMS_KEPT)
		printf("%s: ... and %llu more like this\n", c->o->device,
		       (unsigned long long)(count - PROBLEMS_KEPT));
}

/* Is there another of this kind later in the list? */
static bool last_of_kind(const struct problem_list *l, size_t i)
{
	for (size_t k = i + 1; k < l->n; k++)
		if (l->v[k].code == l->v[i].code)
			return false;
	return true;
}

void report_nth(const struct check *c, const struct problem_list *l, size_t i)
{
	report_problem(c, &l->v[i]);
	if (last_of_kind(l, i))
		report_more(c, l, l->v[i].code);
}

void report_list(const struct check *c, const struct problem_list *l)
{
	report_but(c, l, P_NONE);
}

void report_but(const struct check *c, const struct problem_list *l,
		enum problem_code code)
{
	for (size_t i = 0; l && i < l->n; i++) {
		if (l->v[i].code == code)
			continue;
		report_nth(c, l, i);
		if (problem_info(l->v[i].code)->severity != S_NOTE)
			cli_worsen(c->cli, FSCK_LEFT);
	}
}

void report_end(const struct check *c)
{
	const char *device = c->o->device;

	fflush(stdout);
	if (c->decider.manual)
		cli_error(c->cli, device, 0,
			  "UNEXPECTED INCONSISTENCY; RUN e2fsck MANUALLY (without -p): names are at stake");
	if (c->cli->status & FSCK_CANCELLED)
		printf("%s: cancelled\n", device);
	if (c->changed)
		printf("%s: THE FILESYSTEM WAS MODIFIED\n", device);
	if (c->cli->status & FSCK_LEFT)
		printf("%s: faults are left\n", device);
	report_totals(c);
}
