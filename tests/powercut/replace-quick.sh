# SPDX-License-Identifier: GPL-2.0-or-later
# A few power cuts in the middle of a conversion and of a re-keying; every one
# of them is in replace-every.sh.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/powercut/lib.sh"

if ! have_recorder >/dev/null 2>&1; then
	skip "no compiler or no python for the recorder"
	exit 77
fi
make_tree 300
mke2fs -qF -t ext4 -b 1024 -N 1200 -O ^has_journal -d "$T/d" \
	"$T/img" 10M >/dev/null 2>&1
cuts "conversion" 10 8 "$T/img" "$REHASH" {} tea
"$REHASH" "$T/img" half_md4 >/dev/null
cuts "re-keying" 8 8 "$T/img" "$REHASH" {} rekey 77

# Space for one copy at a time: what a batch freed is used by the next.
mke2fs -qF -t ext4 -b 1024 -N 1200 -O ^has_journal -d "$T/d" \
	"$T/img" 10M >/dev/null 2>&1
fill "$T/img" 14
cuts "batch after batch" 8 6 "$T/img" "$REHASH" {} tea
finish
