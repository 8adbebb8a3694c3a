# SPDX-License-Identifier: GPL-2.0-or-later
# bench: e2fsck beside stock on one directory of BENCH_NAMES six-digit names
# (default 1,000,000) on a sparse 4 GB filesystem with one inode a KiB.
. "$E2DX_SRC/tests/lib.sh"
names=${BENCH_NAMES:-1000000}
have_loop || { skip "bench: needs root and loop mounts to fill an image"; exit 77; }
img=$T/img
mkdir "$T/mnt"
truncate -s 4G "$img"
mke2fs -qFt ext4 -i 1024 "$img"
mount -o loop "$img" "$T/mnt" || { skip "bench: loop mount refused"; exit 77; }
mkdir "$T/mnt/d"
(cd "$T/mnt/d" && seq -f '%06.0f' 0 $((names - 1)) | xargs -n 5000 touch)
umount "$T/mnt"
sed -n 's/^model name[^:]*: /CPU: /p' /proc/cpuinfo | head -1
echo "$(nproc) processors, $(uname -sr), $(/sbin/e2fsck -V 2>&1 | head -1)"
echo "$names names in one directory"
python3 "$E2DX_SRC/tests/bench/compare.py" "$E2FSCK" "$STOCK_E2FSCK" "$img" \
	"${BENCH_RUNS:-5}"
