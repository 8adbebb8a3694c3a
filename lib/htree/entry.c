/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The entries of a directory as flat arrays. */
#include "htree/entry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "e2dx_err.h"
#include "htree/ondisk.h"

#define FIRST		16	/* items that a new array has room for */
#define TOGETHER	256	/* names hashed in one call */
#define NAMES_MAX	((uint64_t)1 << 48)	/* htree_entry.name's bits */

void htree_entries_init(struct htree_entries *e)
{
	memset(e, 0, sizeof(*e));
}

void htree_entries_free(struct htree_entries *e)
{
	free(e->v);
	free(e->names);
	htree_entries_init(e);
}

/* Room for `more` items beyond n in an array that at least doubles. */
static errcode_t grow(void **array, size_t *capacity, size_t n, size_t more,
		      size_t size)
{
	size_t want = n + more;
	size_t bigger = *capacity * 2;
	void *p;

	if (want <= *capacity)
		return 0;
	if (bigger < want + FIRST)
		bigger = want + FIRST;
	if (want < n || bigger > SIZE_MAX / 2 / size)
		return ENOMEM;
	p = realloc(*array, bigger * size);
	if (!p)
		return ENOMEM;
	*array = p;
	*capacity = bigger;
	return 0;
}

/* Append a name's bytes; *at gets their offset. */
static errcode_t add_name(struct htree_entries *e, const uint8_t *name,
			  size_t len, uint64_t *at)
{
	void *names = e->names;
	errcode_t err;

	if (len < 1 || len > HTREE_NAME_MAX)
		return E2DX_ET_NAME_LENGTH;
	if ((uint64_t)e->names_len + len > NAMES_MAX)
		return ENOMEM;
	err = grow(&names, &e->names_capacity, e->names_len, len, 1);
	e->names = names;
	if (err)
		return err;
	memcpy(e->names + e->names_len, name, len);
	*at = e->names_len;
	e->names_len += len;
	return 0;
}

errcode_t htree_entries_add(struct htree_entries *e,
			    const struct htree_dirent *d)
{
	void *v = e->v;
	struct htree_entry *new;
	uint64_t at;
	errcode_t err;

	err = grow(&v, &e->capacity, e->n, 1, sizeof(*e->v));
	e->v = v;
	if (!err)
		err = add_name(e, d->name, d->name_len, &at);
	if (err)
		return err;
	new = &e->v[e->n++];
	new->ino = d->ino;
	new->hash = d->hash;
	new->block = d->block;
	new->name = at & (NAMES_MAX - 1);
	new->name_len = d->name_len;
	new->file_type = d->file_type;
	return 0;
}

errcode_t htree_entries_append(struct htree_entries *e,
			       const struct htree_entries *from)
{
	void *v = e->v, *names = e->names;
	errcode_t err;

	if (!from->n)
		return 0;
	if ((uint64_t)e->names_len + from->names_len > NAMES_MAX)
		return ENOMEM;
	err = grow(&v, &e->capacity, e->n, from->n, sizeof(*e->v));
	e->v = v;
	if (!err)
		err = grow(&names, &e->names_capacity, e->names_len,
			   from->names_len, 1);
	e->names = names;
	if (err)
		return err;
	memcpy(e->names + e->names_len, from->names, from->names_len);
	for (size_t i = 0; i < from->n; i++) {
		struct htree_entry *new = &e->v[e->n++];

		*new = from->v[i];
		new->name = (new->name + e->names_len) & (NAMES_MAX - 1);
	}
	e->names_len += from->names_len;
	return 0;
}

errcode_t htree_entry_rename(struct htree_entries *e, size_t i,
			     const uint8_t *name, size_t len)
{
	uint64_t at;
	errcode_t err = add_name(e, name, len, &at);

	if (err)
		return err;
	e->v[i].name = at & (NAMES_MAX - 1);
	e->v[i].name_len = (uint8_t)len;
	return 0;
}

void htree_entries_compact(struct htree_entries *e)
{
	size_t i, n = 0;

	for (i = 0; i < e->n; i++)
		if (e->v[i].ino)
			e->v[n++] = e->v[i];
	e->n = n;
}

/* Entries from..from + n - 1, n at most TOGETHER. */
static errcode_t hash_some(struct htree_entries *e, const struct dirhasher *h,
			   size_t from, size_t n)
{
	struct dirhash_text name[TOGETHER];
	struct dirhash hash[TOGETHER];
	errcode_t err;
	size_t i;

	for (i = 0; i < n; i++) {
		name[i].name = htree_entry_name(e, from + i);
		name[i].len = e->v[from + i].name_len;
	}
	err = dirhash_many(h, name, n, hash);
	if (err)
		return err;
	for (i = 0; i < n; i++)
		e->v[from + i].hash = hash[i];
	return 0;
}

errcode_t htree_entries_hash(struct htree_entries *e,
			     const struct dirhasher *h)
{
	size_t i, n;
	errcode_t err;

	for (i = 0; i < e->n; i += n) {
		n = e->n - i < TOGETHER ? e->n - i : TOGETHER;
		err = hash_some(e, h, i, n);
		if (err)
			return err;
	}
	return 0;
}
