# SPDX-License-Identifier: GPL-2.0-or-later
# Random damage to all kinds of structures, the same each time: no crash, no
# hang, no lost name, nothing that stock finds in what was written.
. "$E2DX_SRC/tests/lib.sh"

mkdir -p "$T/d/dir" "$T/d/small" "$T/d/sub/deeper" "$T/d/uni"
for i in $(seq -f %05.0f 400); do : >"$T/d/dir/file_number_${i}_x"; done
for i in $(seq 60); do : >"$T/d/uni/Straße$i-é"; done
for i in 1 2 3 4 5; do mkdir "$T/d/sub/d$i"; echo "$i" >"$T/d/small/s$i"; done
ln "$T/d/small/s1" "$T/d/sub/d1/hard"
ln -s "$(printf %090d 0)" "$T/d/small/link"

# image NAME SIZE ARGUMENTS...
image()
{
	image_file=$T/$1.img
	image_size=$2
	shift 2
	mke2fs -qF -O ^has_journal -E hash_seed=11111111-2222-3333-4444-555555555555 \
		"$@" -d "$T/d" "$image_file" "$image_size" >/dev/null 2>&1 &&
		quiet "$STOCK_E2FSCK" -fyD "$image_file"
	exits 0 "$STOCK_E2FSCK" -fn "$image_file" >/dev/null 2>&1 ||
		fail "making $image_file"
}
quiet() { "$@" >/dev/null 2>&1; }
image ext4 5M -t ext4 -b 1024 -N 1024
image ext4-4k 8M -t ext4 -b 4096 -N 1024
image ext2 5M -t ext2 -b 1024 -N 1024 -O dir_index
image plain 5M -t ext4 -b 1024 -N 1024 -O ^metadata_csum,^64bit
image uninit 8M -t ext4 -b 1024 -N 2048 -g 2048 -O ^metadata_csum,uninit_bg
image bigalloc 12M -t ext4 -b 1024 -C 4096 -N 1024 -O bigalloc
image inline 5M -t ext4 -b 1024 -I 256 -N 1024 -O inline_data
image meta_bg 8M -t ext4 -b 1024 -g 1024 -N 2048 -O meta_bg,^resize_inode

check "damaged at random" python3 "$E2DX_SRC/tests/tools/mutate.py" \
	--seeds "${MUTATE_SEEDS:-0:20}" "$E2DX_BUILD" "$T"/*.img
tail -n 1 "$T/check.out"
finish
