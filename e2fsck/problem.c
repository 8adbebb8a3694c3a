/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The problem table: every problem's severity, repair, texts and answers. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "cli/cli.h"
#include "problem.h"

#define Q_INDEX		"Rebuild the index"
#define Q_REBUILD	"Rebuild the directory"

/*
 * In texts: %v the value found, %e the expected one, %b a block, %i an inode,
 * %m the message of an errcode.
 */
static const struct problem_info table[] = {
{ P_SUPER_HASH_HOLE, S_FIX, R_NONE, true, true,
  "the default hash is %v, which stands for callers only and never on disk",
  "Make it %e" },
{ P_SUPER_HASH_UNKNOWN, S_FIX, R_NONE, true, true,
  "the default hash is %v, which is not known", "Make it half_md4" },
{ P_SUPER_BACKUP_HASH, S_FIX, R_NONE, true, true,
  "the backup superblock at block %b has the default hash %v, which may not stand there",
  "Write the primary's to every copy" },
{ P_SUPER_CHECKSUM, S_FIX, R_NONE, true, true,
  "wrong checksum of the superblock, in which nothing else is wrong",
  "Set the checksum" },
{ P_SUPER_DIFFERS, S_LOCK, R_NONE, false, false,
  "wrong checksum of the superblock, which differs from its backup at block %b (try -b)",
  NULL },

{ P_OWN_SHARED, S_LOCK, R_NONE, false, false,
  "%v clusters are claimed twice, the first at block %b", NULL },
{ P_OWN_SHARED_INODE, S_LOCK, R_NONE, false, false,
  "it has a block that something else has too", NULL },
{ P_OWN_FREE, S_LOCK, R_NONE, false, false,
  "%v clusters are in use but free in the block bitmap, the first at block %b",
  NULL },
{ P_OWN_INODE_FREE, S_LOCK, R_NONE, false, false,
  "%v inodes are in use but free in the inode bitmap, the first is inode %i",
  NULL },
{ P_OWN_INODE_BAD, S_LEAVE, R_NONE, false, false,
  "its block map, type or checksum is wrong", NULL },
{ P_OWN_BITMAPS, S_LOCK, R_NONE, false, false,
  "%v bitmaps cannot be read or have a wrong checksum", NULL },
{ P_OWN_TABLES, S_LOCK, R_NONE, false, false,
  "the inode tables of %v groups cannot be read", NULL },
{ P_OWN_DESCRIPTORS, S_LOCK, R_NONE, false, false,
  "%v group descriptors have a wrong checksum", NULL },
{ P_OWN_SHORT, S_LOCK, R_NONE, false, false,
  "the device ends before the filesystem does", NULL },
{ P_OWN_NO_ROOT, S_LOCK, R_NONE, false, false,
  "the root is no directory in use, or its group descriptor excludes it",
  NULL },

{ P_DIR + HTREE_B_HOLE, S_FIX, R_REBUILD, false, true, NULL, Q_REBUILD },
{ P_DIR + HTREE_B_UNREADABLE, S_LEAVE, R_REBUILD, false, false, NULL, NULL },
{ P_DIR + HTREE_F_REC_LEN, S_FIX, R_REBUILD, false, true, NULL,
  "Rebuild the directory from the entries that can be read" },
{ P_DIR + HTREE_F_NAME_LEN, S_FIX, R_REBUILD, false, true, NULL,
  "Rebuild the directory from the entries that can be read" },
{ P_DIR + HTREE_F_HASH_ROOM, S_FIX, R_REBUILD, false, true, NULL,
  "Keep the name without its hash" },
{ P_DIR + HTREE_F_NAME_CHARS, S_FIX, R_EDIT, false, true, NULL,
  "Replace the characters" },
{ P_DIR + HTREE_F_INODE_RANGE, S_FIX, R_EDIT, false, true, NULL,
  "Drop the entry" },
{ P_DIR + HTREE_F_ENCODING, S_FIX, R_EDIT, false, true, NULL,
  "Replace the bytes" },
{ P_DIR + HTREE_F_DUPLICATE, S_FIX, R_EDIT, false, true, NULL,
  "Give it another name" },
{ P_DIR + HTREE_F_STRAY_DOT, S_FIX, R_EDIT, false, true, NULL,
  "Rename it, or drop it where it means this directory or its parent" },
{ P_DIR + HTREE_D_DOT_MISSING, S_FIX, R_REBUILD, false, true, NULL, Q_REBUILD },
{ P_DIR + HTREE_D_DOT_INODE, S_FIX, R_REBUILD, false, true, NULL, Q_REBUILD },
{ P_DIR + HTREE_D_DOTDOT_MISSING, S_FIX, R_REBUILD, false, true, NULL,
  Q_REBUILD },
{ P_DIR + HTREE_D_DOT_LAYOUT, S_FIX, R_REBUILD, true, true, NULL, Q_REBUILD },
{ P_DIR + HTREE_L_TAIL_MISSING, S_FIX, R_REBUILD, true, true, NULL, Q_REBUILD },
{ P_DIR + HTREE_L_CHECKSUM, S_FIX, R_REBUILD, true, true, NULL, Q_REBUILD },
{ P_DIR + HTREE_X_ROOT, S_FIX, R_REBUILD, true, true, NULL, Q_INDEX },
{ P_DIR + HTREE_X_VERSION, S_FIX, R_REBUILD, true, true, NULL, Q_INDEX },
{ P_DIR + HTREE_X_VERSION_FOREIGN, S_FIX, R_REBUILD, true, true, NULL,
  Q_INDEX },
{ P_DIR + HTREE_X_LEVELS, S_FIX, R_REBUILD, true, true, NULL, Q_INDEX },
{ P_DIR + HTREE_X_LIMIT, S_FIX, R_REBUILD, true, true, NULL, Q_INDEX },
{ P_DIR + HTREE_X_COUNT, S_FIX, R_REBUILD, true, true, NULL, Q_INDEX },
{ P_DIR + HTREE_X_ORDER, S_FIX, R_REBUILD, true, true, NULL, Q_INDEX },
{ P_DIR + HTREE_X_BLOCK, S_FIX, R_REBUILD, true, true, NULL, Q_INDEX },
{ P_DIR + HTREE_X_TWICE, S_FIX, R_REBUILD, true, true, NULL, Q_INDEX },
{ P_DIR + HTREE_X_UNREFERENCED, S_FIX, R_REBUILD, true, true, NULL, Q_INDEX },
{ P_DIR + HTREE_X_NODE, S_FIX, R_REBUILD, true, true, NULL, Q_INDEX },
{ P_DIR + HTREE_X_HASH_RANGE, S_FIX, R_REBUILD, true, true, NULL, Q_INDEX },
{ P_DIR + HTREE_X_CONTINUATION, S_FIX, R_REBUILD, true, true, NULL, Q_INDEX },
{ P_DIR + HTREE_X_CHECKSUM, S_FIX, R_REBUILD, true, true, NULL, Q_INDEX },
{ P_DIR + HTREE_X_NO_TAIL, S_FIX, R_REBUILD, true, true, NULL, Q_INDEX },
{ P_DIR + HTREE_X_NO_FEATURE, S_FIX, R_REBUILD, true, true, NULL, Q_REBUILD },

{ P_ENTRY_UNUSED, S_FIX, R_EDIT, false, true,
  "it names inode %v, which is not in use", "Drop the entry" },
{ P_ENTRY_RESERVED, S_FIX, R_EDIT, false, true,
  "it names inode %v, which is the filesystem's own", "Drop the entry" },
{ P_ENTRY_EXCLUDED, S_LOCK, R_NONE, false, false,
  "it names inode %v, which the group descriptors exclude", NULL },
{ P_ENTRY_TYPE, S_FIX, R_EDIT, true, true,
  "its file type is %v, its inode's is %e", "Set the type" },
{ P_ENTRY_BELOW_FIRST, S_LOCK, R_NONE, false, false,
  "it names inode %v, which is in use, but reserved if the superblock's first inode for files is right",
  NULL },
{ P_DOTDOT_WRONG, S_FIX, R_REBUILD, false, true,
  "'..' is inode %v, but inode %e holds its name", "Set it" },
{ P_DOTDOT_BAD, S_FIX, R_REBUILD, false, true,
  "'..' is inode %v, which is no directory", "Set it" },
{ P_DIR_MAP, S_LEAVE, R_REBUILD, false, false,
  "its block map cannot be followed", NULL },
{ P_DIR_SIZE, S_FIX, R_REBUILD, false, true,
  "its size is not that of its blocks", Q_REBUILD },
{ P_DIR_UNCHECKED, S_LEAVE, R_REBUILD, false, false,
  "it could not be checked: %m", NULL },
{ P_DUPLICATE_ENCRYPTED, S_FIX, R_EDIT, false, true,
  "same name as another entry, in an encrypted directory",
  "Remove it where another entry names the same inode" },
{ P_DUPLICATE_KEPT, S_LEAVE, R_EDIT, false, false,
  "same name as another entry, of another inode; names here are encrypted and stay",
  NULL },
{ P_STRAY_DOT_KEPT, S_LEAVE, R_EDIT, false, false,
  "stray name of inode %v; names here are encrypted and stay", NULL },
};

static const struct problem_info unknown = {
	P_NONE, S_LOCK, R_NONE, false, false, "unknown problem", NULL
};

const struct problem_info *problem_info(enum problem_code code)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].code == code)
			return &table[i];
	return &unknown;
}

/* A buffer that text is appended to, and that never overflows. */
struct text {
	char *out;
	size_t size, used;
};

static void __attribute__((format(printf, 2, 3)))
append(struct text *t, const char *format, ...)
{
	va_list ap;
	int n;

	if (t->used + 1 >= t->size)
		return;
	va_start(ap, format);
	n = vsnprintf(t->out + t->used, t->size - t->used, format, ap);
	va_end(ap);
	if (n > 0)
		t->used += (size_t)n;
	if (t->used >= t->size)
		t->used = t->size - 1;
}

static void append_object(struct text *t, const struct problem *p)
{
	char quoted[4 * DIRHASH_NAME_MAX + 1];

	if ((p->code & 0xff00) == 0x0200 && p->ino &&
	    p->code != P_OWN_INODE_FREE)
		append(t, "inode %u: ", p->ino);
	if (p->code < P_DIR)
		return;
	append(t, "directory inode %u", p->ino);
	if (p->code < P_DOTDOT_WRONG || p->code > P_DIR_UNCHECKED)
		append(t, ", block %llu, offset %u",
		       (unsigned long long)p->block, p->offset);
	append(t, ": ");
	if (p->name_len)
		append(t, "'%s': ", cli_quote(quoted, p->name, p->name_len));
}

static void append_text(struct text *t, const char *text,
			const struct problem *p)
{
	for (; *text; text++) {
		if (*text != '%') {
			append(t, "%c", *text);
			continue;
		}
		switch (*++text) {
		case 'v':
			append(t, "%llu", (unsigned long long)p->value);
			break;
		case 'e':
			append(t, "%llu", (unsigned long long)p->expected);
			break;
		case 'b':
			append(t, "%llu", (unsigned long long)p->block);
			break;
		case 'i':
			append(t, "%u", p->ino);
			break;
		case 'm':
			append(t, "%s", error_message((errcode_t)p->value));
			break;
		default:
			return;
		}
	}
}

void problem_format(const struct problem *p, char *out, size_t size)
{
	const struct problem_info *info = problem_info(p->code);
	struct text t = { out, size, 0 };

	if (!size)
		return;
	*out = '\0';
	append_object(&t, p);
	if (info->text) {
		append_text(&t, info->text, p);
		return;
	}
	append(&t, "%s", htree_finding_text(
		(enum htree_finding_code)(p->code - P_DIR)));
	if (p->code - P_DIR == HTREE_B_UNREADABLE)
		append(&t, ": %s", error_message((errcode_t)p->value));
	else if (p->code - P_DIR >= HTREE_X_ROOT && p->value != p->expected)
		append(&t, " (%llu, expected %llu)",
		       (unsigned long long)p->value,
		       (unsigned long long)p->expected);
}

void problem_question(const struct problem *p, char *out, size_t size)
{
	const struct problem_info *info = problem_info(p->code);
	struct text t = { out, size, 0 };

	if (!size)
		return;
	*out = '\0';
	if (info->question)
		append_text(&t, info->question, p);
}
