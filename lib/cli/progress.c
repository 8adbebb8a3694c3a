/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a pass has come: a bar for people, lines for fsck(8)'s -C. */
#include <time.h>
#include <unistd.h>
#include "cli/cli.h"

#define BAR_WIDTH 50

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void cli_progress_init(struct cli_progress *p, int fd, const char *device)
{
	p->fd = fd;
	p->device = device;
	p->pass = 0;
	p->shown = -1;
	p->delay_ms = 0;
	p->start_ms = now_ms();
}

static void draw_bar(int permille)
{
	int full = permille * BAR_WIDTH / 1000;

	putchar('\r');
	putchar('|');
	for (int i = 0; i < BAR_WIDTH; i++)
		putchar(i < full ? '=' : ' ');
	printf("| %3d.%d%%", permille / 10, permille % 10);
	fflush(stdout);
}

/* A reader that has gone away is no reason to stop. */
static void write_line(const struct cli_progress *p, uint64_t done,
		       uint64_t total)
{
	dprintf(p->fd, "%d %llu %llu %s\n", p->pass, (unsigned long long)done,
		(unsigned long long)total, p->device ? p->device : "");
}

void cli_progress_show(struct cli_progress *p, int pass, uint64_t done,
		       uint64_t total)
{
	int permille;

	if (p->fd < 0 || !total)
		return;
	if (done > total)
		done = total;
	permille = (int)((double)done * 1000 / (double)total);
	if (pass == p->pass && permille == p->shown)
		return;
	if (p->fd == 0 && p->delay_ms && now_ms() - p->start_ms < p->delay_ms)
		return;
	p->pass = pass;
	p->shown = permille;
	if (p->fd)
		write_line(p, done, total);
	else
		draw_bar(permille);
}

void cli_progress_clear(struct cli_progress *p)
{
	if (p->fd == 0 && p->shown >= 0) {
		printf("\r%*s\r", BAR_WIDTH + 10, "");
		fflush(stdout);
	}
	p->shown = -1;
}
