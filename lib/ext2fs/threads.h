/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The same work by several threads at once. */
#ifndef E2DX_THREADS_H
#define E2DX_THREADS_H

#include <stdint.h>

/*
 * How many threads to use where `asked` (0: one a core) are wanted for so many
 * jobs: at least 1.
 */
unsigned e2dx_thread_count(unsigned asked, uint64_t jobs);

/*
 * Call work(ctx) in so many threads, of which the caller's is one, and wait
 * for all.  Where threads cannot be made there are fewer: work() itself has to
 * take jobs until none is left.
 */
void e2dx_run_threads(unsigned threads, void *(*work)(void *ctx), void *ctx);

#endif
