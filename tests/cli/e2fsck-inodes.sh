# SPDX-License-Identifier: GPL-2.0-or-later
# Fields of inodes and maps, one changed at a time: each is judged as the table
# has it, by our e2fsck and, where it is the same version, by the stock one.
. "$E2DX_SRC/tests/lib.sh"

if ! command -v python3 >/dev/null; then
	echo "SKIP: python3 is not there"
	exit 77
fi
stock=/nonexistent
$STOCK_E2FSCK -V 2>&1 | grep -q '1\.47\.0' && stock=$STOCK_E2FSCK
cases=$E2DX_SRC/tests/tools/inode-cases.py
mkdir "$T/im"
check "images are made" python3 "$cases" --make "$T/im"
for img in all big ext2 ext4; do
	# Among them a link with inline data, which stock takes from no quota.
	check "$img is clean" exits 0 "$E2FSCK" -fn "$T/im/$img"
done
check "inodes are judged as the table has it" \
	python3 "$cases" --check "$T/im" "$E2DX_SRC/tests/data/inode-cases.tsv" \
	"$E2FSCK" "$stock"

# What is claimed twice is the same whoever came first.
cp "$T/im/ext2" "$T/x"
for f in small linked xattr; do
	$STOCK_DEBUGFS -w -R "set_inode_field /$f block[IND] 230" "$T/x" \
		>/dev/null 2>&1
done
"$E2FSCK" -fnv -E threads=1 "$T/x" >"$T/one" 2>&1
for n in 2 8; do
	"$E2FSCK" -fnv -E threads=$n "$T/x" >"$T/many" 2>&1
	check "the same said by 1 and $n threads" cmp "$T/one" "$T/many"
done
check "three inodes with one indirect block are named" \
	test "$(grep -c '\[0740\]' "$T/one")" -ge 3
finish
