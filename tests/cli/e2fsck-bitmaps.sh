# SPDX-License-Identifier: GPL-2.0-or-later
# Bitmaps and counts: each fault made by hand, found by us under its code and
# by stock e2fsck too, and repaired with nothing left.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"

mkdir -p "$T/d/dir"
for i in $(seq 60); do echo "$i" >"$T/d/dir/name_$i"; done
head -c 100000 /dev/urandom >"$T/d/file"


# fresh REQUEST...: a copy, changed by these requests of stock debugfs.
fresh()
{
	cp "$T/base" "$T/x"
	for r in "$@"; do echo "$r"; done >"$T/requests"
	"$STOCK_DEBUGFS" -w -f "$T/requests" "$T/x" >/dev/null 2>&1
}
# finds LABEL CODE: both find it, ours repairs it with -fp and with -fy.
finds()
{
	check "$kind: $1: -fn finds $2" \
		leaves "$T/x" says "[$2]" "$E2FSCK" -vfn "$T/x"
	check "$kind: $1: -fn exits with 4" exits 4 "$E2FSCK" -fn "$T/x"
	check "$kind: $1: stock finds it too" exits 4 "$STOCK_E2FSCK" -fn "$T/x"
	cp "$T/x" "$T/y"
	check "$kind: $1: -fp repairs it" exits 1 "$E2FSCK" -fp "$T/x"
	check "$kind: $1: nothing is left" found_clean "$T/x"
	check "$kind: $1: -fy repairs it" exits 1 "$E2FSCK" -fy "$T/y"
	check "$kind: $1: to the same bytes" same "$T/x" "$T/y"
}
# The time of the check, and so the superblock's checksum, may differ.
same()
{
	for f in "$1" "$2"; do
		poke "$f" 1088 '\0\0\0\0' && poke "$f" 2044 '\0\0\0\0'
	done
	cmp "$1" "$2"
}

# place IMG GROUP block|inode: the byte offset of a bitmap.
place()
{
	ask "$1" stats | tr '\n' ' ' | sed "s/Group /\\n&/g" |
		sed -n "s/^Group *$2: .*$3 bitmap at \\([0-9]*\\).*/\\1/p" |
		awk '{ print $1 * 1024 }'
}

# all KIND MKE2FS-OPTION...
all()
{
	kind=$1
	shift
	mke2fs -qF -b1024 -g 4096 -N 512 "$@" -d "$T/d" "$T/base" 7M \
		>/dev/null 2>&1
	fresh
	check "$kind: healthy" found_clean "$T/x"
	fresh "freeb $(block_at "$T/base" /file 3) 5"
	finds "blocks in use, not marked" 0a01
	fresh "freeb $(block_at "$T/base" /file 3)" "freeb $(block_at "$T/base" /file 9)"
	finds "blocks in use apart, not marked" 0a01
	fresh "setb 7000 5"
	finds "blocks marked, not in use" 0a02
	fresh "freei /file"
	finds "an inode in use, not marked" 0a03
	fresh "freei <1>"
	finds "a reserved inode, not marked" 0a03
	fresh "seti <100>"
	finds "an inode marked, not in use" 0a04
	fresh
	poke "$T/x" $(($(place "$T/base" 0 block) + 1023)) '\000'
	finds "padding of a block bitmap" 0a07
	fresh
	poke "$T/x" $(($(place "$T/base" 1 block) + 600)) '\376'
	[ "$kind" = bigalloc ] || finds "padding of the last block bitmap" 0a07
	fresh
	inodes=$(dumpe2fs -h "$T/base" 2>/dev/null |
		sed -n 's/^Inodes per group: *//p')
	poke "$T/x" $(($(place "$T/base" 0 inode) + inodes / 8)) '\376'
	finds "padding of an inode bitmap" 0a08
	for f in free_blocks free_inodes used_dirs; do
		# More free inodes than that would be another fault.
		fresh "set_bg 0 ${f}_count 100" "set_bg 0 checksum calc"
		case $f in
		free_blocks) finds "a group's free blocks" 0a09 ;;
		free_inodes) [ "$kind" != ext2 ] || finds "a group's free inodes" 0a0a ;;
		used_dirs) finds "a group's directories" 0a0b ;;
		esac
	done
	fresh "ssv free_blocks_count 77" "ssv free_inodes_count 78"
	check "$kind: stale counts of the superblock are no fault" \
		leaves "$T/x" exits 0 "$E2FSCK" -fn "$T/x"
	check "$kind: nor for stock" exits 0 "$STOCK_E2FSCK" -fn "$T/x"
	check "$kind: they are told" says "[0a0c]" "$E2FSCK" -vfn "$T/x"
	check "$kind: they are told" says "[0a0d]" "$E2FSCK" -vfn "$T/x"
	check "$kind: -fp sets them" exits 1 "$E2FSCK" -fp "$T/x"
	check "$kind: they are set" exits 0 "$E2FSCK" -fp "$T/x"
}

all ext2 -t ext2
all metadata_csum -t ext4 -O ^has_journal
for what in block inode; do
	fresh "set_bg 0 ${what}_bitmap_csum 2" "set_bg 0 checksum calc"
	[ $what = block ] && code=0a05 || code=0a06
	finds "wrong checksum of the $what bitmap" $code
done
all uninit_bg -t ext4 -O ^has_journal,^metadata_csum,uninit_bg
all bigalloc -t ext4 -O ^has_journal,bigalloc -C 4096 2>/dev/null

# A group marked as never initialised, with blocks in use.
kind=uninit
mke2fs -qF -t ext4 -b1024 -g 1024 -O ^has_journal,^flex_bg -N 512 -d "$T/d" \
	"$T/base" 6M >/dev/null 2>&1
g=$((($(block_at "$T/base" /file 50) - 1) / 1024))
fresh "set_bg $g flags 2" "set_bg $g checksum calc"
finds "blocks in use in an uninitialised group" 0a01

# Bitmaps are made right before a directory takes blocks by them.
fresh "freeb $(block_at "$T/base" /file 3) 5" "sif /dir flags 0x81000"
names_in "$T/base" /dir >"$T/names"
check "a directory too: both are repaired" exits 1 "$E2FSCK" -fy "$T/x"
check "a directory too: nothing is left" found_clean "$T/x"
names_in "$T/x" /dir >"$T/names.now"
check "a directory too: no name is lost" cmp "$T/names" "$T/names.now"

# What is in use is in doubt: nothing is written.
fresh "freeb $(block_at "$T/base" /file 3) 5" \
	"sif /dir/name_1 mode 0170000"
check "an owner in doubt: nothing is written" \
	leaves "$T/x" exits 4 "$E2FSCK" -fy "$T/x"

# Many ranges: the first few are shown, the rest is counted.
mke2fs -qFt ext2 -b1024 -d "$T/d" "$T/base" 6M >/dev/null 2>&1
for b in $(seq 5000 2 5100); do echo "setb $b"; done >"$T/many"
cp "$T/base" "$T/x"
"$STOCK_DEBUGFS" -w -f "$T/many" "$T/x" >/dev/null 2>&1
check "many ranges" says "... and 39 more like this" "$E2FSCK" -fn "$T/x"
finish
