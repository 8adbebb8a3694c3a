# SPDX-License-Identifier: GPL-2.0-or-later
# What -fyD and repairs leave is what the running kernel takes: it finds every
# name, makes new ones and removes them, and stock finds nothing after it.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"
have_loop || { skip "e2fsck: needs root and loop mounts"; exit 77; }
mnt=$T/mnt
mkdir "$mnt"

fill()
{
	mkdir "$mnt/dir" "$mnt/dir/sub" "$mnt/small"
	(cd "$mnt/dir" && seq -f 'name_%.0f' 6000 | xargs touch &&
		seq -f 'größe_żółć_%.0f' 500 | xargs touch &&
		seq -f 'name_%.0f' 1 2 6000 | xargs rm)
	(cd "$mnt/small" && seq -f 's%.0f' 30 | xargs touch)
}

# kernel_judges LABEL: mount $T/x and use it.
kernel_judges()
{
	mount -o loop "$T/x" "$mnt" || { fail "$1: mount"; return; }
	(cd "$mnt" && find . | sort) >"$T/now"
	check "$1: every name is listed" cmp "$T/before" "$T/now"
	check "$1: every name is found" \
		sh -c 'cd "$1" && xargs -d "\n" stat -c %n <"$2"' - "$mnt" "$T/before"
	check "$1: names can be made" \
		sh -c 'cd "$1/dir" && seq -f "new_%.0f" 3000 | xargs touch' - "$mnt"
	check "$1: and removed" \
		sh -c 'cd "$1/dir" && seq -f "new_%.0f" 3000 | xargs rm' - "$mnt"
	umount "$mnt"
	check "$1: stock finds nothing" exits 0 "$STOCK_E2FSCK" -fn "$T/x"
	check "$1: ours finds nothing" exits 0 "$E2FSCK" -fn "$T/x"
}

for features in metadata_csum ^metadata_csum,^64bit,^extent ^metadata_csum,uninit_bg,bigalloc; do
	truncate -s 256M "$T/a"
	mke2fs -qFt ext4 -b 1024 -O "$features" -i 16384 "$T/a" >/dev/null 2>&1
	mount -o loop "$T/a" "$mnt" || { fail "$features: mount"; continue; }
	fill
	(cd "$mnt" && find . | sort) >"$T/before"
	umount "$mnt"
	cp --sparse=always "$T/a" "$T/x"
	check "$features: -fyD" exits 1 "$E2FSCK" -fyD "$T/x"
	kernel_judges "$features: -fyD"
	cp --sparse=always "$T/a" "$T/x"
	R=$(($(block_at "$T/x" /dir 0) * 1024))
	poke "$T/x" $((R + 34)) '\000\000'
	check "$features: -fp of a wrong count" exits 1 "$E2FSCK" -fp "$T/x"
	kernel_judges "$features: -fp"
	rm -f "$T/a" "$T/x"
done
finish
