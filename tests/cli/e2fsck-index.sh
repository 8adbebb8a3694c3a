# SPDX-License-Identifier: GPL-2.0-or-later
# A damaged index holds no data: -p repairs every one, and no name is lost.
# Small inputs that once made other tools read out of bounds or run forever.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"

mkdir -p "$T/d/dir"
for i in $(seq 300); do : >"$T/d/dir/file_number_$i"; done
for i in $(seq 60); do : >"$T/d/dir/größe_żółć_$i"; done
mke2fs -qFt ext4 -b1024 -O ^has_journal,^metadata_csum -d "$T/d" "$T/n.img" \
	4M >/dev/null 2>&1
quietly "$STOCK_E2FSCK" -fyD "$T/n.img"
names_in "$T/n.img" /dir >"$T/names"
R=$(($(block_at "$T/n.img" /dir 0) * 1024))
INO=$(inode_of "$T/n.img" /dir)
check "the healthy image is found healthy" exits 0 "$E2FSCK" -fn "$T/n.img"
[ "$(wc -l <"$T/names")" -eq 360 ] || fail "the image has 360 names"

# index_case LABEL: damaged image is $T/x.
index_case() { repairs "$1" "$T/x" -fp "${2:-inode $INO}" /dir; }

byte_case()
{
	cp "$T/n.img" "$T/x"
	poke "$T/x" $((R + $2)) "$3"
	index_case "$1"
}

byte_case "indirect_levels 1" 30 '\001'
byte_case "indirect_levels 2" 30 '\002'
byte_case "indirect_levels 255" 30 '\377'
byte_case "count 65535" 34 '\377\377'
byte_case "count 0" 34 '\000\000'
byte_case "hash version 3" 28 '\003'
byte_case "hash version 6, foreign" 28 '\006'
byte_case "hash version 7" 28 '\007'
byte_case "info_length 0" 29 '\000'
byte_case "reserved_zero 1" 24 '\001'
byte_case "unused_flags 1" 31 '\001'
byte_case "limit 65535" 32 '\377\377'
byte_case "first child is block 0" 36 '\000\000\000\000'
byte_case "first child past the end" 36 '\377\377\000\000'
byte_case "first child far past the end" 36 '\377\377\377\017'

cp "$T/n.img" "$T/x"
peek "$T/x" $((R + 44)) 4 >"$T/child"
put "$T/x" $((R + 36)) "$T/child"
index_case "first child is another leaf's"

cp "$T/n.img" "$T/x"
peek "$T/x" $((R + 40)) 8 >"$T/one"
peek "$T/x" $((R + 48)) 8 >"$T/two"
put "$T/x" $((R + 40)) "$T/two"
put "$T/x" $((R + 48)) "$T/one"
index_case "two index entries swapped"

cp "$T/n.img" "$T/x"
sd "$T/x" "ssv hash_seed 01234567-89ab-cdef-0123-456789abcdef"
index_case "another seed"
cp "$T/n.img" "$T/x"
sd "$T/x" "ssv flags 2"
index_case "unsigned names"

# The superblock's default.
default_is() { ask "$T/x" stats | grep -q "hash: *$1\$"; }
for v in 3:legacy 4:half_md4 5:tea 9:half_md4; do
	cp "$T/n.img" "$T/x"
	poke "$T/x" $((1024 + 252)) "\\00${v%%:*}"
	[ "${v%%:*}" = 9 ] && poke "$T/x" $((1024 + 252)) '\011'
	index_case "default hash ${v%%:*}" "default hash is ${v%%:*}"
	check "default hash ${v%%:*} becomes ${v##*:}" default_is "${v##*:}"
done
cp "$T/n.img" "$T/x"
poke "$T/x" $((1024 + 252)) '\004'
sd "$T/x" "ssv flags 0"
index_case "default hash 4 without a sign flag" "default hash is 4"
flags() { ask "$T/x" stats | grep -q 'flags: *signed_directory_hash'; }
check "signed is set where neither was" flags
finish
