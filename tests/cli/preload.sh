# SPDX-License-Identifier: GPL-2.0-or-later
# With libext2dx.so preloaded, Debian's own programs know siphash.  The values
# are the published ones: SipHash-2-4 with the key 00 .. 0f for "foo", and
# those that openssl computed (tests/vectors).
. "$E2DX_SRC/tests/lib.sh"
lib=$E2DX_BUILD/lib/ext2fs/.libs/libext2dx.so
img=$T/img
uuid=00010203-0405-0607-0809-0a0b0c0d0e0f
seed=$(echo $uuid | tr -d -)
[ -e "$lib" ] || { skip "preload: no shared library was built"; exit 77; }
if ldd "$lib" | grep -qE 'lib[atu]*san'; then
	skip "preload: built with a sanitizer"
	exit 77
fi

with() { LD_PRELOAD=$lib "$@"; }

# The library must load without a word, or nothing below means anything.
check "the library can be preloaded" test -z "$(with true 2>&1)"

truncate -s 8M "$img"
mke2fs -qFt ext4 -b 1024 "$img"
check "stock tune2fs takes siphash" \
	exits 0 with "$STOCK_TUNE2FS" -E hash_alg=siphash "$img"
check "and writes 6 to disk" \
	test "$(od -An -tu1 -j1276 -N1 "$img" | tr -d ' ')" = 6
check "stock dumpe2fs prints siphash" \
	says "Default directory hash:   siphash" with dumpe2fs -h "$img"
check "without the library it cannot" \
	says "HASHALG_6" dumpe2fs -h "$img"

dx_hash() { with "$STOCK_DEBUGFS" -R "dx_hash -h siphash -s $uuid $1"; }

check "stock debugfs prints SipHash's value of foo" \
	says "Hash of foo is 0xe0b8c1d4 (minor 0x1e478d1d)" dx_hash foo

# The vectors' names that debugfs' command line takes as they are: name, hash,
# minor hash.
plain_names()
{
	python3 - "$E2DX_SRC/tests/vectors/dirhash.tsv" $seed <<-'END'
		import re, sys
		for line in open(sys.argv[1]):
		    v = line.split()
		    if v[0] == "6" and v[1] == sys.argv[2]:
		        name = bytes.fromhex(v[2])
		        if re.fullmatch(rb"[a-zA-Z0-9_]+", name):
		            print(name.decode(), *(hex(int(h, 16)) for h in v[3:]))
	END
}
plain_names >"$T/names"
check "openssl's vectors have names for it" test -s "$T/names"
while read -r name hash minor; do
	check "stock debugfs prints openssl's value of $name" \
		says "Hash of $name is $hash (minor $minor)" \
		dx_hash "$name" </dev/null
done <"$T/names"

# The hole must not get to disk, by name or by number.
refuses()
{
	unchanged "$img" with "$STOCK_TUNE2FS" -E "hash_alg=$1" "$img" \
		>"$T/out" 2>&1 && grep -q "Invalid hash algorithm" "$T/out"
}
for alg in legacy_unsigned half_md4_unsigned tea_unsigned HASHALG_3 HASHALG_4 \
	HASHALG_5 hashalg_05; do
	check "stock tune2fs refuses $alg" refuses $alg
done
check "stock tune2fs goes back to half_md4" \
	exits 0 with "$STOCK_TUNE2FS" -E hash_alg=half_md4 "$img"
check "as it was" says "Default directory hash:   half_md4" dumpe2fs -h "$img"

cat >"$T/mke2fs.conf" <<-END
	[defaults]
		base_features = sparse_super,filetype,dir_index,ext_attr
		hash_alg = siphash
	[fs_types]
		ext4 = {
			features = extent,metadata_csum,64bit
		}
END
make_siphash()
{
	rm -f "$img"
	truncate -s 8M "$img"
	with env MKE2FS_CONFIG="$T/mke2fs.conf" mke2fs -qFt ext4 -b 1024 "$img" \
		2>&1
}
check "stock mke2fs makes one" exits 0 make_siphash
check "its default is siphash" \
	says "Default directory hash:   siphash" with dumpe2fs -h "$img"
# Its checksums were computed by the library's CRC-32C.
check "stock e2fsck agrees with its checksums" \
	exits 0 "$STOCK_E2FSCK" -fn "$img"
finish
