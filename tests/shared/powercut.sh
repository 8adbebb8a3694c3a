# SPDX-License-Identifier: GPL-2.0-or-later
# Power cuts while directories are replaced and while they are re-keyed, by a
# recorder and a judge that are not this project's.
. "$E2DX_SRC/tests/lib.sh"
have_shared || { skip "powercut: no ../shared"; exit 77; }
points=${POWERCUT_POINTS:-30}
mkdir -p "$T/d/a" "$T/d/b"
(cd "$T/d/a" && seq -f 'f%.0f' 12000 | while read -r f; do echo "$f" >"$f"; done)
(cd "$T/d/b" && seq -f 'name-%.0f' 3000 | xargs touch)
base=$T/base.img
mke2fs -qFt ext4 -b 1024 -N 20000 -d "$T/d" "$base" 48M
"$STOCK_E2FSCK" -fyD "$base" >/dev/null 2>&1
debugfs -w -R "ssv last_orphan 0" "$base" >/dev/null 2>&1
# Names removed again, so that there is something to compact.
for i in $(seq 1 3 12000); do echo "rm /a/f$i"; done >"$T/rm"
debugfs -w -f "$T/rm" "$base" >/dev/null 2>&1
"$STOCK_E2FSCK" -fy "$base" >/dev/null 2>&1

check "the image is healthy" exits 0 "$STOCK_E2FSCK" -fn "$base"
check "no name lost while e2fsck -fyD runs ($points points, twice)" \
	python3 "$SHARED/tools/powercut" "$base" --torn --points "$points" -- \
	"$E2FSCK" -fyD '{}'
sed 's/^/    /' "$T/check.out"
check "no name lost while the seed changes ($points points, twice)" \
	python3 "$SHARED/tools/powercut" "$base" --torn --points "$points" -- \
	"$TUNE2FS" -E hash_seed=random '{}'
sed 's/^/    /' "$T/check.out"

size() { debugfs -R "stat $2" "$1" 2>/dev/null | sed -n 's/.*Size: \([0-9]*\).*/\1/p' | head -1; }
cp --sparse=always "$base" "$T/run.img"
check "uncut e2fsck -fyD" exits 1 "$E2FSCK" -fyD "$T/run.img"
check "the directory is smaller" \
	test "$(size "$T/run.img" /a)" -lt "$(size "$base" /a)"
check "ours -fn" exits 0 "$E2FSCK" -fn "$T/run.img"
check "stock -fn" exits 0 "$STOCK_E2FSCK" -fn "$T/run.img"
cp --sparse=always "$base" "$T/run.img"
check "uncut tune2fs -E hash_seed=random" exits 0 "$TUNE2FS" -E hash_seed=random "$T/run.img"
check "ours -fn after it" exits 0 "$E2FSCK" -fn "$T/run.img"
check "stock -fn after it" exits 0 "$STOCK_E2FSCK" -fn "$T/run.img"
seed() { dumpe2fs -h $3 "$1" 2>/dev/null | sed -n "s/^Directory Hash Seed: *//p"; }
new=$(seed "$T/run.img" "" "")
check "the seed changed" test "$new" != "$(seed "$base" "" "")"
for b in $(dumpe2fs "$base" 2>/dev/null | sed -n 's/.*Backup superblock at \([0-9]*\).*/\1/p'); do
	check "the copy at block $b has it" test "$new" = \
		"$(seed "$T/run.img" "" "-o superblock=$b -o blocksize=1024")"
done
finish
