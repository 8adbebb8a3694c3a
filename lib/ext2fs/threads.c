/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads for one piece of work, and waiting for them. */
#include <pthread.h>
#include <unistd.h>
#include "ext2fs/threads.h"

#define MAX_THREADS 64

unsigned e2dx_thread_count(unsigned asked, uint64_t jobs)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	if (!asked)
		asked = cores > 0 ? (unsigned)cores : 1;
	if (asked > MAX_THREADS)
		asked = MAX_THREADS;
	if (asked > jobs)
		asked = (unsigned)jobs;
	return asked ? asked : 1;
}

void e2dx_run_threads(unsigned threads, void *(*work)(void *ctx), void *ctx)
{
	pthread_t thread[MAX_THREADS];
	unsigned n = 0;

	while (n + 1 < threads && n < MAX_THREADS &&
	       !pthread_create(&thread[n], NULL, work, ctx))
		n++;
	work(ctx);
	while (n)
		pthread_join(thread[--n], NULL);
}
