# SPDX-License-Identifier: GPL-2.0-or-later
# Names of encrypted directories are ciphertext and stay: a duplicate goes
# only where another entry names the same inode.  And directories that lie in
# their inodes, and lost+found.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"

mkdir -p "$T/d/dir"
: >"$T/d/dir/ciphertext_is_16_or_more_a"
: >"$T/d/dir/ciphertext_is_16_or_more_b"
: >"$T/d/dir/ciphertext_is_16_or_more_c"
mke2fs -qFt ext4 -b1024 -O ^has_journal,^metadata_csum,encrypt -d "$T/d" \
	"$T/a" 4M >/dev/null 2>&1
encrypt "$T/a" /dir 0x80800
for f in a b c; do
	encrypt "$T/a" "/dir/ciphertext_is_16_or_more_$f" 0x80800
done
count() { [ "$(names_in "$T/x" /dir | wc -l)" -eq "$1" ]; }
at() { offset_of "$T/x" "$1"; }

cp "$T/a" "$T/x"
check "healthy" exits 0 "$E2FSCK" -fn "$T/x"
poke "$T/x" "$(at ciphertext_is_16_or_more_b)" ciphertext_is_16_or_more_a
check "two inodes: -fn" exits 4 "$E2FSCK" -fn "$T/x"
check "two inodes: left, and nothing is written for it" \
	leaves "$T/x" exits 4 "$E2FSCK" -fy "$T/x"
check "two inodes: both are there" count 3
check "two inodes: -fn again" exits 4 "$E2FSCK" -fn "$T/x"

cp "$T/a" "$T/x"
# The second entry names the first one's inode too.
a=$(at ciphertext_is_16_or_more_a) b=$(at ciphertext_is_16_or_more_b)
peek "$T/x" $((a - 8)) 4 >"$T/ino"
put "$T/x" $((b - 8)) "$T/ino"
poke "$T/x" "$b" ciphertext_is_16_or_more_a
check "one inode: -fn" exits 4 "$E2FSCK" -fn "$T/x"
check "one inode: -fp leaves it" exits 4 "$E2FSCK" -fp "$T/x"
check "one inode: -fy; the other one has no name" exits 5 "$E2FSCK" -fy "$T/x"
only_unattached() { ! "$E2FSCK" -fn "$T/x" | grep "directory inode"; }
check "one inode: nothing else is left" only_unattached
check "one inode: one entry is gone" count 2

cp "$T/a" "$T/x"
poke "$T/x" "$(at ciphertext_is_16_or_more_c)" 'a/b\000'
check "slash and NUL are ciphertext like any other" \
	exits 0 "$E2FSCK" -fn "$T/x"

# In the inode.
mkdir -p "$T/i/dir"
: >"$T/i/dir/ab" && : >"$T/i/dir/ac" && : >"$T/i/dir/ad"
mke2fs -qFt ext4 -b1024 -I256 -O ^has_journal,^metadata_csum,inline_data \
	-d "$T/i" "$T/x" 4M >/dev/null 2>&1
check "in the inode: healthy" exits 0 "$E2FSCK" -fn "$T/x"
check "it does lie there" says "Inline_data" sh -c \
	"$STOCK_DEBUGFS -R 'stat /dir' '$T/x' | sed 's/.*0x10000000.*/Inline_data/'"
o=$(LC_ALL=C grep -abo -F -e ac "$T/x" | while IFS=: read -r p _; do
	[ "$(peek "$T/x" $((p - 2)) 1 | od -An -tu1 | tr -d ' ')" = 2 ] && echo "$p"
done | head -n 1)
poke "$T/x" "$o" ab
repairs "in the inode: equal names" "$T/x" -fy "same name"
check "in the inode: all are there" count 3

# lost+found keeps the blocks that wait for names.
mke2fs -qFt ext4 -b1024 -O ^has_journal,^metadata_csum "$T/x" 4M >/dev/null 2>&1
size() { ask "$T/x" "stat /lost+found" | grep -o '^User:.*Size: [0-9]*'; }
before=$(size)
poke "$T/x" $(($(block_at "$T/x" /lost+found 2) * 1024 + 4)) '\003\000'
repairs "lost+found" "$T/x" -fy "directory inode 11"
check "lost+found keeps its blocks" test "$(size)" = "$before"
finish
