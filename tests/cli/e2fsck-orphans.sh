# SPDX-License-Identifier: GPL-2.0-or-later
# Orphans made with debugfs: released as stock does it, and lists that are not
# what they should be.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"

sd() { "$STOCK_DEBUGFS" -w -f "$2" "$1" >/dev/null 2>&1; }
ino() { "$STOCK_DEBUGFS" -R "stat $2" "$1" 2>/dev/null | sed -n 's/^Inode: \([0-9]*\) .*/\1/p'; }

head -c 40000 /dev/urandom >"$T/small"
head -c 3000000 /dev/urandom >"$T/large"
head -c 60000 /dev/urandom >"$T/value"
# Every other block: many extents, or many indirect blocks.
for i in $(seq 0 2 799); do
	dd if="$T/large" of="$T/sparse" bs=1024 skip="$i" seek="$i" count=1 \
		conv=notrunc status=none
done

# make MKE2FS-OPTIONS: files to be orphans, all of them named.
make()
{
	rm -f "$T/a"
	truncate -s 24M "$T/a"
	# shellcheck disable=SC2086
	mke2fs -qF -t ext4 -N 200 $1 "$T/a" >/dev/null 2>&1
	cat >"$T/commands" <<-END
		write $T/small small
		write $T/large large
		write $T/sparse sparse
		write $T/small kept
		write $T/large cut
		write $T/sparse cutsparse
		mkdir dir
		symlink link $(seq -s/ 40)
		ea_set small user.a $(seq -s, 60)
		ea_set -f $T/value large user.value
	END
	sd "$T/a" "$T/commands"
	# For the quota files, of which debugfs knows nothing.
	"$STOCK_E2FSCK" -fy "$T/a" >/dev/null 2>&1
}

# orphan NAME: no name, no links, the list begins with it.
orphan()
{
	n=$(ino "$T/a" "$1")
	printf '%s\n' "unlink $1" "sif <$n> links_count 0" \
		"sif <$n> dtime ${last:-0}" "ssv last_orphan $n" >"$T/commands"
	sd "$T/a" "$T/commands"
	last=$n
}

# shorter NAME SIZE: it is to be cut there.
shorter()
{
	n=$(ino "$T/a" "$1")
	printf '%s\n' "sif <$n> size $2" "sif <$n> dtime ${last:-0}" \
		"ssv last_orphan $n" >"$T/commands"
	sd "$T/a" "$T/commands"
	last=$n
}

# What is where: files by stock's eyes, without times.
maps()
{
	for f in kept cut cutsparse; do
		"$STOCK_DEBUGFS" -R "stat $f" "$1" 2>/dev/null |
			sed -n '/Inode:/p; /Size:/p; /Blockcount/p; /BLOCKS/,$p; /EXTENTS/,$p' |
			grep -v '^\(TOTAL\|(ETB\)' | sed 's/, (ETB[0-9]*):[0-9]*//g; s/(ETB[0-9]*):[0-9]*, //g; s/checksum.*//'
		"$STOCK_DEBUGFS" -R "cat $f" "$1" 2>/dev/null | cksum
	done
}

for options in "-b 1024" "-b 1024 -O ^extent,^64bit" "-b 4096 -O ^metadata_csum" \
	"-b 1024 -O ea_inode" "-b 1024 -O bigalloc,^resize_inode -C 8192" \
	"-b 1024 -O quota"; do
	last=
	make "$options"
	for f in small large sparse dir link; do orphan $f; done
	echo "sif <2> links_count 3" >"$T/commands" && sd "$T/a" "$T/commands"
	shorter cut 1000001
	shorter cutsparse 333333
	check "$options: -n reports them" unchanged "$T/a" exits 4 "$E2FSCK" -fn "$T/a"
	cp "$T/a" "$T/ours" && cp "$T/a" "$T/stock"
	check "$options: -p" exits 0 "$E2FSCK" -p "$T/ours"
	check "$options: seven" test "$(grep -c 'orphaned inode' "$T/check.out")" = 7
	# It cuts nothing where there are clusters.
	case $options in *bigalloc*) cp "$T/ours" "$T/stock" ;; esac
	"$STOCK_E2FSCK" -p "$T/stock" >/dev/null 2>&1
	check "$options: stock finds nothing" exits 0 "$STOCK_E2FSCK" -fn "$T/ours"
	maps "$T/ours" >"$T/ours.maps"
	maps "$T/stock" >"$T/stock.maps"
	check "$options: what stays is stock's" diff "$T/stock.maps" "$T/ours.maps"
done

# Lists that lead nowhere: an end, and nothing written.
bad()
{
	check "$1: -fn" unchanged "$T/a" exits 4 "$E2FSCK" -fn "$T/a"
	check "$1: -fy writes nothing" unchanged "$T/a" exits 4 "$E2FSCK" -fy "$T/a"
}
set_list() { printf '%s\n' "$@" >"$T/commands" && sd "$T/a" "$T/commands"; }
last=
make "-b 1024"
orphan small
set_list "sif <$last> dtime $last"
bad "a list that bites its tail"
first=$last
orphan large
set_list "sif <$first> dtime $last"
bad "a list that goes round"
set_list "ssv last_orphan 4000000000"
bad "an inode that is not there"
set_list "ssv last_orphan 2"
bad "a reserved inode"
set_list "ssv last_orphan 150"
bad "an inode that was never used"

# The orphan file.
last=
make "-b 1024 -O orphan_file"
block=$("$STOCK_DEBUGFS" -R "bmap <$("$STOCK_DEBUGFS" -R stats "$T/a" 2>/dev/null |
	sed -n 's/^Orphan file inode: *//p')> 0" "$T/a" 2>/dev/null)
cp "$T/a" "$T/good"
poke "$T/a" $((block * 1024)) '\017'
bad "the orphan file: wrong checksum"
make "-b 1024 -O orphan_file,^metadata_csum"
block=$("$STOCK_DEBUGFS" -R "bmap <$("$STOCK_DEBUGFS" -R stats "$T/a" 2>/dev/null |
	sed -n 's/^Orphan file inode: *//p')> 0" "$T/a" 2>/dev/null)
check "an orphan file without checksums" exits 0 "$E2FSCK" -fn "$T/a"
poke "$T/a" $((block * 1024 + 1020)) '\042'
check "a checksum where there is none: stock" \
	exits 4 "$STOCK_E2FSCK" -fn "$T/a"
bad "a checksum where there is none"

# Deleted while open, and no journal: no list has them.
# deleted NAME
deleted()
{
	n=$(ino "$T/a" "$1")
	set_list "unlink $1" "sif <$n> links_count 0" "sif <$n> dtime 0"
}
make "-b 1024 -O ^has_journal"
deleted small
deleted large
set_list "ssv state 0"
cp "$T/a" "$T/x"
check "no list: -fn" unchanged "$T/x" exits 4 "$E2FSCK" -fn "$T/x"
check "no list: stock" exits 4 "$STOCK_E2FSCK" -fn "$T/x"
check "no list: -p" exits 1 "$E2FSCK" -p "$T/x"
check "no list: stock finds nothing left" exits 0 "$STOCK_E2FSCK" -fn "$T/x"
check "no list: nor does ours" exits 0 "$E2FSCK" -fn "$T/x"
check "no list: nothing is done again" unchanged "$T/x" exits 0 "$E2FSCK" -p "$T/x"
# With a name it is no deleted one.
cp "$T/a" "$T/x"
"$STOCK_DEBUGFS" -wR "sif kept links_count 0" "$T/x" >/dev/null 2>&1
check "no links, but a name: -fy" exits 1 "$E2FSCK" -fy "$T/x"
check "no links, but a name: kept" sh -c '"$1" -R "cat kept" "$2" 2>/dev/null |
	cmp - "$3"' - "$STOCK_DEBUGFS" "$T/x" "$T/small"
check "no links, but a name: stock" exits 0 "$STOCK_E2FSCK" -fn "$T/x"
# Attributes that others have too: their count is not repaired.
make "-b 1024 -O ^has_journal,ea_inode"
deleted large
bad "no list, and attributes elsewhere"
finish
