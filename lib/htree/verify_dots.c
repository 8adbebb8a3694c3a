/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * "." and "..": the first two records of block 0.  An index root hides behind
 * the second one, so their places are believed before their lengths are.
 */
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/ondisk.h"
#include "htree/verify_state.h"

/* An unindexed "." may be this long before the slack is worth an entry. */
#define DOT_MAX		24

/* The record at `offset` if it is named "." (dot 1) or ".." (dot 2). */
static bool dot_at(const struct verify *v, const uint8_t *block, uint32_t end,
		   uint32_t offset, int dot, struct htree_dirent *d)
{
	if (offset % HTREE_DE_ALIGN || offset + HTREE_DE_MIN > end)
		return false;
	htree_dirent_parse(v->dir, block, end, offset, d);
	d->ino = htree_le32(block + offset);
	return d->name && htree_dirent_dot(d) == dot;
}

static void give(struct verify *v, const struct htree_dirent *d, int dot)
{
	if (d->ino && v->ops->entry)
		v->ops->entry(v->ctx, d, dot);
}

/* The name must end in a NUL, as old readers of directories rely on. */
static bool ends_in_nul(const struct htree_dirent *d)
{
	return d->name[d->name_len] == 0;
}

static void check_dot(struct verify *v, const struct htree_dirent *d,
		      bool right_length)
{
	v->result->self = d->ino;
	if (!d->ino)
		verify_tell_entry(v, HTREE_D_DOT_MISSING, d, 0, v->dir->ino);
	else if (d->ino != v->dir->ino)
		verify_tell_entry(v, HTREE_D_DOT_INODE, d, d->ino,
				  v->dir->ino);
	if (!right_length || !ends_in_nul(d))
		verify_tell_entry(v, HTREE_D_DOT_LAYOUT, d, d->rec_len,
				  HTREE_DOT_SIZE);
	give(v, d, 1);
}

static void check_dotdot(struct verify *v, const struct htree_dirent *d,
			 bool right_length)
{
	uint32_t top = v->dir->inodes_count;

	v->result->parent = d->ino;
	if (!d->ino)
		verify_tell_entry(v, HTREE_D_DOTDOT_MISSING, d, 0, 0);
	else if (top && d->ino > top)
		verify_tell_entry(v, HTREE_F_INODE_RANGE, d, d->ino, top);
	if (!right_length || !ends_in_nul(d))
		verify_tell_entry(v, HTREE_D_DOT_LAYOUT, d, d->rec_len,
				  v->root ? v->dir->block_size - HTREE_DOT_SIZE
					  : 0);
	give(v, d, 2);
}

static void tell_missing(struct verify *v, enum htree_finding_code code)
{
	struct htree_finding f = { .code = code };

	verify_tell(v, &f);
}

/*
 * Not both at their places: then one of the two may still be there, and all
 * the rest are entries.  A root may be behind them all the same.
 */
static uint32_t lost_dots(struct verify *v, const uint8_t *block, uint32_t end)
{
	struct htree_dirent d;
	uint32_t start = 0;

	if (dot_at(v, block, end, 0, 1, &d)) {
		check_dot(v, &d, d.rec_len == HTREE_DOT_SIZE);
		start = HTREE_DOT_SIZE;
		tell_missing(v, HTREE_D_DOTDOT_MISSING);
	} else {
		tell_missing(v, HTREE_D_DOT_MISSING);
		if (dot_at(v, block, end, HTREE_DOT_SIZE, 2, &d)) {
			verify_records(v, block, 0, 0, HTREE_DOT_SIZE);
			check_dotdot(v, &d, true);
			start = HTREE_DOT_SIZE + htree_plain_record_size(2);
			if (d.rec_len >= HTREE_DE_MIN &&
			    d.rec_len % HTREE_DE_ALIGN == 0 &&
			    d.rec_len <= end - HTREE_DOT_SIZE)
				start = HTREE_DOT_SIZE + d.rec_len;
		} else {
			tell_missing(v, HTREE_D_DOTDOT_MISSING);
		}
	}
	return start;
}

/* Where the record after d begins; what d itself needs, if its length lies. */
static uint32_t after(const struct verify *v, const uint8_t *block,
		      uint32_t end, const struct htree_dirent *d)
{
	struct htree_dirent again;

	if (htree_dirent_parse(v->dir, block, end, d->offset, &again))
		return d->offset + htree_plain_record_size(d->name_len);
	return d->offset + d->rec_len;
}

uint32_t verify_dots(struct verify *v, const uint8_t *block, uint32_t end)
{
	struct htree_dirent dot, dotdot;
	bool sound, indexed = v->root;
	uint32_t next;

	if (!dot_at(v, block, end, 0, 1, &dot) ||
	    (!dot_at(v, block, end, HTREE_DOT_SIZE, 2, &dotdot) &&
	     !dot_at(v, block, end, dot.rec_len, 2, &dotdot))) {
		next = lost_dots(v, block, end);
		return indexed && next >= HTREE_DOT_SIZE ? end : next;
	}
	sound = dot.rec_len == dotdot.offset && dot.rec_len <= DOT_MAX;
	if (indexed)
		sound = dot.rec_len == HTREE_DOT_SIZE;
	check_dot(v, &dot, sound);

	next = after(v, block, end, &dotdot);
	sound = next == dotdot.offset + dotdot.rec_len;
	if (indexed)
		sound = next == v->dir->block_size;
	check_dotdot(v, &dotdot, sound);
	return indexed ? end : next;
}
