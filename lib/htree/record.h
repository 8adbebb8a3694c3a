/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The parser of records itself, inline for the passes that look-ups and
 * changes make over every record of a leaf.  Private to dirent.c and scan.c;
 * everyone else calls htree_dirent_parse().
 */
#ifndef E2DX_HTREE_RECORD_H
#define E2DX_HTREE_RECORD_H

#include <string.h>

#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/ondisk.h"

/* Multiple of 4, in bounds, and what it leaves can be a record again. */
static inline bool htree_record_len_sound(const struct htree_dir *dir,
					  uint32_t rec_len, uint32_t left)
{
	if (rec_len < HTREE_DE_MIN || rec_len % HTREE_DE_ALIGN || rec_len > left)
		return false;
	left -= rec_len;
	return left == 0 || left >= htree_record_size(dir, 0);
}

/* Name and name length; the length may be up to 65535 without filetype. */
static inline uint32_t htree_record_name(const struct htree_dir *dir,
					 const uint8_t *record, uint32_t left,
					 struct htree_dirent *d)
{
	uint32_t len = record[HTREE_DE_NAME_LEN];

	if (dir->filetype)
		d->file_type = record[HTREE_DE_FILE_TYPE];
	else
		len = htree_le16(record + HTREE_DE_NAME_LEN);
	if (len > 0 && len <= HTREE_NAME_MAX && HTREE_DE_NAME + len <= left) {
		d->name = record + HTREE_DE_NAME;
		d->name_len = (uint8_t)len;
	}
	return len;
}

static inline void htree_record_hash(const uint8_t *record,
				     struct htree_dirent *d)
{
	const uint8_t *p = record + htree_plain_record_size(d->name_len);

	d->has_hash = true;
	d->hash.hash = htree_le32(p);
	d->hash.minor_hash = htree_le32(p + 4);
}

/* What htree_dirent_parse() does; dirent.h says what that is. */
static inline enum htree_finding_code
htree_record_parse(const struct htree_dir *dir, const uint8_t *block,
		   uint32_t end, uint32_t offset, struct htree_dirent *d)
{
	const uint8_t *record = block + offset;
	uint32_t left = offset < end ? end - offset : 0;
	uint32_t name_len;

	memset(d, 0, sizeof(*d));
	d->offset = offset;
	if (left < HTREE_DE_MIN)
		return HTREE_F_REC_LEN;
	d->ino = htree_le32(record + HTREE_DE_INO);
	d->rec_len = htree_rec_len_load(dir, record);
	name_len = htree_record_name(dir, record, left, d);
	if (!htree_record_len_sound(dir, d->rec_len, left))
		return HTREE_F_REC_LEN;
	if (name_len > HTREE_NAME_MAX || HTREE_DE_NAME + name_len > d->rec_len)
		return HTREE_F_NAME_LEN;
	if (name_len == 0 && d->ino)
		return HTREE_F_NAME_LEN;
	if (!htree_dir_stores_hash(dir) || htree_dirent_dot(d))
		return HTREE_OK;
	if (d->rec_len < htree_record_size(dir, name_len))
		return name_len ? HTREE_F_HASH_ROOM : HTREE_F_REC_LEN;
	if (d->ino)
		htree_record_hash(record, d);
	return HTREE_OK;
}

#endif
