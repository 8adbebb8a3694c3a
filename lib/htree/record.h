/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The parts of which the parser of records is made, inline for the passes that
 * look-ups and changes make over every record of a leaf.  Private to dirent.c
 * and scan.c; everyone else calls htree_dirent_parse().
 */
#ifndef E2DX_HTREE_RECORD_H
#define E2DX_HTREE_RECORD_H

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

/* The numbers of a record, which are all that most passes ask for. */
struct htree_record {
	uint32_t ino;
	uint32_t rec_len;	/* bytes */
	uint32_t name_len;	/* up to 65535 without filetype, if not sound */
};

/* Load them from a record of which there are HTREE_DE_MIN bytes at least. */
static inline void htree_record_load(const struct htree_dir *dir,
				     const uint8_t *record,
				     struct htree_record *r)
{
	r->ino = htree_le32(record + HTREE_DE_INO);
	r->rec_len = htree_rec_len_load(dir, record);
	r->name_len = dir->filetype ? record[HTREE_DE_NAME_LEN]
				    : htree_le16(record + HTREE_DE_NAME_LEN);
}

/* Does an entry with this name carry a hash? */
static inline bool htree_record_has_hash(const struct htree_dir *dir,
					 const uint8_t *record,
					 const struct htree_record *r)
{
	return htree_dir_stores_hash(dir) &&
	       !htree_name_dot(record + HTREE_DE_NAME, r->name_len);
}

/* The checks of htree_dirent_parse(), for a record of `left` bytes. */
static inline enum htree_finding_code
htree_record_check(const struct htree_dir *dir, const uint8_t *record,
		   uint32_t left, const struct htree_record *r)
{
	if (!htree_record_len_sound(dir, r->rec_len, left))
		return HTREE_F_REC_LEN;
	if (r->name_len > HTREE_NAME_MAX ||
	    HTREE_DE_NAME + r->name_len > r->rec_len)
		return HTREE_F_NAME_LEN;
	if (r->name_len == 0 && r->ino)
		return HTREE_F_NAME_LEN;
	if (htree_record_has_hash(dir, record, r) &&
	    r->rec_len < htree_record_size(dir, r->name_len))
		return r->name_len ? HTREE_F_HASH_ROOM : HTREE_F_REC_LEN;
	return HTREE_OK;
}

/* Bytes that a sound record needs. */
static inline uint32_t htree_record_need(const struct htree_dir *dir,
					 const uint8_t *record,
					 const struct htree_record *r)
{
	uint32_t size = htree_plain_record_size(r->name_len);

	if (htree_record_has_hash(dir, record, r))
		size += HTREE_DE_HASH_SIZE;
	return size;
}

#endif
