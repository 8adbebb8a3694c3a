# SPDX-License-Identifier: GPL-2.0-or-later
# Fast commits as the running kernel writes them: the tree after our replay is
# the one of the filesystem that went on, and the one after the kernel's own
# replay, where that is right (see doc/design.md).
. "$E2DX_SRC/tests/lib.sh"
have_loop || { skip "fast commits: needs root and loop mounts"; exit 77; }
mnt=$T/mnt
mkdir "$mnt"
python=${PYTHON3:-python3}

# Without the link counts of directories, of which the kernel gives new ones 1.
contents()
{
	mount -o loop,ro,noload "$1" "$mnt" || return
	(cd "$mnt" && find . ! -path './lost+found*' \( -type d -printf '%P %i %m\n' -o \
		-printf '%P %i %m %n %s %l\n' \) | sort &&
		find . -type f -print0 | sort -z | xargs -0 cksum)
	umount "$mnt"
}

# one LABEL MKE2FS-OPTIONS SET
one()
{
	label="$1, $3"
	rm -f "$T"/img "$T"/ours "$T"/kernel
	truncate -s 96M "$T/img"
	# shellcheck disable=SC2086
	mke2fs -qF -t ext4 -O fast_commit $2 "$T/img" >/dev/null 2>&1
	mount -o loop "$T/img" "$mnt" || { skip "$label: no mount"; return; }
	mkdir "$mnt/d" && echo base >"$mnt/base" &&
		(cd "$mnt/d" && seq -f 'name_%.0f' 300 | xargs touch)
	sync -f "$mnt"
	"$python" "$E2DX_SRC/tests/tools/fast-commits.py" "$mnt" "$3" "$T/img" \
		"$T/ours" || fail "$label: changes"
	umount "$mnt"
	cp --sparse=always "$T/ours" "$T/kernel"
	check "$label: -p" exits 0 "$E2FSCK" -pv "$T/ours"
	grep -q "records of fast commits replayed" "$T/check.out" ||
		skip "$label: the kernel made no fast commit"
	check "$label: stock finds nothing" exits 0 "$STOCK_E2FSCK" -fn "$T/ours"
	check "$label: ours finds nothing" exits 0 "$E2FSCK" -fn "$T/ours"
	contents "$T/img" >"$T/img.list"
	contents "$T/ours" >"$T/ours.list"
	check "$label: the tree is what it was" diff "$T/img.list" "$T/ours.list"
	# It does not mount with a deleted file that was open.
	[ "$3" != open_deleted ] || return
	mount -o loop "$T/kernel" "$mnt" && umount "$mnt"
	contents "$T/kernel" >"$T/kernel.list"
	check "$label: the tree is the kernel's" diff "$T/kernel.list" "$T/ours.list"
}

for set in files holes renames names directories open_deleted; do
	one "4 KiB" "-b 4096" $set
	one "1 KiB" "-b 1024" $set
done
one "no checksums" "-b 1024 -O ^metadata_csum,^64bit" files
one "no checksums" "-b 1024 -O ^metadata_csum,^64bit" holes
one "bigalloc" "-b 1024 -O bigalloc -C 8192" files
one "bigalloc" "-b 1024 -O bigalloc -C 8192" holes
one "inline_data" "-b 4096 -O inline_data" files
finish
