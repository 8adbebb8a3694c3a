#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sixty names of one legacy hash, put into a directory by the kernel: the
# collision goes over some twenty leaves, all with continuation bits.  The
# verifier must find nothing, a rebuilt index must be right for the kernel.
. "$E2DX_SRC/tests/lib.sh"

# Each of them after 190 times "a" has the hash 2345678 << 1.
suffixes='
0010946382C 0038202137; 0054829846" 0108166391i 0140085572t 0147766336Q 
0253691232M 0268774161N 0283477536\ 0289587083U 0321772727L 0331017106^ 
0344051741K 0382320604Q 0393660744( 0502658238c 05937443067 0599508200I 
0613911971q 0780043581| 0795624417] 0808599723, 0861995183[ 0894408712Y 
0930158992$ 09772379503 0990761161g 1008010041- 1011765806` 1012305420y 
1018230318K 1061517663{ 1102078760[ 1110759476- 1134906183: 1155256624\ 
1165837582_ 1183958551L 1254446595, 1275743869V 1277945136V 1337032868L 
1402971086R 14046584646 1423564141U 1441250369j 1480830635| 1485830134L 
1492829024N 1495526318R 1533224793& 1593643079^ 1617636294` 1684632941c 
1697310006c 1707949201U 2018501378@ 2047536896'\'' 2059928040; 2067560340@ '

long_names()
{
	a=$(printf '%0190d' 0 | tr 0 a)
	for s in $suffixes; do
		printf '%s%s\n' "$a" "$s"
	done
}

# Others with them, in an order that is the same each time.
all_names()
{
	long_names
	seq -f 'other-name-number-%g-of-some-length' 1500
}

fill()
{
	all_names | sort -k1.195 | while read -r n; do
		: >"$T/mnt/dir/$n" || exit 1
	done
}

found()
{
	mount -o loop,ro "$T/i.img" "$T/mnt" || return 1
	all_names | while read -r n; do
		[ -f "$T/mnt/dir/$n" ] || { echo "lost: $n"; exit 1; }
	done
	status=$?
	umount "$T/mnt"
	return $status
}

if ! have_loop; then
	skip "collisions: no loop mounts"
	exit 77
fi
set -f		# the suffixes hold characters of patterns
mkdir "$T/mnt"
for csum in ^metadata_csum metadata_csum; do
	rm -f "$T/i.img"
	mke2fs -qFt ext4 -b 1024 -O "^has_journal,$csum" -N 4000 "$T/i.img" 8M \
		>/dev/null
	$STOCK_TUNE2FS -E hash_alg=legacy "$T/i.img" >/dev/null
	mount -o loop "$T/i.img" "$T/mnt"
	mkdir "$T/mnt/dir"
	check "$csum: the kernel makes the directory" fill
	umount "$T/mnt"
	check "$csum: they do collide" says '"longest_collision_chain": 60' \
		"$DEBUGFS" -R 'htree_stats -j /dir' "$T/i.img"
	check "$csum: no findings" exits 0 "$E2FSCK" -fn "$T/i.img"
	check "$csum: a rebuilt one" exits 1 "$E2FSCK" -fyD "$T/i.img"
	check "$csum: no findings in it" exits 0 "$E2FSCK" -fn "$T/i.img"
	check "$csum: nor for stock" exits 0 "$STOCK_E2FSCK" -fn "$T/i.img"
	check "$csum: the kernel finds all names" found
done
finish
