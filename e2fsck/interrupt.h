/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SIGINT and SIGTERM: at once while only reading, at a safe point after. */
#ifndef E2FSCK_INTERRUPT_H
#define E2FSCK_INTERRUPT_H

#include <stdbool.h>

/* From here on a signal ends the program with exit status 32. */
void interrupt_init(void);

/*
 * From here on a signal is only noted: whoever writes asks interrupted()
 * between two directories and brings what it began to its end.
 */
void interrupt_defer(void);
bool interrupted(void);

/* What SIGUSR1 and SIGUSR2 last asked for. */
enum bar_wish { BAR_AS_GIVEN, BAR_ON, BAR_OFF };
enum bar_wish interrupt_bar(void);

#endif
