# SPDX-License-Identifier: GPL-2.0-or-later
# tune2fs on filesystems that a real kernel made: siphash directories and
# back, and directories whose entries store their hashes.
. "$E2DX_SRC/tests/lib.sh"
have_shared || { skip "tune2fs: no $SHARED"; exit 77; }
cc -O2 -o "$T/fstree" "$SHARED/tools/fstree.c" -lext2fs -lcom_err || exit 99
img=$T/img
load()
{
	gzip -dc "$SHARED/images/$1.img.gz" >"$img"
	"$T/fstree" "$img" >"$T/before"
}
# Directory sizes change: compare all but those.
paths()
{
	awk -F'\t' -v OFS='\t' '$3 ~ /^0?4/ { $5 = "-" } 1' "$1" | sort
}
same_paths()
{
	"$T/fstree" "$img" >"$T/after" || return 1
	paths "$T/before" >"$T/before.paths"
	paths "$T/after" >"$T/after.paths"
	[ "$(wc -l <"$T/before.paths")" -gt 5000 ] &&
		diff "$T/before.paths" "$T/after.paths"
}

load linux-siphash-plain
check 'siphash image: list' says 'siphash' "$TUNE2FS" -l "$img"
check 'siphash image: to half_md4' exits 0 "$TUNE2FS" -E hash_alg=half_md4 "$img"
check 'siphash image: stock e2fsck' exits 0 "$STOCK_E2FSCK" -fn "$img"
check 'siphash image: all paths' same_paths
check 'siphash image: an index of half_md4' says 'Hash Version: 1' \
	"$STOCK_DEBUGFS" -R 'htree_dump /digits' "$img"
load linux-siphash-plain
check 'siphash image: another seed' exits 0 "$TUNE2FS" -E hash_seed=random "$img"
check 'siphash image: every hash' \
	python3 "$E2DX_SRC/tests/tools/siphash-verify.py" "$img"
check 'siphash image: all paths' same_paths

load linux-casefold-encrypt
check 'casefold image: another seed' exits 0 "$TUNE2FS" -E hash_seed=random "$img"
check 'casefold image: all paths' same_paths
check 'casefold image: our e2fsck' exits 0 "$E2FSCK" -fn "$img"
check 'casefold image: tea,rehash' exits 0 "$TUNE2FS" -E hash_alg=tea,rehash "$img"
check 'casefold image: all paths' same_paths
check 'casefold image: our e2fsck' exits 0 "$E2FSCK" -fn "$img"
check 'casefold image: stored hashes stay siphash' says 'Hash Version: 6' \
	"$STOCK_DEBUGFS" -R 'htree_dump /both' "$img"
check 'casefold image: others are tea' says 'Hash Version: 2' \
	"$STOCK_DEBUGFS" -R 'htree_dump /fold' "$img"
check 'casefold image: ^dir_index' exits 0 "$TUNE2FS" -O ^dir_index "$img"
check 'casefold image: stock e2fsck finds no index' \
	exits 0 "$STOCK_E2FSCK" -fn "$img"
check 'casefold image: all paths' same_paths
finish
