# SPDX-License-Identifier: GPL-2.0-or-later
# Replacement of directories on filesystems of each make: after each step
# stock e2fsck finds nothing and every name is where it was.
. "$E2DX_SRC/tests/lib.sh"
REHASH=$E2DX_BUILD/tests/tools/rehash
LISTING=$E2DX_BUILD/tests/tools/listing

# same_names IMAGE: as listed in $T/names by the first listing of it?
same_names()
{
	"$LISTING" "$1" >"$T/now" && sort "$T/now" | diff "$T/names" - | head -5 |
		(! grep .)
}

sound() { exits 0 $STOCK_E2FSCK -fn "$1" && same_names "$1"; }

# step IMAGE REHASH-ARGUMENT...: do it, and let stock judge.
step()
{
	step_image=$1
	shift
	exits 0 "$REHASH" "$step_image" "$@" && sound "$step_image"
}

all_steps()
{
	step "$1" half_md4 && is_indexed "$1" half_md4 &&
		step "$1" legacy && is_indexed "$1" legacy &&
		step "$1" linear && ! is_indexed "$1" legacy &&
		step "$1" tea && step "$1" rekey 99 && is_indexed "$1" tea &&
		$STOCK_DEBUGFS -R stats "$1" 2>/dev/null |
			grep -q 63636363-6363-6363-6363-636363636363
}

# is_indexed IMAGE VERSION-NAME
is_indexed()
{
	case $2 in legacy) n=0 ;; half_md4) n=1 ;; tea) n=2 ;; esac
	$STOCK_DEBUGFS -R 'htree_dump /many' "$1" 2>&1 |
		grep -q "Hash Version: $n"
}

# image NAME SIZE MKE2FS-OPTION...
image()
{
	image_name=$1 image_size=$2
	shift 2
	rm -f "$T/img"
	if ! mke2fs -qF "$@" -d "$T/d" "$T/img" "$image_size" >"$T/mke2fs" 2>&1
	then
		fail "$image_name: mke2fs"
		cat "$T/mke2fs"
		return
	fi
	"$LISTING" "$T/img" | sort >"$T/names"
	check "$image_name" all_steps "$T/img"
	check "$image_name: once more changes nothing" \
		unchanged "$T/img" "$REHASH" "$T/img" tea
}

mkdir -p "$T/d/many" "$T/d/few/deeper" "$T/d/bytes"
# Long names: two index levels with few of them, which mke2fs takes from -d in
# time quadratic in their number.
pad=$(printf '%0240d' 0)
(cd "$T/d/many" && seq -f "%g-$pad" 480 | xargs touch)
(cd "$T/d/few" && touch a b c deeper/d deeper/another-name)
(cd "$T/d/bytes" && for i in $(seq 100); do echo "Stra$(printf '\303\237')e-$i"
done | xargs touch)

# more ARGUMENT...: an image of the full list only (replace-images-all.sh).
more() { [ -z "${EVERY_IMAGE:-}" ] || image "$@"; }

image "ext4, 1 KiB" 8M -t ext4 -b 1024
more "ext4, 4 KiB" 16M -t ext4 -b 4096
more "ext4, 64 KiB" 48M -t ext4 -b 65536 -N 2000 -O ^has_journal
image "uninit_bg" 24M -t ext4 -b 1024 -O ^metadata_csum,uninit_bg,^flex_bg
more "no checksums" 8M -t ext4 -b 1024 -O ^metadata_csum,^uninit_bg
more "64bit" 8M -t ext4 -b 1024 -O 64bit
more "not 64bit" 8M -t ext4 -b 1024 -O ^64bit
more "meta_bg" 24M -t ext4 -b 1024 -O meta_bg,^resize_inode
image "bigalloc" 64M -t ext4 -b 4096 -C 32768 -O bigalloc
more "bigalloc, 1 KiB" 32M -t ext4 -b 1024 -C 16384 -O bigalloc
more "inodes of 128 bytes" 8M -t ext4 -I 128 -b 1024
image "inline data" 8M -t ext4 -b 1024 -O inline_data
# Its directories of a few names lie in their inodes: rewritten, reversed.
inline_dirs()
{
	for dir in /few /few/deeper; do
		ino=$(awk -v p=$dir '$2 == p { print $1 }' "$T/names")
		says " entries" "$REHASH" "$T/img" inline "$ino" &&
			sound "$T/img" || return 1
	done
	$STOCK_DEBUGFS -R "stat <$ino>" "$T/img" 2>&1 | grep -q 0x10000000
}
check "inline data: rewritten" inline_dirs
more "large_dir" 8M -t ext4 -b 1024 -O large_dir
more "metadata_csum_seed" 8M -t ext4 -b 1024 -O metadata_csum_seed
more "ext3" 8M -t ext3 -b 1024 -O dir_index
(cd "$T/d/many" && seq -f "%g-$pad" 481 900 | xargs touch)
image "ext2, double indirect" 8M -t ext2 -b 1024 -O dir_index
check "its map has a double indirect block" \
	says "(DIND)" $STOCK_DEBUGFS -R "stat /many" "$T/img"
finish
