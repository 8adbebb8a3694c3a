/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a command takes: its exit status, seconds of real, user and system time,
 * and KiB at most, with tabs between them, to FILE.
 *
 *	spend FILE COMMAND...
 *
 * A program of its own because a process begins with the peak memory of the one
 * that it was forked from, and that of a script's interpreter is large.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	struct rusage u;
	double start = now(), real;
	pid_t child;
	FILE *f;
	int status;

	if (argc < 3)
		return 2;
	child = fork();
	if (child == 0) {
		execv(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &u) < 0) {
		perror("spend");
		return 2;
	}
	real = now() - start;
	f = fopen(argv[1], "w");
	if (!f) {
		perror(argv[1]);
		return 2;
	}
	fprintf(f, "%d\t%.6f\t%.6f\t%.6f\t%ld\n",
		WIFEXITED(status) ? WEXITSTATUS(status) : -1, real,
		seconds(u.ru_utime), seconds(u.ru_stime), u.ru_maxrss);
	return fclose(f) ? 2 : 0;
}
