/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The problem table: extended attributes. */
#include "problem_table.h"

static const struct problem_info table[] = {
{ P_XATTR_OVERLAP, S_LOCK, R_NONE, false, false,
  "names or values of attributes overlap", NULL },
{ P_XATTR_BEYOND, S_LOCK, R_NONE, false, false,
  "an attribute does not fit where it lies", NULL },
{ P_XATTR_INDEX, S_LOCK, R_NONE, false, false,
  "an attribute's name has no prefix", NULL },
{ P_XATTR_HASH, S_LOCK, R_NONE, false, false,
  "an attribute's hash is not that of its name and value", NULL },
{ P_XATTR_ACL, S_LEAVE, R_NONE, false, false,
  "an access control list cannot be read", NULL },
{ P_XATTR_BLOCK_RANGE, S_LOCK, R_NONE, false, false,
  "its attributes' block %b is not in the filesystem", NULL },
{ P_XATTR_NO_FEATURE, S_LOCK, R_NONE, false, false,
  "it has block %b of attributes, but the filesystem no such feature", NULL },
{ P_XATTR_UNREADABLE, S_LOCK, R_NONE, false, false,
  "its attributes' block %b cannot be read: %m", NULL },
{ P_XATTR_MAGIC, S_LOCK, R_NONE, false, false,
  "block %b, named for attributes, has none", NULL },
{ P_XATTR_BLOCKS, S_LOCK, R_NONE, false, false,
  "its attributes in block %b say that they take %v blocks", NULL },
{ P_XATTR_REFERENCES, S_LOCK, R_NONE, false, false,
  "its attributes' block %b says that %v inodes have it, but %e have", NULL },
{ P_XATTR_CHECKSUM, S_LOCK, R_NONE, false, false,
  "wrong checksum of its attributes' block %b", NULL },
{ P_XATTR_VALUE_INODE, S_LOCK, R_NONE, false, false,
  "an attribute's value should lie in inode %v, which is not for values", NULL },
{ P_XATTR_VALUE_HASH, S_LOCK, R_NONE, false, false,
  "the value in inode %v is not the one that an attribute had", NULL },
{ P_XATTR_VALUE_REFERENCES, S_LOCK, R_NONE, false, false,
  "it says that %v attributes have it as their value, but %e have", NULL },
{ P_XATTR_NO_CONTEXT, S_LEAVE, R_NONE, false, false,
  "it is encrypted, but nothing says how", NULL },
{ P_XATTR_BAD_CONTEXT, S_LEAVE, R_NONE, false, false,
  "what says how it is encrypted is damaged", NULL },
{ P_XATTR_NO_DATA, S_LOCK, R_NONE, false, false,
  "its data should lie in it, but the attribute for that is missing", NULL },
};

const struct problem_family problems_xattr = PROBLEM_FAMILY(table);
