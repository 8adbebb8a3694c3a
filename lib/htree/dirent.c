/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Directory records: the parser and the writer. */
#include "htree/dirent.h"

#include <string.h>

#include "htree/layout.h"
#include "htree/ondisk.h"

#define REC_LEN_WHOLE	65535u	/* stands for 65536, which has no 16 bits */

uint32_t htree_rec_len_load(const struct htree_dir *dir, const uint8_t *record)
{
	uint32_t v = htree_le16(record + HTREE_DE_REC_LEN);

	if (dir->block_size < 65536)
		return v;
	if (v == 0 || v == REC_LEN_WHOLE)
		return dir->block_size;
	/* The two bits that a multiple of 4 does not need are bits 16, 17. */
	return (v & ~3u) | (v & 3u) << 16;
}

void htree_rec_len_store(const struct htree_dir *dir, uint8_t *record,
			 uint32_t rec_len)
{
	if (dir->block_size >= 65536 && rec_len == dir->block_size)
		rec_len = REC_LEN_WHOLE;
	htree_put_le16(record + HTREE_DE_REC_LEN, rec_len);
}

int htree_name_dot(const uint8_t *name, size_t len)
{
	if (len == 1 && name[0] == '.')
		return 1;
	if (len == 2 && name[0] == '.' && name[1] == '.')
		return 2;
	return 0;
}

int htree_dirent_dot(const struct htree_dirent *d)
{
	return htree_name_dot(d->name, d->name_len);
}

/* Multiple of 4, in bounds, and what it leaves can be a record again. */
static bool rec_len_sound(const struct htree_dir *dir, uint32_t rec_len,
			  uint32_t left)
{
	if (rec_len < HTREE_DE_MIN || rec_len % HTREE_DE_ALIGN || rec_len > left)
		return false;
	left -= rec_len;
	return left == 0 || left >= htree_record_size(dir, 0);
}

/* Name and name length; the length may be up to 65535 without filetype. */
static uint32_t load_name(const struct htree_dir *dir, const uint8_t *record,
			  uint32_t left, struct htree_dirent *d)
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
	uint32_t name_len;

	memset(d, 0, sizeof(*d));
	d->offset = offset;
	if (left < HTREE_DE_MIN)
		return HTREE_F_REC_LEN;
	d->ino = htree_le32(record + HTREE_DE_INO);
	d->rec_len = htree_rec_len_load(dir, record);
	name_len = load_name(dir, record, left, d);
	if (!rec_len_sound(dir, d->rec_len, left))
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
		load_hash(record, d);
	return HTREE_OK;
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
