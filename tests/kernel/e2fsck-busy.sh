# SPDX-License-Identifier: GPL-2.0-or-later
# Filesystems copied while mounted and busy, with files that only their
# openers have: -p leaves what the kernel's own recovery and stock -p leave, and
# nothing for stock to find.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"
have_loop || { skip "e2fsck: needs root and loop mounts"; exit 77; }
mnt=$T/mnt
mkdir "$mnt"
check "made" python3 "$E2DX_SRC/tests/images/busy.py" "$T/b"

# tree IMG: what the kernel finds in it.  Stock may pack a directory.
tree()
{
	mount -o ro,loop "$1" "$mnt" || return 1
	(cd "$mnt" && find . \( -type d -printf '%p\t%i\t%M\t%U\t%G\t%n\n' \) -o \
		-printf '%p\t%i\t%M\t%U\t%G\t%n\t%s\t%b\t%l\n' | sort &&
		find . -type f -size -4M -print0 | sort -z | xargs -0 md5sum)
	umount "$mnt"
}

# recovers IMG: the kernel's own replay, and its release of orphans.
recovers() { mount -o loop "$1" "$mnt" && umount "$mnt"; }

# preens COMMAND IMG: -p ends with 0 or 1.
preens()
{
	"$1" -p "$2"
	preens_status=$?
	[ "$preens_status" -le 1 ] && return
	echo "exit status $preens_status"
	return 1
}

for img in "$T"/b/*.img; do
	name=$(basename "$img" .img)
	cp --sparse=always "$img" "$T/stock"
	cp --sparse=always "$img" "$T/ours"
	check "$name: -fn writes nothing" leaves "$T/ours" \
		sh -c '"$1" -fn "$2"; [ $? -le 4 ]' - "$E2FSCK" "$T/ours"
	cp --sparse=always "$img" "$T/kernel"
	# Without a journal nothing is recovered, but by a check.
	case $name in
	ext2-* | no-journal)
		check "$name: a check" preens "$STOCK_E2FSCK" "$T/kernel" ;;
	*)	check "$name: the kernel recovers it" recovers "$T/kernel" ;;
	esac
	check "$name: -p" preens "$E2FSCK" "$T/ours"
	check "$name: stock finds nothing left" \
		exits 0 "$STOCK_E2FSCK" -fn "$T/ours"
	check "$name: nor does ours" exits 0 "$E2FSCK" -fn "$T/ours"
	tree "$T/kernel" >"$T/kernel.tree" && tree "$T/ours" >"$T/ours.tree"
	check "$name: the same tree" cmp "$T/kernel.tree" "$T/ours.tree"
	# Replaying fast commits, stock 1.47.0 now and then destroys inodes.
	case $name in fast_commit*) ;; *)
		check "$name: stock preens it too" \
			preens "$STOCK_E2FSCK" "$T/stock"
		tree "$T/stock" >"$T/stock.tree"
		check "$name: to the same tree" \
			cmp "$T/stock.tree" "$T/ours.tree"
	esac
	rm -f "$img"
done
finish
