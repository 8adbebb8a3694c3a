/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Equal names, wherever in the directory they stand.  Only a key of each name
 * is kept, 64 bits, of which at least 32 are SipHash; names whose keys are
 * equal are read again and compared.  Legacy and half-MD4 hashes alone would
 * not do as keys: names that collide in them are easily made, and would be
 * compared each with each.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "htree/dirent.h"
#include "htree/ondisk.h"
#include "htree/verify_state.h"

/*
 * Different names of one key are not to be had for less than 2^32 tries each;
 * more than these are not kept for comparing.
 */
#define RIVALS		8
#define FEW		48	/* names that are sorted by insertion */
#define BUCKETS		256	/* one for each value of a byte */

/* Bits for each so many bytes of records, and never more than so many. */
#define BYTES_A_MARK	2
#define MARKS_MAX	(1ULL << 29)
#define WORD_BITS	64

static const uint8_t key_of_names[DIRHASH_SEED_SIZE] = "equal names key";

/*
 * A name whose key marks a bit that another has marked may have an equal: of
 * random keys one in a dozen does.  Only those are sorted.
 */
static struct verify_marks *new_marks(uint64_t bytes)
{
	struct verify_marks *m = malloc(sizeof(*m));
	uint64_t bits = 256;

	while (bits < bytes / BYTES_A_MARK && bits < MARKS_MAX)
		bits *= 2;
	if (!m)
		return NULL;
	m->shift = 64 - __builtin_ctzll(bits);
	m->once = calloc(2 * bits / WORD_BITS, sizeof(*m->once));
	m->again = m->once + bits / WORD_BITS;
	if (m->once)
		return m;
	free(m);
	return NULL;
}

static void mark(struct verify_marks *m, uint64_t key)
{
	uint64_t bit = key >> m->shift, word = bit / WORD_BITS;
	uint64_t mask = 1ULL << bit % WORD_BITS;

	if (__atomic_load_n(&m->once[word], __ATOMIC_RELAXED) & mask ||
	    __atomic_fetch_or(&m->once[word], mask, __ATOMIC_RELAXED) & mask)
		__atomic_fetch_or(&m->again[word], mask, __ATOMIC_RELAXED);
}

static bool marked_again(const struct verify_marks *m, uint64_t key)
{
	uint64_t bit = key >> m->shift;

	return m->again[bit / WORD_BITS] >> bit % WORD_BITS & 1;
}

void verify_names_begin(struct verify *v, uint64_t bytes)
{
	const struct htree_dir *dir = v->dir;
	const struct dirhash_fold *fold = NULL;

	if (v->err)
		return;
	if (dir->casefold && !dir->encrypted)
		fold = dir->fold;
	v->shared_key = v->hashing && v->hasher.version == DIRHASH_SIPHASH;
	v->err = dirhasher_init(&v->name_hasher, DIRHASH_SIPHASH, key_of_names,
				fold);
	v->marks = new_marks(bytes);
	if (!v->err && !v->marks)
		v->err = ENOMEM;
}

void verify_names_end(struct verify *v)
{
	if (v->marks)
		free(v->marks->once);
	free(v->marks);
	free(v->names);
	free(v->again);
}

errcode_t verify_names_keys(const struct verify *v,
			    const struct dirhash_text *names, size_t n,
			    struct dirhash *keys)
{
	return v->shared_key ? 0 : dirhash_many(&v->name_hasher, names, n, keys);
}

static void add_name(struct verify *v, const struct verify_name *name)
{
	if (v->n_names == v->names_capacity) {
		size_t capacity = v->n_names ? v->n_names * 3 / 2 : 256;
		void *p = realloc(v->names, capacity * sizeof(*v->names));

		if (!p) {
			v->err = ENOMEM;
			return;
		}
		v->names = p;
		v->names_capacity = capacity;
	}
	v->names[v->n_names++] = *name;
}

void verify_names_add(struct verify *v, const struct htree_dirent *d,
		      const struct dirhash *key)
{
	/*
	 * The upper half may be the index's hash: then a leaf's names mark bits
	 * that lie together, and the lower half is what is hard to collide in.
	 */
	struct verify_name name = {
		.key = (uint64_t)(v->hashing ? &d->hash : key)->hash << 32 |
			key->minor_hash,
		.where = (uint64_t)d->block << 32 | d->offset
	};

	mark(v->marks, name.key);
	add_name(v, &name);
}

/* Leave those that can have an equal. */
static void keep_marked(struct verify *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n_names; i++)
		if (marked_again(v->marks, v->names[i].key))
			v->names[n++] = v->names[i];
	v->n_names = n;
}

void verify_names_take(struct verify *v, struct verify *part)
{
	keep_marked(part);
	for (size_t i = 0; i < part->n_names && !v->err; i++)
		add_name(v, &part->names[i]);
	free(part->names);
	free(part->again);
}

/* ---- sorting */

static int by_key(const struct verify_name *x, const struct verify_name *y)
{
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->where > y->where) - (x->where < y->where);
}

static int by_place(const void *a, const void *b)
{
	const struct verify_name *x = a, *y = b;

	return (x->where > y->where) - (x->where < y->where);
}

static void sort_few(struct verify_name *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct verify_name x = v[i];
		size_t j = i;

		for (; j > 0 && by_key(&v[j - 1], &x) > 0; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
}

/* Put each name into the bucket of its key's byte at `shift`, in place. */
static void fill_buckets(struct verify_name *v, size_t *next, const size_t *end,
			 int shift)
{
	for (size_t b = 0; b < BUCKETS; b++) {
		while (next[b] < end[b]) {
			struct verify_name x = v[next[b]];
			size_t to = (x.key >> shift) % BUCKETS;

			if (to == b) {
				next[b]++;
				continue;
			}
			v[next[b]] = v[next[to]];
			v[next[to]++] = x;
		}
	}
}

/*
 * By key, then by place.  A byte of the key at a time from the highest on: in
 * place, a few passes for random keys, never more than eight for any.
 */
static void sort_names(struct verify_name *v, size_t n, int shift)
{
	size_t next[BUCKETS], end[BUCKETS] = { 0 }, sum = 0;

	if (n <= FEW) {
		sort_few(v, n);
		return;
	}
	if (shift < 0) {		/* one key */
		qsort(v, n, sizeof(*v), by_place);
		return;
	}
	for (size_t i = 0; i < n; i++)
		end[(v[i].key >> shift) % BUCKETS]++;
	for (size_t b = 0; b < BUCKETS; b++) {
		next[b] = sum;
		sum += end[b];
		end[b] = sum;
	}
	fill_buckets(v, next, end, shift);
	for (size_t b = 0, from = 0; b < BUCKETS; from = end[b++])
		sort_names(v + from, end[b] - from, shift - 8);
}

/* ---- comparing */

struct name {
	uint64_t where;
	size_t len;
	uint8_t bytes[DIRHASH_NAME_MAX];
};

/* The block that `where` is in; its length.  NULL where it cannot be read. */
static const uint8_t *block_again(struct verify *v, uint32_t number,
				  size_t *length)
{
	if (!v->blocks) {
		*length = v->part_length[number & 1];
		return v->part[number & 1];
	}
	*length = v->blocks->block_size;
	if (v->again_valid && v->again_number == number)
		return v->again;
	if (!v->again)
		v->again = malloc(*length);
	if (!v->again) {
		v->err = ENOMEM;
		return NULL;
	}
	v->again_valid = !htree_blocks_read(v->blocks, number, 1, v->again);
	v->again_number = number;
	return v->again_valid ? v->again : NULL;
}

/* Parsed anew: the device may give other bytes than before. */
static bool name_again(struct verify *v, uint64_t where, struct name *out)
{
	size_t length, offset = (uint32_t)where;
	const uint8_t *block = block_again(v, (uint32_t)(where >> 32), &length);
	struct htree_dirent d;

	if (!block || offset >= length)
		return false;
	htree_dirent_parse(v->dir, block, (uint32_t)length, (uint32_t)offset,
			   &d);
	if (!d.name)
		return false;
	out->where = where;
	out->len = d.name_len;
	memcpy(out->bytes, d.name, d.name_len);
	return true;
}

static bool same_name(const struct verify *v, const struct name *a,
		      const struct name *b)
{
	const struct dirhash_fold *fold = v->name_hasher.fold;

	if (fold)
		return fold->same(fold->table, a->bytes, a->len, b->bytes,
				  b->len);
	return a->len == b->len && !memcmp(a->bytes, b->bytes, a->len);
}

/*
 * Names [from, to) have one key.  Writes those that equal an earlier one to
 * the front of the array, from *n on: where, and as key the earlier one's.
 */
static void compare_group(struct verify *v, size_t from, size_t to, size_t *n)
{
	struct name rival[RIVALS], one;
	size_t rivals = 0, r;

	for (size_t i = from; i < to && !v->err; i++) {
		if (!name_again(v, v->names[i].where, &one))
			continue;
		for (r = 0; r < rivals && !same_name(v, &rival[r], &one); r++)
			;
		if (r < rivals)
			v->names[(*n)++] = (struct verify_name) {
				.key = rival[r].where, .where = one.where
			};
		else if (rivals < RIVALS)
			rival[rivals++] = one;
	}
}

static void tell_equal(struct verify *v, size_t n)
{
	struct name one;

	if (n)
		qsort(v->names, n, sizeof(*v->names), by_place);
	for (size_t i = 0; i < n && !v->err; i++) {
		struct htree_finding f = {
			.code = HTREE_F_DUPLICATE,
			.block = (uint32_t)(v->names[i].where >> 32),
			.offset = (uint32_t)v->names[i].where,
			.value = v->names[i].key
		};

		if (name_again(v, v->names[i].where, &one)) {
			f.name = one.bytes;
			f.name_len = (uint8_t)one.len;
		}
		verify_tell(v, &f);
	}
}

void verify_names_tell(struct verify *v)
{
	size_t from = 0, equal = 0;

	keep_marked(v);
	sort_names(v->names, v->n_names, 56);
	for (size_t i = 1; i <= v->n_names && !v->err; i++) {
		if (i < v->n_names && v->names[i].key == v->names[from].key)
			continue;
		if (i - from > 1)
			compare_group(v, from, i, &equal);
		from = i;
	}
	if (!v->err)
		tell_equal(v, equal);
}
