# SPDX-License-Identifier: GPL-2.0-or-later
# Power cuts while e2fsck makes bitmaps and counts anew, and while it rebuilds
# directories: our own e2fsck alone repairs what is left.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/powercut/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"

if ! have_recorder >/dev/null 2>&1; then
	skip "no compiler or no python for the recorder"
	exit 77
fi
make_tree 300
head -c 300000 /dev/urandom >"$T/d/file"

# torn_bitmaps MKE2FS-OPTION...: bitmaps and counts of both groups are wrong.
torn_bitmaps()
{
	mke2fs -qF -b 1024 -N 1200 "$@" -d "$T/d" "$T/img" 10M \
		>/dev/null 2>&1
	for i in 3 100 200; do
		sd "$T/img" "freeb $(block_at "$T/img" /file $i) 5"
	done
	sd "$T/img" "setb 9000 20"
	sd "$T/img" "freei /small/a"
	sd "$T/img" "seti <1100>"
	sd "$T/img" "ssv free_blocks_count 5"
}
for judge in "$E2FSCK" "$STOCK_E2FSCK"; do
	CUT_FSCK=$judge
	torn_bitmaps -t ext4 -O ^has_journal
	cuts "bitmaps anew, then $judge" 0 20 "$T/img" "$E2FSCK" -fy {}
	torn_bitmaps -t ext4 -O ^has_journal,^metadata_csum,uninit_bg
	cuts "the same with uninit_bg" 0 10 "$T/img" "$E2FSCK" -fy {}
	torn_bitmaps -t ext2
	cuts "the same on ext2" 0 10 "$T/img" "$E2FSCK" -fy {}
done
CUT_FSCK=$E2FSCK
mke2fs -qF -t ext4 -b 1024 -N 1200 -O ^has_journal -d "$T/d" \
	"$T/img" 10M >/dev/null 2>&1
cuts "directories rebuilt, and our e2fsck alone" 0 30 "$T/img" \
	"$E2FSCK" -fyD {}
finish
