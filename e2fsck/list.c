/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow at their end. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "list.h"

/* Many lists, one a group, may stay as short as this. */
#define FIRST_BYTES	48

/* Room for n more. */
static int reserve(struct list *l, size_t n, size_t size)
{
	size_t capacity = l->capacity ? l->capacity : 1 + FIRST_BYTES / size;
	void *grown;

	while (capacity - l->n < n)
		capacity *= 2;
	if (capacity == l->capacity)
		return 0;
	if (capacity > SIZE_MAX / size)
		return ENOMEM;
	grown = realloc(l->v, capacity * size);
	if (!grown)
		return ENOMEM;
	l->v = grown;
	l->capacity = capacity;
	return 0;
}

void *list_add(struct list *l, size_t size)
{
	if (reserve(l, 1, size))
		return NULL;
	return memset((char *)l->v + l->n++ * size, 0, size);
}

int list_append(struct list *to, const struct list *from, size_t size)
{
	if (!from->n)
		return 0;
	if (reserve(to, from->n, size))
		return ENOMEM;
	memcpy((char *)to->v + to->n * size, from->v, from->n * size);
	to->n += from->n;
	return 0;
}

void list_sort(struct list *l, size_t size,
	       int (*compare)(const void *a, const void *b))
{
	const char *v = l->v;

	for (size_t i = 1; i < l->n; i++)
		if (compare(v + (i - 1) * size, v + i * size) > 0) {
			qsort(l->v, l->n, size, compare);
			return;
		}
}

void list_free(struct list *l)
{
	free(l->v);
	l->v = NULL;
	l->n = l->capacity = 0;
}
