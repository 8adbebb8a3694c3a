/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SIGINT and SIGTERM: at once while only reading, at a safe point after. */
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include "interrupt.h"
#include "options.h"

/* A signal handler has no other way to its program's state. */
static volatile sig_atomic_t deferred, seen, bar;

static void on_signal(int sig)
{
	static const char text[] = "e2fsck: cancelled; nothing was written\n";
	ssize_t ignored;

	(void)sig;
	seen = 1;
	if (deferred)
		return;
	ignored = write(STDERR_FILENO, text, sizeof(text) - 1);
	(void)ignored;
	_exit(FSCK_CANCELLED);
}

static void on_bar(int sig)
{
	bar = sig == SIGUSR1 ? BAR_ON : BAR_OFF;
}

void interrupt_init(void)
{
	struct sigaction sa;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = on_signal;
	sigemptyset(&sa.sa_mask);
	sa.sa_flags = SA_RESTART;
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	bar = BAR_AS_GIVEN;
	sa.sa_handler = on_bar;
	sigaction(SIGUSR1, &sa, NULL);
	sigaction(SIGUSR2, &sa, NULL);
}

void interrupt_defer(void)
{
	deferred = 1;
}

bool interrupted(void)
{
	return seen;
}

enum bar_wish interrupt_bar(void)
{
	return (enum bar_wish)bar;
}
