# SPDX-License-Identifier: GPL-2.0-or-later
# Healthy filesystems of every kind, filled by mke2fs, debugfs and the running
# kernel: nothing is found, nothing is written.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"
have_loop || { skip "e2fsck: needs root and loop mounts"; exit 77; }
check "made, and clean for stock" python3 "$E2DX_SRC/tests/images/healthy.py" \
	--kernel "$T/h"
n=0
for img in "$T"/h/*.img; do
	name=$(basename "$img" .img)
	if [ -e "$T/h/$name.jnl" ]; then
		# Its journal is on another device, and nowhere without -j.
		for e in "$E2FSCK" "$STOCK_E2FSCK"; do
			check "$name: $e -j" leaves "$img" \
				exits 0 "$e" -fn -j "$T/h/$name.jnl" "$img"
			check "$name: $e" leaves "$img" exits 12 "$e" -fn "$img"
		done
		continue
	fi
	check "$name" found_healthy "$img"
	check "$name: what is in use" same_totals "$img"
	n=$((n + 1))
done
check "enough of them" test "$n" -ge 90
finish
