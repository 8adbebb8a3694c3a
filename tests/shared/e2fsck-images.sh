# SPDX-License-Identifier: GPL-2.0-or-later
# Images that a real kernel made: healthy ones are found healthy, one flipped
# bit is found, and -D keeps every entry.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"
have_shared || { skip "e2fsck-images: no ../shared"; exit 77; }
cc -O2 -o "$T/fstree" "$SHARED/tools/fstree.c" -lext2fs -lcom_err || exit 99
plain=$T/plain both=$T/both
zcat "$SHARED/images/linux-siphash-plain.img.gz" >"$plain"
zcat "$SHARED/images/linux-casefold-encrypt.img.gz" >"$both"

# flip IMG OFFSET: the lowest bit of this byte, in $T/x.
flip()
{
	cp "$1" "$T/x"
	b=$(peek "$1" "$2" 1 | od -An -tu1 | tr -d ' ')
	poke "$T/x" "$2" "\\$(printf %o $((b ^ 1)))"
}
# at IMG DIR LOGICAL: byte offset of a directory's block of 1 KiB.
at() { echo $(($(block_at "$1" "$2" "$3") * 1024)); }
le16() { peek "$1" "$2" 2 | od -An -tu2 | tr -d ' '; }
le32() { peek "$1" "$2" 4 | od -An -tu4 | tr -d ' '; }
size_of() { ask "$1" "stat $2" | sed -n 's/^User:.*Size: \([0-9]*\).*/\1/p'; }

for i in "$plain" "$both"; do
	n=${i##*/}
	check "$n: -fn finds nothing" leaves "$i" exits 0 "$E2FSCK" -fn "$i"
done

# A flipped bit, each in turn: index root and node, leaf checksum, stored hash.
flipped()
{
	flip "$2" "$3"
	check "$1: found" exits 4 "$E2FSCK" -fn "$T/x"
}
root=$(at "$plain" /digits 0)
flipped "index hash in a root" "$plain" $((root + 41))
leaf=$(at "$plain" /digits $(($(le32 "$plain" $((root + 36))) & 0xfffffff)))
flipped "index hash or leaf checksum below it" "$plain" $((leaf + 1021))
flipped "checksum of a leaf" "$plain" "$(($(at "$plain" /long 3) + 1020))"
root=$(at "$both" /both 0)
node=$(at "$both" /both $(($(le32 "$both" $((root + 36))) & 0xfffffff)))
flipped "index hash in a node" "$both" $((node + 8 + 8 + 1))
first=$(at "$both" /both $(($(le32 "$both" $((node + 12))) & 0xfffffff)))
# Behind the name of the leaf's first entry, aligned, stands its hash.
len=$(peek "$both" $((first + 6)) 1 | od -An -tu1 | tr -d ' ')
flipped "stored hash" "$both" $((first + (8 + len + 3) / 4 * 4 + 1))
flipped "checksum of a leaf with stored hashes" "$both" $((first + 1020))

# -D: every entry stays, what was emptied shrinks.
for i in "$plain" "$both"; do
	n=${i##*/}
	cp "$i" "$T/x"
	check "$n: -fyD" exits 1 "$E2FSCK" -fyD "$T/x"
	"$T/fstree" "$i" >"$T/before"
	"$T/fstree" "$T/x" >"$T/after"
	# A directory's own size is what -D is there to change.
	for f in before after; do
		awk -F'\t' '$3 ~ /^0?4/ { $5 = "-" } { print }' "$T/$f" |
			sort >"$T/$f.cmp"
	done
	check "$n: -fyD keeps every entry" cmp "$T/before.cmp" "$T/after.cmp"
	check "$n: -fn after -fyD" exits 0 "$E2FSCK" -fn "$T/x"
	cp "$T/x" "$T/$n.done"
done
check "/deleted shrinks" \
	test "$(size_of "$T/plain.done" /deleted)" -lt "$(size_of "$plain" /deleted)"
root=$(at "$T/both.done" /both 0)
check "/both has two index levels" \
	test "$(peek "$T/both.done" $((root + 30)) 1 | od -An -tu1)" -eq 1
node=$(at "$T/both.done" /both $(($(le32 "$T/both.done" $((root + 36))) & 0xfffffff)))
check "the limit of its nodes is 125" \
	test "$(le16 "$T/both.done" $((node + 8)))" -eq 125
finish
