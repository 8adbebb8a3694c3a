/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One pass over the records of a block: a name, room, bytes in use. */
#include "htree/scan.h"

#include <string.h>

#include "e2dx_err.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/record.h"

static bool same_name(const struct htree_dir *dir, const uint8_t *name,
		      size_t len, const struct htree_scan *s)
{
	if (dir->casefold && !dir->encrypted && dir->fold)
		return dir->fold->same(dir->fold->table, name, len, s->name,
				       s->len);
	/* Names of a directory differ in their last bytes more often. */
	return len == s->len && name[len - 1] == s->name[len - 1] &&
		!memcmp(name, s->name, len);
}

/* Nothing stands between the dots. */
static bool takes_entry(const uint8_t *record, const struct htree_record *r)
{
	return !r->ino ||
	       htree_name_dot(record + HTREE_DE_NAME, r->name_len) != 1;
}

errcode_t htree_scan_block(const struct htree_dir *dir, const uint8_t *block,
			   uint32_t number, struct htree_scan *s)
{
	uint32_t end = htree_block_end(dir, block, number);
	uint32_t need, used = 0, gap = HTREE_NO_OFFSET;
	struct htree_record r;

	s->found = false;
	s->previous = HTREE_NO_OFFSET;
	for (uint32_t offset = 0; offset < end; offset += r.rec_len) {
		const uint8_t *record = block + offset;

		if (end - offset < HTREE_DE_MIN)
			return E2DX_ET_DAMAGED;
		htree_record_load(dir, record, &r);
		if (htree_record_check(dir, record, end - offset, &r))
			return E2DX_ET_DAMAGED;
		need = r.ino ? htree_record_need(dir, record, &r) : 0;
		used += need;
		if (s->size && gap == HTREE_NO_OFFSET &&
		    r.rec_len - need >= s->size && takes_entry(record, &r))
			gap = offset;
		if (s->name && r.ino &&
		    same_name(dir, record + HTREE_DE_NAME, r.name_len, s)) {
			s->found = true;
			htree_dirent_parse(dir, block, end, offset, &s->d);
			s->d.block = number;
			break;
		}
		s->previous = offset;
	}
	s->gap = gap;
	s->used = used;
	return 0;
}
