/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every answer to every question comes from here. */
#include <string.h>
#include "decide.h"

/* Read one answer; end of input means no to everything that follows. */
static bool ask(struct decider *d, bool standard)
{
	char line[64];

	for (;;) {
		fprintf(d->out, "<%s>? ", standard ? "y" : "n");
		fflush(d->out);
		if (!fgets(line, sizeof(line), d->in)) {
			fputs("no\n", d->out);
			d->mode = MODE_NO;
			return false;
		}
		switch (line[strspn(line, " \t")]) {
		case 'y': case 'Y':
			return true;
		case 'n': case 'N':
			return false;
		case 'a': case 'A':
			d->all = true;
			return true;
		case '\n':
			return standard;
		}
		fputs("  Answer y (yes), n (no) or a (yes to all)", d->out);
	}
}

static bool answer(struct decider *d, const struct problem_info *info,
		   bool *asked)
{
	*asked = false;
	if (d->locked)
		return false;
	switch (d->mode) {
	case MODE_YES:
		return true;
	case MODE_PREEN:
		if (!info->preen)
			d->manual = true;
		return info->preen;
	case MODE_ASK:
		if (d->all)
			return true;
		*asked = true;
		return false;
	case MODE_NO:
		break;
	}
	return false;
}

bool decide(struct decider *d, const struct problem *p)
{
	const struct problem_info *info = problem_info(p->code);
	char question[160];
	bool asked, yes;

	if ((info->severity != S_FIX && info->severity != S_NOTE) ||
	    !info->question)
		return false;
	problem_question(p, question, sizeof(question));
	yes = answer(d, info, &asked);
	fprintf(d->out, "  %s", question);
	if (asked)
		return ask(d, info->answer);
	fprintf(d->out, "? %s\n", yes ? "yes" : "no");
	return yes;
}
