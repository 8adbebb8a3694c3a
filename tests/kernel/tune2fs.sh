# SPDX-License-Identifier: GPL-2.0-or-later
# tune2fs and the running kernel: what is refused and what works on a mounted
# filesystem, and whether the kernel finds every name after a change of seed.
. "$E2DX_SRC/tests/lib.sh"
have_loop || { skip "tune2fs: needs root and loop mounts"; exit 77; }
img=$T/img
mnt=$T/mnt
mkdir "$mnt"
truncate -s 48M "$img"
mke2fs -qFt ext4 -b 1024 -N 12000 "$img"
mount -o loop "$img" "$mnt" || { skip "tune2fs: loop mount refused"; exit 77; }
mkdir "$mnt/big" "$mnt/few"
seq -f "$mnt/big/file_number_%.0f" 6000 | xargs touch
for i in 1 2 3 4 5; do : >"$mnt/few/Straße-$i"; : >"$mnt/big/Été-$i"; done
(cd "$mnt" && find . | sort) >"$T/names"
dev=$(findmnt -no SOURCE "$mnt")

# Every name by stat, not by reading the directory.
all_found()
{
	(cd "$mnt" && xargs -d '\n' stat -c %n <"$T/names") >"$T/found" &&
		cmp "$T/names" "$T/found"
}
has_label() { [ "$(dumpe2fs -h "$img" 2>/dev/null |
	sed -n 's/^Filesystem volume name: *//p')" = "$1" ]; }

for target in "$img" "$dev"; do
	for o in '-E hash_alg=tea' '-E hash_seed=random' '-E rehash' \
		'-O ^dir_index' '-O large_dir' '-U random'; do
		# shellcheck disable=SC2086
		check "mounted: $o on $target is refused" exits 1 "$TUNE2FS" $o "$target"
	done
	check "mounted: the list of $target" exits 0 "$TUNE2FS" -l "$target"
done
check 'mounted: the reason' says 'is mounted' "$TUNE2FS" -E hash_alg=tea "$dev"
check 'mounted: -L with more is refused' exits 1 "$TUNE2FS" -L x -E rehash "$dev"
check 'mounted: -L' exits 0 "$TUNE2FS" -L online "$dev"
sync
check 'mounted: the label is set' has_label online
check 'mounted: -L by the file' exits 0 "$TUNE2FS" -L byfile "$img"
umount "$mnt"
check 'unmounted: the label is kept' has_label byfile

before=$(dumpe2fs -h "$img" 2>/dev/null | grep 'Hash Seed')
check 'hash_seed=random' exits 0 "$TUNE2FS" -E hash_seed=random "$img"
[ "$(dumpe2fs -h "$img" 2>/dev/null | grep 'Hash Seed')" != "$before" ] &&
	pass 'the seed is another' || fail 'the seed is another'
check 'new seed: stock e2fsck' exits 0 "$STOCK_E2FSCK" -fn "$img"
check 'new seed: mount' mount -o loop "$img" "$mnt"
check 'new seed: the kernel finds every name' all_found
check 'new seed: the kernel adds a name' touch "$mnt/big/new"
rm -f "$mnt/big/new"
umount "$mnt"

for alg in legacy tea half_md4; do
	check "$alg,rehash" exits 0 "$TUNE2FS" -E hash_alg=$alg,rehash "$img"
	mount -o loop "$img" "$mnt"
	check "$alg: the kernel finds every name" all_found
	umount "$mnt"
done
check '^dir_index' exits 0 "$TUNE2FS" -O ^dir_index "$img"
mount -o loop "$img" "$mnt"
check '^dir_index: the kernel finds every name' all_found
check '^dir_index: the kernel adds a name' touch "$mnt/big/new"
umount "$mnt"
check '^dir_index: stock e2fsck' exits 0 "$STOCK_E2FSCK" -fn "$img"

check 'siphash' exits 0 "$TUNE2FS" -O dir_index -E hash_alg=siphash,rehash "$img"
if mount -o loop "$img" "$mnt" 2>/dev/null; then
	umount "$mnt"
	skip 'this kernel mounts a siphash default'
else
	pass 'this kernel refuses a siphash default, as we say'
fi
check 'and back' exits 0 "$TUNE2FS" -E hash_alg=half_md4 "$img"
check 'and back: mount' mount -o loop "$img" "$mnt"
rm -f "$mnt/big/new"
check 'and back: the kernel finds every name' all_found
umount "$mnt"
finish
