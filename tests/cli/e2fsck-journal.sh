# SPDX-License-Identifier: GPL-2.0-or-later
# Journals that stock debugfs wrote: replayed to the same bytes as by stock;
# what is wrong with a journal is reported, and nothing is written then.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"

sd() { "$STOCK_DEBUGFS" -wR "$2" "$1" >/dev/null 2>&1; }

# make BLOCK-SIZE FEATURES
make()
{
	rm -f "$T/a"
	truncate -s 24M "$T/a"
	mke2fs -qF -t ext4 -b "$1" -O "$2" "$T/a" >/dev/null 2>&1
	bs=$1
}

# Data that is told apart, also a block that begins as a journal's do.
head -c 12288 /dev/urandom >"$T/data"
printf '\300\073\071\230' | cat - "$T/data" | head -c 12288 >"$T/magic"

# blocks IMAGE: what the journal was to write.
blocks() { dd if="$1" bs="$bs" skip=4000 count=40 status=none | cksum; }

# replayed LABEL DEBUGFS-LINE...
replayed()
{
	label=$1
	shift
	printf '%s\n' "$@" >"$T/commands"
	"$STOCK_DEBUGFS" -w -f "$T/commands" "$T/a" >/dev/null 2>&1
	cp "$T/a" "$T/ours" && cp "$T/a" "$T/stock"
	note() { says "not replayed with -n" "$E2FSCK" -fn "$T/ours"; }
	check "$label: -n leaves it and says so" unchanged "$T/ours" note
	check "$label: -fy" exits 0 "$E2FSCK" -fy "$T/ours"
	"$STOCK_E2FSCK" -fy "$T/stock" >/dev/null 2>&1
	check "$label: the blocks are stock's" \
		test "$(blocks "$T/ours")" = "$(blocks "$T/stock")"
	[ "$(blocks "$T/ours")" != "$(blocks "$T/a")" ] ||
		fail "$label: nothing was replayed"
	check "$label: stock finds nothing" exits 0 "$STOCK_E2FSCK" -fn "$T/ours"
	check "$label: nothing is replayed again" unchanged "$T/ours" \
		exits 0 "$E2FSCK" -p "$T/ours"
}

for open in "jo" "jo -c -v 2" "jo -c -v 3"; do
	features=64bit,metadata_csum
	[ "$open" != jo ] || features=^64bit,^metadata_csum
	make 1024 $features
	replayed "$features, $open" "$open" "jw -b 4001,4003,4005 $T/data" \
		"jw -b 4010,4011 $T/magic" "jw -r 4003 /dev/zero" \
		"jw -b 4020 $T/data" "jw -r 4010,4001 /dev/zero" "jc"
done
# debugfs' checksums of version 1 are wrong where something is revoked.
make 1024 ^64bit,^metadata_csum
replayed "version 1 checksums" "jo -c" "jw -b 4001,4003,4005 $T/data" \
	"jw -b 4010,4001 $T/magic" "jc"
make 4096 64bit
replayed "4 KiB" "jo -c" "jw -b 4001,4002 $T/data" "jw -b 4001 $T/magic" "jc"

# What a replay wrote over can be had back.
make 1024 64bit
printf '%s\n' "jo -c" "jw -b 4001,4002 $T/data" jc >"$T/commands"
"$STOCK_DEBUGFS" -w -f "$T/commands" "$T/a" >/dev/null 2>&1
cp "$T/a" "$T/x"
# The replay opens it anew, and libext2fs' undo manager then loses what it had.
check "-z: replayed" exits 0 env ASAN_OPTIONS=detect_leaks=0 \
	"$E2FSCK" -fy -z "$T/undo" "$T/x"
check "-z: undone" e2undo "$T/undo" "$T/x"
check "-z: as it was" cmp "$T/a" "$T/x"

# One that is damaged in every way that a superblock can be.
make 1024 ^metadata_csum
J=$(($("$STOCK_DEBUGFS" -R 'bmap <8> 0' "$T/a" 2>/dev/null) * 1024))
# faulty LABEL OFFSET BYTES
faulty()
{
	cp "$T/a" "$T/x" && poke "$T/x" $((J + $2)) "$3"
	check "$1: -fn" unchanged "$T/x" exits 12 "$E2FSCK" -fn "$T/x"
	check "$1: -fy writes nothing" unchanged "$T/x" exits 12 "$E2FSCK" -fy "$T/x"
	check "$1: -p writes nothing" unchanged "$T/x" exits 12 "$E2FSCK" -fp "$T/x"
}
# told LABEL OFFSET BYTES WHAT OURS STOCK: no reason to replay nothing.
told()
{
	cp "$T/a" "$T/x" && poke "$T/x" $((J + $2)) "$3"
	check "$1: -fn" unchanged "$T/x" exits "$5" "$E2FSCK" -fn "$T/x"
	check "$1: it is told" says "$4" "$E2FSCK" -fn "$T/x"
	check "$1: stock" exits "$6" "$STOCK_E2FSCK" -fn "$T/x"
}
told "more users than one" 64 '\200\000\000\002' "have 2147483650 users" 4 12
told "an error" 35 '\005' "noted an error (5)" 0 0
faulty "no magic number" 0 '\000'
faulty "unknown version" 7 '\007'
faulty "unknown incompatible feature" 41 '\001'
faulty "unknown read-only feature" 47 '\001'
faulty "another block size" 14 '\010'
faulty "longer than it is" 18 '\377'
faulty "start behind the end" 28 '\001'

# Transactions, but the superblock knows nothing of them.
printf '%s\n' jo "jw -b 4001 $T/data" jc >"$T/commands"
cp "$T/a" "$T/x"
"$STOCK_DEBUGFS" -w -f "$T/commands" "$T/x" >/dev/null 2>&1
poke "$T/x" 1120 "\\$(printf %o $(($(od -An -tu1 -j1120 -N1 "$T/x") & ~4)))"
check "left over: -n" unchanged "$T/x" exits 4 "$E2FSCK" -fn "$T/x"
check "left over: -p does not replay it" exits 4 "$E2FSCK" -fp "$T/x"
check "left over: -y does" exits 0 "$E2FSCK" -fy "$T/x"
cp "$T/x" "$T/ours"
check "left over: it was replayed" \
	sh -c 'dd if="$1" bs=1024 skip=4001 count=1 status=none | cmp - "$2" -n 1024' \
	- "$T/ours" "$T/data"

# The journal's inode is damaged: the superblock has a copy of its map.
printf '%s\n' jo "jw -b 4001 $T/data" jc >"$T/commands"
cp "$T/a" "$T/x"
"$STOCK_DEBUGFS" -w -f "$T/commands" "$T/x" >/dev/null 2>&1
sd "$T/x" "clri <8>"
check "damaged inode: replayed by the copy" \
	says "recovering journal" "$E2FSCK" -fy "$T/x"
check "damaged inode: it was replayed" \
	sh -c 'dd if="$1" bs=1024 skip=4001 count=1 status=none | cmp - "$2" -n 1024' \
	- "$T/x" "$T/data"

# needs_recovery where there is no journal at all.
make 1024 ^has_journal,^metadata_csum
poke "$T/a" 1120 "\\$(printf %o $(($(od -An -tu1 -j1120 -N1 "$T/a") | 4)))"
check "no journal to replay: -n" unchanged "$T/a" \
	says "but there is none" "$E2FSCK" -fn "$T/a"
check "no journal to replay: -p" exits 1 "$E2FSCK" -fp "$T/a"
check "no journal to replay: it is gone" exits 0 "$E2FSCK" -fn "$T/a"

finish
