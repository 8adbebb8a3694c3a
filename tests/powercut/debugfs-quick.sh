# SPDX-License-Identifier: GPL-2.0-or-later
# Power cuts in the middle of `debugfs -w -f SCRIPT`: 300 files written and
# names removed in a directory of 5,000, among them splits, merges, and a new
# level of the index.  CUTS says how many (tests/powercut/debugfs-every.sh).
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/powercut/lib.sh"
points=${CUTS:-3}

if ! have_recorder >/dev/null 2>&1; then
	skip "no compiler or no python for the recorder"
	exit 77
fi
mkdir -p "$T/d/dir"
(cd "$T/d/dir" && seq -f 'name-%06g' 5000 | xargs touch)
echo some contents >"$T/file"

levels() { "$DEBUGFS" -R "htree_stats /dir" "$1" | awk '/^Index levels/ { print $3 }'; }
blocks() { "$DEBUGFS" -R "htree_stats /dir" "$1" | awk '/^Blocks/ { print $2 }'; }

# Ours mends directories; counts, and checksums of bitmaps, are stock's.
cat >"$T/ours" <<END
#!/bin/sh
[ "\$1" = -fn ] || "$E2FSCK" "\$@"
exec "$STOCK_E2FSCK" "\$@"
END
chmod +x "$T/ours"

# power_cut NAME MKE2FS-OPTIONS
power_cut()
{
	name=$1
	shift
	mke2fs -qF "$@" -b 1024 -N 6000 -d "$T/d" "$T/img" 12M >/dev/null 2>&1
	"$E2FSCK" -fyD "$T/img" >/dev/null 2>&1
	# Leaves that split where a long name goes in, then neighbours in the
	# index that empty.
	long=$(printf '%0200d' 0)
	"$DEBUGFS" -R "htree_dump /dir" "$T/img" 2>/dev/null |
		grep -o 'name-0[0-9]\{5\}' | head -150 >"$T/out-names"
	sed 's|^|/dir/|' "$T/out-names" >"$T/gone"
	{
		seq 150 | sed "s|.*|write $T/file dir/new-&-$long|"
		sed 's|^|rm dir/|' "$T/out-names"
	} >"$T/script"
	cp "$T/img" "$T/whole"
	check "$name: the script runs" exits 0 "$DEBUGFS" -w -f "$T/script" \
		"$T/whole"
	check "$name: stock e2fsck is content with the end" \
		exits 0 "$STOCK_E2FSCK" -fn "$T/whole"
	# Halfway the directory is largest.
	head -150 "$T/script" >"$T/half"
	cp "$T/img" "$T/whole2"
	"$DEBUGFS" -w -f "$T/half" "$T/whole2" >/dev/null 2>&1
	check "$name: a level is added" \
		test "$(levels "$T/img") $(levels "$T/whole2")" = "1 2"
	check "$name: leaves merge" \
		test "$(blocks "$T/whole")" -lt "$(blocks "$T/whole2")"
	for fsck in "$STOCK_E2FSCK" "$T/ours"; do
		check "$name, repaired by ${fsck##*/}" "$PYTHON" "$CUT" \
			--record "$T/record.so" --listing "$LISTING" \
			--gone "$T/gone" --fsck "$fsck" --prefix "$points" \
			--reorder "$points" "$T/img" -- \
			"$DEBUGFS" -w -f "$T/script" {}
	done
}
power_cut "ext4" -t ext4 -O ^has_journal
[ "$points" -lt 10 ] || power_cut "ext2" -t ext2
finish
