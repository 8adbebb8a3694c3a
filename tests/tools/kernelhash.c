/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernelhash DIR: the hash that the running kernel gives each name of a
 * directory on a mounted ext4 filesystem.  Works for indexed directories.
 *
 * On 64-bit machines ext4 makes a directory position of the hash: the major
 * one, shifted right by one, above the minor one.  getdents64(2) gives with
 * each entry the position that reading would go on from, which is the hash of
 * the entry after it.
 *
 * A line: major hash, minor hash (8 hex digits), name (hex), tabs between.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE	(256 * 1024)

static bool is_dot(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static void print_hash(uint64_t position, const char *name)
{
	printf("%08" PRIx32 "\t%08" PRIx32 "\t", (uint32_t)(position >> 32) << 1,
	       (uint32_t)position);
	for (; *name; name++)
		printf("%02x", (unsigned char)*name);
	putchar('\n');
}

/* "." and "..", which come first, have positions that are no hashes. */
static void print_entries(const char *buffer, size_t size, uint64_t *position)
{
	for (size_t at = 0; at < size;) {
		const struct dirent64 *d = (const void *)(buffer + at);

		if (!is_dot(d->d_name))
			print_hash(*position, d->d_name);
		*position = (uint64_t)d->d_off;
		at += d->d_reclen;
	}
}

int main(int argc, char **argv)
{
	char *buffer = malloc(BUFFER_SIZE);
	uint64_t position = 0;
	ssize_t n = -1;
	int fd;

	if (argc != 2 || !buffer) {
		fprintf(stderr, "usage: kernelhash DIR\n");
		free(buffer);
		return 2;
	}
	fd = open(argv[1], O_RDONLY | O_DIRECTORY);
	while (fd >= 0 && (n = getdents64(fd, buffer, BUFFER_SIZE)) > 0)
		print_entries(buffer, (size_t)n, &position);
	if (n < 0)
		perror(argv[1]);
	free(buffer);
	return n < 0 || fflush(stdout) != 0;
}
