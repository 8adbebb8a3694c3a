# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# For the e2fsck tests: damage done by hand, and the way every repair is
# judged.  Sourced after lib.sh.

# quietly COMMAND...: without its output.
quietly() { "$@" >/dev/null 2>&1; }

# sd IMG REQUEST: a writing request to stock debugfs.
sd() { "$STOCK_DEBUGFS" -w -R "$2" "$1" >/dev/null 2>&1; }

# ask IMG REQUEST: what stock debugfs answers.
ask() { "$STOCK_DEBUGFS" -R "$2" "$1" 2>/dev/null; }

# inode_of IMG PATH
inode_of() { ask "$1" "stat $2" | sed -n 's/^Inode: \([0-9]*\).*/\1/p'; }

# block_at IMG PATH LOGICAL: physical block.
block_at() { ask "$1" "bmap $2 $3"; }

# poke IMG OFFSET BYTES: bytes as printf has them (\x03 as \003).
poke() { printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null; }

# peek IMG OFFSET LENGTH >FILE
peek() { dd if="$1" bs=1 skip="$2" count="$3" 2>/dev/null; }

# put IMG OFFSET FILE
put() { dd if="$3" of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null; }

# encrypt IMG PATH FLAGS: mark it, and give it an encryption context in its
# inode (of 256 bytes, without a checksum): version 2, all of one policy.
encrypt()
{
	printf '\002\001\004\002\000\000\000\000abcdefghijklmnop0123456789abcdef' >"$T/ctx"
	sd "$1" "ea_set -f $T/ctx $2 user.c"
	sd "$1" "sif $2 flags $3"
	encrypt_at=$(ask "$1" "imap $2" | sed -n \
		's/.*located at block \([0-9]*\), offset \(0x[0-9a-f]*\)/\1*1024+\2/p')
	# The prefix "user." becomes that of contexts.
	poke "$1" $(($encrypt_at + 165)) '\011'
}

# offset_of IMG TEXT: byte offset of the first occurrence of TEXT.
offset_of() { LC_ALL=C grep -abo -F -e "$2" "$1" | head -n 1 | cut -d: -f1; }

# names_in IMG DIR: inode and name of every entry but . and .., sorted.
names_in()
{
	ask "$1" "ls -p $2" |
		awk -F/ '$2 > 0 && $6 != "." && $6 != ".." { print $2, $6 }' |
		sort
}

# leaves FILE COMMAND...: the command succeeds and FILE's bytes stay.
leaves()
{
	leaves_file=$1
	leaves_sum=$(cksum <"$1")
	shift
	"$@" || return 1
	[ "$(cksum <"$leaves_file")" = "$leaves_sum" ] && return 0
	echo "$leaves_file was changed by: $*"
	return 1
}

# Judge a repaired image: ours and stock find nothing.
found_clean()
{
	exits 0 "$E2FSCK" -fn "$1" && exits 0 "$STOCK_E2FSCK" -fn "$1"
}

# repairs LABEL IMG HOW TEXT DIR: -fn exits with 4, says TEXT and changes
# nothing; HOW (-fy, -fp) repairs; a second run, of ours and of stock, finds
# nothing; the names of DIR, if given, are those in $T/names.
repairs()
{
	check "$1: -fn reports it" leaves "$2" exits 4 "$E2FSCK" -fn "$2"
	check "$1: -fn says where" says "$4" "$E2FSCK" -fn "$2"
	check "$1: $3 repairs it" exits 1 "$E2FSCK" "$3" "$2"
	check "$1: nothing is left" found_clean "$2"
	[ $# -lt 5 ] && return
	names_in "$2" "$5" >"$T/names.now"
	check "$1: no name is lost" cmp "$T/names" "$T/names.now"
}

# found_healthy IMG: -fn finds nothing, asks nothing and writes nothing.
found_healthy()
{
	leaves "$1" exits 0 "$E2FSCK" -fn "$1" >"$T/healthy.out" 2>&1 ||
		{ cat "$T/healthy.out"; return 1; }
	! grep -q '? no' "$T/healthy.out" || { cat "$T/healthy.out"; return 1; }
}

# same_totals IMG: the line of files and blocks in use is stock's.
same_totals()
{
	same_want=$("$STOCK_E2FSCK" -fn "$1" 2>/dev/null | tail -n 1)
	same_got=$("$E2FSCK" -fn "$1" 2>/dev/null | tail -n 1)
	[ "$same_got" = "$same_want" ] && return 0
	printf '%s\n' "$same_got" "instead of" "$same_want"
	return 1
}

# figures PROGRAM IMG: what -v counts, as both programs have it.
figures()
{
	"$1" -fnv "$2" 2>/dev/null | sed 's/^ *//; s/ ([0-9]* fast .*//' | grep -E \
		'(used|contiguous|device|regular|symbolic|director(y|ies)$|fifo|link|socket)' |
		grep -vE '^Pass|index'
}

# same_figures IMG
same_figures()
{
	figures "$STOCK_E2FSCK" "$1" >"$T/figures"
	figures "$E2FSCK" "$1" | diff "$T/figures" - && test -s "$T/figures"
}
