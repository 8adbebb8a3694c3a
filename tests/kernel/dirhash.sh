# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's own hashes of 20,000 names and more, for each hash that it can
# compute and both kinds of chars, against lib/dirhash's.
. "$E2DX_SRC/tests/lib.sh"
have_loop || { skip "dirhash: needs root and loop mounts"; exit 77; }
tools=$E2DX_BUILD/tests/tools
img=$T/img
mnt=$T/mnt
uuid=aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee
seed=$(echo $uuid | tr -d -)
mkdir "$mnt"

# filled ALG FLAGS: an image with a directory of that hash, mounted.
filled()
{
	rm -f "$img"
	truncate -s 64M "$img"
	mke2fs -qFt ext4 -O ^has_journal -b 4096 -N 64 \
		-E hash_seed=$uuid "$img" || return 1
	"$STOCK_DEBUGFS" -w -R "ssv def_hash_version $1" "$img" 2>&1 || return 1
	"$STOCK_DEBUGFS" -w -R "ssv flags $2" "$img" 2>&1 || return 1
	mount -o loop "$img" "$mnt" || return 1
	mkdir "$mnt/d" && python3 "$E2DX_SRC/tests/tools/hash-names.py" "$mnt/d"
}

# The index must say what this test thinks it does.
has_version()
{
	"$STOCK_DEBUGFS" -R "htree_dump /d" "$img" 2>/dev/null |
		grep -q "Hash Version: $1"
}

# same VERSION: as many lines as there are names, each of them equal.
same()
{
	"$tools/kernelhash" "$mnt/d" >"$T/kernel" || return 1
	names=$(wc -l <"$T/kernel")
	echo "$names names"
	[ "$names" -ge 20000 ] || return 1
	"$tools/namehash" "$1" "$seed" <"$T/kernel" >"$T/ours" || return 1
	cmp "$T/kernel" "$T/ours" || { diff "$T/kernel" "$T/ours" | head; return 1; }
}

# Signedness must matter here, or the two halves of the test are one.
differs()
{
	"$tools/namehash" "$1" "$seed" <"$T/kernel" >"$T/other" || return 1
	! cmp -s "$T/kernel" "$T/other"
}

moved_cookies() { [ "$(grep -c '^fffffffc' "$T/kernel")" -ge 2 ]; }

number=0
for alg in legacy half_md4 tea; do
	for flags in 1 2; do
		name=$alg other=${alg}_unsigned
		[ $flags = 2 ] && name=${alg}_unsigned other=$alg
		if filled $alg $flags >"$T/filled.out" 2>&1; then
			check "$name as the kernel has it" same $name
			check "$name is not $other" differs $other
			[ $alg = tea ] ||
				check "$name moves 0xfffffffe" moved_cookies
			umount "$mnt"
			check "$alg is in the index" has_version $number
		else
			fail "a directory with $name could not be made"
			sed 's/^/    /' "$T/filled.out"
		fi
		mountpoint -q "$mnt" && umount "$mnt"
	done
	number=$((number + 1))
done
finish
