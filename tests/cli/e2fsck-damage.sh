# SPDX-License-Identifier: GPL-2.0-or-later
# Fields of healthy filesystems set to something else: what stock finds, ours
# finds, and the other way round.  Two thousand cases: tests/long.
. "$E2DX_SRC/tests/lib.sh"
cases=${DAMAGE_CASES:-0:108}
only=${DAMAGE_IMAGES:-'^(ext2-1k|small-1k|ext4-4k|inline_data|ea_inode|quota|no-csum|uninit_bg|orphan_file)$'}
check "images are made" python3 "$E2DX_SRC/tests/images/healthy.py" \
	--only "$only" "$T/h"
check "cases $cases" python3 "$E2DX_SRC/tests/damage/compare.py" \
	--cases "$cases" --known "$E2DX_SRC/tests/damage/known.tsv" \
	"$E2FSCK" "$T"/h/*.img
tail -n 1 "$T/check.out"
finish
