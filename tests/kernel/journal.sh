# SPDX-License-Identifier: GPL-2.0-or-later
# Images copied while the running kernel had them mounted and was busy, with
# deleted files that are still open: -p replays the journal and releases the
# orphans as stock and as the kernel do, and stock finds nothing after it.
. "$E2DX_SRC/tests/lib.sh"
have_loop || { skip "journal: needs root and loop mounts"; exit 77; }
mnt=$T/mnt
mkdir "$mnt"

# Some of everything, and not all of it committed.
work()
{
	mkdir "$mnt/d" "$mnt/e" &&
	(cd "$mnt/d" && seq -f 'name_%.0f' 900 | xargs touch) &&
	head -c 3000000 /dev/urandom >"$mnt/big" &&
	head -c 700000 /dev/zero >"$mnt/e/zero" && cp "$mnt/big" "$mnt/e/copy"
	sync -f "$mnt"
	ln "$mnt/big" "$mnt/e/link" && mv "$mnt/d/name_7" "$mnt/e/moved"
	(cd "$mnt/d" && seq -f 'name_%.0f' 100 300 | xargs rm)
	truncate -s 1234567 "$mnt/e/copy" && ln -s /some/where "$mnt/e/symlink"
	ln -s "$(seq -s/ 60)" "$mnt/e/long" && mknod "$mnt/e/node" c 1 3
	setfattr -n user.a -v "$(seq -s, 70)" "$mnt/d/name_1" 2>/dev/null
	# Deleted, and open: by this shell.
	echo gone >"$mnt/gone" && exec 7<"$mnt/gone" && rm "$mnt/gone"
	cp "$mnt/big" "$mnt/gone2" && exec 8<"$mnt/gone2" && rm "$mnt/gone2"
	setfattr -n user.b -v "$(seq -s, 90)" "$mnt/e/zero" 2>/dev/null
	exec 9<"$mnt/e/zero" && rm "$mnt/e/zero"
	sync -f "$mnt"
	rm -r "$mnt/d/name_4"* && mkdir "$mnt/e/sub" && echo x >"$mnt/e/sub/x"
}

let_go() { exec 7<&- 8<&- 9<&-; }

# contents IMAGE: every name with what stat says of it, and every byte.
contents()
{
	mount -o "loop,ro,noload$mount_extra" "$1" "$mnt" || return
	(cd "$mnt" && find . -printf '%P %i %m %n %s %l\n' |
		grep -v '^lost+found ' | sort &&
		find . -type f -print0 | sort -z | xargs -0 cksum)
	umount "$mnt"
}

# busy NAME MKE2FS-OPTIONS MOUNT-OPTIONS
busy()
{
	name=$1 mount_extra=${4:-}
	rm -f "$T"/img "$T"/ours "$T"/stock "$T"/kernel
	truncate -s 96M "$T/img"
	# shellcheck disable=SC2086
	mke2fs -qF -t ext4 $2 "$T/img" >"$T/mke2fs" 2>&1 ||
		{ cat "$T/mke2fs"; fail "$name: mke2fs"; return; }
	mount -o "loop$3" "$T/img" "$mnt" ||
		{ skip "$name: the kernel does not mount it"; return; }
	work
	cp --sparse=always "$T/img" "$T/ours"
	let_go
	umount "$mnt"
	cp --sparse=always "$T/ours" "$T/stock"
	cp --sparse=always "$T/ours" "$T/kernel"
	"$E2FSCK" -p "$T/ours" >"$T/ours.out" 2>&1
	ours=$?
	"$STOCK_E2FSCK" -p "$T/stock" >"$T/stock.out" 2>&1
	stock=$?
	check "$name: -p (exit $ours, stock $stock)" test "$ours" -le 1 -a "$stock" -le 1
	[ "$ours" -le 1 ] || sed 's/^/    /' "$T/ours.out"
	grep -q "recovering journal" "$T/ours.out" || fail "$name: nothing to replay"
	check "$name: three orphans" test "$(grep -c "Clearing orphaned" "$T/ours.out")" = 3
	check "$name: stock finds nothing" exits 0 "$STOCK_E2FSCK" -fn "$T/ours"
	check "$name: ours finds nothing" exits 0 "$E2FSCK" -fn "$T/ours"
	contents "$T/ours" >"$T/ours.list"
	contents "$T/stock" >"$T/stock.list"
	check "$name: the tree is stock's" cmp "$T/ours.list" "$T/stock.list"
	mount -o "loop$3" "$T/kernel" "$mnt" && umount "$mnt"
	contents "$T/kernel" >"$T/kernel.list"
	check "$name: the tree is the kernel's" cmp "$T/ours.list" "$T/kernel.list"
	# Written to once more: a journal left in disorder would show.
	mount -o "loop$3" "$T/ours" "$mnt" && touch "$mnt/again" && umount "$mnt"
	check "$name: and after another mount" exits 0 "$STOCK_E2FSCK" -fn "$T/ours"
}

busy "4 KiB" "-b 4096" ""
busy "1 KiB" "-b 1024" ""
busy "data=journal" "-b 4096" ",data=journal"
busy "data=journal, 1 KiB" "-b 1024 -O ^64bit" ",data=journal"
busy "journal_checksum" "-b 4096 -O ^metadata_csum" ",journal_checksum"
busy "journal_async_commit" "-b 1024 -O ^metadata_csum" ",journal_async_commit,data=writeback"
busy "no checksums, no 64bit" "-b 1024 -O ^metadata_csum,^64bit" ""
busy "ext3" "-b 1024 -O ^extent,^metadata_csum,^64bit,^huge_file,^flex_bg,^dir_nlink,^extra_isize,^uninit_bg -I 128" ""
busy "indirect blocks, 4 KiB" "-b 4096 -O ^extent,^64bit,^metadata_csum" ",data=journal"
busy "bigalloc" "-b 1024 -O bigalloc -C 8192" ""
busy "inline_data" "-b 4096 -O inline_data" ""
busy "orphan_file" "-b 4096 -O orphan_file" ""
busy "orphan_file, 1 KiB" "-b 1024 -O orphan_file" ",data=journal"
busy "ea_inode" "-b 1024 -O ea_inode" ""
busy "small journal" "-b 1024 -J size=1" ",data=journal"
busy "meta_bg" "-b 1024 -O meta_bg,^resize_inode" ""
busy "uninit_bg" "-b 1024 -O ^metadata_csum,uninit_bg" ""
busy "sparse_super2" "-b 4096 -O sparse_super2,^resize_inode" ""
busy "casefold" "-b 4096 -O casefold" ""
busy "quota" "-b 4096 -O quota -E quotatype=usrquota:grpquota:prjquota -O project -I 256" ""
busy "quota, 1 KiB" "-b 1024 -O quota" ""
busy "fast_commit" "-b 4096 -O fast_commit" ""

# A journal on a device of its own, found by -j.
external()
{
	rm -f "$T"/img "$T"/dev "$T"/x "$T"/xdev
	truncate -s 96M "$T/img"
	truncate -s 8M "$T/dev"
	mke2fs -qF -b "$1" -O journal_dev "$T/dev" >/dev/null 2>&1
	loop=$(losetup -f --show "$T/dev") || { skip "external: no loop"; return; }
	mke2fs -qF -t ext4 -b "$1" -J device="$loop" "$T/img" >/dev/null 2>&1
	if ! mount -o loop "$T/img" "$mnt"; then
		losetup -d "$loop"
		skip "external: no mount"
		return
	fi
	work
	for i in ours stock; do
		cp --sparse=always "$T/img" "$T/$i"
		cp --sparse=always "$T/dev" "$T/$i.dev"
	done
	let_go
	umount "$mnt"
	losetup -d "$loop"
	check "external, $1: not without it" unchanged "$T/ours" \
		exits 12 "$E2FSCK" -fy "$T/ours"
	check "external, $1: not with another file" unchanged "$T/ours" \
		exits 12 "$E2FSCK" -fy -j "$T/img" "$T/ours"
	check "external, $1: -n leaves the journal" unchanged "$T/ours.dev" \
		"$E2FSCK" -fn -j "$T/ours.dev" "$T/ours"
	check "external, $1: -p" says "recovering journal" \
		exits 0 "$E2FSCK" -p -j "$T/ours.dev" "$T/ours"
	"$STOCK_E2FSCK" -p -j "$T/stock.dev" "$T/stock" >/dev/null 2>&1
	check "external, $1: stock finds nothing" \
		exits 0 "$STOCK_E2FSCK" -fn -j "$T/ours.dev" "$T/ours"
	mount_extra=
	contents "$T/ours" >"$T/ours.list"
	contents "$T/stock" >"$T/stock.list"
	check "external, $1: the tree is stock's" cmp "$T/ours.list" "$T/stock.list"
}
external 1024
external 4096
finish
