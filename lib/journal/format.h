/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where things stand in a journal (jbd2), and the loads for them: all numbers
 * of the log are big-endian.  The layouts are described in doc/format.md.
 */
#ifndef E2DX_JOURNAL_FORMAT_H
#define E2DX_JOURNAL_FORMAT_H

#include <stdint.h>

#define JNL_MAGIC		0xc03b3998u
#define JNL_HEADER_SIZE		12	/* magic, type, sequence number */
#define JNL_UUID_SIZE		16
#define JNL_TAIL_SIZE		4	/* checksum at the end of a block */

enum jnl_block_type {
	JNL_DESCRIPTOR = 1, JNL_COMMIT = 2, JNL_SUPER_V1 = 3,
	JNL_SUPER_V2 = 4, JNL_REVOKE = 5
};

/* The superblock: 1024 bytes of the journal's first block. */
#define JNL_SUPER_SIZE		1024
enum {
	JS_BLOCK_SIZE = 0x0c, JS_MAXLEN = 0x10, JS_FIRST = 0x14,
	JS_SEQUENCE = 0x18, JS_START = 0x1c, JS_ERRNO = 0x20,
	/* from version 2 on */
	JS_COMPAT = 0x24, JS_INCOMPAT = 0x28, JS_RO_COMPAT = 0x2c,
	JS_UUID = 0x30, JS_USERS_COUNT = 0x40, JS_CSUM_TYPE = 0x50,
	JS_FC_BLOCKS = 0x54, JS_CSUM = 0xfc, JS_USERS = 0x100
};
#define JS_USERS_MAX		48
#define JS_CRC32C		4	/* the one type of checksum of v2 and v3 */

#define JNL_COMPAT_CHECKSUM	0x1u	/* v1: of whole transactions */
#define JNL_INCOMPAT_REVOKE	0x1u
#define JNL_INCOMPAT_64BIT	0x2u
#define JNL_INCOMPAT_ASYNC	0x4u
#define JNL_INCOMPAT_CSUM_V2	0x8u
#define JNL_INCOMPAT_CSUM_V3	0x10u
#define JNL_INCOMPAT_FAST	0x20u
#define JNL_INCOMPAT_KNOWN	0x3fu

/* A tag of a descriptor block: flags. */
#define JNL_TAG_ESCAPED		1u	/* begins with the magic number */
#define JNL_TAG_SAME_UUID	2u	/* no UUID follows */
#define JNL_TAG_LAST		8u

/* A commit block. */
enum {
	JC_CSUM_TYPE = 0x0c, JC_CSUM_SIZE = 0x0d, JC_CSUM = 0x10,
	JC_SECONDS = 0x30
};
#define JC_CRC32		1	/* type of checksum of v1 */

/* A revoke block: bytes used, then block numbers. */
#define JR_COUNT		0x0c
#define JR_RECORDS		0x10

/* Blocks for fast commits where the superblock names no number. */
#define JNL_FC_DEFAULT		256u
/* What the log proper has at least beside them. */
#define JNL_MIN_BLOCKS		1024u

static inline uint32_t jnl_be16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static inline uint32_t jnl_be32(const uint8_t *p)
{
	return jnl_be16(p) << 16 | jnl_be16(p + 2);
}

static inline uint64_t jnl_be64(const uint8_t *p)
{
	return (uint64_t)jnl_be32(p) << 32 | jnl_be32(p + 4);
}

static inline void jnl_put_be32(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 24);
	p[1] = (uint8_t)(v >> 16);
	p[2] = (uint8_t)(v >> 8);
	p[3] = (uint8_t)v;
}

#endif
