/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * namehash VERSION SEED: hash names with lib/dirhash.  SEED: 32 hex digits as
 * on disk.  Standard input: lines whose last field is a name in hex; output:
 * lines as kernelhash's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dirhash/dirhash.h"

/* Bytes from hex digits, up to the first character that is none. */
static size_t unhex(const char *hex, uint8_t *out, size_t room)
{
	size_t n = 0;
	unsigned byte;

	while (n < room && sscanf(hex + 2 * n, "%2x", &byte) == 1)
		out[n++] = (uint8_t)byte;
	return n;
}

static int hash_line(const struct dirhasher *h, char *line)
{
	const char *tab = strrchr(line, '\t'), *hex = tab ? tab + 1 : line;
	uint8_t name[DIRHASH_NAME_MAX + 1];
	size_t len = unhex(hex, name, sizeof(name));
	struct dirhash d;

	if (dirhash_name(h, name, len, &d))
		return -1;
	printf("%08x\t%08x\t%s", d.hash, d.minor_hash, hex);
	return 0;
}

int main(int argc, char **argv)
{
	uint8_t seed[DIRHASH_SEED_SIZE];
	char line[2 * DIRHASH_NAME_MAX + 64];
	struct dirhasher h;

	if (argc != 3 || unhex(argv[2], seed, sizeof(seed)) != sizeof(seed) ||
	    dirhasher_init(&h, dirhash_version_from_text(argv[1]), seed,
			   NULL)) {
		fprintf(stderr, "usage: namehash VERSION SEED <NAMES\n");
		return 2;
	}
	while (fgets(line, sizeof(line), stdin))
		if (hash_line(&h, line)) {
			fprintf(stderr, "namehash: not a name: %s", line);
			return 1;
		}
	return fflush(stdout) != 0;
}
