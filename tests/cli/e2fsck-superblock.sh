# SPDX-License-Identifier: GPL-2.0-or-later
# The superblock: one that cannot be used is looked for elsewhere; fields and
# features that cannot be, each by its code and beside stock's verdict.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"

# A primary of zeros: the check goes on from the backup at this block.
lost_primary()
{
	label=$1
	block=$2
	shift 2
	rm -f "$T/x"
	mke2fs -qF "$@" >/dev/null 2>&1
	dd if=/dev/zero of="$T/x" bs=1024 seek=1 count=1 conv=notrunc 2>/dev/null
	for how in -fn -fy -p; do
		check "$label: $how" leaves "$T/x" exits 4 "$E2FSCK" $how "$T/x"
	done
	check "$label: the backup is found" \
		says "its backup at block $block is" "$E2FSCK" -fn "$T/x"
	lines() { [ "$("$E2FSCK" -fn "$T/x" | grep -c superblock)" -le 2 ]; }
	check "$label: nothing else is wrong" lines
}
lost_primary "1 KiB blocks" 8193 -t ext4 -b 1024 "$T/x" 20M
lost_primary "4 KiB blocks" 32768 -t ext4 -b 4096 "$T/x" 200M
lost_primary "groups of an odd size" 2041 -t ext4 -b 1024 -g 2040 "$T/x" 8M
lost_primary "meta_bg" 2041 -t ext4 -b 1024 -g 2040 -O meta_bg,^resize_inode \
	"$T/x" 8M
lost_primary "sparse_super2" 2049 -t ext4 -b 1024 -g 2048 \
	-O sparse_super2,^resize_inode "$T/x" 8M
lost_primary "bigalloc" 131072 -t ext4 -b 1024 -O bigalloc "$T/x" 200M

# What is no ext filesystem: what it is.
: >"$T/empty"
head -c 262144 /dev/zero >"$T/zeros"
head -c 300000 /dev/zero | tr '\0' 'x' >"$T/text"
cp "$T/zeros" "$T/table"
poke "$T/table" 446 '\200\001\001\000\203\001\001\001\001\000\000\000\100'
poke "$T/table" 510 '\125\252'
truncate -s 4M "$T/swap"
mkswap -L some_label "$T/swap" >/dev/null 2>&1
foreign()
{
	check "no ext filesystem: $1" leaves "$T/$1" exits 8 "$E2FSCK" -fn "$T/$1"
	check "no ext filesystem: $1: says so" says "$2" "$E2FSCK" -fn "$T/$1"
}
foreign empty "it contains: no bytes"
foreign zeros "it contains: zeros"
foreign text "no backup superblock was found"
foreign table "it contains: dos partition table"
foreign swap "it contains: swap filesystem or container, label some_label"

# Nothing is copied from another filesystem that lies within.
rm -f "$T/x"
mke2fs -qF -t ext4 -b 1024 -g 1024 "$T/inner" 4M >/dev/null 2>&1
mke2fs -qF -t ext4 -b 1024 "$T/x" 6M >/dev/null 2>&1	# one group: no backup
sd "$T/x" "write $T/inner inner"
dd if=/dev/zero of="$T/x" bs=1024 seek=1 count=1 conv=notrunc 2>/dev/null
check "an image within is no backup" leaves "$T/x" exits 8 "$E2FSCK" -fn "$T/x"

# unwritten COMMAND...: $T/x stays, whatever the status, but for the mark of a
# check in the superblock where nothing is a fault.
behind() { tail -c +2049 "$T/x" | cksum; }
unwritten() { before=$(behind); "$@"; [ "$(behind)" = "$before" ]; }

# seen LABEL CODE STATUS STOCK IMAGE REQUEST...: with -v the code is shown.
seen()
{
	label=$1 want=$2 status=$3 stock=$4
	cp "$5" "$T/x"
	shift 5
	for request in "$@"; do sd "$T/x" "$request"; done
	check "$label: reported" says "[$want]" "$E2FSCK" -fnv "$T/x"
	check "$label: status" leaves "$T/x" exits "$status" "$E2FSCK" -fn "$T/x"
	check "$label: stock" exits "$stock" "$STOCK_E2FSCK" -fn "$T/x"
}

# code, with the same: -fy writes nothing either.
code()
{
	seen "$@"
	check "$label: nothing is repaired" unwritten "$E2FSCK" -fy "$T/x"
}
mke2fs -qFt ext4 -b1024 -g 1024 -N 128 -O ^has_journal,^resize_inode "$T/a" 4M \
	>/dev/null 2>&1
mke2fs -qFt ext3 -b1024 -O ^has_journal,^resize_inode,^64bit,^metadata_csum "$T/b" 4M \
	>/dev/null 2>&1
code "too many blocks reserved" 0108 4 8 "$T/b" "ssv r_blocks_count 2049"
code "an odd size of descriptors" 0109 4 8 "$T/b" "ssv desc_size 2048"
code "an MMP block that cannot be" 010a 4 12 "$T/b" "feature +mmp" \
	"ssv mmp_block 99999"
code "an orphan file without a journal" 010b 4 12 "$T/a" "feature +orphan_file"
# -fy clears this one, since there are no orphans.
seen "orphan_present alone" 010c 4 4 "$T/a" "feature +FEATURE_R16"
code "resize_inode with meta_bg" 010d 4 4 "$T/a" "feature +resize_inode" \
	"feature +meta_bg"
code "uninit_bg with metadata_csum" 010e 0 0 "$T/a" "feature +uninit_bg"
code "a seed without checksums" 010f 0 0 "$T/b" "feature +metadata_csum_seed"
code "last mount in the future" 0111 0 0 "$T/b" "ssv mtime 20991231"
cp "$T/b" "$T/w"	# debugfs would set this time itself
poke "$T/w" $((1024 + 48)) '\377\377\377\377'
code "last write in the future" 0112 0 0 "$T/w"
code "extra size, must" 0113 0 0 "$T/b" "ssv min_extra_isize 1"
code "extra size, should" 0114 0 0 "$T/b" "ssv want_extra_isize 1024"
code "a journal's inode without has_journal" 0115 4 12 "$T/b" \
	"ssv journal_inum 8"
mke2fs -qFt ext4 -b1024 -g 4096 "$T/c" 8M >/dev/null 2>&1
code "a journal in an inode and on a device" 0116 4 12 "$T/c" \
	"ssv journal_uuid 5a1e1d3c-4b5a-6978-8796-a5b4c3d2e1f0"

# Numbers of quota files, without the feature.
code "the resize inode named for projects" 0b01 4 4 "$T/c" "ssv prj_quota_inum 7"
code "the root named for quota" 0b01 4 4 "$T/c" "ssv usr_quota_inum 2"
for n in 7 8 1000; do
	cp "$T/c" "$T/x"
	sd "$T/x" "ssv usr_quota_inum $n"
	check "nobody asks for inode $n" exits 0 "$E2FSCK" -fn "$T/x"
	check "nobody asks for inode $n: stock" exits 0 "$STOCK_E2FSCK" -fn "$T/x"
done

# Features that nobody knows: a check would find faults that are none.
for f in FEATURE_C30 FEATURE_I30 FEATURE_R30; do
	cp "$T/b" "$T/x"
	sd "$T/x" "feature $f"
	check "$f" says "does not know" "$E2FSCK" -fn "$T/x"
	"$STOCK_E2FSCK" -fn "$T/x" >/dev/null 2>&1
	check "$f: as stock" leaves "$T/x" exits $? "$E2FSCK" -fn "$T/x"
done
cp "$T/b" "$T/x"
sd "$T/x" "feature +casefold"
sd "$T/x" "ssv encoding 77"
check "an encoding that is not known" exits 12 "$E2FSCK" -fn "$T/x"
finish
