#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A directory of siphash that htree_insert() and htree_remove() changed, judged
# all the way up and down by our own e2fsck, since neither the kernel nor stock
# e2fsck has this hash for plain directories: every entry lies where its hash
# belongs.  What names there are is told by stock debugfs, which reads block
# after block.  LIVING_NAMES: how many there are at most.
. "$E2DX_SRC/tests/lib.sh"
LIVING=$E2DX_BUILD/tests/unit/htree_living
: "${LIVING_NAMES:=5000}"

cat >"$T/judge" <<END
#!/bin/sh
"$E2FSCK" -fn "\$1" >"$T/e2fsck.out" 2>&1 || { cat "$T/e2fsck.out"; exit 1; }
"$STOCK_DEBUGFS" -R "ls -p /big" "\$1" 2>/dev/null |
	grep -v "^/0/" | cut -d/ -f6 | grep -v '^\.*$' | sort >"$T/listed"
cmp "$T/listed" "\$2" && echo judged
END

truncate -s 256M "$T/img"
mke2fs -qFt ext4 -b 4096 -O ^has_journal "$T/img"
"$TUNE2FS" -E hash_alg=siphash "$T/img" >/dev/null 2>&1
check "$LIVING_NAMES names come and go" \
	sh -c '"$@" >"$0" 2>&1 || { cat "$0"; exit 1; }' "$T/said" \
	"$LIVING" "$T/img" 6 "$LIVING_NAMES" 6 10 shrink "$T/names" \
	"sh $T/judge"
check "judged at every tenth" test "$(grep -c '^judged$' "$T/said")" -eq 20
check "one block at last" grep " 1 at last" "$T/said"
check "no name at last" test ! -s "$T/listed"
finish
