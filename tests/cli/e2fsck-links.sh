# SPDX-License-Identifier: GPL-2.0-or-later
# Connectivity and link counts: each problem made by hand, found by us under
# its code and by stock e2fsck too.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"

mkdir -p "$T/d/a/b/c" "$T/d/d"
for i in 1 2 3; do echo "$i" >"$T/d/f$i"; done
ln "$T/d/f1" "$T/d/a/hard"
: >"$T/d/empty"
mke2fs -qFt ext4 -b1024 -O ^has_journal -d "$T/d" "$T/base" 4M >/dev/null 2>&1

# fresh REQUEST...: a copy, changed by these requests of stock debugfs.
fresh()
{
	cp "$T/base" "$T/x"
	for r in "$@"; do echo "$r"; done >"$T/requests"
	"$STOCK_DEBUGFS" -w -f "$T/requests" "$T/x" >/dev/null 2>&1
}
# finds LABEL CODE
finds()
{
	check "$1: -fn finds $2" leaves "$T/x" says "[$2]" "$E2FSCK" -vfn "$T/x"
	check "$1: -fn exits with 4" exits 4 "$E2FSCK" -fn "$T/x"
	check "$1: stock finds it too" exits 4 "$STOCK_E2FSCK" -fn "$T/x"
	for n in 1 2 8; do
		"$E2FSCK" -vfn -E threads=$n "$T/x" >"$T/out.$n" 2>&1
	done
	check "$1: the same for any number of threads" \
		sh -c "cmp '$T/out.1' '$T/out.2' && cmp '$T/out.1' '$T/out.8'"
}
# repaired LABEL HOW: and nothing is left.
repaired()
{
	check "$1: $2 repairs it" exits 1 "$E2FSCK" "$2" "$T/x"
	check "$1: nothing is left" found_clean "$T/x"
}

fresh
check "the image is healthy" found_clean "$T/x"

fresh "unlink /a/b"
finds "a directory without a name" 0901
check "a directory without a name: it is left" \
	leaves "$T/x" exits 4 "$E2FSCK" -fy "$T/x"
fresh "ln /a /a/b/c/loop" "unlink /a"
finds "a directory in itself" 0902
fresh "ln /a/b /d/two"
finds "a directory of two names" 0903
check "a directory of two names: no count is set by them" \
	leaves "$T/x" exits 4 "$E2FSCK" -fy "$T/x"
fresh "unlink /f2"
finds "a file without a name" 0904
fresh "unlink /empty"
finds "an empty file without a name" 0904

for n in 0 5; do
	fresh "sif /f1 links_count $n"
	finds "a link count of $n instead of 2" 0905
done
fresh "sif /f1 links_count 65000"
finds "a link count that is too high" 0905
repaired "a link count that is too high" -fp
fresh "sif /f1 links_count 1"
finds "a link count that is too low" 0905
repaired "a link count that is too low" -fy
fresh "sif /a links_count 7"
finds "a directory's link count" 0905
repaired "a directory's link count" -fp
fresh "sif <2> links_count 2"
finds "the root's link count" 0905
repaired "the root's link count" -fp
fresh "sif /a links_count 1"
finds "a count of 1, and no index" 0905

# Counts are set only where every name is known.
fresh "sif /f1 links_count 3" "punch /d 0 0"
check "a count, and a directory without blocks: both are repaired" \
	exits 1 "$E2FSCK" -fy "$T/x"
check "a count, and a directory without blocks: nothing is left" \
	found_clean "$T/x"

fresh "ln <2> /d/root"
finds "a name of the root" 040e
repaired "a name of the root" -fy
fresh "ln /d /d/self"
finds "a directory's name in itself" 040f
repaired "a directory's name in itself" -fy

# The type of "." and of "..".
mke2fs -qFt ext4 -b1024 -O ^has_journal,^metadata_csum -d "$T/d" "$T/base" 4M \
	>/dev/null 2>&1
for where in 7 19; do
	fresh
	at=$(($(block_at "$T/base" /a 0) * 1024))
	poke "$T/x" $((at + where)) '\001'
	finds "the type of a dot at $where" 030e
	repaired "the type of a dot at $where" -fp
	fresh
	poke "$T/x" $((at + where)) '\000'
	check "no type at $where is no fault" found_clean "$T/x"
done

# lost+found need not be there.
fresh "rmdir /lost+found"
check "no lost+found" found_clean "$T/x"

# Many names: more than one byte counts, and what Linux does with too many
# subdirectories.
mkdir "$T/m" && echo x >"$T/m/f"
for i in $(seq 400); do ln "$T/m/f" "$T/m/l$i"; mkdir "$T/m/d$i"; done
mke2fs -qFt ext4 -b1024 -O ^has_journal -N 1000 -d "$T/m" "$T/base" 8M \
	>/dev/null 2>&1
fresh
check "hundreds of links" found_clean "$T/x"
fresh "sif /f links_count 145"
finds "hundreds of links, less 256" 0905
fresh "sif <2> links_count 1"
finds "subdirectories that could be counted" 0905
"$STOCK_E2FSCK" -fyD "$T/base" >/dev/null 2>&1
fresh "sif <2> links_count 1"
check "1 in an indexed directory is no fault" exits 0 "$E2FSCK" -fn "$T/x"
check "1 in an indexed directory is no fault for stock" \
	exits 0 "$STOCK_E2FSCK" -fn "$T/x"
finish
