#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Directories as htree_build() makes them, judged by stock e2fsck: block
# sizes, checksums, versions 0 to 2, one to three levels, collisions, linear.
. "$E2DX_SRC/tests/lib.sh"
INJECT=$E2DX_BUILD/tests/unit/htree_inject

# judge NAME MKE2FS-OPTIONS MODE VERSION COUNT LENGTH LEVELS
judge()
{
	judge_name=$1
	rm -f "$T/img"
	# shellcheck disable=SC2086
	mke2fs -qF -t ext4 $2 "$T/img" 96M >"$T/mke2fs.out" 2>&1 ||
		cat "$T/mke2fs.out"
	"$INJECT" "$T/img" "$4" "$3" "$5" "$6" >"$T/names" 2>"$T/said"
	check "$judge_name: built" grep "levels $7" "$T/said"
	check "$judge_name: stock e2fsck" exits 0 "$STOCK_E2FSCK" -fn "$T/img"
	# Not only sound: all of it is there.
	"$STOCK_DEBUGFS" -R "ls -p /big" "$T/img" 2>/dev/null |
		cut -d/ -f6 | grep -v '^\.*$' | sort >"$T/listed"
	check "$judge_name: names" sh -c 'sort "$1" | cmp - "$2"' - \
		"$T/names" "$T/listed"
}

judge 1k "-b 1024 -O ^has_journal" indexed 1 3000 6 0
judge 1k-two-levels "-b 1024 -O ^has_journal" indexed 2 3000 100 1
judge 1k-no-csum "-b 1024 -O ^has_journal,^metadata_csum" indexed 1 3000 100 1
judge 1k-no-filetype "-b 1024 -O ^has_journal,^filetype" indexed 0 3000 100 1
judge 1k-three-levels "-b 1024 -O ^has_journal,large_dir" indexed 1 62000 240 2
judge 1k-block-map "-b 1024 -O ^has_journal,^extent,^64bit" indexed 1 3000 50 1
judge 1k-collisions "-b 1024 -O ^has_journal" collide 0 240000 100 0
judge 1k-linear "-b 1024 -O ^has_journal" linear 0 3000 33 0
judge 4k "-b 4096 -O ^has_journal" indexed 1 12000 30 0
judge 4k-two-levels "-b 4096 -O ^has_journal" indexed 0 12000 255 1
judge 4k-linear "-b 4096 -O ^has_journal,^metadata_csum" linear 0 3000 33 0
judge 64k "-b 65536 -O ^has_journal" indexed 2 30000 40 0
judge 64k-no-csum "-b 65536 -O ^has_journal,^metadata_csum" indexed 1 9000 40 0
judge 64k-linear "-b 65536 -O ^has_journal" linear 1 9000 40 0
finish
