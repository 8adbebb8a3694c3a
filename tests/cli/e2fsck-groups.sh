# SPDX-License-Identifier: GPL-2.0-or-later
# Group descriptors and reserved blocks: each problem by its code, beside
# stock's verdict on the same image.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"

mkdir -p "$T/d/dir"
for i in $(seq 6); do echo "$i" >"$T/d/dir/f$i"; done
# make NAME FEATURES [OPTIONS]: four groups, one backup superblock.
make()
{
	# shellcheck disable=SC2086
	mke2fs -qFt ext4 -b 1024 -g 1024 -N 128 -d "$T/d" \
		-O "^has_journal,$2" ${3:-} "$T/$1" 4M >/dev/null 2>&1
}
make uninit ^resize_inode,^metadata_csum,uninit_bg,^flex_bg,^64bit
make plain ^resize_inode,^metadata_csum,^uninit_bg,^flex_bg,^64bit,^extent
make resize resize_inode,^metadata_csum,^uninit_bg,^flex_bg,^64bit "-E resize=40000"
mke2fs -qFt ext4 -b 1024 -O mmp,^has_journal "$T/mmp" 4M >/dev/null 2>&1
mke2fs -qFt ext4 -b 1024 -g 8192 -O ^has_journal,metadata_csum,^resize_inode \
	"$T/one" 4M >/dev/null 2>&1

# code LABEL CODE STATUS STOCK IMAGE REQUEST...
code()
{
	label=$1 want=$2 status=$3 stock=$4
	cp "$T/$5" "$T/x"
	shift 5
	for request in "$@"; do sd "$T/x" "$request"; done
	check "$label: reported" says "[$want]" "$E2FSCK" -fnv "$T/x"
	check "$label: status" leaves "$T/x" exits "$status" "$E2FSCK" -fn "$T/x"
	check "$label: stock" exits "$stock" "$STOCK_E2FSCK" -fn "$T/x"
}
for image in uninit plain resize mmp one; do
	check "$image is healthy" exits 0 "$E2FSCK" -fn "$T/$image"
done

# With a backup its descriptors are used; in one group alone there is none.
code "a bitmap outside its group" 0107 4 4 uninit \
	"set_bg 1 block_bitmap 3500" "set_bg 1 checksum calc"
code "a bitmap nowhere" 0501 4 4 one "set_bg 0 block_bitmap 99999"
code "a bitmap on the descriptors" 0502 4 4 one "set_bg 0 inode_bitmap 2"
code "a table nowhere" 0503 4 8 one "set_bg 0 inode_table 99999"
code "a checksum" 0504 4 4 uninit "set_bg 1 checksum 0x1234"
code "more unused than free" 0505 4 4 uninit "set_bg 0 itable_unused 30" \
	"set_bg 0 checksum calc"
code "an uninitialised bitmap of the last group" 0506 4 4 uninit \
	"set_bg 3 flags 7" "set_bg 3 checksum calc"
code "marks without checksums" 0507 0 0 plain "set_bg 1 flags 1"
code "a resize inode that is none" 0508 4 4 resize "clri <7>"
code "a resize inode of another shape" 0508 4 4 resize "sif <7> block[0] 300"
# Its blocks are still kept as well, which stock does not mind.
code "a resize inode without the feature" 0509 4 0 resize \
	"feature -resize_inode"

block=$("$STOCK_DEBUGFS" -R stats "$T/mmp" 2>/dev/null |
	awk '/MMP block number/ { print $NF }')
cp "$T/mmp" "$T/mmp2"
poke "$T/mmp2" $((block * 1024)) '\000'
code "no magic number of MMP" 050a 4 12 mmp2
cp "$T/mmp" "$T/mmp2"
poke "$T/mmp2" $((block * 1024 + 20)) '\001'
code "a checksum of MMP" 050b 4 12 mmp2
finish
