/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which entries stand in which leaf, and the leaves' bytes. */
#include "htree/pack.h"

#include <errno.h>
#include <stdlib.h>

#include "htree/csum.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/ondisk.h"

uint64_t htree_pack_size(const struct htree_dir *dir,
			 const struct htree_entries *e)
{
	uint64_t size = 0;
	size_t i;

	for (i = 0; i < e->n; i++)
		size += htree_record_size(dir, e->v[i].name_len);
	return size;
}

/*
 * A full leaf would be split by the first name that falls into it, and then
 * two half-empty ones stand there: a rebuilt directory would grow at once to
 * twice its size under new names.  So each leaf keeps free an eighth of its
 * room, and never less than an average record of this directory needs, but
 * (long names in 1 KiB blocks) not more than a quarter.
 */
uint32_t htree_pack_fill(const struct htree_dir *dir,
			 const struct htree_entries *e)
{
	uint32_t room = htree_leaf_room(dir);
	uint32_t slack = room / 8;
	uint32_t average = 0;

	if (e->n)
		average = (uint32_t)(htree_pack_size(dir, e) / e->n) +
			  HTREE_DE_ALIGN;
	if (slack < average)
		slack = average;
	if (slack > room / 4)
		slack = room / 4;
	return room - slack;
}

static errcode_t add_leaf(struct htree_packing *p, size_t first)
{
	size_t capacity = p->capacity * 2 + 16;
	size_t *bigger;

	/* One more than the leaves: the end of the last one. */
	if (p->leaves + 1 >= p->capacity) {
		bigger = realloc(p->first, capacity * sizeof(*bigger));
		if (!bigger)
			return ENOMEM;
		p->first = bigger;
		p->capacity = capacity;
	}
	p->first[p->leaves++] = first;
	return 0;
}

errcode_t htree_pack(const struct htree_dir *dir,
		     const struct htree_entries *e, uint32_t used,
		     uint32_t fill, struct htree_packing *p)
{
	uint32_t size;
	errcode_t err;
	size_t i;

	p->leaves = 0;
	err = add_leaf(p, 0);
	for (i = 0; i < e->n && !err; i++) {
		size = htree_record_size(dir, e->v[i].name_len);
		if (used > 0 && used + size > fill) {
			err = add_leaf(p, i);
			used = 0;
		}
		used += size;
	}
	if (!err)
		p->first[p->leaves] = e->n;
	return err;
}

void htree_pack_free(struct htree_packing *p)
{
	free(p->first);
	p->first = NULL;
	p->leaves = p->capacity = 0;
}

uint32_t htree_pack_bound(const struct htree_entries *e,
			  const struct htree_packing *p, size_t i)
{
	const struct htree_entry *v = &e->v[p->first[i]];
	uint32_t hash = v->hash.hash & ~HTREE_DX_CONTINUED;

	/* Bit 0 is clear in every computed hash; stored ones may be damaged. */
	if ((v[-1].hash.hash & ~HTREE_DX_CONTINUED) == hash)
		hash |= HTREE_DX_CONTINUED;
	return hash;
}

void htree_pack_leaf(const struct htree_dir *dir,
		     const struct htree_entries *e, size_t from, size_t to,
		     uint32_t offset, uint8_t *block)
{
	uint32_t room = htree_leaf_room(dir);
	struct htree_dirent d = { 0 };
	uint32_t size;

	for (; from < to; from++, offset += size) {
		d.ino = e->v[from].ino;
		d.hash = e->v[from].hash;
		d.name_len = e->v[from].name_len;
		d.file_type = e->v[from].file_type;
		d.name = htree_entry_name(e, from);
		size = from + 1 < to ? htree_record_size(dir, d.name_len) :
				       room - offset;
		htree_dirent_write(dir, block, offset, size, &d);
	}
	if (!d.ino && offset < room)
		htree_dirent_write(dir, block, offset, room - offset, &d);
	htree_leaf_csum_set(dir, block);
}

uint32_t htree_pack_dots(const struct htree_dir *dir, uint32_t parent,
			 bool rest, uint32_t end, uint8_t *block)
{
	struct htree_dirent d = { .file_type = HTREE_FT_DIR };
	uint32_t size = rest ? end - HTREE_DOT_SIZE : HTREE_DOT_SIZE;

	d.name = (const uint8_t *)"..";
	d.name_len = 1;
	d.ino = dir->ino;
	htree_dirent_write(dir, block, 0, HTREE_DOT_SIZE, &d);
	d.name_len = 2;
	d.ino = parent;
	htree_dirent_write(dir, block, HTREE_DOT_SIZE, size, &d);
	return HTREE_DOT_SIZE + size;
}
