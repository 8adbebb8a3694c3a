# SPDX-License-Identifier: GPL-2.0-or-later
# Link counts at their limits, as Linux makes them: a file with 65,000 links,
# a directory with more subdirectories than are counted.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"
have_loop || { skip "e2fsck-links: no loop mounts"; exit 77; }

truncate -s 400M "$T/base"
mke2fs -qFt ext4 -b1024 -N 70000 -O ^has_journal "$T/base" >/dev/null 2>&1
mkdir "$T/mnt"
mount -o loop "$T/base" "$T/mnt" || { skip "e2fsck-links: no mount"; exit 77; }
python3 - "$T/mnt" <<'EOF'
import os, sys
os.chdir(sys.argv[1])
for d in "links", "dirs", "gone":
    os.mkdir(d)
open("links/0", "w").close()
for i in range(1, 65000):
    os.link("links/0", f"links/{i}")
for i in range(65010):
    os.mkdir(f"dirs/{i}")
EOF
umount "$T/mnt"
check "as many links as can be" found_clean "$T/base"
check "one thread finds the same" exits 0 "$E2FSCK" -fn -E threads=1 "$T/base"

# shows TEXT STATUS-OF-STOCK REQUEST
shows()
{
	cp --sparse=always "$T/base" "$T/x"
	sd "$T/x" "$3"
	check "$3: ours" says "$1" "$E2FSCK" -vfn "$T/x"
	check "$3: stock" exits "$2" "$STOCK_E2FSCK" -fn "$T/x"
}
shows "its link count is 64999, but it has 65000" 4 "sif /links/0 links_count 64999"
shows "its link count is 65000, but it has 1" 4 "sif /dirs links_count 65000"
check "a count that was too high: -fp repairs it" exits 1 "$E2FSCK" -fp "$T/x"
check "a count that was too high: nothing is left" found_clean "$T/x"
shows "[0906]" 4 "feature ^dir_nlink"
finish
