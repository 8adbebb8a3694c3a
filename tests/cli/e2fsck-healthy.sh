# SPDX-License-Identifier: GPL-2.0-or-later
# Healthy filesystems that mke2fs and debugfs make: nothing is found, nothing
# is written.  All of them, and those the kernel fills: tests/kernel.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"
check "made, and clean for stock" python3 "$E2DX_SRC/tests/images/healthy.py" \
	--only '^(ext2-1k|ext3-1k|ext4-1k|inline_data|ea_inode|quota|lazy|bigalloc)$' \
	"$T/h"
for img in "$T"/h/*.img; do
	check "$(basename "$img" .img)" found_healthy "$img"
	check "$(basename "$img" .img): what is in use" same_totals "$img"
	check "$(basename "$img" .img): with -v" same_figures "$img"
done
finish
