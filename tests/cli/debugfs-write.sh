# SPDX-License-Identifier: GPL-2.0-or-later
# debugfs' requests that write: what they make is what was asked for, stock
# e2fsck is content with it, and what is refused changes nothing.
. "$E2DX_SRC/tests/lib.sh"
img=$T/img
ours() { "$DEBUGFS" -w -R "$1" "$img"; }
stock() { "$STOCK_DEBUGFS" -R "$1" "$img" 2>/dev/null; }
clean() { exits 0 "$STOCK_E2FSCK" -fn "$img" && exits 0 "$E2FSCK" -fn "$img"; }
refuses()
{
	refuses_why=$1
	shift
	unchanged "$img" exits 1 says_and_fails "$refuses_why" "$@"
}
says_and_fails()
{
	saf_why=$1
	shift
	"$@" >"$T/saf" 2>&1
	saf_status=$?
	grep -qF -e "$saf_why" "$T/saf" || { cat "$T/saf"; return 9; }
	return $saf_status
}

head -c 100001 /dev/urandom >"$T/file"
chmod 640 "$T/file"
: >"$T/empty"
head -c 9000000 /dev/urandom >"$T/large"

# make SIZE OPTIONS: names that come and go, more of them than one block holds.
make()
{
	rm -f "$img"
	truncate -s "$1" "$img"
	shift
	mke2fs -qF "$@" "$img" 2>/dev/null
	{
		echo "mkdir d"
		echo "cd d"
		echo "write $T/file data"
		echo "write $T/empty empty"
		echo "write $T/large large"
		echo "mkdir sub"
		echo "mkdir sub/sub"
		seq 300 | sed "s|.*|write $T/empty a-file-with-some-name-&|"
	} >"$T/fill"
	seq 300 | sed "s|.*|rm /d/a-file-with-some-name-&|" >"$T/empty-it"
}
for options in "-t ext4 -b 1024" "-t ext2 -b 1024" "-t ext4 -b 4096" \
	"-t ext4 -b 1024 -O bigalloc -C 8192" \
	"-t ext3 -b 1024 -O ^dir_index,^filetype" \
	"-t ext4 -b 1024 -I 128" "-t ext4 -b 1024 -O inline_data,large_dir"; do
	# shellcheck disable=SC2086
	make 64M $options
	check "$options: names are added" exits 0 "$DEBUGFS" -w -f "$T/fill" "$img"
	check "$options: e2fsck is content" clean
	stock "cat /d/data" >"$T/out"
	check "$options: a file's data" cmp "$T/file" "$T/out"
	stock "cat /d/large" >"$T/out"
	check "$options: a large file's data" cmp "$T/large" "$T/out"
	check "$options: every name is there" test "$("$DEBUGFS" \
		-R "ls -p /d" "$img" | grep -c a-file-with)" = 300
	check "$options: names are removed" \
		exits 0 "$DEBUGFS" -w -f "$T/empty-it" "$img"
	check "$options: e2fsck is content with that" clean
	check "$options: the directory is one block again" \
		says "Blocks:                  1 " "$DEBUGFS" \
		-R "htree_stats /d" "$img"
	"$DEBUGFS" -R "ls /d" "$img" >/dev/null
	free=$(dumpe2fs -h "$img" 2>/dev/null | grep '^Free')
	ours "write $T/large again" >/dev/null
	ours "rm again" >/dev/null
	check "$options: what a file had is free again" test "$free" = \
		"$(dumpe2fs -h "$img" 2>/dev/null | grep '^Free')"
done

check "a file keeps its mode" says "Mode:  0640" "$STOCK_DEBUGFS" \
	-R "stat /d/data" "$img"
check "the state is as it was" says "Filesystem state:         clean" \
	dumpe2fs -h "$img"
check "ln leaves the count" exits 0 ours "ln d/data d/data2"
check "which unlink undoes" exits 0 ours "unlink d/data2"
check "e2fsck is content" clean
check "rmdir" exits 0 ours "rmdir d/sub/sub"
check "rmdir of its parent" exits 0 ours "rmdir d/sub"
check "e2fsck is content with that" clean
check "a name with odd bytes" exits 0 ours "mkdir \\303\\251\\012x"
check "is found again" exits 0 ours "rmdir \\303\\251\\012x"

check "kill_file releases the inode" exits 0 ours "kill_file d/data"
check "and unlink its name" exits 0 ours "unlink d/data"
check "e2fsck is content with both" clean

# Attributes' blocks are shared: the last name frees them.
"$STOCK_DEBUGFS" -w -R "ea_set d/large user.x $(printf '%0400d' 1)" "$img" \
	2>/dev/null
check "rm of a file with attributes" exits 0 ours "rm d/large"
check "leaves nothing behind" clean

check "a name that is there" refuses "File exists" ours "mkdir d"
check "a directory that is not" refuses "no such name" ours "mkdir no/such"
check "a name of 256 bytes" refuses "1 to 255 bytes" \
	ours "mkdir $(printf '%0256d' 1)"
check "no name" refuses "not a name" ours "mkdir d/"
check "the root" refuses "not a name" ours "rmdir /"
check "rm of a directory" refuses "is a directory" ours "rm d"
check "rmdir of a full one" refuses "not empty" ours "rmdir d"
check "a file that is not" refuses "No such file" ours "write $T/none x"
check "kill_file of the journal" refuses "own" ours "kill_file <8>"
check "without -w" refuses "-w" "$DEBUGFS" -R "mkdir x" "$img"

# A block that two files claim: who owns it is not known.
make 64M -t ext2 -b 1024
"$DEBUGFS" -w -f "$T/fill" "$img" >/dev/null 2>&1
block=$(stock "bmap d/data 0")
"$STOCK_DEBUGFS" -w -R "sif d/large block[0] $block" "$img" 2>/dev/null
check "shared blocks" refuses "claimed twice" ours "mkdir x"

# No space: what cannot be done is not begun.
make 2M -t ext4 -b 1024 -O ^has_journal
check "a file that does not fit" says "not enough free blocks" \
	ours "write $T/large large"
check "leaves a sound filesystem" clean
finish
