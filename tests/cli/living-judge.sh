#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Directories that htree_insert() and htree_remove() changed, judged by stock
# e2fsck and debugfs all the way up and down: from one block to an index of
# two levels and back to one block without an index.
. "$E2DX_SRC/tests/lib.sh"
LIVING=$E2DX_BUILD/tests/unit/htree_living

cat >"$T/judge" <<END
#!/bin/sh
"$STOCK_E2FSCK" -fn "\$1" >"$T/e2fsck.out" 2>&1 || { cat "$T/e2fsck.out"; exit 1; }
"$STOCK_DEBUGFS" -R "ls -p /big" "\$1" 2>/dev/null |
	grep -v "^/0/" | cut -d/ -f6 | grep -v '^\.*$' | sort >"$T/listed"
cmp "$T/listed" "\$2"
END


# judge NAME MKE2FS-OPTIONS VERSION COUNT LENGTH STAGES keep|shrink AT-LAST
judge()
{
	rm -f "$T/img"
	# shellcheck disable=SC2086
	mke2fs -qF -t ext4 $2 "$T/img" 32M >"$T/mke2fs.out" 2>&1 ||
		cat "$T/mke2fs.out"
	"$LIVING" "$T/img" "$3" "$4" "$5" "$6" "$7" "$T/names" "sh $T/judge" \
		>"$T/said" 2>&1
	check "$1: judged" grep "at most" "$T/said" || sed "s/^/    /" "$T/said"
	check "$1: blocks at last" grep " $8 at last" "$T/said"
}

judge 1k "-b 1024 -O ^has_journal" 1 600 20 30 shrink 1
judge 1k-two-levels "-b 1024 -O ^has_journal" 2 1200 230 12 shrink 1
judge 1k-no-csum "-b 1024 -O ^has_journal,^metadata_csum" 0 1200 230 6 shrink 1
judge 1k-no-index "-b 1024 -O ^has_journal,^dir_index" 1 200 60 6 keep '[1-9][0-9]*'
judge 1k-keep "-b 1024 -O ^has_journal" 1 1200 230 4 keep '[1-9][0-9]*'
judge 4k "-b 4096 -O ^has_journal" 1 3000 30 6 shrink 1
judge 64k "-b 65536 -O ^has_journal" 2 3000 60 3 shrink 1
finish
