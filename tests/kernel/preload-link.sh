# SPDX-License-Identifier: GPL-2.0-or-later
# Directories that Debian's mke2fs -d and debugfs made with libext2dx.so
# preloaded, as the running kernel sees them: each name found by itself.
. "$E2DX_SRC/tests/lib.sh"
lib=$E2DX_BUILD/lib/ext2fs/.libs/libext2dx.so
img=$T/img
have_loop || { skip "kernel/preload-link: no loop mounts"; exit 0; }
[ -e "$lib" ] && ! ldd "$lib" | grep -qE 'lib[atu]*san' ||
	{ skip "kernel/preload-link: no library to preload"; exit 0; }

# All of the names in the file $1, and no others, are in the directory $2.
cat >"$T/find.py" <<-'END'
	import os, sys
	names = open(sys.argv[1]).read().split()
	for name in names: os.lstat(os.path.join(sys.argv[2], name))
	sys.exit(sorted(os.listdir(sys.argv[2])) != sorted(names))
END
mkdir -p "$T/tree/d" "$T/mnt"
seq -f 'some-file-%06.0f' 20000 >"$T/names"
(cd "$T/tree/d" && xargs touch <"$T/names")
for options in "-b 4096" "-b 1024" "-b 1024 -O ^metadata_csum,large_dir"; do
	rm -f "$img"
	truncate -s 128M "$img"
	# shellcheck disable=SC2086
	LD_PRELOAD=$lib mke2fs -qF -t ext4 -N 30000 $options -d "$T/tree" "$img"
	for i in $(seq 1000); do
		echo "unlink d/some-file-$(printf %06d $((i * 7)))"
		echo "ln d/some-file-$(printf %06d $((i * 7 + 1))) d/extra-$i"
	done >"$T/script"
	LD_PRELOAD=$lib "$STOCK_DEBUGFS" -w -f "$T/script" "$img" >/dev/null 2>&1
	{
		awk '{ n = NR; if (n % 7 || n > 7000) print }' "$T/names"
		seq -f 'extra-%.0f' 1000
	} >"$T/want"
	check "the kernel mounts it ($options)" mount -o loop "$img" "$T/mnt"
	check "and finds every name" python3 "$T/find.py" "$T/want" "$T/mnt/d"
	touch "$T/mnt/d/one-more" && rm "$T/mnt/d/extra-5"
	check "and can go on with it" test -e "$T/mnt/d/one-more"
	umount "$T/mnt"
done
finish
