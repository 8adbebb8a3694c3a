/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One pass over the records of a block: a name, room, bytes in use. */
#include "htree/scan.h"

#include <string.h>

#include "e2dx_err.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/record.h"

static bool same_name(const struct htree_dir *dir, const struct htree_dirent *d,
		      const struct htree_scan *s)
{
	if (dir->casefold && !dir->encrypted && dir->fold)
		return dir->fold->same(dir->fold->table, d->name, d->name_len,
				       s->name, s->len);
	/* Names of a directory differ in their last bytes more often. */
	return d->name_len == s->len &&
		d->name[s->len - 1] == s->name[s->len - 1] &&
		!memcmp(d->name, s->name, s->len);
}

errcode_t htree_scan_block(const struct htree_dir *dir, const uint8_t *block,
			   uint32_t number, struct htree_scan *s)
{
	uint32_t end = htree_block_end(dir, block, number);
	uint32_t need, previous = HTREE_NO_OFFSET;
	struct htree_dirent d;

	s->found = false;
	s->gap = HTREE_NO_OFFSET;
	s->used = 0;
	for (uint32_t offset = 0; offset < end; offset += d.rec_len) {
		if (htree_record_parse(dir, block, end, offset, &d))
			return E2DX_ET_DAMAGED;
		need = d.ino ? htree_dirent_size(dir, &d) : 0;
		s->used += need;
		if (s->size && s->gap == HTREE_NO_OFFSET &&
		    d.rec_len - need >= s->size &&
		    (!d.ino || htree_dirent_dot(&d) != 1))
			s->gap = offset;	/* nothing stands between dots */
		if (s->name && d.ino && same_name(dir, &d, s)) {
			d.block = number;
			s->d = d;
			s->previous = previous;
			s->found = true;
			return 0;
		}
		previous = offset;
	}
	return 0;
}
