# SPDX-License-Identifier: GPL-2.0-or-later
# Questions at a terminal: yes, no, all; and Ctrl-C.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"

mkdir -p "$T/d/dir"
for i in $(seq 100 199); do : >"$T/d/dir/some_name_$i"; done
mke2fs -qFt ext4 -b1024 -O ^has_journal,^metadata_csum -d "$T/d" "$T/a" 4M \
	>/dev/null 2>&1
poke "$T/a" "$(offset_of "$T/a" some_name_150)" some_name_101
poke "$T/a" $(($(offset_of "$T/a" some_name_140) - 1)) '\002'
typing()
{
	answers=$1
	shift
	python3 "$E2DX_SRC/tests/tools/at-terminal.py" "$answers" "$@"
}
fresh() { cp "$T/a" "$T/x"; }
left() { says "$1" "$E2FSCK" -fn "$T/x"; }

fresh
check "no to both: nothing is written" \
	leaves "$T/x" exits 4 typing nn "$E2FSCK" -f "$T/x"
check "Ctrl-C at a question: nothing is written" \
	leaves "$T/x" exits 32 typing I "$E2FSCK" -f "$T/x"
check "no to one, yes to the other" exits 5 typing ny "$E2FSCK" -f "$T/x"
check "what was refused is left" exits 4 "$E2FSCK" -fn "$T/x"
fresh
check "yes to both" exits 1 typing yy "$E2FSCK" -f "$T/x"
check "nothing is left" found_clean "$T/x"
fresh
check "yes to all" exits 1 typing a "$E2FSCK" -f "$T/x"
check "nothing is left then either" found_clean "$T/x"
finish
