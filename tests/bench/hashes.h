/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hashes that the benches compare. */
#ifndef TESTS_BENCH_HASHES_H
#define TESTS_BENCH_HASHES_H

#include <stddef.h>
#include <stdint.h>
#include "dirhash/dirhash.h"

struct bench_hash {
	const char *name;
	int version;	/* a directory's hash; -1: another one */
	/* For the others; 32 bits at least, as good as each other. */
	uint64_t (*one)(const uint8_t *p, size_t len);
};

/* All of them, ended by one without a name. */
const struct bench_hash *bench_hashes(void);

/* xxh32 and xxh64, where libxxhash was found. (xxh.c or no_xxh.c) */
extern const struct bench_hash bench_xxh[];

/*
 * The hash of a name of any length: 64 bits, of a directory's hash the major
 * one first.
 */
uint64_t bench_hash_one(const struct bench_hash *h, const uint8_t *p,
			size_t len);

/* As many as 32 bits that tell names apart as the index would. */
uint32_t bench_hash_major(const struct bench_hash *h, const uint8_t *p,
			  size_t len);

#endif
