/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A journal's superblock, from bytes to validated values and back. */
#ifndef E2DX_JOURNAL_SUPER_H
#define E2DX_JOURNAL_SUPER_H

#include <stdbool.h>
#include "journal/format.h"

enum jnl_csum {
	JNL_CSUM_NONE,
	JNL_CSUM_V1,		/* CRC-32 of whole transactions */
	JNL_CSUM_V2,		/* CRC-32C; 16 bits of it for data blocks */
	JNL_CSUM_V3		/* CRC-32C, whole */
};

struct jnl_super {
	uint8_t raw[JNL_SUPER_SIZE];
	uint32_t block_size;	/* bytes */
	uint32_t first, end;	/* blocks of the log proper: [first, end) */
	uint32_t fc_first, fc_end;	/* those of fast commits; may be none */
	uint32_t maxlen;	/* blocks of the whole journal */
	uint32_t sequence;	/* of the first transaction */
	uint32_t start;		/* its block; 0: the log is empty */
	uint32_t error;		/* errno of an aborted journal; 0: none */
	bool revoke, wide, async, fast;
	enum jnl_csum csum;
	uint32_t seed;		/* of the CRC-32C of v2 and v3 */
	uint32_t tag_size;	/* bytes, without a UUID */
	uint32_t users;		/* filesystems that use an external journal */
};

/* Why a superblock cannot be used. */
enum jnl_super_fault {
	JNL_SUPER_OK,
	JNL_SUPER_MAGIC,	/* no journal superblock at all */
	JNL_SUPER_VERSION,	/* of an unknown version */
	JNL_SUPER_INCOMPAT,	/* unknown incompatible features */
	JNL_SUPER_RO_COMPAT,	/* unknown read-only features */
	JNL_SUPER_CHECKSUM,
	JNL_SUPER_GEOMETRY,	/* numbers that do not go together */
	JNL_SUPER_SHORT		/* the journal has less blocks than it says */
};

/*
 * Check JNL_SUPER_SIZE bytes.  `block_size`: of the filesystem; `blocks`: how
 * many the journal really has; `base`: the block that holds the superblock (0
 * in an inode).  *out is whole where JNL_SUPER_OK is returned, and has only
 * `raw` otherwise.
 */
enum jnl_super_fault jnl_super_load(const uint8_t *raw, uint32_t block_size,
				    uint64_t blocks, uint32_t base,
				    struct jnl_super *out);

/*
 * Make it the superblock of an empty log whose next transaction has this
 * number, and that knows of no error; checksum set, in s->raw.
 */
void jnl_super_empty(struct jnl_super *s, uint32_t sequence);

/* Does an external journal name a filesystem of this UUID as its user? */
bool jnl_super_has_user(const struct jnl_super *s, const uint8_t *uuid);

#endif
