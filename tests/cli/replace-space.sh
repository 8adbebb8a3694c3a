# SPDX-License-Identifier: GPL-2.0-or-later
# Replacement where space is short or in pieces, in groups that were never
# used, and where it is refused.
. "$E2DX_SRC/tests/lib.sh"
REHASH=$E2DX_BUILD/tests/tools/rehash
LISTING=$E2DX_BUILD/tests/tools/listing

names() { "$LISTING" "$1" | sort; }
free_blocks() { dumpe2fs -h "$1" 2>/dev/null | sed -n 's/^Free blocks: *//p'; }
inode_of() { "$LISTING" "$1" | awk -v p="$2" '$2 == p { print $1 }'; }

# sound IMAGE: stock finds nothing, and the names are those of $T/names?
sound() { exits 0 $STOCK_E2FSCK -fn "$1" && names "$1" | cmp - "$T/names"; }

# fill IMAGE BLOCKS-TO-LEAVE: one file takes the other free blocks.
fill()
{
	n=$(($(free_blocks "$1") - $2))
	dd if=/dev/zero of="$T/filler" bs=1024 count="$n" status=none
	# As many blocks again for its map, where it has one.
	tr '\0' 'x' <"$T/filler" >"$T/filler.x"
	$STOCK_DEBUGFS -w -R "write $T/filler.x filler" "$1" >/dev/null 2>&1
}

# more ARGUMENT...: a check of the full list only (replace-space-all.sh).
more() { [ -z "${EVERY_IMAGE:-}" ] || check "$@"; }

# Long names: many blocks with few of them, which mke2fs takes from -d in time
# quadratic in their number.
pad=$(printf '%0240d' 0)
mkdir -p "$T/d/many" "$T/d/some" "$T/d/few" "$T/d/holes"
(cd "$T/d/many" && seq -f "%g-$pad" 600 | xargs touch)
(cd "$T/d/some" && seq -f "s%g" 200 | xargs touch)
touch "$T/d/few/a"

# ---- nearly full: one directory does not fit, another does
full()
{
	mke2fs -qF -b 1024 -N 3000 -d "$T/d" "$@" "$T/img" 4M >/dev/null 2>&1
	fill "$T/img" 60
	names "$T/img" >"$T/names"
	many=$(inode_of "$T/img" /many)
	exits 1 "$REHASH" "$T/img" tea >"$T/out" || return 1
	grep -q "^failed $many: not enough free blocks" "$T/out" &&
		! grep -v "^failed $many:" "$T/out" && sound "$T/img" &&
		says "Hash Version: 2" $STOCK_DEBUGFS -R 'htree_dump /some' \
			"$T/img"
}
check "no space for one directory: ext4" full -t ext4 -O ^has_journal
more "no space for one directory: ext2" full -t ext2

# A re-keying that does not fit changes nothing at all.
rekey_full()
{
	mke2fs -qF -b 1024 -N 3000 -d "$T/d" -t ext4 -O ^has_journal \
		"$T/img" 4M >/dev/null 2>&1
	exits 0 "$REHASH" "$T/img" half_md4 || return 1
	fill "$T/img" 60
	unchanged "$T/img" exits 2 "$REHASH" "$T/img" rekey 5
}
check "no space for a re-keying: nothing is changed" rekey_full

# ---- free space in pieces: every second file is removed
for i in $(seq 600); do echo x >"$T/d/holes/h$i"; done
pieces()
{
	mke2fs -qF -b 1024 -N 4000 -d "$T/d" "$@" "$T/img" 6M >/dev/null 2>&1
	fill "$T/img" 40
	seq -f 'rm holes/h%g' 2 2 600 >"$T/rm"
	$STOCK_DEBUGFS -w -f "$T/rm" "$T/img" >/dev/null 2>&1
	names "$T/img" >"$T/names"
	exits 0 "$REHASH" "$T/img" tea && sound "$T/img"
}
check "fragmented free space: ext4" pieces -t ext4 -O ^has_journal
check "the extent tree has blocks of its own" \
	says "(ETB0)" $STOCK_DEBUGFS -R "stat /many" "$T/img"
check "fragmented free space: back" exits 0 "$REHASH" "$T/img" linear
check "fragmented free space: sound after it" sound "$T/img"
more "fragmented free space: no checksums" pieces -t ext4 \
	-O ^has_journal,^metadata_csum
more "fragmented free space: ext2" pieces -t ext2
more "fragmented free space: bigalloc" pieces -t ext4 \
	-O ^has_journal,bigalloc -C 2048
rm -rf "$T/d/holes"

# ---- group descriptors that say "never initialised"
lazy_groups() { dumpe2fs "$1" 2>/dev/null | grep -c BLOCK_UNINIT; }
lazy()
{
	# The last group is never lazy: keep it too small for the copy.
	mke2fs -qF -t ext4 -b 1024 -N 8000 -d "$T/d" \
		-O ^flex_bg,^has_journal,^resize_inode"$1" "$T/img" 25227
	# Nor has group 0 room for it.
	first=$(dumpe2fs "$T/img" 2>/dev/null |
		sed -n 's/^  \([0-9]*\) free blocks.*/\1/p' | head -1)
	fill "$T/img" $(($(free_blocks "$T/img") - first + 100))
	names "$T/img" >"$T/names"
	before=$(lazy_groups "$T/img")
	exits 0 "$REHASH" "$T/img" tea && sound "$T/img" || return 1
	after=$(lazy_groups "$T/img")
	echo "lazy groups: $before before, $after after"
	[ "$after" -gt 0 ] && [ "$after" -lt "$before" ]
}
check "a lazy group is initialised" lazy ""
more "a lazy group is initialised: uninit_bg" lazy ",^metadata_csum,uninit_bg"

# ---- refused
mke2fs -qF -t ext4 -b 1024 -O quota -N 3000 -d "$T/d" "$T/img" 8M >/dev/null 2>&1
check "quota is refused" unchanged "$T/img" exits 2 "$REHASH" "$T/img" tea

# A filesystem that was not clean does not become clean.
mke2fs -qF -t ext4 -b 1024 -N 3000 -d "$T/d" "$T/plain" 8M >/dev/null 2>&1
cp "$T/plain" "$T/img"
$STOCK_DEBUGFS -w -R 'ssv state 0' "$T/img" >/dev/null 2>&1
check "not clean: done all the same" exits 0 "$REHASH" "$T/img" tea
check "not clean: stays so" says "not clean" dumpe2fs -h "$T/img"
$STOCK_DEBUGFS -w -R 'ssv state 1' "$T/img" >/dev/null 2>&1
check "not clean: sound after it" exits 0 $STOCK_E2FSCK -fn "$T/img"

# lost+found keeps its blocks.
cp "$T/plain" "$T/img"
size() { $STOCK_DEBUGFS -R 'stat /lost+found' "$T/img" 2>/dev/null |
	sed -n 's/.*Size: //p'; }
before=$(size)
check "lost+found: converted beside it" exits 0 "$REHASH" "$T/img" tea
check "lost+found: as large as it was" test "$before" = "$(size)"
finish
