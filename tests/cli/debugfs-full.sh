# SPDX-License-Identifier: GPL-2.0-or-later
# debugfs -w rm on a filesystem without a free block: a directory whose smaller
# map would need one stays as large as it is, and every name goes.
. "$E2DX_SRC/tests/lib.sh"
img=$T/img

# A directory with an indirect block; then a file of all that is free.
make_full()
{
	rm -rf "$T/tree" "$img"
	mkdir -p "$T/tree/d"
	(cd "$T/tree/d" && seq -f 'a-name-of-some-length-%g' "$2" | xargs touch)
	truncate -s 4M "$img"
	# shellcheck disable=SC2086
	mke2fs -qF $1 -b 1024 -m 0 -N 2000 -d "$T/tree" "$img" || return 1
	"$E2FSCK" -fyD "$img" >/dev/null
	head -c 4M /dev/zero | tr '\0' x >"$T/large"
	"$STOCK_DEBUGFS" -w -R "write $T/large large" "$img" >/dev/null 2>&1
	"$STOCK_DEBUGFS" -w -R "set_super_value state 1" "$img" >/dev/null 2>&1
	"$STOCK_E2FSCK" -fy "$img" >/dev/null 2>&1
	[ "$(free_blocks)" -eq 0 ]
}

free_blocks()
{
	dumpe2fs -h "$img" 2>/dev/null | sed -n 's/^Free blocks: *//p'
}

# All but the last ten.
remove_most()
{
	seq -f 'rm /d/a-name-of-some-length-%g' $(($1 - 10)) >"$T/script"
	"$DEBUGFS" -w -f "$T/script" "$img" >"$T/out" 2>&1 || { tail "$T/out"; return 1; }
	! grep -qi 'space' "$T/out"
}

left()
{
	"$DEBUGFS" -R "ls -p /d" "$img" | grep -c a-name-of
}

for kind in '-t ext3' '-t ext2 -O ^dir_index'; do
	names=900
	check "$kind: a full filesystem" make_full "$kind" $names
	check "$kind: names are removed without space" remove_most $names
	check "$kind: ten are left" [ "$(left)" -eq 10 ]
	check "$kind: stock e2fsck agrees" "$STOCK_E2FSCK" -fn "$img"
done
finish
