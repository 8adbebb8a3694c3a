/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What can be wrong, as data: a table of problems, and one problem found. */
#ifndef E2FSCK_PROBLEM_H
#define E2FSCK_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "htree/verify.h"

/*
 * Stable codes: the number printed with -v never changes its meaning.  The
 * findings of htree/verify.h are P_DIR + their own (append-only) number.
 */
enum problem_code {
	P_NONE = 0,

	/* superblock; value = found, expected = what it becomes */
	P_SUPER_HASH_HOLE = 0x0101,	/* default hash is 3 to 5 */
	P_SUPER_HASH_UNKNOWN,		/* default hash is no known number */
	P_SUPER_BACKUP_HASH,		/* a backup's; block = its place */
	P_SUPER_CHECKSUM,		/* wrong, and nothing else is */
	P_SUPER_DIFFERS,		/* wrong, and it differs from a backup */
	P_SUPER_PRIMARY,		/* block = of the backup; value = errcode */
	P_SUPER_PRIMARY_DESCS,		/* likewise, descriptors too */
	P_SUPER_RESERVED,		/* value = reserved, expected = all */
	P_SUPER_DESC_SIZE,		/* without 64bit; value = bytes */
	P_SUPER_MMP_BLOCK,		/* value = the block */
	P_SUPER_ORPHAN_JOURNAL,		/* orphan_file without has_journal */
	P_SUPER_ORPHAN_PRESENT,		/* ... without orphan_file */
	P_SUPER_RESIZE_META,		/* resize_inode with meta_bg */
	P_SUPER_TWO_SUMS,		/* uninit_bg with metadata_csum */
	P_SUPER_SEED_IDLE,		/* csum_seed without metadata_csum */
	P_SUPER_RESERVED_GDT,		/* without resize_inode; value = blocks */
	P_SUPER_MOUNT_TIME,		/* in the future; value = seconds */
	P_SUPER_WRITE_TIME,
	P_SUPER_MIN_EXTRA,		/* value = bytes, expected = at most */
	P_SUPER_WANT_EXTRA,
	P_SUPER_NO_JOURNAL,		/* no has_journal; value = its inode */
	P_SUPER_TWO_JOURNALS,		/* value = inode, and a device's UUID */

	/* ownership: nothing is written while one of these stands */
	P_OWN_SHARED = 0x0201,		/* value = clusters, block = the first */
	P_OWN_SHARED_INODE,		/* now P_MAP_SHARED */
	P_OWN_FREE,			/* now P_BITMAP_BLOCKS_FREE */
	P_OWN_INODE_FREE,		/* now P_BITMAP_INODES_FREE */
	P_OWN_INODE_BAD,		/* ino: map, type or checksum is wrong */
	P_OWN_BITMAPS,			/* value = bitmaps that cannot be read */
	P_OWN_TABLES,			/* value = inode tables not readable */
	P_OWN_DESCRIPTORS,		/* value = descriptors, wrong checksum */
	P_OWN_SHORT,			/* the device is too short */
	P_OWN_NO_ROOT,			/* the root is no directory in use */

	/* directories: P_DIR + enum htree_finding_code */
	P_DIR = 0x0300,

	/* directories, against the rest of the filesystem; ino = directory */
	P_ENTRY = 0x0400,
	P_ENTRY_UNUSED,	/* value = inode that is not in use */
	P_ENTRY_RESERVED,		/* value = inode no name may have */
	P_ENTRY_EXCLUDED,		/* value = inode the descriptors exclude */
	P_ENTRY_TYPE,			/* value = type in the entry */
	P_DOTDOT_WRONG,			/* value = found, expected = its parent */
	P_DOTDOT_BAD,			/* value = ".." that is no directory */
	P_DIR_MAP,			/* its block map cannot be followed */
	P_DIR_SIZE,			/* its size is not what its map holds */
	P_DIR_UNCHECKED,		/* value = errcode that stopped the check */
	P_DUPLICATE_ENCRYPTED,		/* a duplicate that cannot be renamed */
	P_DUPLICATE_KEPT,		/* ... and names another inode */
	P_STRAY_DOT_KEPT,		/* likewise for "." and ".." */
	P_ENTRY_BELOW_FIRST,		/* value = inode below s_first_ino */
	P_ENTRY_ROOT,			/* the root, under another name than ".." */
	P_ENTRY_SELF,			/* its own directory, likewise for "." */
	P_ENTRY_UNENCRYPTED,		/* value = inode, in an encrypted one */
	P_ENTRY_POLICY,			/* value = inode of another policy */
	P_DIR_INLINE_HASH,		/* of its bytes in the inode: wrong */
	P_ENTRY_TYPE_NONE,		/* expected = its inode's type */

	/* group descriptors; group */
	P_GROUP = 0x0500,
	P_GROUP_BLOCK_BITMAP,		/* value = where it is said to lie */
	P_GROUP_INODE_BITMAP,
	P_GROUP_INODE_TABLE,
	P_GROUP_CHECKSUM,
	P_GROUP_UNUSED,			/* value = unused inodes, expected = at most */
	P_GROUP_LAST,			/* block bitmap of the last group */
	P_GROUP_UNINIT_PLAIN,		/* marks without the feature */
	/* not of a group: the text names the object */
	P_GROUP_RESIZE_INODE,
	P_GROUP_RESIZE_IDLE,		/* without the feature */
	P_GROUP_MMP_MAGIC,
	P_GROUP_MMP_CSUM,

	/* inodes: every field but the map; ino */
	P_INODE = 0x0600,
	P_INODE_CHECKSUM,
	P_INODE_MODE,			/* value = i_mode, of no known type */
	P_INODE_DTIME,			/* value: in use and yet deleted */
	P_INODE_LOW_DTIME,		/* value: rather a link of the orphan list */
	P_INODE_ZERO_DTIME,		/* no links, and yet never deleted */
	P_INODE_EXTRA_ISIZE,		/* value */
	P_INODE_IMAGIC,			/* flags without their feature ... */
	P_INODE_EXTENTS_FEATURE,
	P_INODE_INLINE_FEATURE,
	P_INODE_CASEFOLD_FEATURE,
	P_INODE_INDEX_FEATURE,
	P_INODE_CASEFOLD_TYPE,		/* ... and on a type that has none */
	P_INODE_INDEX_TYPE,
	P_INODE_EXTENTS_TYPE,
	P_INODE_INLINE_TYPE,
	P_INODE_INLINE_EXTENTS,		/* both flags at once */
	P_INODE_EXTENTS_MISSING,	/* an extent tree without the flag */
	P_INODE_FADDR,			/* value; fields that must be zero ... */
	P_INODE_ACL_HIGH,
	P_INODE_BLOCKS_HIGH,
	P_INODE_DIR_SIZE_HIGH,
	P_INODE_SPECIAL_SIZE,
	P_INODE_SPECIAL_DATA,		/* a device with more than its number */
	P_INODE_SIZE,			/* value; expected = at least */
	P_INODE_SIZE_LIMIT,		/* value: more than its map can have */
	P_INODE_BLOCKS,			/* value, expected: i_blocks */
	P_INODE_LARGE_FILE,		/* value: size without large_file */
	P_INODE_LINK,			/* value: a symbolic link's size */
	P_INODE_INLINE_SIZE,		/* value; expected = the room it has */
	P_INODE_BAD_BLOCKS,		/* the bad blocks inode has other fields */
	P_INODE_RESERVED_MODE,		/* value */
	P_INODE_RESERVED_DATA,		/* not in use, and yet it has blocks */
	P_INODE_JOURNAL_MODE,		/* value; what the superblock names ... */
	P_INODE_QUOTA_MODE,
	P_INODE_ORPHAN_MODE,
	P_INODE_ZERO_DTIME_VALUES,	/* likewise, with values elsewhere */

	/*
	 * Block maps of inodes: P_MAP + enum e2dx_map_fault_code; block = the
	 * mapping block, 0: the inode; expected = logical block
	 */
	P_MAP = 0x0700,
	P_MAP_SHARED = 0x0740,		/* block = first, value = clusters */
	P_MAP_FIXED,			/* block = first that is metadata */
	P_MAP_UNALIGNED,		/* bigalloc */
	P_MAP_UNWRITTEN,		/* in a directory */

	/* extended attributes; ino, block = the attribute block or 0 */
	P_XATTR = 0x0800,
	P_XATTR_OVERLAP,		/* names or values overlap */
	P_XATTR_BEYOND,			/* a name or a value does not fit */
	P_XATTR_INDEX,			/* a name without a prefix */
	P_XATTR_HASH,			/* not that of name and value */
	P_XATTR_ACL,			/* value = index: syntax */
	P_XATTR_BLOCK_RANGE,		/* block is none of the filesystem */
	P_XATTR_NO_FEATURE,		/* a block, without the feature */
	P_XATTR_UNREADABLE,		/* value = errcode */
	P_XATTR_MAGIC,			/* value = magic number found */
	P_XATTR_BLOCKS,			/* value = blocks it says it has */
	P_XATTR_REFERENCES,		/* value, expected = inodes */
	P_XATTR_CHECKSUM,		/* of the block */
	P_XATTR_VALUE_INODE,		/* value = inode that is no value */
	P_XATTR_VALUE_HASH,		/* value = inode that has another value */
	P_XATTR_VALUE_REFERENCES,	/* ino = the value; value, expected */
	P_XATTR_NO_CONTEXT,		/* encrypted, but nothing says how */
	P_XATTR_BAD_CONTEXT,		/* encrypted, with a bad context */
	P_XATTR_NO_DATA,		/* inline data without its attribute */

	/* connectivity and link counts; ino */
	P_LINK = 0x0900,
	P_LINK_NO_NAME,			/* a directory that has no name */
	P_LINK_LOOP,			/* a directory that holds itself */
	P_LINK_NAMES,			/* a directory; value = its names */
	P_LINK_UNATTACHED,		/* value = i_links_count; no name */
	P_LINK_COUNT,			/* value = i_links_count, expected = names */
	P_LINK_OVERFLOW,		/* expected = names, too many without dir_nlink */

	/* bitmaps and counts: value = found, expected = what was counted */
	P_BITMAP = 0x0a00,
	P_BITMAP_BLOCKS_FREE,		/* value .. expected: in use, not marked */
	P_BITMAP_BLOCKS_USED,		/* value .. expected: marked, not in use */
	P_BITMAP_INODES_FREE,
	P_BITMAP_INODES_USED,
	P_BITMAP_BLOCKS_CSUM,		/* group */
	P_BITMAP_INODES_CSUM,
	P_BITMAP_BLOCKS_PADDING,
	P_BITMAP_INODES_PADDING,
	P_BITMAP_FREE_BLOCKS,		/* of a group */
	P_BITMAP_FREE_INODES,
	P_BITMAP_DIRS,
	P_BITMAP_SUPER_BLOCKS,		/* of the superblock */
	P_BITMAP_SUPER_INODES,

	/* quota files: the text names the object */
	P_QUOTA = 0x0b00,
	P_QUOTA_NUMBER,			/* value = inode that is no quota file */
	P_QUOTA_FILE,			/* header or tree */
	P_QUOTA_UNREADABLE,		/* value = errcode */
	P_QUOTA_SPACE,			/* ino = id; value, expected in bytes */
	P_QUOTA_INODES,			/* ino = id; value, expected */
	P_QUOTA_MISSING,		/* ino = id; expected in bytes */

	/* the journal and orphans: the text names the object */
	P_JOURNAL = 0x0c00,
	P_JOURNAL_INODE,		/* ino = its inode, which is none */
	P_JOURNAL_COPY,			/* ino = its inode; a copy is used */
	P_JOURNAL_NO_DEVICE,
	P_JOURNAL_UNREADABLE,		/* value = errcode */
	P_JOURNAL_NOT_DEVICE,
	P_JOURNAL_UUID,
	P_JOURNAL_USER,
	P_JOURNAL_SUPER,		/* its superblock: no magic number */
	P_JOURNAL_VERSION,
	P_JOURNAL_INCOMPAT,
	P_JOURNAL_RO_COMPAT,
	P_JOURNAL_CHECKSUM,
	P_JOURNAL_GEOMETRY,
	P_JOURNAL_SHORT,
	P_JOURNAL_NOT_EMPTY,		/* transactions without needs_recovery */
	P_JOURNAL_NONE,			/* needs_recovery without a journal */
	P_JOURNAL_BAD_DESCRIPTOR,	/* value = transaction, in all of these */
	P_JOURNAL_BAD_COMMIT,
	P_JOURNAL_BAD_REVOKE,
	P_JOURNAL_BAD_TARGET,		/* block */
	P_JOURNAL_BAD_DATA,		/* block */
	P_JOURNAL_BAD_READ,
	P_ORPHAN_LEFT,			/* value = orphans */
	P_ORPHAN_ERRORS,		/* value = orphans */
	P_ORPHAN_BLOCKED,
	P_ORPHAN_LIST,			/* ino = where the list is wrong */
	P_ORPHAN_FILE_INODE,		/* ino = the orphan file */
	P_ORPHAN_FILE_BLOCK,		/* block */
	P_ORPHAN_FILE_ENTRY,		/* block, ino = named there */
	P_ORPHAN_FILE_STALE,
	P_JOURNAL_USERS,		/* value = users of one in an inode */
	P_JOURNAL_ERROR			/* value = the error it noted */
};

enum severity {
	S_FIX,		/* has a repair; asked for, or done */
	S_LOCK,		/* no repair, and nothing at all may be written */
	S_LEAVE,	/* no repair here; the object stays as it is */
	S_NOTE		/* worth a line (and maybe a repair), but no fault */
};

/* How a rebuild of the directory treats an answer of "no". */
enum repair_kind {
	R_NONE,		/* not a matter of rebuilding a directory */
	R_REBUILD,	/* every rebuild changes it: "no" forbids the rebuild */
	R_EDIT		/* an edit of the entries, made or left out */
};

struct problem_info {
	enum problem_code code;
	enum severity severity;
	enum repair_kind kind;
	bool preen;		/* -p may do it: no name is at stake */
	bool answer;		/* what Enter means at the terminal */
	const char *text;	/* NULL: htree_finding_text() */
	const char *question;	/* "Rebuild the index"; NULL where there is none */
};

/* One problem found.  `name` is owned by whoever stores it. */
struct problem {
	enum problem_code code;
	union {
		uint32_t ino;
		uint32_t group;
	};
	uint64_t block;		/* logical in a directory, else of the device */
	uint32_t offset;
	uint64_t value, expected;
	uint8_t name_len;	/* 0: none */
	const uint8_t *name;
};

/* The table's row; for an unknown code a row that forbids everything. */
const struct problem_info *problem_info(enum problem_code code);

/* The text of a problem, its object first; always terminated. */
void problem_format(const struct problem *p, char *out, size_t size);

/* The question that repairing it takes; empty where there is no repair. */
void problem_question(const struct problem *p, char *out, size_t size);

#endif
