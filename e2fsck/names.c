/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names within one directory: which are taken, and new ones that are not. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#include "names.h"

/* Folding makes a name longer; no encoding of Linux by more than this. */
#define FOLDED_MAX	4096

/* Length of the UTF-8 character that starts with `lead`; 0 where none does. */
static size_t utf8_length(uint8_t lead)
{
	if (lead < 0x80)
		return 1;
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

size_t names_cut(const uint8_t *name, size_t len, size_t max)
{
	if (len <= max)
		return len;
	for (size_t back = 0; back <= 3 && back <= max; back++) {
		size_t at = max - back;

		if ((name[at] & 0xc0) == 0x80)
			continue;
		/* The character at `at` reaches over the cut, or is no such. */
		return utf8_length(name[at]) > back ? at : max;
	}
	return max;
}

/* Bytes of the character at `name` that the directory's encoding has, or 0. */
static size_t valid_character(const struct dirhash_fold *fold,
			      const uint8_t *name, size_t len)
{
	uint8_t out[FOLDED_MAX];
	size_t n = utf8_length(*name);

	if (!n || n > len || fold->fold(fold->table, name, n, out,
					sizeof(out)) < 0)
		return 0;
	return n;
}

bool names_make_valid(const struct htree_dir *dir, uint8_t *name, size_t len)
{
	bool check = dir->casefold && dir->strict && !dir->encrypted &&
		     dir->fold;
	bool changed = false;
	size_t step;

	for (size_t i = 0; i < len; i += step) {
		step = 1;
		if (name[i] == '/' || !name[i]) {
			name[i] = '.';
			changed = true;
		} else if (check) {
			step = valid_character(dir->fold, name + i, len - i);
			if (!step) {
				name[i] = '.';
				step = 1;
				changed = true;
			}
		}
	}
	return changed;
}

/* ---- the set of names, by open addressing */

/*
 * Whoever makes an image must not know where its names go in the set, or they
 * would all go to one place, and each would be compared with each.  Nothing
 * that is told or written depends on the key.
 */
static void make_secret(uint8_t key[DIRHASH_SEED_SIZE])
{
	struct timespec now;
	uint64_t guess[2];

	if (getrandom(key, DIRHASH_SEED_SIZE, GRND_NONBLOCK) ==
	    DIRHASH_SEED_SIZE)
		return;
	/* Early at boot: what an image made before cannot know either. */
	clock_gettime(CLOCK_REALTIME, &now);
	guess[0] = (uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec;
	guess[1] = (uint64_t)getpid() << 48 ^ (uint64_t)(uintptr_t)&now;
	memcpy(key, guess, sizeof(guess));
}

struct key {
	const uint8_t *data;
	size_t len;
	bool folded;
	uint8_t buffer[FOLDED_MAX];
};

/* What two entries have in common just where they have the same name. */
static void make_key(const struct names *n, struct key *k, const uint8_t *name,
		     size_t len)
{
	int folded = -1;

	if (n->fold)
		folded = n->fold->fold(n->fold->table, name, len, k->buffer,
				       sizeof(k->buffer));
	k->folded = folded >= 0;
	k->data = k->folded ? k->buffer : name;
	k->len = k->folded ? (size_t)folded : len;
}

static bool has_name(const struct names *n, size_t i, const struct key *k)
{
	struct key other;

	make_key(n, &other, htree_entry_name(n->e, i), n->e->v[i].name_len);
	return other.folded == k->folded && other.len == k->len &&
	       !memcmp(other.data, k->data, k->len);
}

/* The slot of the name, or the empty one where it would be. */
static size_t *find_slot(const struct names *n, const uint8_t *name, size_t len)
{
	struct key k;
	size_t i;

	make_key(n, &k, name, len);
	i = (size_t)dirhash_siphash24(n->secret, k.data, k.len);
	for (i &= n->mask; n->slot[i]; i = (i + 1) & n->mask)
		if (has_name(n, n->slot[i] - 1, &k))
			break;
	return &n->slot[i];
}

errcode_t names_init(struct names *n, const struct htree_dir *dir,
		     struct htree_entries *e)
{
	size_t size = 64;

	memset(n, 0, sizeof(*n));
	while (size < 2 * e->n)
		size *= 2;
	n->slot = calloc(size, sizeof(*n->slot));
	if (!n->slot)
		return ENOMEM;
	make_secret(n->secret);
	n->mask = size - 1;
	n->e = e;
	/* Ciphertext has no case. */
	if (dir->casefold && !dir->encrypted)
		n->fold = dir->fold;
	return 0;
}

void names_free(struct names *n)
{
	free(n->slot);
	n->slot = NULL;
}

size_t names_take(struct names *n, size_t i)
{
	size_t *slot = find_slot(n, htree_entry_name(n->e, i),
				 n->e->v[i].name_len);

	if (!*slot)
		*slot = i + 1;
	return *slot - 1;
}

errcode_t names_rename(struct names *n, size_t i)
{
	uint8_t name[DIRHASH_NAME_MAX];
	char suffix[24];
	size_t len, cut, *slot;
	errcode_t err;

	len = n->e->v[i].name_len;
	memcpy(name, htree_entry_name(n->e, i), len);
	/*
	 * One counter for the directory: each suffix is tried once, so a
	 * million equal names take a million steps and not their square.
	 */
	for (;;) {
		size_t s = (size_t)snprintf(suffix, sizeof(suffix), "~%llu",
					    (unsigned long long)n->next++);

		cut = names_cut(name, len, DIRHASH_NAME_MAX - s);
		memcpy(name + cut, suffix, s);
		slot = find_slot(n, name, cut + s);
		if (!*slot) {
			err = htree_entry_rename(n->e, i, name, cut + s);
			if (!err)
				*slot = i + 1;
			return err;
		}
		memcpy(name, htree_entry_name(n->e, i), len);
	}
}
