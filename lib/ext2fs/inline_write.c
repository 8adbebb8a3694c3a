/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Put a directory's entries back into its inode: 56 bytes of i_block behind the
 * parent's number, then the value of the system.data attribute, whose size
 * stays.  A record lies in one of the two, and each is filled by its records.
 */
#include <errno.h>
#include <string.h>
#include "ext2fs/inline.h"
#include "ext2fs/inode_write.h"
#include "ext2fs/replace_priv.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/ondisk.h"

#define PARENT_SIZE	4	/* bytes of the parent's number */

struct part {
	uint8_t *bytes;
	uint32_t size;
	uint32_t next;		/* where the next record goes */
	uint32_t last;		/* where the last one begins */
};

struct packer {
	const struct htree_dir *dir;
	struct part part[2];
	uint32_t parent;
};

static errcode_t pack(struct packer *p, const struct htree_dirent *d)
{
	uint32_t size = htree_record_size(p->dir, d->name_len);

	for (int i = 0; i < 2; i++) {
		struct part *t = &p->part[i];

		if (size > t->size - t->next)
			continue;
		htree_dirent_write(p->dir, t->bytes, t->next, size, d);
		t->last = t->next;
		t->next += size;
		return 0;
	}
	return E2DX_ET_NO_SPACE;
}

/* The last record reaches to the end; a part without one is one unused record. */
static void close_part(const struct packer *p, struct part *t)
{
	static const struct htree_dirent none;

	if (!t->size)
		return;
	if (!t->next)
		htree_dirent_write(p->dir, t->bytes, 0, t->size, &none);
	else
		htree_rec_len_store(p->dir, t->bytes + t->last,
				    t->size - t->last);
}

static errcode_t pack_block(struct packer *p, const uint8_t *block,
			    uint32_t number)
{
	struct htree_dirents it;
	struct htree_dirent d;
	enum htree_finding_code fault;
	errcode_t err = 0;

	htree_dirents_begin(&it, p->dir, block, number, 0,
			    htree_leaf_end(p->dir, block));
	while (!err && htree_dirents_next(&it, &d, &fault)) {
		if (fault)
			return E2DX_ET_DAMAGED;
		if (htree_dirent_dot(&d) == 2)
			p->parent = d.ino;
		else if (d.ino && !htree_dirent_dot(&d))
			err = pack(p, &d);
	}
	return err;
}

errcode_t e2dx_prepare_inline(const struct e2dx_dir *d,
			      const struct htree_memory *blocks, uint8_t *raw)
{
	struct packer p = { .dir = &d->dir };
	size_t len;
	const uint8_t *value = e2dx_inline_value(d->efs, raw, &len);
	errcode_t err = 0;

	p.part[0].bytes = raw + E2DX_I_BLOCK + PARENT_SIZE;
	p.part[0].size = E2DX_I_BLOCK_SIZE - PARENT_SIZE;
	if (value && len >= HTREE_DE_MIN) {
		p.part[1].bytes = raw + (value - raw);
		p.part[1].size = (uint32_t)len;
	}
	for (int i = 0; i < 2; i++)
		if (p.part[i].size)
			memset(p.part[i].bytes, 0, p.part[i].size);
	for (uint32_t i = 0; i < blocks->blocks.count && !err; i++)
		err = pack_block(&p, blocks->data +
				 (size_t)i * blocks->blocks.block_size, i);
	if (err)
		return err;
	close_part(&p, &p.part[0]);
	close_part(&p, &p.part[1]);
	htree_put_le32(raw + E2DX_I_BLOCK, p.parent);
	e2dx_inline_changed(d->efs, raw);
	return 0;
}
