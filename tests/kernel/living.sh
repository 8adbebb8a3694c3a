#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Directories that htree_insert() and htree_remove() changed, judged by the
# running kernel all the way up and down: it lists exactly the names that are
# there and finds each.  LIVING_NAMES: how many there are at most.
. "$E2DX_SRC/tests/lib.sh"
LIVING=$E2DX_BUILD/tests/unit/htree_living
have_loop || { skip "kernel: living directories (needs root and loop mounts)"; exit 0; }
: "${LIVING_NAMES:=20000}"
PYTHON3=${PYTHON3:-python3}

cat >"$T/use.py" <<'END'
import os, sys
os.chdir(sys.argv[1])
names = open(sys.argv[2]).read().split()
listed = sorted(e.name for e in os.scandir("."))
if listed != sorted(names):
    sys.exit("listed %d, expected %d" % (len(listed), len(names)))
missing = [n for n in names if not os.path.lexists(n)]
if missing:
    sys.exit("%d not found: %s" % (len(missing), missing[0]))
END
mkdir "$T/mnt"
cat >"$T/judge" <<END
#!/bin/sh
"$STOCK_E2FSCK" -fn "\$1" >"$T/e2fsck.out" 2>&1 || { cat "$T/e2fsck.out"; exit 1; }
mount -o loop,ro "\$1" "$T/mnt" || exit 1
"$PYTHON3" "$T/use.py" "$T/mnt/big" "\$2"
s=\$?
umount "$T/mnt"
exit \$s
END


# judge NAME MKE2FS-OPTIONS VERSION COUNT LENGTH STAGES
judge()
{
	rm -f "$T/img"
	# shellcheck disable=SC2086
	mke2fs -qF -t ext4 $2 "$T/img" 256M >"$T/mke2fs.out" 2>&1 ||
		cat "$T/mke2fs.out"
	"$LIVING" "$T/img" "$3" "$4" "$5" "$6" shrink "$T/names" "sh $T/judge" \
		>"$T/said" 2>&1
	check "$1: judged" grep "at most" "$T/said"
	check "$1: one block at last" grep " 1 at last" "$T/said"
	sed 's/^/    /' "$T/said"
	# What is left is a directory like any other.
	mount -o loop "$T/img" "$T/mnt"
	(cd "$T/mnt/big" && seq 1 2000 | xargs touch)
	umount "$T/mnt"
	check "$1: used by the kernel afterwards" exits 0 \
		"$STOCK_E2FSCK" -fn "$T/img"
}

complaints() { dmesg 2>/dev/null | grep -c 'EXT4-fs error'; }
before=$(complaints)
judge legacy "-b 4096 -O ^has_journal" 0 "$LIVING_NAMES" 6 10
judge half_md4 "-b 4096 -O ^has_journal" 1 "$LIVING_NAMES" 6 10
judge tea "-b 4096 -O ^has_journal" 2 "$LIVING_NAMES" 6 10
judge 1k-two-levels "-b 1024 -O ^has_journal" 1 4000 200 10
judge 1k-three-levels "-b 1024 -O ^has_journal,large_dir" 2 62000 250 2
check "kernel: no complaint in its log" test "$(complaints)" = "$before"
finish
