/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One pass over the records of a block: a name, room, bytes in use. */
#include "htree/scan.h"

#include <string.h>

#include "e2dx_err.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/record.h"

#define ALWAYS_INLINE	inline __attribute__((always_inline))

static bool same_folded(const struct dirhash_fold *fold, const uint8_t *name,
			size_t len, const struct htree_scan *s)
{
	return fold->same(fold->table, name, len, s->name, s->len);
}

static ALWAYS_INLINE bool same_name(const struct htree_dir *dir,
				    const uint8_t *name, size_t len,
				    const struct htree_scan *s)
{
	if (dir->casefold && !dir->encrypted && dir->fold)
		return same_folded(dir->fold, name, len, s);
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

/*
* The pass, by the rules that records of a directory like *rules obey; end:
* of the records.  Answers go to *s at the end only: what is asked stays in
* registers.
*/
static ALWAYS_INLINE errcode_t scan(const struct htree_dir *rules,
				    const uint8_t *block, uint32_t end,
				    struct htree_scan *s)
{
	const struct htree_scan asked = *s;
	uint32_t size = asked.size ? asked.size : HTREE_NO_OFFSET;
	uint32_t need, used = 0, gap = HTREE_NO_OFFSET;
	uint32_t previous = HTREE_NO_OFFSET, offset;
	struct htree_record r;

	for (offset = 0; offset < end; offset += r.rec_len) {
		const uint8_t *record = block + offset;

		if (end - offset < HTREE_DE_MIN)
			return E2DX_ET_DAMAGED;
		htree_record_load(rules, record, &r);
		if (htree_record_check(rules, record, end - offset, &r))
			return E2DX_ET_DAMAGED;
		need = r.ino ? htree_record_need(rules, record, &r) : 0;
		used += need;
		if (r.rec_len - need >= size && takes_entry(record, &r)) {
			gap = offset;
			size = HTREE_NO_OFFSET;	/* the first is enough */
		}
		if (r.ino && asked.name &&
		    same_name(rules, record + HTREE_DE_NAME, r.name_len,
			      &asked)) {
			s->found = true;
			break;
		}
		previous = offset;
	}
	s->at = offset;
	s->previous = previous;
	s->gap = gap;
	s->used = used;
	return 0;
}

/* ---- the common case: types of files, names of plain bytes, rec_len as it is */

/*
* Four bytes decide nearly always that a name is another one.  Those before
* the end of a name lie in its record, whatever its length.
*/
static inline uint32_t last_bytes(const uint8_t *name_end)
{
	return htree_le32(name_end - 4);
}

struct wanted {
	uint32_t len;		/* more than any name's: none is looked for */
	uint32_t tail, mask;	/* its last bytes, which of them count */
};

static struct wanted wanted_name(const struct htree_scan *s)
{
	struct wanted w = { .len = HTREE_NO_OFFSET };
	uint8_t end[4] = { 0 };
	size_t n = s->len < 4 ? s->len : 4;

	if (!s->name)
		return w;
	memcpy(end + 4 - n, s->name + s->len - n, n);
	w.len = (uint32_t)s->len;
	w.tail = htree_le32(end);
	w.mask = (uint32_t)(UINT64_C(0xffffffff) << 8 * (4 - n));
	return w;
}

/*
* scan() with all that can be decided before the loop, and with few branches:
* an insertion spends most of its time here.  The records are walked one by
* one, so what counts is the way from one rec_len to the next.
*/
static errcode_t scan_common(const uint8_t *block, uint32_t end,
			     struct htree_scan *s)
{
	const struct wanted w = wanted_name(s);
	const uint8_t *name = s->name;
	uint32_t size = s->size ? s->size : HTREE_NO_OFFSET;
	uint32_t previous = HTREE_NO_OFFSET, gap = HTREE_NO_OFFSET, used = 0;
	uint32_t offset, next, need;
	struct htree_record r;

	for (offset = 0; offset < end; previous = offset, offset = next) {
		const uint8_t *record = block + offset;

		r.ino = htree_le32(record + HTREE_DE_INO);
		r.rec_len = htree_le16(record + HTREE_DE_REC_LEN);
		r.name_len = record[HTREE_DE_NAME_LEN];
		next = offset + r.rec_len;
		need = htree_plain_record_size(r.name_len);
		/* Only an unused record may have no name, thus need less. */
		if (r.rec_len % HTREE_DE_ALIGN || r.rec_len < need ||
		    r.rec_len < HTREE_DE_MIN || (!r.name_len && r.ino) ||
		    (next > end - HTREE_DE_MIN && next != end))
			return E2DX_ET_DAMAGED;
		need = r.ino ? need : 0;
		used += need;
		if (r.rec_len - need >= size && takes_entry(record, &r)) {
			gap = offset;
			size = HTREE_NO_OFFSET;
		}
		if (r.name_len == w.len && r.ino &&
		    !((last_bytes(record + HTREE_DE_NAME + w.len) ^ w.tail) &
		      w.mask) && !memcmp(record + HTREE_DE_NAME, name, w.len)) {
			s->found = true;
			break;
		}
	}
	s->at = offset;
	s->previous = previous;
	s->gap = gap;
	s->used = used;
	return 0;
}

errcode_t htree_scan_block(const struct htree_dir *dir, const uint8_t *block,
			   uint32_t number, struct htree_scan *s)
{
	uint32_t end = htree_block_end(dir, block, number);
	errcode_t err;

	s->found = false;
	if (dir->filetype && !dir->casefold && dir->block_size < 65536)
		err = scan_common(block, end, s);
	else
		err = scan(dir, block, end, s);
	if (!err && s->found) {
		htree_dirent_parse(dir, block, end, s->at, &s->d);
		s->d.block = number;
	}
	return err;
}
