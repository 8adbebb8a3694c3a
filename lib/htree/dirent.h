/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Directory records: the one parser, an iterator that survives damage, and
 * the writer.  After htree_dirent_parse() or htree_dirents_next() nothing
 * needs to look at a record's bytes again.
 */
#ifndef E2DX_HTREE_DIRENT_H
#define E2DX_HTREE_DIRENT_H

#include "htree/entry.h"
#include "htree/ondisk.h"
#include "htree/verify.h"

/*
 * Parse the record at `offset` of `block`; records end at `end` (both bytes;
 * htree_leaf_end(), or the length of an inline directory's part).
 *
 * Checks the record's structure: rec_len a multiple of 4, inside `end`, at
 * least as long as the smallest record, and ending at `end` or leaving room
 * for a smallest record after it; name_len not 0 in a used record and inside
 * the record; room for the stored hash where the directory has them ("." and
 * ".." carry none).  Unused records (ino 0) obey the same rules but for the
 * name_len of 0, as Linux has it.
 *
 * Returns HTREE_OK, HTREE_F_REC_LEN, HTREE_F_NAME_LEN or HTREE_F_HASH_ROOM.
 * *d: block is 0; after HTREE_OK everything else is set, name is NULL where
 * name_len is 0.  After an error what could be read: rec_len as decoded,
 * name and name_len only if they lie before `end`.
 */
enum htree_finding_code htree_dirent_parse(const struct htree_dir *dir,
					   const uint8_t *block, uint32_t end,
					   uint32_t offset,
					   struct htree_dirent *d);

/*
 * What is wrong with a used record beside its structure: HTREE_OK,
 * HTREE_F_INODE_RANGE (above dir->inodes_count, where that is known), or
 * HTREE_F_NAME_CHARS ('/' or NUL in a name that is not ciphertext).
 */
enum htree_finding_code htree_dirent_check(const struct htree_dir *dir,
					   const struct htree_dirent *d);

/* 1 for ".", 2 for "..", 0 for any other name. */
static inline int htree_name_dot(const uint8_t *name, size_t len)
{
	if (len == 1 && name[0] == '.')
		return 1;
	if (len == 2 && name[0] == '.' && name[1] == '.')
		return 2;
	return 0;
}

static inline int htree_dirent_dot(const struct htree_dirent *d)
{
	return htree_name_dot(d->name, d->name_len);
}

/*
 * The records of one block, one after another, damaged ones too.
 *
 * Where a record's structure is damaged, the iterator goes on at the next
 * place where a record can be believed, and gives the damaged stretch as one
 * item.  That place is
 * (1) where the damaged record's own rec_len leads (12 or more, a multiple of
 *     4), if a believed or a sound unused record, or the end, is there; else
 * (2) the first multiple of 4 with a believed record that is followed by
 *     another one, by a sound unused one, or by the end.  The search begins
 *     after the damaged record's name if that can be believed, else 4 bytes
 *     on.
 * Believed is a used record of sound structure (room for the hash not asked),
 * with an inode number in range, a name of allowed characters, a file type
 * below 8, and, where names are ciphertext, at least 16 bytes of it.
 * No record is taken from the slack after a sound record, where removed names
 * stand, but for one: where a sound record leads to nothing believable, a
 * believed one in its slack that reaches over its end was hidden by a rec_len
 * that is too large (a removed one never reaches so far).  The whole costs time linear in the block.
 */
struct htree_dirents {
	const struct htree_dir *dir;
	const uint8_t *block;
	uint32_t number;	/* logical block, for htree_dirent.block */
	uint32_t next;		/* offset of the next record */
	uint32_t end;
};

void htree_dirents_begin(struct htree_dirents *it, const struct htree_dir *dir,
			 const uint8_t *block, uint32_t number,
			 uint32_t start, uint32_t end);

/*
 * The next record; false at the end.  Unused ones are given too (ino 0).
 * *fault is HTREE_OK, or says what is damaged at d->offset; d->rec_len is
 * then the length of the damaged stretch.  Of a damaged record d->ino is 0,
 * unless the entry itself can be believed (rec_len alone is wrong, or there is
 * no room for the stored hash: then has_hash is false).  Records given with
 * HTREE_OK are to be asked htree_dirent_check() too.
 */
bool htree_dirents_next(struct htree_dirents *it, struct htree_dirent *d,
			enum htree_finding_code *fault);

/*
 * Write a record of rec_len bytes (at least htree_record_size(), a multiple
 * of 4) at `offset`: its first htree_record_size() bytes, padding zeroed.
 * ino 0 with name_len 0 writes an unused record.  d->hash is stored where
 * *dir has stored hashes, but for "." and "..".
 */
void htree_dirent_write(const struct htree_dir *dir, uint8_t *block,
			uint32_t offset, uint32_t rec_len,
			const struct htree_dirent *d);

/* rec_len's 16 bits as bytes and back (64 KiB blocks need the detour). */
#define HTREE_REC_LEN_WHOLE	65535u	/* stands for 65536, which has no 16 bits */
static inline uint32_t htree_rec_len_load(const struct htree_dir *dir,
					  const uint8_t *record)
{
	uint32_t v = htree_le16(record + HTREE_DE_REC_LEN);

	if (dir->block_size < 65536)
		return v;
	if (v == 0 || v == HTREE_REC_LEN_WHOLE)
		return dir->block_size;
	/* The two bits that a multiple of 4 does not need are bits 16, 17. */
	return (v & ~3u) | (v & 3u) << 16;
}
void htree_rec_len_store(const struct htree_dir *dir, uint8_t *record,
			 uint32_t rec_len);

#endif
