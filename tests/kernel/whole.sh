# SPDX-License-Identifier: GPL-2.0-or-later
# The main job on an image that the running kernel filled: from one hash to
# the next and back, judged by the kernel, by stock e2fsprogs, and for siphash
# by a verifier that shares no code with ours.
. "$E2DX_SRC/tests/lib.sh"
have_loop || { skip "whole: needs root and loop mounts"; exit 77; }
tools=$E2DX_SRC/tests/tools
img=$T/img
mnt=$T/mnt
mkdir "$mnt"
truncate -s 512M "$img"
mke2fs -qFt ext4 -b 4096 -N 200000 "$img"
mount -o loop "$img" "$mnt" || { skip "whole: loop mount refused"; exit 77; }
python3 "$tools/names.py" fill "$mnt"
python3 "$tools/names.py" list "$mnt" >"$T/before"
umount "$mnt"
names=$(wc -l <"$T/before")
echo "$names paths in $(du -m "$img" | cut -f1) MiB"

# convert ALG: the two commands that a user types.
convert()
{
	exits 0 "$TUNE2FS" -E hash_alg="$1" "$img" || return 1
	"$E2FSCK" -fyD "$img"
	# 0: going back from siphash, tune2fs has rebuilt them all.
	[ $? -le 1 ]
}

# The hash that the kernel gives each name of a directory, and ours.
same_hashes()
{
	"$E2DX_BUILD/tests/tools/kernelhash" "$mnt/$1" >"$T/kernel"
	umount "$mnt"
	python3 "$tools/dxhash-script.py" "/$1" <"$T/kernel" >"$T/script"
	"$DEBUGFS" -f "$T/script" "$img" >"$T/ours" || return 1
	mount -o loop "$img" "$mnt" || return 1
	python3 "$tools/dxhash-script.py" --compare "$T/kernel" <"$T/ours"
}

for alg in tea legacy siphash half_md4; do
	check "convert to $alg" convert $alg
	# Stock programs have no name for 6.
	[ $alg = siphash ] && shown=HASHALG_6 || shown=$alg
	check "$alg: stock dumpe2fs shows $shown" \
		says "$shown" dumpe2fs -h "$img"
	check "$alg: our e2fsck -fn" exits 0 "$E2FSCK" -fn "$img"
	case $alg in
	legacy) number=0 ;;
	half_md4) number=1 ;;
	tea) number=2 ;;
	siphash) number=6 ;;
	esac
	check "$alg: stock htree_dump shows version $number" \
		says "Hash Version: $number" "$STOCK_DEBUGFS" -R "htree_dump /big" "$img"
	if [ $alg = siphash ]; then
		check "siphash: each name in its leaf's range" \
			python3 "$tools/siphash-verify.py" "$img"
		continue
	fi
	check "$alg: stock e2fsck -fn" exits 0 "$STOCK_E2FSCK" -fn "$img"
	check "$alg: mount" mount -o loop "$img" "$mnt"
	check "$alg: the kernel finds every name" \
		python3 "$tools/names.py" find "$mnt" "$T/before"
	for d in big half bytes; do
		check "$alg: kernel's hashes in $d equal dx_hash" same_hashes $d
	done
	umount "$mnt"
done

mount -o loop "$img" "$mnt"
python3 "$tools/names.py" list "$mnt" >"$T/after"
check "names, inodes and contents are those of the start" cmp "$T/before" "$T/after"
check "the kernel creates and removes names in every directory" \
	python3 "$tools/names.py" create "$mnt"
umount "$mnt"
check "stock e2fsck -fn after the kernel wrote" exits 0 "$STOCK_E2FSCK" -fn "$img"
check "ours after the kernel wrote" exits 0 "$E2FSCK" -fn "$img"
finish
