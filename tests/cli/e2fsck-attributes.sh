# SPDX-License-Identifier: GPL-2.0-or-later
# Attributes, encryption contexts and quota files with one thing wrong in each,
# beside stock; and the same words whatever the number of threads.
. "$E2DX_SRC/tests/lib.sh"

python3 "$E2DX_SRC/tests/damage/attributes.py" --stock "$STOCK_E2FSCK" \
	"$E2FSCK" "$T/i" || test_fails=1

# Every fault at once: groups of few inodes, so that threads have work.
mke2fs -qFt ext4 -b1024 -I256 -g 256 -N 512 -O ^has_journal,^metadata_csum \
	"$T/x" 4M >/dev/null 2>&1
printf 'vvvv%.0s' $(seq 150) >"$T/v"
for i in $(seq 40); do
	echo "write $T/v f$i"
	echo "ea_set -f $T/v f$i user.long"
	echo "ea_set f$i user.short 12345678"
done >"$T/requests"
"$STOCK_DEBUGFS" -w -f "$T/requests" "$T/x" >/dev/null 2>&1
python3 - "$T/x" <<'END'
import sys
d = bytearray(open(sys.argv[1], "rb").read())
at, n = d.find(b"long"), 0
while at > 0:
    # Of every second block a header field, of the others a hash.
    block = at // 1024 * 1024
    d[block + 4 if n % 2 else at - 4] ^= 1 + n % 3
    at, n = d.find(b"long", at + 1), n + 1
at = d.find(b"short")
while at > 0:
    d[at - 14] = 250
    at = d.find(b"short", at + 1)
open(sys.argv[1], "wb").write(d)
END
for n in 1 2 8; do
	"$E2FSCK" -fnv -E threads=$n "$T/x" >"$T/out.$n" 2>&1
done
check "there is much to say" grep -q "more like this" "$T/out.1"
check "two threads say the same" cmp "$T/out.1" "$T/out.2"
check "eight threads say the same" cmp "$T/out.1" "$T/out.8"
finish
