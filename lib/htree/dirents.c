/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The records of a block one after another, over damaged ones too. */
#include "htree/dirent.h"

#include "htree/layout.h"
#include "htree/ondisk.h"

#define CIPHERTEXT_MIN	16	/* fscrypt pads shorter names to this */
#define FILE_TYPE_END	8	/* first number that is no file type */

void htree_dirents_begin(struct htree_dirents *it, const struct htree_dir *dir,
			 const uint8_t *block, uint32_t number,
			 uint32_t start, uint32_t end)
{
	it->dir = dir;
	it->block = block;
	it->number = number;
	it->next = start;
	it->end = end;
}

/* Could a used record have this inode, type and name?  Not its length. */
static bool entry_credible(const struct htree_dirents *it,
			   const struct htree_dirent *d)
{
	const struct htree_dir *dir = it->dir;

	if (!d->ino || !d->name_len || htree_dirent_check(dir, d) != HTREE_OK)
		return false;
	if (dir->filetype && it->block[d->offset + HTREE_DE_FILE_TYPE] >=
			     FILE_TYPE_END)
		return false;
	return !dir->encrypted || d->name_len >= CIPHERTEXT_MIN ||
	       htree_dirent_dot(d);
}

/*
 * The record at an offset, if its structure is sound: here also where only
 * the stored hash has no room, or a directory whose flags were damaged would
 * lose every entry.
 */
static bool sound_record(const struct htree_dirents *it, uint32_t offset,
			 struct htree_dirent *d)
{
	enum htree_finding_code fault;

	fault = htree_dirent_parse(it->dir, it->block, it->end, offset, d);
	return fault == HTREE_OK || fault == HTREE_F_HASH_ROOM;
}

/* Is there a sound record that is unused or credible, or the end? */
static bool sound_at(const struct htree_dirents *it, uint32_t offset)
{
	struct htree_dirent d;

	if (offset == it->end)
		return true;
	return sound_record(it, offset, &d) &&
	       (!d.ino || entry_credible(it, &d));
}

/* Does a believable chain begin here?  Only a used record can begin one. */
static bool chain_at(const struct htree_dirents *it, uint32_t offset)
{
	struct htree_dirent d;

	return sound_record(it, offset, &d) && entry_credible(it, &d) &&
	       sound_at(it, offset + d.rec_len);
}

static uint32_t find_chain(const struct htree_dirents *it, uint32_t offset)
{
	uint32_t o;

	for (o = offset; o + HTREE_DE_MIN <= it->end; o += HTREE_DE_ALIGN)
		if (chain_at(it, o))
			return o;
	return it->end;
}

/*
 * A damaged record: where to go on, and what of it can be kept.  rec_len is
 * set so that offset + rec_len is where the iteration goes on.
 */
static void salvage(struct htree_dirents *it, struct htree_dirent *d,
		    enum htree_finding_code fault)
{
	bool credible = fault != HTREE_F_NAME_LEN && entry_credible(it, d);
	uint32_t skip = HTREE_DE_ALIGN;

	if (!credible) {
		d->ino = 0;
		d->name = NULL;
		d->name_len = 0;
	}
	if (d->rec_len >= HTREE_DE_MIN && d->rec_len % HTREE_DE_ALIGN == 0 &&
	    d->rec_len <= it->end - d->offset &&
	    sound_at(it, d->offset + d->rec_len))
		return;
	if (credible)
		skip = htree_plain_record_size(d->name_len);
	d->rec_len = find_chain(it, d->offset + skip) - d->offset;
}

/*
 * A sound record that leads to nothing believable may be too long by its own
 * rec_len, and hide its neighbour.  Then the neighbour still stands in its
 * slack and reaches over its end, which a removed name there never does.
 * Returns where the neighbour begins; 0 if there is none.
 */
static uint32_t find_hidden(const struct htree_dirents *it,
			    const struct htree_dirent *d)
{
	uint32_t size = htree_plain_record_size(d->name_len);
	uint32_t next = d->offset + d->rec_len, o;
	struct htree_dirent hidden;

	if (d->rec_len == size || sound_at(it, next))
		return 0;
	for (o = d->offset + size; o < next; o += HTREE_DE_ALIGN)
		if (chain_at(it, o) && sound_record(it, o, &hidden) &&
		    o + hidden.rec_len > next)
			return o;
	return 0;
}

bool htree_dirents_next(struct htree_dirents *it, struct htree_dirent *d,
			enum htree_finding_code *fault)
{
	uint32_t hidden;

	if (it->next >= it->end)
		return false;
	*fault = htree_dirent_parse(it->dir, it->block, it->end, it->next, d);
	d->block = it->number;
	if (*fault != HTREE_OK)
		salvage(it, d, *fault);
	else if ((hidden = find_hidden(it, d)) != 0) {
		*fault = HTREE_F_REC_LEN;
		d->rec_len = hidden - d->offset;
	}
	it->next = d->offset + d->rec_len;
	return true;
}
