/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of the program: facts, then problems, then decisions, then repairs. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "e2fsck.h"
#include "interrupt.h"
#include "journal.h"
#include "report.h"

/* With -tt: another pass begins, or the last one ended (0). */
static void time_pass(struct check *c, int pass)
{
	static const char *const names[] = {
		"", "pass 1", "passes 2 to 5", "repairs", "-D"
	};

	if (c->o->timing < 2 || pass == c->pass)
		return;
	if (c->pass > 0 && c->pass < (int)(sizeof(names) / sizeof(names[0])))
		clock_report(c->o->device, names[c->pass], &c->mark);
	c->pass = pass;
}

/* SIGUSR1 and SIGUSR2 switch it on and off. */
static void obey_signals(struct check *c)
{
	struct cli_progress *p = &c->progress;

	switch (interrupt_bar()) {
	case BAR_ON:
		if (p->fd < 0)
			p->fd = c->o->progress_fd > 0 ? c->o->progress_fd : 0;
		break;
	case BAR_OFF:
		cli_progress_clear(p);
		p->fd = -1;
		break;
	case BAR_AS_GIVEN:
		break;
	}
}

static void show_progress(void *ctx, int pass, uint64_t done, uint64_t total)
{
	struct check *c = ctx;

	time_pass(c, pass);
	obey_signals(c);
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

/* What inodes have is reported; but for deletion it is not repaired here. */
static void check_inodes(struct check *c)
{
	report_list(c, c->facts.groups);
	for (dgrp_t g = 0; g < c->efs->fs->group_desc_count; g++) {
		report_but(c, c->facts.inodes[g], P_INODE_ZERO_DTIME);
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
	err = facts_gather(&c->facts, c->efs, &progress);
	cli_progress_clear(&c->progress);
	if (!err)
		return;
	cli_error(c->cli, c->o->device, err, "cannot check what was repaired");
	cli_worsen(c->cli, FSCK_LEFT | FSCK_ERROR);
	c->facts.locked = true;
}

static void lock(struct check *c)
{
	c->facts.locked = c->facts.locked || c->locked;
	c->decider.locked = c->facts.locked;
}

static void repair(struct check *c)
{
	lock(c);
	if (check_deleted(c)) {
		gather_again(c);
		lock(c);
	}
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

	cli_progress_init(&c->progress, c->o->progress_later ? -1 :
			  c->o->progress_fd, c->o->device);
	clock_now(&c->mark);
	err = facts_gather(&c->facts, c->efs, &progress);
	cli_progress_clear(&c->progress);
	time_pass(c, 0);
	if (err) {
		cli_error(c->cli, c->o->device, err, "cannot check");
		cli_worsen(c->cli, FSCK_ERROR);
	} else {
		repair(c);
		check_mark(c);
		report_end(c);
	}
	facts_free(&c->facts);
}

/* Does the filesystem's own mark say that there is nothing to do? */
static bool may_skip(const struct check *c)
{
	struct problem_list *super = NULL;
	errcode_t err;
	char why[80];
	bool clean;

	if (c->o->force || c->o->optimize || c->o->superblock)
		return false;
	if (!check_marked_clean(c->efs, why, sizeof(why))) {
		if (*why)
			printf("%s: %s, check forced.\n", c->o->device, why);
		return false;
	}
	err = facts_super(c->efs, &super);
	clean = !err && !problem_list_faults(super);
	problem_list_free(super);
	if (clean)
		check_report_clean(c->o->device, c->efs->fs->super);
	return clean;
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
	if (check_journal(&c) && !o->journal_only && check_orphans(&c) &&
	    !may_skip(&c) && check_can_ask(cli, o))
		check(&c);
	err = e2dx_close(c.efs);
	if (err) {
		cli_error(cli, o->device, err, "cannot close");
		cli_worsen(cli, FSCK_ERROR);
	}
}

/* -F, for measuring: what the kernel keeps of the device is forgotten. */
static bool flush_device(struct cli *cli, const struct options *o)
{
	int fd = open(o->device, O_RDONLY | O_CLOEXEC);
	errcode_t err = fd < 0 ? errno : ext2fs_sync_device(fd, 1);

	if (fd >= 0)
		close(fd);
	if (!err)
		return true;
	cli_error(cli, o->device, err, "cannot flush its buffers");
	cli_worsen(cli, FSCK_ERROR);
	return false;
}

static void check_device(struct cli *cli, struct options *o,
			 struct clock_mark *start)
{
	char *device = cli_device(cli, o->device);

	if (!device) {
		cli_worsen(cli, FSCK_ERROR);
		return;
	}
	o->device = device;
	interrupt_init();
	if ((!o->flush || flush_device(cli, o)) && !check_clean_at_once(o))
		run(cli, o);
	if (o->timing)
		clock_report(o->device, "all", start);
	free(device);
}

int e2fsck_program(int argc, char **argv)
{
	struct options o;
	struct clock_mark start;
	struct cli cli;

	clock_now(&start);
	cli_init(&cli, argv[0]);
	if (options_parse(&cli, argc, argv, &o))
		check_device(&cli, &o, &start);
	if (fflush(stdout) || ferror(stdout)) {
		cli_error(&cli, NULL, 0, "cannot write to standard output");
		cli_worsen(&cli, FSCK_ERROR);
	}
	return cli.status;
}
