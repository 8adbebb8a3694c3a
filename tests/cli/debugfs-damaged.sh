#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Indexes that are damaged in one place: htree_dump shows what it can and says
# what is wrong, htree_check names the directory, nothing crashes or hangs.
. "$E2DX_SRC/tests/lib.sh"

ours() { timeout 20 "$DEBUGFS" -R "$1" "$T/img" 2>&1; }

mkdir -p "$T/d/dir"
i=0
while [ $i -lt 300 ]; do
	i=$((i + 1))
	: >"$T/d/dir/file_number_$i"
done
i=0
while [ $i -lt 60 ]; do
	i=$((i + 1))
	: >"$T/d/dir/$(printf '\303\251\377')_$i"
done
mke2fs -qFt ext4 -b1024 -O ^has_journal,^metadata_csum -d "$T/d" "$T/base" 4M
"$STOCK_E2FSCK" -fyD "$T/base" >/dev/null 2>&1
block() { "$STOCK_DEBUGFS" -R "bmap /dir $1" "$T/base" 2>/dev/null; }
R=$(($(block 0) * 1024))
INO=$("$STOCK_DEBUGFS" -R 'stat /dir' "$T/base" 2>/dev/null |
	sed -n 's/^Inode: \([0-9]*\).*/\1/p')

# poke OFFSET BYTES(octal escapes): into a fresh copy of the base.
poke()
{
	cp "$T/base" "$T/img"
	poke_more "$@"
}
poke_more()
{
	printf "$2" | dd of="$T/img" bs=1 seek="$1" conv=notrunc 2>/dev/null
}
bytes() { dd if="$T/base" bs=1 skip="$1" count="$2" 2>/dev/null; }

# damaged NAME: dump and check fail without a crash and say enough.
damaged()
{
	check "$1: htree_check" exits 1 ours "htree_check /dir"
	check "$1: names the directory" says "directory inode $INO" \
		ours "htree_check /dir"
	ours "htree_stats /dir" >/dev/null
	check "$1: htree_stats survives" [ $? -le 1 ]
	check "$1: ls lists all" lists_all
	check "$1: every name is found" finds_all
	check "$1: what there is of the root" says "Root node dump:" \
		ours "htree_dump /dir"
	ours "htree_dump /dir" >"$T/dump"
	dump_status=$?
	check "$1: htree_dump exits 1" [ $dump_status -eq 1 ]
	check "$1: with a message" grep -q '^debugfs: /dir: ' "$T/dump"
}
lists_all()
{
	# The status may be 1; no name may be missing.
	ours "ls -p /dir" >"$T/ls"
	[ "$(grep -c '^/[0-9]*/100644/' "$T/ls")" -eq 360 ]
}
finds_all()
{
	for n in 1 77 300; do
		echo "stat /dir/file_number_$n"
	done >"$T/requests"
	timeout 20 "$DEBUGFS" -f "$T/requests" "$T/img" >"$T/stat" 2>&1 &&
	[ "$(grep -c 'Type: regular' "$T/stat")" -eq 3 ]
}

cp "$T/base" "$T/img"
check "healthy: htree_check" exits 0 ours "htree_check /dir"
check "healthy: htree_dump" exits 0 ours "htree_dump /dir"
check "healthy: htree_stats" exits 0 ours "htree_stats /dir"
check "healthy: ls" lists_all

poke $((R + 0x1e)) '\001'; damaged "one level too many"
poke $((R + 0x1e)) '\002'; damaged "two levels too many"
poke $((R + 0x1e)) '\377'; damaged "255 levels"
poke $((R + 0x22)) '\377\377'; damaged "count of 65535"
poke $((R + 0x22)) '\000\000'; damaged "count of 0"
poke $((R + 0x1c)) '\003'; damaged "hash version 3"
poke $((R + 0x1c)) '\007'; damaged "hash version 7"
poke $((R + 0x1d)) '\000'; damaged "info_length of 0"
poke $((R + 0x18)) '\001'; damaged "reserved_zero of 1"
poke $((R + 0x20)) '\377\377'; damaged "limit of 65535"
poke $((R + 0x24)) '\000\000\000\000'; damaged "first child is the root"
bytes $((R + 0x2c)) 4 >"$T/child"
cp "$T/base" "$T/img"
dd if="$T/child" of="$T/img" bs=1 seek=$((R + 0x24)) conv=notrunc 2>/dev/null
damaged "a child named twice"
poke $((R + 0x24)) '\377\377\377\017'; damaged "a child past the end"
cp "$T/base" "$T/img"
bytes $((R + 0x28)) 8 >"$T/one"
bytes $((R + 0x30)) 8 >"$T/two"
dd if="$T/two" of="$T/img" bs=1 seek=$((R + 0x28)) conv=notrunc 2>/dev/null
dd if="$T/one" of="$T/img" bs=1 seek=$((R + 0x30)) conv=notrunc 2>/dev/null
damaged "two entries swapped"
# Only who hashes the names sees these.
cp "$T/base" "$T/img"
"$STOCK_DEBUGFS" -w -R "ssv hash_seed 01234567-89ab-cdef-0123-456789abcdef" \
	"$T/img" 2>/dev/null
damaged "another seed"
cp "$T/base" "$T/img"
"$STOCK_DEBUGFS" -w -R "ssv flags 2" "$T/img" 2>/dev/null
damaged "another sign"

# A leaf whose first record has a length of 0, and one without a length at all.
L=$(($(block 1) * 1024))
poke $((L + 4)) '\000\000'
check "record of length 0: ls" exits 1 ours "ls /dir"
check "record of length 0: dump" exits 1 ours "htree_dump /dir"
check "record of length 0: check" exits 1 ours "htree_check /dir"

# Default hashes that no filesystem may have.
for v in 3 5 9; do
	poke $((1024 + 252)) "\\00$v"
	[ $v = 9 ] && poke $((1024 + 252)) '\011'
	check "default hash $v: stats" exits 0 ours "stats -h"
	check "default hash $v: dump" exits 0 ours "htree_dump /dir"
	check "default hash $v: dump: with a message" \
		says "default hash $v may not stand" ours "htree_dump /dir"
done

# A directory that is its own child, and a parent that leads nowhere.
cp "$T/base" "$T/img"
for i in 1 2 3; do
	poke_more $((L + 0)) "\\00$i\\000\\000\\000"
	ours "ncheck 2 11 $INO" >/dev/null
	check "entries that lead to inode $i: ncheck ends" [ $? -le 1 ]
done
ROOT=$(($("$STOCK_DEBUGFS" -R 'bmap / 0' "$T/base" 2>/dev/null) * 1024))
poke $((R + 12)) '\377\000\000\000'
printf 'cd /dir\npwd\n' >"$T/requests"
check "a parent that is no directory: pwd" exits 1 \
	timeout 20 "$DEBUGFS" -f "$T/requests" "$T/img"
poke $((R + 12)) "$(printf '\\%03o\\000\\000\\000' "$INO")"
check "a directory that is its own parent: pwd" exits 1 \
	timeout 20 "$DEBUGFS" -f "$T/requests" "$T/img"

# Damaged maps: an extent past the end of the device; a size without end.
S=$("$STOCK_DEBUGFS" -R "imap /dir" "$T/base" 2>/dev/null | tr '\n' ' ' |
	sed 's/.*block \([0-9]*\), offset \(0x[0-9a-f]*\).*/\1 \2/')
I=$((${S% *} * 1024 + ${S#* }))
poke $((I + 0x28 + 12 + 8)) '\377\377\377\377'
for r in "ls /dir" "htree_dump /dir" "htree_check /dir" "stat /dir" \
	 "blocks /dir" "cat /dir" "icheck 100"; do
	check "a wild extent: $r" exits 1 ours "$r"
done
poke $((I + 4)) '\377\377\377\377'
check "a size without end: ls" lists_all
check "a size without end: htree_check" exits 1 ours "htree_check /dir"
finish
