# SPDX-License-Identifier: GPL-2.0-or-later
# Every field of the superblock with extreme values, beside stock e2fsck.
. "$E2DX_SRC/tests/lib.sh"

mkdir -p "$T/d/dir"
for i in $(seq 6); do echo "$i" >"$T/d/dir/f$i"; done
for o in metadata_csum,64bit uninit_bg,^metadata_csum,^64bit,^extent \
	^uninit_bg,^metadata_csum,^64bit,^flex_bg; do
	mke2fs -qFt ext4 -b 1024 -g 1024 -N 128 \
		-O "^has_journal,^resize_inode,$o" -d "$T/d" "$T/a" 4M >/dev/null 2>&1
	check "fields with $o" python3 "$E2DX_SRC/tests/tools/super-fields.py" \
		"$T/a" "$E2FSCK" "$STOCK_E2FSCK" --all
done
finish
