/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow at their end. */
#ifndef E2FSCK_LIST_H
#define E2FSCK_LIST_H

#include <stddef.h>

struct list {
	void *v;		/* elements of one size; owned */
	size_t n, capacity;
};

/* One more element of `size` bytes, zeroed; NULL: no memory. */
void *list_add(struct list *l, size_t size);

/* The elements of `from` behind those of `to`; 0 or ENOMEM. */
int list_append(struct list *to, const struct list *from, size_t size);

/* Sorted ascending as qsort() would; nothing where it is sorted. */
void list_sort(struct list *l, size_t size,
	       int (*compare)(const void *a, const void *b));

void list_free(struct list *l);

#endif
