# SPDX-License-Identifier: GPL-2.0-or-later
# Filesystems that a kernel filled: every block has the owner that the bitmaps
# tell of (shared attribute blocks, preallocation, inline directories, whole
# clusters); and a mounted one is not written, whoever asks.
. "$E2DX_SRC/tests/lib.sh"
have_loop || { skip "survey under the kernel: no loop devices"; exit 77; }
mkdir "$T/mnt"

# What the kernel makes and mke2fs -d does not.
fill()
{
	python3 - "$T/mnt" <<'EOF'
import os, sys
top = sys.argv[1]
os.mkdir(top + "/many")
for i in range(1500):
    with open(f"{top}/many/{i:05d}-some-name", "w") as f:
        f.write("x" * (i % 5000))
    if i % 3 == 0:
        try:
            os.setxattr(f"{top}/many/{i:05d}-some-name", "user.big", b"v" * 600)
        except OSError:
            pass
with open(top + "/allocated", "wb") as f:
    os.posix_fallocate(f.fileno(), 0, 3 << 20)
    for i in range(0, 300, 2):
        os.pwrite(f.fileno(), b"y", i * 8192)
with open(top + "/sparse", "wb") as f:
    for i in range(200):
        os.pwrite(f.fileno(), b"z", i * i * 4096)
for i in range(1, 12):
    os.mkdir(f"{top}/small{i}")
    for j in range(i):
        open(f"{top}/small{i}/{j}-a-name", "w").close()
os.symlink("t" * 300, top + "/long")
for i in range(0, 1500, 2):
    os.unlink(f"{top}/many/{i:05d}-some-name")
EOF
}

# kind NAME OPTIONS...
kind()
{
	kind_name=$1
	shift
	rm -f "$T/img"
	/sbin/mke2fs -qF "$@" "$T/img" 200M >"$T/mke2fs.out" 2>&1 ||
		{ fail "$kind_name: mke2fs"; cat "$T/mke2fs.out"; return; }
	if ! mount -o loop "$T/img" "$T/mnt" 2>"$T/mount.out"; then
		skip "$kind_name: this kernel cannot mount it"
		return
	fi
	check "$kind_name: filled" fill
	umount "$T/mnt"
	check "$kind_name: stock finds no fault" exits 0 "$STOCK_E2FSCK" -fn "$T/img"
	check "$kind_name: neither do we" exits 0 "$E2FSCK" -fn "$T/img"
}

kind "ext4" -t ext4 -b 1024 -I 256
kind "ext4, clusters" -t ext4 -O bigalloc -C 16384
kind "ext4, inline data" -t ext4 -b 1024 -O inline_data
kind "ext4, meta_bg" -t ext4 -b 1024 -O meta_bg,^resize_inode
kind "ext4, large attributes" -t ext4 -b 1024 -O ea_inode
kind "ext4, orphan file" -t ext4 -b 1024 -O orphan_file
kind "ext3" -t ext3 -b 1024
kind "ext2" -t ext2 -b 4096 -I 128

# A mounted filesystem, read-only and therefore clean, by its file, by its
# loop device, and for a user who may not open the device.
refuses()
{
	unchanged "$T/img" says mounted exits 1 "$@"
}

mount -o loop,ro "$T/img" "$T/mnt" || fail "mount"
loop=$(findmnt -no SOURCE "$T/mnt")
check "mounted: refused by the file" refuses "$TUNE2FS" -E hash_alg=tea "$T/img"
check "mounted: refused by the device" refuses "$TUNE2FS" -E hash_alg=tea "$loop"
# refused_alike OPTION: by both programs, for one reason.
refused_alike()
{
	unchanged "$T/img" exits 8 "$STOCK_E2FSCK" "$1" "$loop" &&
		unchanged "$T/img" exits 8 "$E2FSCK" "$1" "$loop" &&
		says "is mounted" "$STOCK_E2FSCK" "$1" "$loop" &&
		says "is mounted" "$E2FSCK" "$1" "$loop"
}
for how in -p -a -fp -y -fy; do
	check "mounted: e2fsck $how refuses, as stock does" refused_alike "$how"
	check "mounted: e2fsck $how, by the file" unchanged "$T/img" \
		exits 8 "$E2FSCK" "$how" "$T/img"
done
umount "$T/mnt"
check "unmounted: done" exits 0 "$TUNE2FS" -E hash_alg=tea "$T/img"
finish
