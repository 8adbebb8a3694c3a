# SPDX-License-Identifier: GPL-2.0-or-later
# Damaged records, names and dots: what can be read is kept.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"

mkdir -p "$T/d/dir/sub" "$T/d/other"
for i in $(seq 100 199); do : >"$T/d/dir/some_name_$i"; done
mke2fs -qFt ext4 -b1024 -O ^has_journal,^metadata_csum,^dir_index -d "$T/d" \
	"$T/a" 4M >/dev/null 2>&1
# One order of inodes and names, so that text can be found in the image.
dir=$(inode_of "$T/a" /dir)
D=$(($(block_at "$T/a" /dir 0) * 1024))
at() { offset_of "$T/a" "$1"; }		# the record is 8 bytes before

fresh() { cp "$T/a" "$T/x"; }
has() { names_in "$T/x" /dir | grep -q "^$1 $2\$"; }
lacks() { ! names_in "$T/x" /dir | grep -q " $1\$"; }
only_by_hand()
{
	check "$1: -fp leaves it" exits 4 "$E2FSCK" -fp "$T/x"
	check "$1: -fp says so" says "RUN e2fsck MANUALLY" "$E2FSCK" -fp "$T/x"
}

# Equal names far apart.
i=$(inode_of "$T/a" /dir/some_name_180)
fresh
poke "$T/x" "$(at some_name_180)" some_name_101
only_by_hand "equal names in two blocks"
repairs "equal names in two blocks" "$T/x" -fy "directory inode $dir"
check "the second has a new name" has "$i" some_name_101~0

fresh
poke "$T/x" "$(at some_name_111)" some/name_111
repairs "a slash" "$T/x" -fy "directory inode $dir"
check "the slash is a dot" has "$(inode_of "$T/a" /dir/some_name_111)" some.name_111
fresh
poke "$T/x" "$(at some_name_112)" 'some\000name_112'
poke "$T/x" "$(at some_name_113)" 'some.name_112'
repairs "NUL, and the name it would become" "$T/x" -fy "directory inode $dir"
check "the dot's name is another's" \
	has "$(inode_of "$T/a" /dir/some_name_112)" some.name_112~0

fresh
# One name more than its inode counts, so that nothing is lost with it.
sd "$T/x" "ln /dir/some_name_120 /dir/one_too_many"
poke "$T/x" $(($(offset_of "$T/x" one_too_many) - 8)) '\377\377\000\000'
only_by_hand "inode out of range"
repairs "inode out of range" "$T/x" -fy "directory inode $dir"
check "that entry is gone" lacks one_too_many

fresh
sd "$T/x" "clri <$(inode_of "$T/a" /dir/some_name_121)>"
sd "$T/x" "freei <$(inode_of "$T/a" /dir/some_name_121)>"
# Free in both ways; stock's counts are then its own matter.
check "inode not in use: -fn" exits 4 "$E2FSCK" -fn "$T/x"
check "inode not in use: -fy" exits 1 "$E2FSCK" -fy "$T/x"
check "inode not in use: nothing is left" exits 0 "$E2FSCK" -fn "$T/x"
check "inode not in use: the entry is gone" lacks some_name_121

fresh
poke "$T/x" $(($(at some_name_122) - 1)) '\002'
repairs "file type" "$T/x" -fp "its file type is 2, its inode's is 1"
fresh
poke "$T/x" $(($(at some_name_122) - 1)) '\011'
repairs "file type with a high bit" "$T/x" -fp "its file type is 9, its inode's is 1"
fresh
poke "$T/x" $(($(at some_name_122) - 1)) '\000'
# It says nothing, and so nothing wrong.
check "no file type: stock -fn" exits 0 "$STOCK_E2FSCK" -fn "$T/x"
check "no file type: -fn" exits 0 "$E2FSCK" -fn "$T/x"
check "no file type: -fn says so" says "it has no file type" "$E2FSCK" -fn "$T/x"
check "no file type: -fp sets it" exits 1 "$E2FSCK" -fp "$T/x"
check "no file type: it is set" sh -c '! "$1" -fn "$2" | grep "no file type"' \
	- "$E2FSCK" "$T/x"

names_in "$T/a" /dir >"$T/names"
fresh
poke "$T/x" $(($(at some_name_130) - 4)) '\005\000'
only_by_hand "record length"
repairs "record length" "$T/x" -fy "directory inode $dir" /dir
fresh
poke "$T/x" "$D" '\002\000\000\000'
repairs "'.' of another inode" "$T/x" -fy "directory inode $dir" /dir
fresh
poke "$T/x" $((D + 12)) '\000\000\000\000'
repairs "'..' unused" "$T/x" -fy "directory inode $dir" /dir
fresh
sub=$(inode_of "$T/a" /dir/sub)
S=$(($(block_at "$T/a" /dir/sub 0) * 1024))
other=$(inode_of "$T/a" /other)
poke "$T/x" $((S + 12)) "\\$(printf %o "$other")"
repairs "'..' of another directory" "$T/x" -fy "directory inode $sub" /dir
fresh
poke "$T/x" $((S + 12)) "\\$(printf %o "$i")"
repairs "'..' of a file" "$T/x" -fy "directory inode $sub" /dir
# A damaged name makes no second name of a directory.
fresh
poke "$T/x" $((S + 8)) 6
repairs "'.' with another name" "$T/x" -fy "directory inode $sub" /dir
fresh
poke "$T/x" $((S + 21)) '\003'
repairs "'..' with another name" "$T/x" -fy "directory inode $sub" /dir
fresh
poke "$T/x" $((S + 8)) 6
poke "$T/x" $((S + 20)) 78
repairs "both with another name" "$T/x" -fy "directory inode $sub" /dir
fresh
poke "$T/x" $(($(block_at "$T/a" / 0) * 1024 + 20)) '('
repairs "the root's '..' with another name" "$T/x" -fy "directory inode 2" /dir
# What stands at that place and names something else is a name.
fresh
poke "$T/x" $((S + 12)) "\\$(printf %o "$i")\\000\\000\\000"
poke "$T/x" $((S + 18)) '\003\001abc'
check "a file in the place of '..'" exits 1 "$E2FSCK" -fy "$T/x"
kept() { names_in "$T/x" /dir/sub | grep -q "^$i abc\$"; }
check "a file in the place of '..' is kept" kept
fresh
dd if=/dev/zero of="$T/x" bs=1024 seek="$(block_at "$T/a" /dir/sub 0)" count=1 \
	conv=notrunc 2>/dev/null
repairs "an empty block" "$T/x" -fy "directory inode $sub" /dir

# A block of an extent-mapped directory goes missing.
cp "$T/a" "$T/x"
sd "$T/x" "punch /dir 1 1"
check "a missing block: -fn" exits 4 "$E2FSCK" -fn "$T/x"
check "a missing block: -fy: its files have no names now" \
	exits 5 "$E2FSCK" -fy "$T/x"
check "a missing block: they are reported" says "it has no name" \
	"$E2FSCK" -fn "$T/x"
no_directory() { ! "$E2FSCK" -fn "$T/x" | grep "directory inode"; }
check "a missing block: no directory is damaged" no_directory

# Attributes in inodes have had hashes once, which stock believes.
mkdir -p "$T/i/inl" && : >"$T/i/inl/entry_1"
mke2fs -qFt ext4 -b1024 -I256 -O ^has_journal,^metadata_csum,inline_data \
	-d "$T/i" "$T/x" 4M >/dev/null 2>&1
at=$(ask "$T/x" "imap /inl" |
	sed -n 's/.*located at block \([0-9]*\), offset \(0x[0-9a-f]*\)/\1*1024+\2/p')
names_in "$T/x" /inl >"$T/names"
poke "$T/x" $(($at + 4)) '\160'
poke "$T/x" $(($at + 160)) '\000\000\002\352\004\007\050\000\000\000\000\000'
poke "$T/x" $(($at + 172)) '\064\000\000\000\001\002\003\004data'
poke "$T/x" $(($at + 204)) '\000\000\000\000\064\000\000\000'
poke "$T/x" $(($(offset_of "$T/x" entry_1) - 1)) '\002'
repairs "an inline directory's old hash" "$T/x" -fp "file type is 2" /inl

# Longest names.
mkdir "$T/l" && mkdir "$T/l/dir"
x=$(printf %0254d 7)
: >"$T/l/dir/${x}a"
: >"$T/l/dir/${x}b"
mke2fs -qFt ext4 -b1024 -O ^has_journal,^metadata_csum -d "$T/l" "$T/x" 4M \
	>/dev/null 2>&1
poke "$T/x" "$(offset_of "$T/x" "${x}b")" "${x}a"
repairs "two equal names of 255 bytes" "$T/x" -fy "same name"
two() { [ "$(names_in "$T/x" /dir | wc -l)" -eq 2 ]; }
check "both are there" two
finish
