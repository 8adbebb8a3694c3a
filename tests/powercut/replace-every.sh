# SPDX-License-Identifier: GPL-2.0-or-later
# The power cut at every single write, and reordered, for a conversion and a
# re-keying on filesystems of each make.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/powercut/lib.sh"

if ! have_recorder; then
	skip "no compiler or no python for the recorder"
	exit 77
fi
make_tree 700

# every NAME MKE2FS-OPTION...
every()
{
	every_name=$1
	shift
	mke2fs -qF -b 1024 -N 2000 "$@" -d "$T/d" "$T/img" 10M \
		2>/dev/null
	cuts "$every_name: conversion" 0 150 "$T/img" "$REHASH" {} tea
	"$REHASH" "$T/img" half_md4 >/dev/null
	cuts "$every_name: other hash" 0 100 "$T/img" "$REHASH" {} legacy
	cuts "$every_name: linear" 0 100 "$T/img" "$REHASH" {} linear
	cuts "$every_name: re-keying" 0 150 "$T/img" "$REHASH" {} rekey 77
}

every "metadata_csum" -t ext4 -O ^has_journal,metadata_csum
every "uninit_bg" -t ext4 -O ^has_journal,^metadata_csum,uninit_bg
every "no checksums" -t ext4 -O ^has_journal,^metadata_csum,^uninit_bg
every "ext2" -t ext2

# Space for one copy at a time: what a batch freed is used by the next.
# tight BLOCKS-TO-LEAVE MKE2FS-OPTION...
tight()
{
	tight_leave=$1
	shift
	mke2fs -qF -b 1024 -N 2000 "$@" -d "$T/d" "$T/img" 10M >/dev/null 2>&1
	fill "$T/img" "$tight_leave"
	cuts "batch after batch: conversion" 0 150 "$T/img" "$REHASH" {} tea
	"$REHASH" "$T/img" half_md4 >/dev/null
	cuts "batch after batch: re-keying" 0 150 "$T/img" "$REHASH" {} rekey 77
}
tight 30 -t ext4 -O ^has_journal,metadata_csum
tight 70 -t ext2	# the file that fills it needs a map of some 40 blocks
finish
