/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The layout of attributes: entries, their values, hashes and checksums. */
#include <string.h>
#include "ext2fs/xattr_area.h"
#include "htree/crc32c.h"
#include "htree/ondisk.h"

/* An attribute's entry: offsets from its first byte. */
#define EA_NAME_LEN	0	/* 8 bits */
#define EA_NAME_INDEX	1	/* 8 bits */
#define EA_VALUE_OFFSET	2	/* 16 bits */
#define EA_VALUE_INODE	4	/* 32 bits; 0: the value lies here */
#define EA_VALUE_SIZE	8	/* 32 bits */
#define EA_HASH		12	/* 32 bits */
#define EA_NAME		16
#define EA_END		4	/* zero bytes that end the list */

#define AREA_MAX	65536
#define WORD_BITS	64

/* Names and values alike take multiples of four bytes. */
static size_t padded(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

bool e2dx_xattr_area_inode(const struct e2dx_fs *efs, const uint8_t *raw,
			   struct e2dx_xattr_area *a)
{
	size_t size = EXT2_INODE_SIZE(efs->fs->super), start;

	if (size < E2DX_I_EXTRA_ISIZE + 2)
		return false;
	start = E2DX_I_EXTRA_ISIZE + htree_le16(raw + E2DX_I_EXTRA_ISIZE);
	if (start + 4 > size || htree_le32(raw + start) != E2DX_EA_MAGIC)
		return false;
	a->base = raw + start + 4;
	a->size = size - start - 4;
	a->first = 0;
	return true;
}

bool e2dx_xattr_area_block(const uint8_t *block, size_t size,
			   struct e2dx_xattr_area *a)
{
	a->base = block;
	a->size = size;
	a->first = E2DX_XB_FIRST;
	return htree_le32(block + E2DX_XB_MAGIC) == E2DX_EA_MAGIC;
}

/* Does the value lie in the area, with its last word? */
static bool value_fits(const struct e2dx_xattr_area *a, size_t offset,
		       uint32_t len)
{
	return len <= a->size && offset <= a->size &&
	       padded(len) <= a->size - offset;
}

bool e2dx_xattr_next(const struct e2dx_xattr_area *a, size_t *at,
		     struct e2dx_xattr *x, enum e2dx_xattr_fault *fault)
{
	const uint8_t *e = a->base + *at;
	size_t room;

	*fault = E2DX_XATTR_OK;
	memset(x, 0, sizeof(*x));
	/* A rest too small for an entry is no entry, whatever is in it. */
	if (*at > a->size || a->size - *at < EA_NAME || !htree_le32(e))
		return false;
	room = a->size - *at;
	x->index = e[EA_NAME_INDEX];
	x->hash = e + EA_HASH;
	x->value_ino = htree_le32(e + EA_VALUE_INODE);
	x->value_len = htree_le32(e + EA_VALUE_SIZE);
	x->value_offset = htree_le16(e + EA_VALUE_OFFSET);
	if (padded(EA_NAME + (size_t)e[EA_NAME_LEN]) > room) {
		*fault = E2DX_XATTR_BEYOND;
		*at = a->size;
		return true;
	}
	x->name_len = e[EA_NAME_LEN];
	x->name = e + EA_NAME;
	*at += padded(EA_NAME + x->name_len);
	if (x->value_ino)
		return true;
	if (!value_fits(a, x->value_offset, x->value_len))
		*fault = E2DX_XATTR_BEYOND;
	else
		x->value = a->base + x->value_offset;
	return true;
}

/* ---- which bytes are taken: one bit each */

struct taken {
	uint64_t words[AREA_MAX / WORD_BITS];
	size_t size;
};

static void take_nothing(struct taken *t, size_t size)
{
	t->size = size < AREA_MAX ? size : AREA_MAX;
	memset(t->words, 0,
	       (t->size + WORD_BITS - 1) / WORD_BITS * sizeof(t->words[0]));
}

/* Take them; false where some were, or where they are not there. */
static bool take(struct taken *t, size_t start, size_t len)
{
	size_t end = start + len;

	if (start > t->size || len > t->size - start)
		return false;
	while (start < end) {
		size_t w = start / WORD_BITS, bit = start % WORD_BITS;
		size_t n = WORD_BITS - bit < end - start ? WORD_BITS - bit :
							   end - start;
		uint64_t mask = (n < WORD_BITS ? (1ULL << n) - 1 : ~0ULL) << bit;

		if (t->words[w] & mask)
			return false;
		t->words[w] |= mask;
		start += n;
	}
	return true;
}

/* ---- hashes */

uint32_t e2dx_xattr_hash_name(const struct e2dx_xattr *x, bool as_signed)
{
	uint32_t h = 0;

	for (size_t i = 0; i < x->name_len; i++) {
		uint32_t c = x->name[i];

		if (as_signed && c & 0x80)
			c |= 0xffffff00;
		h = (h << 5 | h >> 27) ^ c;
	}
	return h;
}

uint32_t e2dx_xattr_hash_word(uint32_t hash, uint32_t word)
{
	return (hash << 16 | hash >> 16) ^ word;
}

static bool hash_is(const struct e2dx_xattr *x, bool as_signed)
{
	uint32_t h = e2dx_xattr_hash_name(x, as_signed);

	for (size_t i = 0; i < padded(x->value_len); i += 4)
		h = e2dx_xattr_hash_word(h, htree_le32(x->value + i));
	return h == htree_le32(x->hash);
}

bool e2dx_xattr_hash_ok(const struct e2dx_xattr *x, bool in_block)
{
	if (x->value_ino || (!in_block && !htree_le32(x->hash)))
		return true;
	return hash_is(x, false) || hash_is(x, true);
}

uint32_t e2dx_xattr_block_csum(const struct e2dx_fs *efs, uint64_t number,
			       const uint8_t *block)
{
	static const uint8_t zero[4];
	size_t rest = E2DX_XB_CHECKSUM + sizeof(zero);
	uint8_t le[8];
	uint32_t crc;

	htree_put_le32(le, (uint32_t)number);
	htree_put_le32(le + 4, (uint32_t)(number >> 32));
	crc = htree_crc32c(efs->fs->csum_seed, le, sizeof(le));
	crc = htree_crc32c(crc, block, E2DX_XB_CHECKSUM);
	crc = htree_crc32c(crc, zero, sizeof(zero));
	return htree_crc32c(crc, block + rest, efs->fs->blocksize - rest);
}

/* ---- the check */

static enum e2dx_xattr_fault
check_entry(const struct e2dx_xattr *x, bool in_block, struct taken *t)
{
	if (in_block && !x->index)
		return E2DX_XATTR_INDEX;
	if (x->value_ino)
		return E2DX_XATTR_OK;
	if (x->value_len && !take(t, x->value_offset, padded(x->value_len)))
		return E2DX_XATTR_OVERLAP;
	return E2DX_XATTR_OK;
}

enum e2dx_xattr_fault
e2dx_xattr_check(const struct e2dx_xattr_area *a, bool in_block,
		 errcode_t (*each)(void *ctx, const struct e2dx_xattr *x),
		 void *ctx, struct e2dx_xattr *bad, errcode_t *err)
{
	enum e2dx_xattr_fault fault;
	size_t at = a->first, start = at;
	struct taken t;

	*err = 0;
	take_nothing(&t, a->size);
	take(&t, 0, a->first);
	while (e2dx_xattr_next(a, &at, bad, &fault)) {
		/* An empty value in an inode may be said to lie anywhere. */
		if (fault && !in_block && bad->name && !bad->value_len)
			fault = E2DX_XATTR_OK;
		if (fault)
			return fault;
		if (!take(&t, start, at - start))
			return E2DX_XATTR_OVERLAP;
		fault = check_entry(bad, in_block, &t);
		if (fault)
			return fault;
		*err = each(ctx, bad);
		if (*err)
			return E2DX_XATTR_OK;
		start = at;
	}
	memset(bad, 0, sizeof(*bad));
	if (!a->size)
		return E2DX_XATTR_OK;
	return take(&t, at, EA_END) ? E2DX_XATTR_OK : E2DX_XATTR_OVERLAP;
}
