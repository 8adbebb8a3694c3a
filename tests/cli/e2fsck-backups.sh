# SPDX-License-Identifier: GPL-2.0-or-later
# The superblock's copies: the default hash in each, the checksum of the first.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"

mke2fs -qFt ext4 -b1024 -g 2048 -O ^has_journal,metadata_csum "$T/a" 8M \
	>/dev/null 2>&1
backup=$((2049 * 1024))
default_at() { [ "$(peek "$T/x" $(($1 + 252)) 1 | od -An -tu1 | tr -d ' ')" = "$2" ]; }

# A hole in a backup only: its checksum has to be right, or it is no copy.
mke2fs -qFt ext4 -b1024 -g 2048 -O ^has_journal,^metadata_csum "$T/b" 8M \
	>/dev/null 2>&1
cp "$T/b" "$T/x"
poke "$T/x" $((1024 + 252)) '\004'
poke "$T/x" $((backup + 252)) '\004'
repairs "default hash 4 in every copy" "$T/x" -fp "default hash is 4"
check "the primary has half_md4" default_at 1024 1
check "the backup has half_md4" default_at "$backup" 1
cp "$T/b" "$T/x"
poke "$T/x" $((backup + 252)) '\003'
repairs "default hash 3 in a backup" "$T/x" -fp "superblock at block 2049"
check "the backup is repaired" default_at "$backup" 1
cp "$T/b" "$T/x"
poke "$T/x" $((backup + 252)) '\005'
check "with -b, that copy is what counts" \
	says "default hash is 5" "$E2FSCK" -fn -b 2049 "$T/x"

# The checksum of the primary, and nothing else.
cp "$T/a" "$T/x"
poke "$T/x" $((1024 + 1020)) '\001\002\003\004'
repairs "checksum of the primary" "$T/x" -fp "checksum of the superblock"

# A primary that is not the filesystem's any more is left to -b.
cp "$T/a" "$T/x"
poke "$T/x" $((1024 + 104)) '\001\002\003\004\005'
check "a primary that differs: reported" exits 4 "$E2FSCK" -fn "$T/x"
check "a primary that differs: not written" \
	leaves "$T/x" exits 4 "$E2FSCK" -fy "$T/x"
finish
