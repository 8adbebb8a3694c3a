# SPDX-License-Identifier: GPL-2.0-or-later
# With libext2dx.so preloaded, Debian's own mke2fs -d, debugfs and fuse2fs make
# and keep indexed directories.  Quick; LINK_FILES, LINK_DIRS and LINK_FUSE
# say how many names (tests/long/preload-link.sh).
. "$E2DX_SRC/tests/lib.sh"
lib=$E2DX_BUILD/lib/ext2fs/.libs/libext2dx.so
img=$T/img
files=${LINK_FILES:-5000} dirs=${LINK_DIRS:-2000} fuse=${LINK_FUSE:-2000}
[ -e "$lib" ] || { skip "preload-link: no shared library was built"; exit 77; }
if ldd "$lib" | grep -qE 'lib[atu]*san'; then
	skip "preload-link: built with a sanitizer"
	exit 77
fi

with() { LD_PRELOAD=$lib "$@"; }

# new_image SIZE MKE2FS-OPTIONS...
new_image()
{
	rm -f "$img"
	truncate -s "$1" "$img"
	shift
	with mke2fs -qF "$@" "$img"
}

# The names of a directory but the dots, sorted, by stock debugfs, which
# shows unused records too.
names_in()
{
	"$STOCK_DEBUGFS" -R "ls -p $1" "$img" 2>/dev/null |
		awk -F/ '$2 && $6 != "." && $6 != ".." { print $6 }' | sort
}
same_names() { names_in "$1" >"$T/got" && cmp "$T/got" "$2"; }
indexed() { says "Flags: 0x81000" "$STOCK_DEBUGFS" -R "stat $1" "$img"; }
clean() { exits 0 "$STOCK_E2FSCK" -fn "$img" && exits 0 "$E2FSCK" -fn "$img"; }

# ---- mke2fs -d

mkdir "$T/tree" "$T/tree/files" "$T/tree/dirs"
seq -f 'file-%06.0f.eml' "$files" >"$T/files"
seq -f 'folder-%06.0f' "$dirs" >"$T/dirs"
(cd "$T/tree/files" && xargs touch <"$T/files")
(cd "$T/tree/dirs" && xargs mkdir <"$T/dirs")
inodes=$((files + dirs + 1000))
size=$((64 + dirs / 200))M	# a block for each directory
for options in "-b 4096" "-b 1024 -O ^metadata_csum" "-b 4096 -O inline_data"
do
	# shellcheck disable=SC2086
	check "mke2fs -d ($options)" exits 0 new_image "$size" -t ext4 \
		-N "$inodes" $options -d "$T/tree"
	check "the directory of files is indexed" indexed /files
	check "the directory of directories is indexed" indexed /dirs
	check "every file is there" same_names /files "$T/files"
	check "every directory is there" same_names /dirs "$T/dirs"
	check "both e2fsck are content" clean
done
links=$(with "$STOCK_DEBUGFS" -R "stat /dirs" "$img" 2>/dev/null |
	awk '/^Links:/ { print $2 }')
want=$((dirs + 2))
[ "$want" -gt 65000 ] && want=1
check "the link count is $want" test "$links" = "$want"
rm -rf "$T/tree/dirs"

# ---- debugfs

new_image 64M -t ext4 -b 1024 -N 6000
echo contents >"$T/one"
{
	echo "mkdir d"
	echo "mkdir sub"
	echo "cd d"
	echo "write $T/one one"
	for i in $(seq 600); do
		echo "ln one link-$i"
	done
	for i in $(seq 300); do
		echo "write $T/one file-$i"
		echo "mkdir dir-$i"
	done
	for i in $(seq 2 2 300); do
		echo "rm file-$i"
		echo "rmdir dir-$i"
		echo "unlink link-$i"
	done
	for i in $(seq 1 10 300); do
		echo "kill_file file-$i"
		echo "sif file-$i links_count 0"
		echo "unlink file-$i"
	done
} >"$T/script"
{
	echo one
	for i in $(seq 600); do
		[ $((i % 2)) = 0 ] && [ "$i" -le 300 ] || echo "link-$i"
	done
	for i in $(seq 1 2 300); do
		[ $((i % 10)) = 1 ] || echo "file-$i"
		echo "dir-$i"
	done
} | sort >"$T/want"
with "$STOCK_DEBUGFS" -w -f "$T/script" "$img" >"$T/out" 2>&1
check "debugfs has nothing to complain of" \
	test -z "$(grep -vE '^debugfs|^Allocated inode' "$T/out")"
# Its ln and unlink leave an inode's count to others.
with "$STOCK_DEBUGFS" -w -R "sif d/one links_count 451" "$img" 2>/dev/null
check "debugfs made the directory that it was told to" same_names /d "$T/want"
check "and it is indexed" indexed /d
check "both e2fsck are content with it" clean
check "it finds a name" says "contents" with "$STOCK_DEBUGFS" \
	-R "cat d/file-299" "$img"
check "but not one that is gone" says "File not found" with "$STOCK_DEBUGFS" \
	-R "cat d/file-298" "$img"

# ---- fuse2fs, on a filesystem that no kernel mounts

# A loop of its own: thousands of processes would take minutes.
cat >"$T/fuse.py" <<-'END'
	import os, sys
	top, n = sys.argv[1], int(sys.argv[2])
	def name(i): return os.path.join(top, "d", "name-%06d" % i)
	os.mkdir(os.path.join(top, "d"))
	for i in range(n): os.close(os.open(name(i), os.O_CREAT | os.O_EXCL, 0o644))
	for i in range(n): os.stat(name(i))
	try:
	    os.close(os.open(name(0), os.O_CREAT | os.O_EXCL))
	    sys.exit("made a name twice")
	except FileExistsError:
	    pass
	for i in range(0, n, 4): os.rename(name(i), name(i) + "-renamed")
	for i in range(1, n, 2): os.unlink(name(i))
	for i in range(n):
	    if os.path.exists(name(i)) != (i % 4 == 2): sys.exit(name(i))
	os.mkdir(os.path.join(top, "sub"))
	os.rmdir(os.path.join(top, "sub"))
END
fuse_test()
{
	python3 "$T/fuse.py" "$T/mnt" "$fuse"
}
fuse_mount()
{
	mkdir -p "$T/mnt"
	# shellcheck disable=SC2015
	with fuse2fs "$img" "$T/mnt" >"$T/fuse.log" 2>&1 &&
		mountpoint -q "$T/mnt"
}
new_image 64M -t ext4 -b 1024 -N $((fuse + 1000))
check "the filesystem gets siphash" \
	exits 0 "$TUNE2FS" -E hash_alg=siphash "$img"
if [ -z "$(command -v fuse2fs)" ] || ! [ -w /dev/fuse ]; then
	skip "preload-link: fuse2fs is not here"
elif ! fuse_mount; then
	skip "preload-link: fuse2fs cannot mount here: $(tail -1 "$T/fuse.log")"
else
	check "fuse2fs makes, finds, renames and removes names" fuse_test
	umount "$T/mnt"
	# It writes the last blocks after it has let go.
	for i in $(seq 100); do
		fuser -s "$img" 2>/dev/null || break
		sleep 0.1
	done
	for i in $(seq 0 $((fuse - 1))); do
		case $((i % 4)) in
		0) printf 'name-%06d-renamed\n' "$i" ;;
		2) printf 'name-%06d\n' "$i" ;;
		esac
	done | sort >"$T/want"
	check "every name is there" same_names /d "$T/want"
	check "and the directory is indexed" indexed /d
	check "with siphash" says "siphash" "$DEBUGFS" -R "htree_stats /d" "$img"
	check "our e2fsck is content" exits 0 "$E2FSCK" -fn "$img"
fi
finish
