/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What each finding is called and what must be done about it. */
#include "htree/verify.h"

struct finding_row {
	const char *text;
	enum htree_remedy remedy;
};

#define ENTRIES HTREE_REMEDY_ENTRIES
#define INDEX HTREE_REMEDY_INDEX

static const struct finding_row table[HTREE_FINDING_MAX] = {
	[HTREE_OK] = { "no fault", INDEX },
	[HTREE_B_HOLE] = { "missing block", ENTRIES },
	[HTREE_B_UNREADABLE] = { "unreadable block", ENTRIES },
	[HTREE_F_REC_LEN] = { "wrong record length", ENTRIES },
	[HTREE_F_NAME_LEN] = { "wrong name length", ENTRIES },
	[HTREE_F_HASH_ROOM] = { "no valid stored hash", ENTRIES },
	[HTREE_F_NAME_CHARS] = { "'/' or NUL in a name", ENTRIES },
	[HTREE_F_INODE_RANGE] = { "inode number out of range", ENTRIES },
	[HTREE_F_ENCODING] = {
		"name is not valid in the filesystem's encoding", ENTRIES },
	[HTREE_F_DUPLICATE] = { "same name as an earlier entry", ENTRIES },
	[HTREE_F_STRAY_DOT] = { "'.' or '..' out of place", ENTRIES },
	[HTREE_D_DOT_MISSING] = { "'.' is missing", ENTRIES },
	[HTREE_D_DOT_INODE] = { "'.' names another inode", ENTRIES },
	[HTREE_D_DOTDOT_MISSING] = { "'..' is missing", ENTRIES },
	[HTREE_D_DOT_LAYOUT] = { "'.' or '..' has a wrong layout", ENTRIES },
	[HTREE_L_TAIL_MISSING] = { "no checksum in the block", ENTRIES },
	[HTREE_L_CHECKSUM] = { "wrong checksum of the block", ENTRIES },
	[HTREE_X_ROOT] = { "wrong field in the index root", INDEX },
	[HTREE_X_VERSION] = { "hash version of the index is not valid", INDEX },
	[HTREE_X_VERSION_FOREIGN] = {
		"index uses siphash, the filesystem's default is another",
		INDEX },
	[HTREE_X_LEVELS] = {
		"index has more levels than the filesystem allows", INDEX },
	[HTREE_X_LIMIT] = { "wrong limit of an index block", INDEX },
	[HTREE_X_COUNT] = { "wrong count of an index block", INDEX },
	[HTREE_X_ORDER] = { "hashes of an index block are out of order", INDEX },
	[HTREE_X_BLOCK] = { "index names a block that cannot be", INDEX },
	[HTREE_X_TWICE] = { "index names a block twice", INDEX },
	[HTREE_X_UNREFERENCED] = { "block is not in the index", INDEX },
	[HTREE_X_NODE] = { "index names a block that is no index block", INDEX },
	[HTREE_X_HASH_RANGE] = {
		"an entry's hash is outside the range of its block", INDEX },
	[HTREE_X_CONTINUATION] = {
		"collision goes on in the next block without continuation bit", INDEX },
	[HTREE_X_CHECKSUM] = { "wrong checksum of an index block", INDEX },
	[HTREE_X_NO_TAIL] = { "index block has no room for its checksum", INDEX },
	[HTREE_X_NO_FEATURE] = { "marked as indexed, but has no index", INDEX },
};

static const struct finding_row *row(enum htree_finding_code code)
{
	static const struct finding_row unknown = { "unknown fault", ENTRIES };

	if ((unsigned)code >= HTREE_FINDING_MAX || !table[code].text)
		return &unknown;
	return &table[code];
}

const char *htree_finding_text(enum htree_finding_code code)
{
	return row(code)->text;
}

enum htree_remedy htree_finding_remedy(enum htree_finding_code code)
{
	return row(code)->remedy;
}
