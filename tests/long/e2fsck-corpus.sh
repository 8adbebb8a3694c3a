# SPDX-License-Identifier: GPL-2.0-or-later
# 144 damaged images: nothing crashes or hangs, -fn writes nothing, what is
# printed does not depend on the threads, and no path that stock e2fsck can
# save is lost by repairing with ours first.
. "$E2DX_SRC/tests/lib.sh"
have_shared || { skip "e2fsck-corpus: no ../shared"; exit 77; }
cc -O2 -o "$T/fstree" "$SHARED/tools/fstree.c" -lext2fs -lcom_err || exit 99

# paths IMG: what there is, without the sizes of directories.
paths()
{
	"$T/fstree" "$1" | awk -F'\t' '$3 ~ /^0?4/ { $5 = "-" } { print $1, $2, $3, $6 }' |
		sort
}
survived() { [ "$1" -lt 64 ]; }

n=0
for g in "$SHARED"/corpus/e2fsck/*.img.gz; do
	name=${g##*/}
	name=${name%.img.gz}
	zcat "$g" | cp --sparse=always /dev/stdin "$T/x"
	cp --sparse=always "$T/x" "$T/stock"
	sum=$(cksum <"$T/x")
	"$E2FSCK" -fnv -E threads=1 "$T/x" >"$T/one" 2>&1
	survived $? || fail "$name: -fn died"
	"$E2FSCK" -fnv -E threads=8 "$T/x" >"$T/eight" 2>&1
	cmp -s "$T/one" "$T/eight" || fail "$name: threads change the output"
	[ "$sum" = "$(cksum <"$T/x")" ] || fail "$name: -fn wrote"
	for how in -fp -fy -fyD; do
		timeout 60 "$E2FSCK" $how "$T/x" >/dev/null 2>&1
		survived $? || fail "$name: $how died"
	done
	timeout 60 "$STOCK_E2FSCK" -fy "$T/x" >/dev/null 2>&1
	timeout 60 "$STOCK_E2FSCK" -fy "$T/stock" >/dev/null 2>&1
	paths "$T/stock" >"$T/want"
	paths "$T/x" >"$T/got"
	n=$((n + 1))
	# Which of two equal names is changed is a free choice (f_dup_de2);
	# stray dots get names in place, not in lost+found (f_dupdot).
	case $name in f_dup_de2|f_dupdot) continue ;; esac
	lost=$(comm -23 "$T/want" "$T/got" | wc -l)
	[ "$lost" -eq 0 ] || fail "$name: $lost paths lost"
done
[ "$n" -gt 100 ] || fail "only $n images"
[ "$test_fails" -eq 0 ] && pass "$n damaged images"
finish
