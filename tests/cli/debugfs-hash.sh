#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# dx_hash: stock's hashes where stock is right, the filesystem's and the
# directory's own parameters, and the keys of encrypted directories.
. "$E2DX_SRC/tests/lib.sh"

ours() { "$DEBUGFS" -R "$1" ${2:+"$2"} 2>&1; }
SEED=aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee

# Without a filesystem everything is as stock has it, the default (legacy) too.
as_stock()
{
	"$STOCK_DEBUGFS" -R "$1" 2>/dev/null >"$T/stock.out"
	ours "$1" >"$T/ours.out" && [ -s "$T/stock.out" ] &&
	diff "$T/stock.out" "$T/ours.out"
}

# Stock knows the unsigned ones by number only, and takes their names for
# legacy without a word.
requests()
{
	for n in foo a "$(printf 'caf\303\251')" "$(printf 'raw\377\200')" \
		 'with-a-rather-long-name-of-more-than-thirty-two-bytes'; do
		for h in legacy half_md4 tea "$@" 0 1 2 3 4 5; do
			echo "dx_hash -h $h $n"
			echo "dx_hash -h $h -s $SEED $n"
		done
	done
}
all_as_stock()
{
	requests 3 4 5 >"$T/stock.in"
	requests legacy_unsigned half_md4_unsigned tea_unsigned >"$T/ours.in"
	"$STOCK_DEBUGFS" -f "$T/stock.in" 2>/dev/null | grep -a '^Hash of' >"$T/stock.out"
	"$DEBUGFS" -f "$T/ours.in" | grep -a '^Hash of' >"$T/ours.out"
	[ "$(wc -l <"$T/stock.out")" -eq 120 ] && cmp "$T/stock.out" "$T/ours.out"
}
check "all versions of libext2fs, signed and unsigned" all_as_stock
check "no -h: legacy" as_stock "dx_hash foo"
check "folded" as_stock "dx_hash -h tea -c -e utf8 $(printf 'STRASSE-\303\211')"
check "an encoding without -c folds nothing" as_stock "dx_hash -e utf8 FOO"
# The reference vector of SipHash-2-4's authors has the same key.
check "siphash" says "Hash of foo is 0xe0b8c1d4 (minor 0x1e478d1d)" \
	ours "dx_hash -h siphash -s 00010203-0405-0607-0809-0a0b0c0d0e0f foo"
# What Linux gives for the end-of-directory cookie; stock leaves it.
check "0xfffffffe" says "is 0xfffffffc (minor 0xabff1462)" \
	ours "dx_hash -h half_md4 -s $SEED 5fqexqba"
check "several names" says "Hash of b is" ours "dx_hash -h tea a b c"
check "a name of two words" says "Hash of a b is" ours 'dx_hash -h tea "a b"'
check "a name with an option's shape" says "Hash of -c is" ours 'dx_hash -- -c'
check "unknown hash" exits 1 ours "dx_hash -h nonsense foo"
check "unknown hash: the known ones are named" \
	says "legacy, half_md4, tea, legacy_unsigned, half_md4_unsigned, tea_unsigned, siphash" \
	ours "dx_hash -h nonsense foo"
check "number 7 is none" exits 1 ours "dx_hash -h 7 foo"
check "bad seed" exits 1 ours "dx_hash -s x foo"
check "random is no seed here" exits 1 ours "dx_hash -s random foo"
check "unknown encoding" exits 1 ours "dx_hash -c -e latin1 foo"
check "-c without an encoding" exits 1 ours "dx_hash -c foo"
check "-d without a filesystem" exits 1 ours "dx_hash -d / foo"
check "no name" exits 1 ours "dx_hash -h tea"
check "a name that is too long" exits 1 ours "dx_hash $(printf '%0256d' 0)"

# The filesystem's own: stock says the seed, stock's function gives the hash.
mke2fs -qFt ext4 -b1024 -O casefold,^metadata_csum -E encoding=utf8 "$T/img" 4M
"$STOCK_DEBUGFS" -R 'stats -h' "$T/img" 2>/dev/null >"$T/stats"
seed=$(sed -n 's/^Directory Hash Seed: *//p' "$T/stats")
as_explicit()
{
	name=$(printf 'Caf\303\211')
	"$STOCK_DEBUGFS" -R "dx_hash -h $1 -s $seed $2 $name" 2>/dev/null >"$T/stock.out"
	ours "dx_hash $3 $name" "$T/img" >"$T/ours.out" &&
	diff "$T/stock.out" "$T/ours.out"
}
check "the filesystem's hash, sign and seed" as_explicit half_md4 "" ""
check "another hash with the filesystem's seed" as_explicit tea "" "-h tea"
check "the filesystem's encoding" as_explicit half_md4 "-c -e utf8" -c
check "a directory that does not fold" as_explicit half_md4 "" "-d /"
"$STOCK_DEBUGFS" -w -R 'ssv flags 2' "$T/img" 2>/dev/null
check "unsigned" as_explicit 4 "" ""
check "unsigned, by name" as_explicit 5 "" "-h tea"
printf '\004' | dd of="$T/img" bs=1 seek=$((1024 + 252)) conv=notrunc 2>/dev/null
check "a default of the hole" exits 1 ours "dx_hash foo" "$T/img"
check "and a hash that is named" exits 0 ours "dx_hash -h tea foo" "$T/img"
check "-k on a directory without hashes" exits 1 \
	ours "dx_hash -d / -k $T/stats foo" "$T/img"
# A directory keeps its own hash when the default changes.
mkdir -p "$T/d/dir"
i=0
while [ $i -lt 100 ]; do
	i=$((i + 1))
	: >"$T/d/dir/a_name_with_a_number_$i"
done
mke2fs -qFt ext4 -b1024 -d "$T/d" "$T/img" 4M
"$STOCK_E2FSCK" -fyD "$T/img" >/dev/null 2>&1
seed=$("$STOCK_DEBUGFS" -R 'stats -h' "$T/img" 2>/dev/null |
	sed -n 's/^Directory Hash Seed: *//p')
"$STOCK_DEBUGFS" -w -R 'ssv def_hash_version tea' "$T/img" 2>/dev/null
check "a directory's own version" as_explicit half_md4 "" "-d /dir"
check "the new default elsewhere" as_explicit tea "" "-d /"

# The 3000 names that Linux put into /both (images/README.md).
rule()
{
	printf '%s' "import sys
rule = ['File%05d', 'MiXeD-Case-%05d.TXT', 'Stra\u00dfe%d', '\u00c9t\u00e9-%d',
        '%d-a-rather-long-name-that-needs-more-than-one-cipher-block']
for i in range(int(sys.argv[2])):
    print('dx_hash -d', sys.argv[1], '-k $T/key', rule[i % 5] % i)
" >"$T/rule.py"
	python3 "$T/rule.py" "$@"
}
hashes()
{
	rule "$1" "$2" >"$T/names"
	"$DEBUGFS" -f "$T/names" "$T/ce.img" |
		sed -n 's/^Hash of .* is 0x\(.*\) (minor 0x\(.*\))$/0x\1 0x\2/p' |
		xargs printf '%08x %08x\n' | sort >"$T/computed"
}
stored_equal()
{
	hashes "$1" "$2"
	python3 "$E2DX_SRC/tests/tools/stored-hashes.py" "$T/ce.img" "$1" |
		sort >"$T/stored"
	[ "$(wc -l <"$T/stored")" -eq "$2" ] && diff "$T/stored" "$T/computed"
}
in_one_request()
{
	# All names of /small as arguments of one request.
	ours "dx_hash -d /small -k $T/key $(rule x 5 | sed 's/.* //' | tr '\n' ' ')" \
		"$T/ce.img" >"$T/one" && [ "$(wc -l <"$T/one")" -eq 5 ]
}
# Ciphertext names as ls shows them lead back to the inodes, by the index.
encrypted_names()
{
	"$DEBUGFS" -R "ls -p $1" "$T/ce.img" |
		awk -F/ '$6 != "." && $6 != ".." && $2 { print $2, $6 }' >"$T/names"
	[ "$(wc -l <"$T/names")" -eq "$2" ] || return 1
	sed 's/ .*//' "$T/names" >"$T/inodes"
	sed "s,^[0-9]* \\(.*\\),stat \"$1/\\1\"," "$T/names" >"$T/requests"
	"$DEBUGFS" -f "$T/requests" "$T/ce.img" >"$T/out" 2>"$T/err" &&
	[ ! -s "$T/err" ] &&
	sed -n 's/^Inode: \([0-9]*\).*/\1/p' "$T/out" | diff "$T/inodes" -
}

if have_shared; then
	gunzip -c "$SHARED/images/linux-casefold-encrypt.img.gz" >"$T/ce.img"
	python3 -c 'import sys; sys.stdout.buffer.write(bytes(range(64)))' >"$T/key"
	check "the hashes of /both" stored_equal /both 3000
	check "the hashes of /small" stored_equal /small 5
	check "encrypted names read back" encrypted_names /crypt 1000
	check "those beside stored hashes too" encrypted_names /small 5
	check "many names at once" in_one_request
	check "no key" exits 1 ours "dx_hash -d /both foo" "$T/ce.img"
	check "a directory that is encrypted only" exits 1 \
		ours "dx_hash -d /crypt -k $T/key foo" "$T/ce.img"
	check "/fold folds" says "$(ours 'dx_hash -d /fold FILE1' "$T/ce.img" |
		sed 's/Hash of FILE1 //')" ours "dx_hash -d /fold file1" "$T/ce.img"
	head -c 15 "$T/key" >"$T/short"
	check "a key that is too short" exits 1 \
		ours "dx_hash -d /both -k $T/short foo" "$T/ce.img"
	cat "$T/key" "$T/short" >"$T/long"
	check "a key that is too long" exits 1 \
		ours "dx_hash -d /both -k $T/long foo" "$T/ce.img"
	check "no such key file" exits 1 \
		ours "dx_hash -d /both -k $T/none foo" "$T/ce.img"
else
	skip "the hashes of /both: no shared images"
fi
finish
