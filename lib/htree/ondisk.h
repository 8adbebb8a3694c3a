/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where things stand in a directory block, and the loads and stores for
 * them.  Bytes are never seen through a struct: every access goes through
 * these functions, which neither need alignment nor know the machine's order.
 * The layouts are described in doc/format.md.
 */
#ifndef E2DX_HTREE_ONDISK_H
#define E2DX_HTREE_ONDISK_H

#include <stdint.h>

/* ---- a record: offsets from its first byte */
#define HTREE_DE_INO		0	/* 32 bits; 0: unused */
#define HTREE_DE_REC_LEN	4	/* 16 bits, see htree_rec_len_load() */
#define HTREE_DE_NAME_LEN	6	/* 8 bits, 16 without the filetype feature */
#define HTREE_DE_FILE_TYPE	7	/* 8 bits */
#define HTREE_DE_NAME		8
#define HTREE_DE_ALIGN		4	/* records begin at multiples of this */
#define HTREE_DE_MIN		12	/* bytes of the smallest record */
#define HTREE_DE_HASH_SIZE	8	/* stored hash: major, minor */
#define HTREE_NAME_MAX		255
#define HTREE_FT_DIR		2

/* ---- a leaf's tail: a fake record, the last 12 bytes of the block */
#define HTREE_TAIL_SIZE		12
#define HTREE_TAIL_CSUM		8	/* 32 bits, from the tail's first byte */
#define HTREE_TAIL_TYPE		0xde

/* ---- block 0 of an indexed directory */
#define HTREE_DOT_SIZE		12	/* "." as the first record */
#define HTREE_ROOT_RESERVED	24	/* 32 bits, zero */
#define HTREE_ROOT_VERSION	28	/* 8 bits each */
#define HTREE_ROOT_INFO_LENGTH	29
#define HTREE_ROOT_LEVELS	30
#define HTREE_ROOT_FLAGS	31
#define HTREE_ROOT_TABLE	32	/* the entry table */
#define HTREE_INFO_LENGTH	8	/* the only valid info_length */

/* ---- an interior block: a fake record, then the table */
#define HTREE_NODE_TABLE	8

/* ---- the entry table: offsets from its first byte */
#define HTREE_TABLE_LIMIT	0	/* 16 bits, in the place of entry 0's hash */
#define HTREE_TABLE_COUNT	2	/* 16 bits */
#define HTREE_DX_SIZE		8	/* bytes of an entry */
#define HTREE_DX_HASH		0	/* 32 bits */
#define HTREE_DX_BLOCK		4	/* 32 bits, see HTREE_DX_BLOCK_MASK */
#define HTREE_DX_BLOCK_MASK	0x0fffffffu
#define HTREE_DX_CONTINUED	1u	/* bit of an entry's hash */

/* ---- an index block's checksum, after `limit` entries */
#define HTREE_DX_TAIL_SIZE	8
#define HTREE_DX_TAIL_RESERVED	0	/* 32 bits */
#define HTREE_DX_TAIL_CSUM	4	/* 32 bits */

static inline uint32_t htree_le16(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static inline uint32_t htree_le32(const uint8_t *p)
{
	return htree_le16(p) | htree_le16(p + 2) << 16;
}

static inline void htree_put_le16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}

static inline void htree_put_le32(uint8_t *p, uint32_t v)
{
	htree_put_le16(p, v);
	htree_put_le16(p + 2, v >> 16);
}

#endif
