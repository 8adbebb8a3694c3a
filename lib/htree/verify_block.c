/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One block of a directory: its records, its tail, its range in the index. */
#include "htree/csum.h"
#include "htree/dirent.h"
#include "htree/layout.h"
#include "htree/ondisk.h"
#include "htree/verify_state.h"

#define HASH_LAST	0xfffffffcu	/* greatest major hash of a name */
#define TOGETHER	256		/* records; most blocks have fewer */

/* Tell each kind of range fault once a leaf: a wrong seed breaks them all. */
static void tell_range(struct verify *v, enum htree_finding_code code,
		       const struct htree_dirent *d, uint32_t bound)
{
	unsigned bit = code == HTREE_X_CONTINUATION ? 2 : 1;

	if (v->at_told & bit)
		return;
	v->at_told |= bit;
	verify_tell_entry(v, code, d, d->hash.hash, bound);
}

/*
 * A leaf holds hashes from its own index entry's on, and below the next
 * one's; that one too, if it has the continuation bit.
 */
static void check_range(struct verify *v, const struct htree_dirent *d)
{
	uint32_t lower, upper, hash = d->hash.hash;

	if (!v->at || v->at->role != VERIFY_LEAF || !d->has_hash)
		return;
	lower = v->at->lower & ~HTREE_DX_CONTINUED;
	upper = v->at->upper & ~HTREE_DX_CONTINUED;
	if (hash < lower)
		tell_range(v, HTREE_X_HASH_RANGE, d, lower);
	else if (hash > upper)
		tell_range(v, HTREE_X_HASH_RANGE, d, upper);
	else if (hash == upper && !(v->at->upper & HTREE_DX_CONTINUED))
		tell_range(v, HTREE_X_CONTINUATION, d, upper);
}

/* In a strict directory a name that cannot be folded must not be. */
static bool bad_encoding(struct verify *v, const struct htree_dirent *d)
{
	const struct htree_dir *dir = v->dir;

	return dir->strict && dir->casefold && !dir->encrypted && dir->fold &&
		dir->fold->fold(dir->fold->table, d->name, d->name_len,
				v->folded, sizeof(v->folded)) < 0;
}

/*
 * A stored hash that no name can have is damage too: made one that can be, it
 * at least leaves the index in order when it is written again.
 */
static void check_stored(struct verify *v, struct htree_dirent *d)
{
	uint32_t hash = d->hash.hash & ~1u;

	if (hash > HASH_LAST)
		hash = HASH_LAST;
	if (hash != d->hash.hash)
		verify_tell_entry(v, HTREE_F_HASH_ROOM, d, d->hash.hash, hash);
	d->hash.hash = hash;
}

/*
 * Records that are read together, so that their names are hashed together.
 * Looking at one has no effect on reading the next.
 */
struct records {
	size_t n;
	struct htree_dirent d[TOGETHER];
	enum htree_finding_code fault[TOGETHER];
	/* of the used ones, in their order */
	size_t names;
	struct dirhash_text name[TOGETHER];
	struct dirhash hash[TOGETHER];		/* for the index */
	struct dirhash key[TOGETHER];		/* for finding equal names */
};

static void read_records(struct verify *v, struct htree_dirents *it,
			 struct records *r)
{
	r->n = r->names = 0;
	while (r->n < TOGETHER &&
	       htree_dirents_next(it, &r->d[r->n], &r->fault[r->n])) {
		const struct htree_dirent *d = &r->d[r->n++];

		if (!d->ino)
			continue;
		r->name[r->names++] = (struct dirhash_text) {
			d->name, d->name_len
		};
		if (v->ops->soon)
			v->ops->soon(v->ctx, d->ino);
	}
}

static void hash_records(struct verify *v, struct records *r)
{
	if (v->hashing)
		v->err = dirhash_many(&v->hasher, r->name, r->names, r->hash);
	if (!v->err)
		v->err = verify_names_keys(v, r->name, r->names, r->key);
}

/* Entry i of the used ones. */
static void check_entry(struct verify *v, struct htree_dirent *d,
			const struct records *r, size_t i)
{
	enum htree_finding_code code = htree_dirent_check(v->dir, d);
	bool stray = htree_dirent_dot(d);

	if (stray)
		verify_tell_entry(v, HTREE_F_STRAY_DOT, d, d->ino, 0);
	if (code != HTREE_OK)
		verify_tell_entry(v, code, d, d->ino, v->dir->inodes_count);
	if (bad_encoding(v, d))
		verify_tell_entry(v, HTREE_F_ENCODING, d, 0, 0);
	if (d->has_hash)
		check_stored(v, d);
	if (v->hashing) {
		d->hash = r->hash[i];
		d->has_hash = true;
	}
	check_range(v, d);
	if (!stray)
		verify_names_add(v, d, v->shared_key ? &d->hash : &r->key[i]);
	v->result->entries++;
	if (v->ops->entry)
		v->ops->entry(v->ctx, d, 0);
}

static void check_records(struct verify *v, struct records *r)
{
	size_t used = 0;

	for (size_t i = 0; i < r->n && !v->err; i++) {
		struct htree_dirent *d = &r->d[i];

		if (r->fault[i] != HTREE_OK)
			verify_tell_entry(v, r->fault[i], d, d->rec_len, 0);
		if (d->ino)
			check_entry(v, d, r, used++);
	}
}

void verify_records(struct verify *v, const uint8_t *block, uint32_t number,
		    uint32_t start, uint32_t end)
{
	struct htree_dirents it;
	struct records r;

	htree_dirents_begin(&it, v->dir, block, number, start, end);
	do {
		read_records(v, &it, &r);
		hash_records(v, &r);
		check_records(v, &r);
	} while (r.n == TOGETHER && !v->err);
}

static void check_tail(struct verify *v, const uint8_t *block, uint32_t number)
{
	struct htree_finding f = { .block = number };

	if (!v->dir->metadata_csum)
		return;
	f.offset = htree_leaf_room(v->dir);
	if (!htree_tail_present(v->dir, block))
		f.code = HTREE_L_TAIL_MISSING;
	else if (!htree_leaf_csum_ok(v->dir, block))
		f.code = HTREE_L_CHECKSUM;
	else
		return;
	verify_tell(v, &f);
}

/* An index block, by its fake record and by the limit that only it has. */
static bool looks_like_node(const struct verify *v, const uint8_t *block)
{
	struct htree_node n;

	if (!htree_parse_node(v->dir, block, 0, 1, &n))
		return true;
	return htree_le32(block) == 0 && n.limit == htree_node_limit(v->dir) &&
		n.count > 0 && n.count <= n.limit;
}

/* Has the tree taken care of this block, so that it holds no entries? */
static bool is_node(const struct verify *v, const uint8_t *block)
{
	if (!v->at)
		return false;
	switch (v->at->role) {
	case VERIFY_NODE:
		return true;
	case VERIFY_UNREACHED:
	case VERIFY_NO_NODE:
		return looks_like_node(v, block);
	default:
		return false;
	}
}

void verify_block(struct verify *v, const uint8_t *block, uint32_t number)
{
	uint32_t start = 0, end = htree_block_end(v->dir, block, number);

	v->at = verify_index_at(v, number);
	v->at_told = 0;
	if (number == 0)
		start = verify_dots(v, block, end);
	else if (is_node(v, block))
		return;
	if (number != 0 || !v->root)
		check_tail(v, block, number);
	if (start < end)
		verify_records(v, block, number, start, end);
}
