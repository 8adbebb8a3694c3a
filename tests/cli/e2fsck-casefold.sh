# SPDX-License-Identifier: GPL-2.0-or-later
# Casefolded directories: names that fold to the same are duplicates.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"

# casefolded STRICT NAME...: $T/x with these names in /dir, casefolded.
casefolded()
{
	strict=$1
	shift
	rm -rf "$T/d" && mkdir -p "$T/d/dir"
	for name; do : >"$T/d/dir/$name"; done
	mke2fs -qFt ext4 -b1024 -O ^has_journal,^metadata_csum,casefold \
		-E "encoding=utf8-12.1$strict" -d "$T/d" "$T/x" 4M >/dev/null 2>&1
	sd "$T/x" "sif /dir flags 0x40080000"
}
count() { [ "$(names_in "$T/x" /dir | wc -l)" -eq "$1" ]; }
has() { names_in "$T/x" /dir | grep -q " $1\$"; }

casefolded "" Readme readme2 other
check "healthy" exits 0 "$E2FSCK" -fn "$T/x"
casefolded "" Readme README other
repairs "Readme and README" "$T/x" -fy "same name"
check "all three are there" count 3
e1=$(printf '\303\251') e2=$(printf 'e\314\201')
casefolded ",encoding_flags=strict" "$e1" "$e2"
repairs "composed and decomposed, strict" "$T/x" -fy "same name"
check "both are there" count 2
casefolded ",encoding_flags=strict" "a_plain_name"
poke "$T/x" "$(offset_of "$T/x" a_plain_name)" 'a_pl\377in_na'
repairs "not in the encoding, strict" "$T/x" -fy "encoding"
check "the byte is a dot" has a_pl.in_name
casefolded "" "a_plain_name"
poke "$T/x" "$(offset_of "$T/x" a_plain_name)" 'a_pl\377in_na'
check "not in the encoding, not strict" exits 0 "$E2FSCK" -fn "$T/x"
finish
