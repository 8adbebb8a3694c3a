#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Directories as htree_build() makes them, judged by the running kernel: it
# finds every name through the index, and adds and removes names.
. "$E2DX_SRC/tests/lib.sh"
INJECT=$E2DX_BUILD/tests/unit/htree_inject
have_loop || { skip "kernel: built directories (needs root and loop mounts)"; exit 0; }

# Stat each name of a file in a directory; then add a name (no leaf may
# split for it), a twentieth more, and remove a third of the old ones.
cat >"$T/use.py" <<'END'
import os, sys
top, names, indexed = sys.argv[1], sys.argv[2], sys.argv[3] != "linear"
os.chdir(top)
names = open(names).read().split()
missing = [n for n in names if not os.path.lexists(n)]
if missing:
    sys.exit("%d of %d names not found: %s" %
             (len(missing), len(names), missing[0]))
if sorted(os.listdir(".")) != sorted(names):
    sys.exit("listing differs")
length = len(names[-1])
size = os.stat(".").st_size
os.close(os.open("new".ljust(length, "x"), os.O_CREAT))
if indexed and os.stat(".").st_size != size:
    sys.exit("the first new name split a leaf")
for i in range(len(names) // 20):
    os.close(os.open(("new%d" % i).ljust(length, "x"), os.O_CREAT))
gone = set(names[::3])
for n in gone:
    os.unlink(n)
wrong = [n for n in names if os.path.lexists(n) == (n in gone)]
if wrong:
    sys.exit("wrong after changes: " + wrong[0])
print(len(names), "names")
END

# judge NAME MKE2FS-OPTIONS MODE VERSION COUNT LENGTH
judge()
{
	rm -f "$T/img"
	# shellcheck disable=SC2086
	mke2fs -qF -t ext4 $2 "$T/img" 96M >"$T/mke2fs.out" 2>&1 ||
		cat "$T/mke2fs.out"
	"$INJECT" "$T/img" "$4" "$3" "$5" "$6" >"$T/names" 2>"$T/said" ||
		fail "$1: $(cat "$T/said")"
	mkdir -p "$T/mnt"
	check "$1: mount" mount -o loop "$T/img" "$T/mnt" || return
	check "$1: every name found, changed" "$PYTHON3" "$T/use.py" \
		"$T/mnt/big" "$T/names" "$3"
	umount "$T/mnt"
	check "$1: stock e2fsck after that" exits 0 "$STOCK_E2FSCK" -fn "$T/img"
}

PYTHON3=${PYTHON3:-python3}
dmesg_before=$(dmesg 2>/dev/null | wc -l)
judge 1k "-b 1024 -O ^has_journal" indexed 1 3000 6
judge 1k-two-levels "-b 1024 -O ^has_journal" indexed 2 3000 100
judge 1k-full "-b 1024 -O ^has_journal" indexed 1 40000 200
judge 1k-three-levels "-b 1024 -O ^has_journal,large_dir" indexed 1 62000 240
judge 1k-collisions "-b 1024 -O ^has_journal" collide 0 240000 100
judge 1k-no-csum "-b 1024 -O ^has_journal,^metadata_csum" indexed 0 3000 90
judge 1k-linear "-b 1024 -O ^has_journal" linear 0 3000 33
judge 4k-two-levels "-b 4096 -O ^has_journal" indexed 2 12000 255
[ "$dmesg_before" -gt 0 ] && check "kernel: no complaint in its log" sh -c \
	'! dmesg | tail -n +"$1" | grep "EXT4-fs error.*big"' - "$((dmesg_before + 1))"
finish
