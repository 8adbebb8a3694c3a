/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values in inodes of their own: what the entries say of them, what they say
 * of themselves, and what their owners' i_blocks count for them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "xattr_facts.h"

static errcode_t report(struct facts *f, enum problem_code code, uint32_t ino,
			uint64_t block, uint64_t value, uint64_t expected)
{
	struct problem p = {
		.code = code, .ino = ino, .block = block, .value = value,
		.expected = expected
	};

	return problem_list_add(&f->xattrs, &p);
}

static const struct xattr_value *find_value(const struct list *values,
					    uint32_t ino)
{
	const struct xattr_value *v = values->v;
	size_t low = 0, high = values->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (v[mid].ino < ino)
			low = mid + 1;
		else
			high = mid;
	}
	return low < values->n && v[low].ino == ino ? &v[low] : NULL;
}

static bool hash_right(const struct xattr_ref *r, const struct xattr_value *v)
{
	return e2dx_xattr_hash_word(r->names[0], v->hash) == r->hash ||
	       e2dx_xattr_hash_word(r->names[1], v->hash) == r->hash;
}

/*
 * Lustre's kernels, the first to have such values, made no hash and no
 * reference count of them, but named the owner in the value's inode.
 */
static bool from_lustre(const struct xattr_ref *r, const struct xattr_value *v)
{
	return v->parent == r->ino && v->generation == r->generation;
}

/* One entry against the inode that it names. */
static errcode_t check_ref(struct facts *f, struct xattr_ref *r,
			   const struct list *values)
{
	const struct xattr_value *v = NULL;

	if (r->value >= EXT2_FIRST_INO(f->efs->fs->super) &&
	    r->value <= f->survey->inodes_count && r->value != r->ino)
		v = find_value(values, r->value);
	if (!v)
		return report(f, P_XATTR_VALUE_INODE, r->ino, r->block,
			      r->value, 0);
	r->charged = hash_right(r, v);
	if (r->charged || from_lustre(r, v))
		return 0;
	return report(f, P_XATTR_VALUE_HASH, r->ino, r->block, r->value, 0);
}

static errcode_t check_refs(struct facts *f, struct list *refs,
			    const struct list *values)
{
	struct xattr_ref *r = refs->v;
	errcode_t err = 0;

	for (size_t i = 0; !err && i < refs->n; i++)
		err = check_ref(f, &r[i], values);
	return err;
}

/* ---- reference counts */

static errcode_t add_numbers(struct list *to, const struct list *refs)
{
	const struct xattr_ref *r = refs->v;

	for (size_t i = 0; i < refs->n; i++) {
		uint32_t *n = list_add(to, sizeof(*n));

		if (!n)
			return ENOMEM;
		*n = r[i].value;
	}
	return 0;
}

/* f->values: every number that an entry names, sorted, with repetitions. */
static errcode_t collect(struct facts *f, const struct list *in_inodes,
			 const struct list *in_blocks)
{
	errcode_t err = add_numbers(&f->values, in_inodes);

	if (!err)
		err = add_numbers(&f->values, in_blocks);
	list_sort(&f->values, sizeof(uint32_t), compare_numbers);
	return err;
}

uint32_t facts_value_references(const struct facts *f, uint32_t ino)
{
	const uint32_t *v = f->values.v;
	size_t low = 0, high = f->values.n, i;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (v[mid] < ino)
			low = mid + 1;
		else
			high = mid;
	}
	for (i = low; i < f->values.n && v[i] == ino; i++)
		;
	return (uint32_t)(i - low);
}

/* Without references it is no value, but a file without a name. */
static errcode_t check_counts(struct facts *f, const struct list *values)
{
	const struct xattr_value *v = values->v;
	errcode_t err = 0;

	for (size_t i = 0; !err && i < values->n; i++) {
		uint32_t n = facts_value_references(f, v[i].ino);

		/* For its links, whoever refers to it is one name. */
		if (n)
			facts_name(f, v[i].ino);
		if (n == 1 && v[i].uncounted)
			continue;
		if (n && n != v[i].references)
			err = report(f, P_XATTR_VALUE_REFERENCES, v[i].ino, 0,
				     v[i].references, n);
	}
	return err;
}

/* ---- what owners' i_blocks count */

static errcode_t charge(struct list *charges, uint32_t ino, uint32_t values,
			uint64_t sectors)
{
	struct charge *last = charges->v, *c;

	if (!values)
		return 0;
	if (charges->n && last[charges->n - 1].ino == ino) {
		last[charges->n - 1].values += values;
		last[charges->n - 1].sectors += sectors;
		return 0;
	}
	c = list_add(charges, sizeof(*c));
	if (!c)
		return ENOMEM;
	*c = (struct charge){ ino, values, sectors };
	return 0;
}

static uint64_t cost(const struct facts *f, const struct xattr_ref *r)
{
	uint64_t cluster = EXT2_CLUSTER_SIZE(f->efs->fs->super);

	return r->charged ? (r->size + cluster - 1) / cluster * cluster / 512 :
			    0;
}

static errcode_t charge_inodes(struct facts *f, struct list *charges,
			       const struct list *refs)
{
	const struct xattr_ref *r = refs->v;
	errcode_t err = 0;

	for (size_t i = 0; !err && i < refs->n; i++)
		err = charge(charges, r[i].ino, r[i].charged,
			     cost(f, &r[i]));
	return err;
}

/* Each inode that names a block pays for the block's values. */
static errcode_t charge_blocks(struct facts *f, struct list *charges,
			       const struct list *refs, const struct list *uses)
{
	const struct xattr_ref *r = refs->v;
	const struct xattr_use *u = uses->v;
	errcode_t err = 0;
	size_t i = 0, k = 0;

	while (!err && k < refs->n) {
		uint64_t block = r[k].block, sum = 0;
		uint32_t values = 0;

		for (; k < refs->n && r[k].block == block; k++) {
			values += r[k].charged;
			sum += cost(f, &r[k]);
		}
		while (i < uses->n && u[i].block < block)
			i++;
		for (; !err && i < uses->n && u[i].block == block; i++)
			err = charge(charges, u[i].ino, values, sum);
	}
	return err;
}

static int compare_charges(const void *a, const void *b)
{
	const struct charge *x = a, *y = b;

	return (x->ino > y->ino) - (x->ino < y->ino);
}

/* Those whose i_blocks differ from their blocks, against those who pay. */
static errcode_t check_charges(struct facts *f, const struct list *charges,
			       const struct list *differ)
{
	const struct blocks_differ *d = differ->v;
	const struct charge *c = charges->v;
	errcode_t err = 0;
	size_t k = 0;

	for (size_t i = 0; !err && i < differ->n; i++) {
		uint64_t due = 0;

		while (k < charges->n && c[k].ino < d[i].ino)
			k++;
		for (; k < charges->n && c[k].ino == d[i].ino; k++)
			due += c[k].sectors;
		due = d[i].expected + due / d[i].sectors;
		if (due != d[i].found)
			err = report(f, P_INODE_BLOCKS, d[i].ino, 0, d[i].found,
				     due);
	}
	return err;
}

static int compare_differ(const void *a, const void *b)
{
	const struct charge *x = a;
	const struct blocks_differ *y = b;

	return (x->ino > y->ino) - (x->ino < y->ino);
}

/* Who pays, and yet has no more in i_blocks than its own blocks. */
static errcode_t check_unpaid(struct facts *f, const struct list *charges,
			      const struct list *differ)
{
	const struct charge *c = charges->v;
	struct ext2_inode_large inode;
	errcode_t err = 0;

	for (size_t i = 0; !err && i < charges->n; i++) {
		if (!c[i].sectors ||
		    (f->survey->inode[c[i].ino] & E2DX_INODE_BAD) ||
		    (differ->n && bsearch(&c[i], differ->v, differ->n,
					  sizeof(struct blocks_differ),
					  compare_differ)))
			continue;
		err = e2dx_inode_read(f->efs, c[i].ino, &inode);
		if (!err)
			err = report(f, P_INODE_BLOCKS, c[i].ino, 0,
				     inode.i_blocks,
				     inode.i_blocks + c[i].sectors);
	}
	return err;
}

static errcode_t check_sectors(struct facts *f, struct xattr_sums *s)
{
	struct list *charges = &f->charges;
	errcode_t err;

	err = charge_inodes(f, charges, &s->all.refs);
	if (!err)
		err = charge_blocks(f, charges, &s->block_refs, &s->all.uses);
	list_sort(charges, sizeof(struct charge), compare_charges);
	if (!err)
		err = check_charges(f, charges, &s->all.differ);
	return err ? err : check_unpaid(f, charges, &s->all.differ);
}

errcode_t xattr_check_values(struct facts *f, struct xattr_sums *s)
{
	errcode_t err;

	err = check_refs(f, &s->all.refs, &s->all.values);
	if (!err)
		err = check_refs(f, &s->block_refs, &s->all.values);
	if (!err)
		err = collect(f, &s->all.refs, &s->block_refs);
	if (!err)
		err = check_counts(f, &s->all.values);
	return err ? err : check_sectors(f, s);
}
