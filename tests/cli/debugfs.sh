#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# debugfs beside stock debugfs on healthy images: what users parse is alike,
# and a failing request is told by the exit status.
. "$E2DX_SRC/tests/lib.sh"

# Many names, a small and a sparse file, links, device files, odd names.
make_tree()
{
	mkdir -p "$T/d/dir" "$T/d/sub/deep" "$T/d/few"
	i=0
	while [ $i -lt 300 ]; do
		i=$((i + 1))
		: >"$T/d/dir/file_number_$i"
	done
	: >"$T/d/few/one"
	seq 100000 >"$T/d/sub/data"
	truncate -s 200000 "$T/d/sparse"
	printf x >>"$T/d/sparse"
	ln -s hello "$T/d/sub/deep/link"
	echo hi >"$T/d/sub/deep/hello"
	ln -s "/nowhere/$(printf '%080d' 1)" "$T/d/longlink"
	ln -s sub "$T/d/dlink"
	ln -s loop2 "$T/d/loop1"
	ln -s loop1 "$T/d/loop2"
	ln "$T/d/sub/data" "$T/d/hardlink"
	mkfifo "$T/d/fifo"
	: >"$T/d/with space"
	: >"$T/d/back\\slash"
	: >"$T/d/$(printf 'caf\303\251')"
	: >"$T/d/$(printf 'raw\377\001x')"
	: >"$T/d/$(printf 'new\nline')"
}

ours() { "$DEBUGFS" -R "$2" "$1"; }
stock() { "$STOCK_DEBUGFS" -R "$2" "$1" 2>/dev/null; }

# same IMAGE REQUEST: both print the same.
same()
{
	stock "$1" "$2" >"$T/stock.out"
	ours "$1" "$2" >"$T/ours.out" || return 1
	[ -s "$T/ours.out" ] && diff "$T/stock.out" "$T/ours.out"
}

# transcript IMAGE: both print the same for all of $T/same.
transcript()
{
	"$STOCK_DEBUGFS" -f "$T/same" "$1" >"$T/stock.out" 2>/dev/null
	"$DEBUGFS" -f "$T/same" "$1" >"$T/ours.out" || return 1
	[ "$(wc -l <"$T/ours.out")" -gt 1000 ] &&
	diff "$T/stock.out" "$T/ours.out"
}

# What does not hold names that the two show in different ways.
cat >"$T/same" <<'X'
ls -l /dir
ls /dir
ls -p /dir
ls -ld /sub
stat /sub/data
stat /dir
stat /dlink
stat /fifo
stat dlink/data
stat /dlink/
stat <2>
stat <7>
stat <8>
stat /sparse
stat "with space"
bmap /dir 0
bmap /dir 9
bmap /dir 99
bmap /sparse 3
bmap /sub/data 300
blocks /sub/data
blocks /dir
blocks /sparse
imap /dir
imap <9>
testi /dir
testi <1000>
testb 57
testb 50 10
testb 3990 20
icheck 57 48 35 1 5 3000 342
cat /sub/data
features
pwd
cd sub
pwd
cd ..
cd dlink/deep
pwd
stats
stats -h
dirsearch /dir file_number_7
X

# Stock writes paths of the root's entries with two slashes.
same_ncheck()
{
	stock "$1" "$2" | sed 's,//,/,' | sort >"$T/stock.out"
	ours "$1" "$2" | sort >"$T/ours.out" || return 1
	diff "$T/stock.out" "$T/ours.out"
}

inode_of() { stock "$1" "stat $2" | sed -n 's/^Inode: \([0-9]*\).*/\1/p'; }

# dump and cat give the file itself; holes come back as holes.
check_data()
{
	ours "$1" "dump -p /sub/data $T/copy" && cmp "$T/d/sub/data" "$T/copy" &&
	ours "$1" "dump /sparse $T/copy2" && cmp "$T/d/sparse" "$T/copy2" &&
	[ "$(stat -c %Y "$T/copy")" = "$(stat -c %Y "$T/d/sub/data")" ] &&
	ours "$1" "cat /sub/deep/hello" | cmp - "$T/hello"
}

# Every name that ls shows can be given back, whatever its bytes.
names_read_back()
{
	ours "$1" "ls -p /" | awk -F/ '$2 { print $2, "/" $6 }' >"$T/names"
	sed 's/^[0-9]* \(.*\)/stat "\1"/' "$T/names" >"$T/requests"
	sed 's/ .*//' "$T/names" >"$T/names.ino"
	"$DEBUGFS" -f "$T/requests" "$1" >"$T/stat.out" || return 1
	sed -n 's/^Inode: \([0-9]*\).*/\1/p' "$T/stat.out" | diff - "$T/names.ino" &&
	[ "$(wc -l <"$T/names")" -gt 15 ]
}

# Removed entries are listed by -d only, and as stock lists them.
check_removed()
{
	cp "$1" "$T/rm.img"
	for f in 3 38 40; do
		"$STOCK_DEBUGFS" -w -R "rm /flat/f$f" "$T/rm.img" 2>/dev/null
	done
	same "$T/rm.img" "ls -d /flat" && same "$T/rm.img" "ls -ld /flat" &&
	same "$T/rm.img" "ls -pd /flat" && grep -q f38 "$T/ours.out" &&
	! ours "$T/rm.img" "ls /flat" | grep -q f38
}

# Attributes in the inode and in a block of their own; the block's owner.
check_xattrs()
{
	cp "$1" "$T/ea.img"
	printf 'ea_set /sub/data user.short bar\nea_set /sub/data trusted.b "a\001"\nea_set /sub/data user.long %0400d\n' \
		0 >"$T/requests"
	"$STOCK_DEBUGFS" -w -f "$T/requests" "$T/ea.img" >/dev/null 2>&1
	same "$T/ea.img" "stat /sub/data" && grep -q 'user.long (400)' "$T/ours.out" &&
	same "$T/ea.img" "icheck $(sed -n 's/^File ACL: //p' "$T/ours.out")" &&
	! grep -q 'not found' "$T/ours.out"
}

# Blocks of an unwritten extent are shown and told from others; the holes
# around it are not.
check_unwritten()
{
	cp "$1" "$T/uw.img"
	"$STOCK_DEBUGFS" -w -R "fallocate /few/one 5 9" "$T/uw.img" 2>/dev/null
	for n in 4 5 9 10; do
		same "$T/uw.img" "bmap /few/one $n" || return 1
		ours "$T/uw.img" "bmap /few/one $n"
	done >"$T/uw.out"
	[ "$(grep -c '^[1-9][0-9]* (uninit)$' "$T/uw.out")" = 2 ] &&
	[ "$(grep -c '^0$' "$T/uw.out")" = 2 ]
}

printf 'hi\n' >"$T/hello"
make_tree
mkdir "$T/d/flat"
i=0
while [ $i -lt 40 ]; do
	i=$((i + 1))
	: >"$T/d/flat/f$i"
done

mke2fs -qFt ext4 -b1024 -O ^has_journal,^metadata_csum -d "$T/d" "$T/plain.img" 4M
mke2fs -qFt ext2 -b1024 -d "$T/d" "$T/ext2.img" 4M
mke2fs -qFt ext4 -b1024 -O inline_data,project,quota -I256 -d "$T/d" "$T/csum.img" 8M
for img in plain ext2 csum; do
	"$STOCK_E2FSCK" -fyD "$T/$img.img" >/dev/null 2>&1
	DIR_INO=$(inode_of "$T/$img.img" /dir)
	check "$img: what users parse is as stock" transcript "$T/$img.img"
	# Stock ends some leaves with an empty line more where there are tails.
	[ $img = csum ] ||
		check "$img: htree_dump is as stock" same "$T/$img.img" "htree_dump /dir"
	check "$img: file data" check_data "$T/$img.img"
	[ $img != plain ] ||
		check "$img: unwritten blocks" check_unwritten "$T/$img.img"
	check "$img: names read back" names_read_back "$T/$img.img"
	check "$img: ncheck" same_ncheck "$T/$img.img" \
		"ncheck $DIR_INO $(inode_of "$T/$img.img" /sub/data) 11"
	check "$img: image is only read" unchanged "$T/$img.img" \
		ours "$T/$img.img" "ls -l /dir"
done
check "a directory in its inode" same "$T/csum.img" "stat /few"
check "its entries" same "$T/csum.img" "ls /few"
check "a link in its inode" same "$T/csum.img" "stat /longlink"
check "a link's block" same "$T/plain.img" "stat /longlink"
check "extended attributes" check_xattrs "$T/plain.img"
check "removed entries" check_removed "$T/plain.img"

P=$T/plain.img
check "unknown request" exits 1 ours "$P" bogus
check "no such file" exits 1 ours "$P" "stat /nope"
check "inode 0" exits 1 ours "$P" "stat <0>"
check "inode out of range" exits 1 ours "$P" "stat <99999>"
check "not a directory" exits 1 ours "$P" "ls /hardlink"
check "links in a circle" says "symbolic links" ours "$P" "stat /loop1/"
check "the last link is not followed" says "symlink" ours "$P" "stat /dlink"
check "unbalanced quotes" exits 1 ours "$P" 'ls "x'
check "no such device" exits 1 "$DEBUGFS" -R ls "$T/none.img"
check "no filesystem open" says "no filesystem is open" "$DEBUGFS" -R ls
check "not a filesystem" exits 1 "$DEBUGFS" -R ls "$T/hello"
check "unknown option" exits 1 "$DEBUGFS" -Z
check "--help" says "usage: debugfs" "$DEBUGFS" --help
check "-V" exits 0 "$DEBUGFS" -V
check "help of one request" says "htree_stats [-j] DIR" ours "$P" "help htree_stats"
check "testb out of range" exits 1 ours "$P" "testb 4090 7"
check "testb of no number" exits 1 ours "$P" "testb x"
check "icheck of no number" exits 1 ours "$P" "icheck -1"
check "ncheck of a free inode" exits 1 ours "$P" "ncheck 1000"
check "dirsearch finds nothing" exits 1 ours "$P" "dirsearch /dir nope"
check "dump to nowhere" exits 1 ours "$P" "dump /sub/data /nonexistent/x"
check "a full device" sh -c "! $DEBUGFS -R 'cat /sub/data' $P >/dev/full"
check "healthy directory" exits 0 ours "$P" "htree_check /dir"
check "linear directory" exits 0 ours "$P" "htree_check /flat"
check "directory in its inode" exits 0 ours "$T/csum.img" "htree_check /few"
check "statistics as JSON" sh -c "$DEBUGFS -R 'htree_stats -j /dir' $P |
	python3 -c 'import json, sys; s = json.load(sys.stdin);
assert s[\"entries\"] == 300 and s[\"levels\"] == 1, s;
assert sum(s[\"fill_histogram\"]) == s[\"leaves\"] == s[\"blocks\"] - 1, s'"
check "statistics as text" says "Leaves by fill" ours "$P" "htree_stats /dir"

cat >"$T/requests" <<'X'
# a remark
cd /sub
pwd
ls

close
dx_hash foo
X
check "-f runs a file" says "PATH: /sub" "$DEBUGFS" -f "$T/requests" "$P"
check "-f exits 0" exits 0 "$DEBUGFS" -f "$T/requests" "$P"
echo bogus >>"$T/requests"
echo pwd >>"$T/requests"
check "-f exits 1 after a failure" exits 1 "$DEBUGFS" -f "$T/requests" "$P"
check "-f of no file" exits 1 "$DEBUGFS" -f "$T/none" "$P"
printf 'open %s\npwd\nopen %s\n' "$P" "$P" >"$T/requests"
check "open in an open one" exits 1 "$DEBUGFS" -f "$T/requests"
check "-s and -b" exits 0 "$DEBUGFS" -s 1 -b 1024 -R ls "$P"
check "-w on a clean filesystem" exits 0 "$DEBUGFS" -w -R ls "$P"
"$STOCK_DEBUGFS" -w -R "dirty" "$P" 2>/dev/null
check "-w on one that is not" exits 1 "$DEBUGFS" -w -R ls "$P"
finish
