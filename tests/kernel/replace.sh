# SPDX-License-Identifier: GPL-2.0-or-later
# Directories that were replaced, under the running kernel: it finds every
# name, adds and removes names, and stock e2fsck finds nothing afterwards.
. "$E2DX_SRC/tests/lib.sh"
REHASH=$E2DX_BUILD/tests/tools/rehash

if ! have_loop; then
	skip "no loop mounts here"
	exit 77
fi
pad=$(printf '%0100d' 0)
mkdir -p "$T/d/many" "$T/d/few" "$T/mnt"
(cd "$T/d/many" && seq -f "%g-$pad" 2000 | xargs touch)
touch "$T/d/few/a"

use()
{
	seq -f "$T/mnt/many/%g-$pad" 2000 | xargs stat >/dev/null &&
		seq -f "$T/mnt/many/new-%g-$pad" 2000 | xargs touch &&
		seq -f "$T/mnt/many/%g-$pad" 2 2 2000 | xargs rm &&
		[ "$(ls "$T/mnt/many" | wc -l)" = 3000 ]
}

used_by_kernel()
{
	mount -o loop "$T/img" "$T/mnt" || return 1
	use
	used=$?
	umount "$T/mnt"
	[ "$used" = 0 ] && exits 0 $STOCK_E2FSCK -fn "$T/img"
}

# kernel NAME SIZE MKE2FS-OPTION...
kernel()
{
	kernel_name=$1 kernel_size=$2
	shift 2
	rm -f "$T/img"
	mke2fs -qF -N 6000 "$@" -d "$T/d" "$T/img" "$kernel_size" >/dev/null 2>&1
	for how in half_md4 legacy tea linear; do
		cp "$T/img" "$T/fresh"
		check "$kernel_name, $how: replaced" exits 0 "$REHASH" \
			"$T/img" "$how"
		check "$kernel_name, $how: used" used_by_kernel
		mv "$T/fresh" "$T/img"
	done
}

kernel "ext4, 1 KiB" 32M -t ext4 -b 1024
kernel "bigalloc" 64M -t ext4 -b 4096 -C 16384 -O bigalloc
kernel "no checksums" 32M -t ext4 -b 1024 -O ^metadata_csum,uninit_bg
kernel "ext3" 32M -t ext3 -b 1024 -O dir_index
kernel "ext2" 32M -t ext2 -b 1024 -O dir_index
finish
