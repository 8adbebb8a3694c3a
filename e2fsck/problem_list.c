/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of problems: kept up to a limit, counted without one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "problem_list.h"

unsigned problem_kind(enum problem_code code)
{
	unsigned low = (unsigned)code & 0xff;

	if (code >= P_ENTRY_UNUSED)
		low += HTREE_FINDING_MAX;
	return low < DIR_KINDS ? low : 0;
}

/* The counter of this code, made when it is new; NULL: no memory. */
static uint64_t *counter(struct problem_list *l, enum problem_code code)
{
	struct problem_count *grown;

	for (size_t i = 0; i < l->n_counts; i++)
		if (l->counts[i].code == code)
			return &l->counts[i].n;
	grown = realloc(l->counts, (l->n_counts + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	l->counts = grown;
	grown[l->n_counts] = (struct problem_count){ .code = code };
	return &grown[l->n_counts++].n;
}

static errcode_t keep(struct problem_list *l, const struct problem *p)
{
	size_t capacity = l->capacity * 2 + 4;
	uint8_t *name = NULL;

	if (l->n == l->capacity) {
		struct problem *grown = realloc(l->v, capacity * sizeof(*grown));

		if (!grown)
			return ENOMEM;
		l->v = grown;
		l->capacity = capacity;
	}
	if (p->name_len) {
		name = malloc(p->name_len);
		if (!name)
			return ENOMEM;
		memcpy(name, p->name, p->name_len);
	}
	l->v[l->n] = *p;
	l->v[l->n++].name = name;
	return 0;
}

errcode_t problem_list_add(struct problem_list **list, const struct problem *p)
{
	struct problem_list *l = *list;
	uint64_t *n;

	if (!l && !(l = *list = calloc(1, sizeof(*l))))
		return ENOMEM;
	n = counter(l, p->code);
	if (!n)
		return ENOMEM;
	return (*n)++ < PROBLEMS_KEPT ? keep(l, p) : 0;
}

errcode_t problem_list_append(struct problem_list **list,
			      const struct problem_list *from)
{
	errcode_t err = 0;

	for (size_t i = 0; from && !err && i < from->n; i++)
		err = problem_list_add(list, &from->v[i]);
	/* Of each code the first were kept; the others count. */
	for (size_t i = 0; from && !err && i < from->n_counts; i++)
		if (from->counts[i].n > PROBLEMS_KEPT)
			*counter(*list, from->counts[i].code) +=
				from->counts[i].n - PROBLEMS_KEPT;
	return err;
}

void problem_list_free(struct problem_list *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->n; i++)
		free((void *)l->v[i].name);
	free(l->v);
	free(l->counts);
	free(l);
}

uint64_t problem_list_count(const struct problem_list *l,
			    enum problem_code code)
{
	for (size_t i = 0; i < l->n_counts; i++)
		if (l->counts[i].code == code)
			return l->counts[i].n;
	return 0;
}

bool problem_list_locks(const struct problem_list *l)
{
	for (size_t i = 0; l && i < l->n; i++)
		if (problem_info(l->v[i].code)->severity == S_LOCK)
			return true;
	return false;
}

bool problem_list_faults(const struct problem_list *l)
{
	for (size_t i = 0; l && i < l->n; i++)
		if (problem_info(l->v[i].code)->severity != S_NOTE)
			return true;
	return false;
}
