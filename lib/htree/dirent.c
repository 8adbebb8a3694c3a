/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Directory records: the parser (record.h has its parts) and the writer. */
#include "htree/dirent.h"

#include <string.h>

#include "htree/layout.h"
#include "htree/ondisk.h"
#include "htree/record.h"

void htree_rec_len_store(const struct htree_dir *dir, uint8_t *record,
			 uint32_t rec_len)
{
	if (dir->block_size >= 65536 && rec_len == dir->block_size)
		rec_len = HTREE_REC_LEN_WHOLE;
	htree_put_le16(record + HTREE_DE_REC_LEN, rec_len);
}

static void load_hash(const uint8_t *record, struct htree_dirent *d)
{
	const uint8_t *p = record + htree_plain_record_size(d->name_len);

	d->has_hash = true;
	d->hash.hash = htree_le32(p);
	d->hash.minor_hash = htree_le32(p + 4);
}

enum htree_finding_code htree_dirent_parse(const struct htree_dir *dir,
					   const uint8_t *block, uint32_t end,
					   uint32_t offset,
					   struct htree_dirent *d)
{
	const uint8_t *record = block + offset;
	uint32_t left = offset < end ? end - offset : 0;
	enum htree_finding_code code;
	struct htree_record r;

	memset(d, 0, sizeof(*d));
	d->offset = offset;
	if (left < HTREE_DE_MIN)
		return HTREE_F_REC_LEN;
	htree_record_load(dir, record, &r);
	d->ino = r.ino;
	d->rec_len = r.rec_len;
	if (dir->filetype)
		d->file_type = record[HTREE_DE_FILE_TYPE];
	if (r.name_len > 0 && r.name_len <= HTREE_NAME_MAX &&
	    HTREE_DE_NAME + r.name_len <= left) {
		d->name = record + HTREE_DE_NAME;
		d->name_len = (uint8_t)r.name_len;
	}
	code = htree_record_check(dir, record, left, &r);
	if (!code && r.ino && htree_record_has_hash(dir, record, &r))
		load_hash(record, d);
	return code;
}

enum htree_finding_code htree_dirent_check(const struct htree_dir *dir,
					   const struct htree_dirent *d)
{
	if (dir->inodes_count && d->ino > dir->inodes_count)
		return HTREE_F_INODE_RANGE;
	if (dir->encrypted || !d->name_len)
		return HTREE_OK;
	if (memchr(d->name, '/', d->name_len) ||
	    memchr(d->name, '\0', d->name_len))
		return HTREE_F_NAME_CHARS;
	return HTREE_OK;
}

void htree_dirent_write(const struct htree_dir *dir, uint8_t *block,
			uint32_t offset, uint32_t rec_len,
			const struct htree_dirent *d)
{
	uint32_t plain = htree_plain_record_size(d->name_len);
	uint8_t *record = block + offset;

	/* Zero the last word first: it holds the padding. */
	htree_put_le32(record + plain - HTREE_DE_ALIGN, 0);
	htree_put_le32(record + HTREE_DE_INO, d->ino);
	htree_rec_len_store(dir, record, rec_len);
	record[HTREE_DE_NAME_LEN] = d->name_len;
	record[HTREE_DE_FILE_TYPE] = dir->filetype ? d->file_type : 0;
	if (d->name_len)
		memcpy(record + HTREE_DE_NAME, d->name, d->name_len);
	if (htree_dir_stores_hash(dir) && d->ino && !htree_dirent_dot(d)) {
		htree_put_le32(record + plain, d->hash.hash);
		htree_put_le32(record + plain + 4, d->hash.minor_hash);
	}
}
