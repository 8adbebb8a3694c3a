# SPDX-License-Identifier: GPL-2.0-or-later
# Two thousand fields of nearly all kinds of filesystems, as in tests/cli.
DAMAGE_CASES=0:2000
DAMAGE_IMAGES='^(?!ext2-64k|ext4-(8|16|32|64)k|bigalloc-4k|meta_bg|one-more|short-group-4k|stride|journal-64)'
. "$E2DX_SRC/tests/cli/e2fsck-damage.sh"
