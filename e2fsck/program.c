/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of the program: facts, then problems, then decisions, then repairs. */
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "e2fsck.h"
#include "interrupt.h"
#include "journal.h"
#include "report.h"

static void show_progress(void *ctx, int pass, uint64_t done, uint64_t total)
{
	struct check *c = ctx;

	cli_progress_show(&c->progress, pass, done, total);
}

bool check_can_ask(struct cli *cli, const struct options *o)
{
	if (o->mode != MODE_ASK || (isatty(STDIN_FILENO) &&
				    isatty(STDOUT_FILENO)))
		return true;
	cli_error(cli, o->device, 0,
		  "questions need a terminal; give one of -n, -y, -p");
	cli_worsen(cli, FSCK_ERROR);
	return false;
}

/* What inodes have is reported; it is not repaired here. */
static void check_inodes(struct check *c)
{
	report_list(c, c->facts.groups);
	for (dgrp_t g = 0; g < c->efs->fs->group_desc_count; g++) {
		report_list(c, c->facts.inodes[g]);
		report_list(c, c->facts.maps[g]);
	}
	report_list(c, c->facts.xattrs);
}

/*
 * Repairs of directories change who has how many names: the links are counted
 * from what is on disk now.
 */
static void gather_again(struct check *c)
{
	struct facts_progress progress = { show_progress, c };
	errcode_t err;

	check_end_replacing(c);
	facts_free(&c->facts);
	err = facts_gather(&c->facts, c->efs, c->o->threads, &progress);
	cli_progress_clear(&c->progress);
	if (!err)
		return;
	cli_error(c->cli, c->o->device, err, "cannot check what was repaired");
	cli_worsen(c->cli, FSCK_LEFT | FSCK_ERROR);
	c->facts.locked = true;
}

static void repair(struct check *c)
{
	c->facts.locked = c->facts.locked || c->locked;
	c->decider.locked = c->facts.locked;
	check_super(c);
	check_inodes(c);
	check_bitmaps(c);
	check_directories(c);
	if (c->replacer && !interrupted())
		gather_again(c);
	check_links(c);
	report_list(c, c->facts.quota);
	if (c->facts.locked) {
		const char *why = e2dx_survey_reason(c->facts.survey);

		if (c->o->mode != MODE_NO)
			cli_error(c->cli, c->o->device, 0,
				  "nothing is written: %s", why ? why :
				  "what is in use and what is free is in doubt");
		cli_worsen(c->cli, FSCK_LEFT);
	} else if (c->o->optimize && !interrupted()) {
		check_optimize(c);
	}
	check_end_replacing(c);
	if (interrupted())
		cli_worsen(c->cli, FSCK_CANCELLED);
}

static void check(struct check *c)
{
	struct facts_progress progress = { show_progress, c };
	errcode_t err;

	cli_progress_init(&c->progress, c->o->progress_fd, c->o->device);
	err = facts_gather(&c->facts, c->efs, c->o->threads, &progress);
	cli_progress_clear(&c->progress);
	if (err) {
		cli_error(c->cli, c->o->device, err, "cannot check");
		cli_worsen(c->cli, FSCK_ERROR);
	} else {
		repair(c);
		if (c->o->verbose)
			report_totals(c);
		report_end(c);
	}
	facts_free(&c->facts);
}

/* Does the filesystem's own mark say that there is nothing to do? */
static bool may_skip(const struct check *c)
{
	struct problem_list *super = NULL;
	errcode_t err;
	bool clean;

	if (c->o->force || c->o->optimize || c->o->superblock ||
	    !check_marked_clean(c->efs))
		return false;
	err = facts_super(c->efs, &super);
	clean = !err && !super;
	problem_list_free(super);
	if (clean)
		printf("%s: not checked, since it is marked clean; -f checks it\n",
		       c->o->device);
	return clean;
}

static void report_timing(const struct options *o, const struct timespec *start)
{
	struct timespec now;
	struct rusage used;
	double wall;

	clock_gettime(CLOCK_MONOTONIC, &now);
	getrusage(RUSAGE_SELF, &used);
	wall = (double)(now.tv_sec - start->tv_sec) +
	       (double)(now.tv_nsec - start->tv_nsec) / 1e9;
	printf("%s: %.2f s, %ld KiB of memory at most\n", o->device, wall,
	       used.ru_maxrss);
}

static void run(struct cli *cli, const struct options *o)
{
	struct check c = {
		.cli = cli, .o = o,
		.decider = { .mode = o->mode, .in = stdin, .out = stdout }
	};
	errcode_t err;

	c.efs = check_open(cli, o);
	if (!c.efs)
		return;
	/* What stands in for the primary says little of the journal's state. */
	c.locked = c.efs->primary_fault != 0;
	c.decider.locked = c.locked;
	if (check_journal(&c) && check_orphans(&c) && !may_skip(&c) &&
	    check_can_ask(cli, o))
		check(&c);
	err = e2dx_close(c.efs);
	if (err) {
		cli_error(cli, o->device, err, "cannot close");
		cli_worsen(cli, FSCK_ERROR);
	}
}

static void check_device(struct cli *cli, struct options *o,
			 const struct timespec *start)
{
	char *device = cli_device(cli, o->device);

	if (!device) {
		cli_worsen(cli, FSCK_ERROR);
		return;
	}
	o->device = device;
	interrupt_init();
	run(cli, o);
	if (o->timing)
		report_timing(o, start);
	free(device);
}

int e2fsck_program(int argc, char **argv)
{
	struct options o;
	struct timespec start;
	struct cli cli;

	clock_gettime(CLOCK_MONOTONIC, &start);
	cli_init(&cli, argv[0]);
	if (options_parse(&cli, argc, argv, &o))
		check_device(&cli, &o, &start);
	if (fflush(stdout) || ferror(stdout)) {
		cli_error(&cli, NULL, 0, "cannot write to standard output");
		cli_worsen(&cli, FSCK_ERROR);
	}
	return cli.status;
}
