# SPDX-License-Identifier: GPL-2.0-or-later
# tune2fs without root: options, refusals that leave every byte, the list,
# and changes judged by stock e2fsprogs.
. "$E2DX_SRC/tests/lib.sh"
img=$T/img
base=$T/base.img

# Two directories with an index and a linear one; two superblock copies.
mkdir -p "$T/tree/big" "$T/tree/small"
(
	cd "$T/tree/big" && seq -f 'file_number_%.0f' 900 | xargs touch
	for i in 1 2 3 4 5 6 7 8 9; do : >"Straße-$i"; : >"Été-$i"; done
	cd ../small && touch a b c
)
mke2fs -qFt ext4 -b 1024 -d "$T/tree" "$base" 12M || exit 99
"$STOCK_E2FSCK" -fyD "$base" >/dev/null 2>&1

fresh() { cp "$base" "$img"; }
# A field of the superblock as stock dumpe2fs shows it: field NAME [COPY]
field()
{
	dumpe2fs -h ${2:+-o superblock="$2" -o blocksize=1024} "$img" \
		2>/dev/null | sed -n "s/^$1: *//p"
}
stock_clean() { exits 0 "$STOCK_E2FSCK" -fn "$img"; }
version_of() { "$STOCK_DEBUGFS" -R "htree_dump $1" "$img" 2>&1 |
	sed -n 's/.*Hash Version: *//p'; }
names() { "$STOCK_DEBUGFS" -R "ls -p /big" "$img" 2>/dev/null | sort; }
same_names() { [ "$(names)" = "$names_before" ]; }
is() { [ "$1" = "$2" ] || { echo "'$1' instead of '$2'"; return 1; }; }
fresh
names_before=$(names)

# refused NAME TEXT ARGUMENTS...: exit 1, a message with TEXT, no byte changed.
refused()
{
	refused_name=$1
	refused_text=$2
	shift 2
	check "refused: $refused_name" unchanged "$img" exits 1 "$TUNE2FS" "$@" "$img"
	check "refused: $refused_name: the message" \
		says "$refused_text" "$TUNE2FS" "$@" "$img"
}

# ---- options
check '--help' exits 0 "$TUNE2FS" --help
check '-V' says 'e2dx' "$TUNE2FS" -V
check '--version' exits 0 "$TUNE2FS" --version
check 'no argument: usage' exits 1 "$TUNE2FS"
check 'no option: usage' unchanged "$img" exits 1 "$TUNE2FS" "$img"
check 'two devices: usage' exits 1 "$TUNE2FS" -l "$img" "$img"
check 'no such file' says 'No such file' "$TUNE2FS" -l "$T/none"
for o in '-c 5' '-C 5' '-e panic' '-g 0' '-i 5' '-I 512' -j '-J size=4' \
	'-m 1' '-M /x' '-o acl' '-Q usrquota' '-r 5' '-s 1' '-T now' '-u 0' '-z /x'; do
	# shellcheck disable=SC2086
	refused "stock's $o" "${o%% *}: not an option of this program" $o
done
for k in clear_mmp mmp_update_interval=1 stride=1 stripe_width=1 \
	encoding=utf8 encoding_flags=strict mount_opts=x orphan_file_size=1 \
	force_fsck test_fs ^test_fs; do
	refused "stock's -E $k" "-E ${k%%=*}: not an option" -f -E "$k"
done
refused 'stock'\''s -O' '-O ^has_journal: not an option' -O ^has_journal
refused 'unknown -E' '-E frob: unknown' -E frob
refused 'unknown -O' '-O frob: unknown' -O frob
refused 'unknown letter' '-X: unknown' -X
refused 'a good and a bad one' '-j: not' -E hash_alg=tea -L x -j
refused 'unknown hash' 'legacy, half_md4, tea, siphash' -E hash_alg=md5
refused 'a hash of the hole' 'legacy, half_md4, tea, siphash' -E hash_alg=tea_unsigned
refused 'a number of the hole' 'legacy, half_md4, tea, siphash' -E hash_alg=4
refused 'no hash' 'unknown hash' -E hash_alg
refused 'bad seed' 'needs a UUID' -E hash_seed=zero
refused 'bad UUID' 'needs a UUID' -U zero
refused 'siphash without a key' 'no secret key' -E hash_alg=siphash,hash_seed=clear
refused 'rehash and ^dir_index' 'rehash' -E rehash -O ^dir_index
check 'not ext: what it is' sh -c 'mkswap "$1" >/dev/null 2>&1; "$2" -l "$1" 2>&1 | grep -q "contains: swap"' - \
	"$(truncate -s 1M "$T/swap"; echo "$T/swap")" "$TUNE2FS"

# ---- the list
same_list()
{
	"$STOCK_TUNE2FS" -l "$1" | tail -n +2 >"$T/want"
	"$TUNE2FS" -l "$1" | tail -n +2 >"$T/got"
	[ -s "$T/want" ] && diff "$T/want" "$T/got"
}
n=0
for o in '-t ext2' '-t ext3' '-O ^metadata_csum,uninit_bg' \
	'-O mmp,quota,encrypt,casefold -E encoding=utf8' \
	'-O bigalloc,large_dir -C 16384' '-b 4096 -O metadata_csum_seed,project' \
	'-b 1024 -O meta_bg,^resize_inode -E stride=4,stripe_width=8' \
	'-O ^dir_index -L a\b -M /mnt' '-O journal_dev'; do
	n=$((n + 1))
	# shellcheck disable=SC2086
	case $o in -t*) set -- ;; *) set -- -t ext4 ;; esac
	rm -f "$T/l.img"
	# shellcheck disable=SC2086
	mke2fs -qF "$@" $o "$T/l.img" 16M >/dev/null 2>&1 || { fail "mke2fs $o"; continue; }
	case $o in
	*journal_dev) check "list of an external journal" \
		says 'journal_dev' "$TUNE2FS" -l "$T/l.img" ;;
	*'a\b'*) check "list: backslashes are escaped" \
		says 'a\x5cb' "$TUNE2FS" -l "$T/l.img" ;;
	*) check "list as stock's: $o" same_list "$T/l.img" ;;
	esac
done
fresh
printf 'x\n\033y' | dd of="$img" bs=1 seek=1144 conv=notrunc 2>/dev/null
check 'list: control characters are escaped' says 'x?\x1by' "$TUNE2FS" -l "$img"
check 'list: a wrong checksum is noted' says 'wrong checksum' "$TUNE2FS" -l "$img"
check 'list: and is no failure' exits 0 "$TUNE2FS" -l "$img"
# Every byte of the fields that sizes and shifts come from.
hostile()
{
	for at in 24 28 32 36 40 44 76 88 97 99 100 103 252 254 372; do
		fresh
		printf '\377\377' | dd of="$img" bs=1 seek=$((1024 + at)) \
			conv=notrunc 2>/dev/null
		"$TUNE2FS" -l "$img" >"$T/out" 2>&1 || { echo "at $at"; return 1; }
		grep -q '^Filesystem UUID' "$T/out" || return 1
	done
}
check 'list: wild fields' hostile

# ---- the label, in every copy
fresh
check 'label' exits 0 "$TUNE2FS" -L 'a label' "$img"
check 'label: primary' is "$(field 'Filesystem volume name')" 'a label'
check 'label: backup' is "$(field 'Filesystem volume name' 8193)" 'a label'
check 'label: stock e2fsck' stock_clean
check 'label: too long' says 'longer than 16' "$TUNE2FS" -L 0123456789abcdefgh "$img"
check 'label: cut' is "$(field 'Filesystem volume name')" 0123456789abcdef
check 'label: cleared' exits 0 "$TUNE2FS" -L '' "$img"
check 'label: none' is "$(field 'Filesystem volume name')" '<none>'

# ---- the UUID
uuid=01234567-89ab-4cde-8f01-23456789abcd
fresh
refused 'UUID with metadata_csum' 'metadata_csum_seed' -U random
for o in '^metadata_csum,stable_inodes:stable_inodes' \
	'^metadata_csum,ea_inode:ea_inode'; do
	mke2fs -qFt ext4 -b 1024 -O "${o%:*}" "$img" 12M
	refused "UUID with ${o#*:}" "${o#*:}" -U $uuid
done
mke2fs -qFt ext4 -b 1024 -O ^metadata_csum "$img" 12M
"$STOCK_DEBUGFS" -wR "ssv journal_uuid $uuid" "$img" 2>/dev/null
refused 'UUID with an external journal' 'external journal' -U random
for o in ^metadata_csum,uninit_bg ^metadata_csum,uninit_bg,meta_bg,^resize_inode \
	metadata_csum,metadata_csum_seed ^metadata_csum,^uninit_bg; do
	mke2fs -qFt ext4 -b 1024 -O "$o" "$img" 40M
	check "UUID: $o" exits 0 "$TUNE2FS" -U $uuid "$img"
	check "UUID: $o: primary" is "$(field 'Filesystem UUID')" $uuid
	check "UUID: $o: backup" is "$(field 'Filesystem UUID' 8193)" $uuid
	check "UUID: $o: clean" is "$(field 'Filesystem state')" clean
	check "UUID: $o: stock e2fsck" stock_clean
	check "UUID: $o: stock e2fsck on the backup" sh -c \
		'cp "$1" "$1.b"; "$2" -fyb 8193 -B 1024 "$1.b" >"$1.log" 2>&1; ! grep -i checksum "$1.log"' \
		- "$img" "$STOCK_E2FSCK"
done
mke2fs -qFt ext4 -b 1024 -O ^metadata_csum,uninit_bg "$img" 40M
"$STOCK_DEBUGFS" -wR 'set_bg 1 checksum 1' "$img" >/dev/null 2>&1
refused 'UUID over a wrong group checksum' 'group 1' -U random
for w in clear time random; do
	mke2fs -qFt ext4 -b 1024 -O ^metadata_csum "$img" 12M
	check "UUID: $w" exits 0 "$TUNE2FS" -U $w "$img"
done

# ---- refused states
fresh
"$STOCK_DEBUGFS" -wR 'ssv state 0' "$img" 2>/dev/null
for o in hash_alg=tea hash_seed=random rehash; do
	refused "-E $o, not clean" 'not clean' -E $o
done
refused '-O, not clean' 'not clean' -O ^dir_index
check 'label, not clean' exits 0 "$TUNE2FS" -L x "$img"
fresh
"$STOCK_DEBUGFS" -wR 'feature needs_recovery' "$img" >/dev/null 2>&1
refused 'journal' 'journal needs recovery' -E hash_alg=tea
refused 'label, journal' 'journal needs recovery' -L x
check 'list, journal' exits 0 "$TUNE2FS" -l "$img"
fresh
"$STOCK_DEBUGFS" -wR 'feature FEATURE_I28' "$img" >/dev/null 2>&1
refused 'unknown feature' 'FEATURE_I28' -f -E hash_seed=random
check 'list, unknown feature' exits 0 "$TUNE2FS" -l "$img"
mke2fs -qFt ext4 -b 1024 -O mmp "$img" 12M
refused 'MMP' 'multiple mount protection' -E hash_alg=tea

# ---- the default hash, to and fro
fresh
check 'hash_alg=tea' exits 0 "$TUNE2FS" -E hash_alg=tea "$img"
check 'tea: primary' is "$(field 'Default directory hash')" tea
check 'tea: backup' is "$(field 'Default directory hash' 8193)" tea
check 'tea: indexes stay' is "$(version_of /big)" 1
check 'tea: stock e2fsck' stock_clean
for h in legacy:0 tea:2 half_md4:1; do
	check "${h%:*},rehash" exits 0 "$TUNE2FS" -E "hash_alg=${h%:*},rehash" "$img"
	check "${h%:*}: index" is "$(version_of /big)" "${h#*:}"
	check "${h%:*}: stock e2fsck" stock_clean
	check "${h%:*}: names" same_names
done
check 'siphash' says 'refuse to mount' "$TUNE2FS" -E hash_alg=siphash "$img"
check 'siphash: list' says 'Default directory hash:   siphash' "$TUNE2FS" -l "$img"
check 'siphash: indexes stay' is "$(version_of /big)" 1
check 'siphash: the way back is named' says 'hash_alg=half_md4' \
	"$TUNE2FS" -E hash_alg=siphash "$img"
check 'siphash,rehash' exits 0 "$TUNE2FS" -E hash_alg=siphash,rehash "$img"
check 'siphash: index' is "$(version_of /big)" 6
check 'siphash: every hash by another program' \
	python3 "$E2DX_SRC/tests/tools/siphash-verify.py" "$img"
check 'siphash: new seed' exits 0 "$TUNE2FS" -E hash_seed=random "$img"
check 'siphash: new seed: every hash' \
	python3 "$E2DX_SRC/tests/tools/siphash-verify.py" "$img"
refused 'siphash: zero seed' 'no secret key' -E hash_seed=clear
check 'siphash and back' exits 0 "$TUNE2FS" -E hash_alg=half_md4 "$img"
check 'back: index' is "$(version_of /big)" 1
check 'back: default' is "$(field 'Default directory hash' 8193)" half_md4
check 'back: names' same_names
check 'back: stock e2fsck' stock_clean
fresh
"$STOCK_DEBUGFS" -wR 'ssv hash_seed clear' "$img" 2>/dev/null
"$STOCK_E2FSCK" -fyD "$img" >/dev/null 2>&1
check 'zero seed: siphash makes one' says 'random one is set' \
	"$TUNE2FS" -E hash_alg=siphash "$img"
check 'zero seed: set' test -n "$(field 'Directory Hash Seed')"
check 'zero seed: and back' exits 0 "$TUNE2FS" -E hash_alg=half_md4 "$img"
check 'zero seed: names' same_names
check 'zero seed: stock e2fsck' stock_clean

# ---- the seed
fresh
seed=aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee
check 'hash_seed' exits 0 "$TUNE2FS" -E hash_seed=$seed "$img"
check 'hash_seed: primary' is "$(field 'Directory Hash Seed')" $seed
check 'hash_seed: backup' is "$(field 'Directory Hash Seed' 8193)" $seed
check 'hash_seed: clean as before' is "$(field 'Filesystem state')" clean
check 'hash_seed: stock e2fsck' stock_clean
check 'hash_seed: names' same_names
check 'hash_seed: the same again changes nothing' \
	unchanged "$img" exits 0 "$TUNE2FS" -E hash_seed=$seed "$img"
# An index root that we call damaged may still be one to Linux: with the old
# key it would hide every name.
fresh
root_of() { echo $(($("$STOCK_DEBUGFS" -R 'bmap /big 0' "$img" 2>/dev/null) * 1024)); }
printf '\014' | dd of="$img" bs=1 seek=$(($(root_of) + 24)) conv=notrunc 2>/dev/null
check 'damaged root: hash_seed' exits 0 "$TUNE2FS" -E hash_seed=$seed "$img"
check 'damaged root: stock e2fsck' stock_clean
check 'damaged root: names' same_names
fresh
"$TUNE2FS" -E hash_alg=siphash,rehash "$img" 2>/dev/null
printf '\000' | dd of="$img" bs=1 seek=$(($(root_of) + 29)) conv=notrunc 2>/dev/null
check 'damaged root: away from siphash' exits 0 "$TUNE2FS" -E hash_alg=tea "$img"
check 'damaged root: index' is "$(version_of /big)" 2
check 'damaged root: then stock e2fsck' stock_clean
check 'damaged root: then names' same_names
fresh
"$TUNE2FS" -E hash_seed=$seed "$img"

# ---- features
check '^dir_index' exits 0 "$TUNE2FS" -O ^dir_index "$img"
check '^dir_index: stock e2fsck' stock_clean
check '^dir_index: names' same_names
check '^dir_index: no index' says 'Not a hash-indexed' \
	"$STOCK_DEBUGFS" -R 'htree_dump /big' "$img"
refused 'rehash without dir_index' 'dir_index' -E rehash
check 'dir_index and rehash' exits 0 "$TUNE2FS" -O dir_index -E rehash "$img"
check 'dir_index: index' is "$(version_of /big)" 1
check 'dir_index: stock e2fsck' stock_clean
check 'large_dir' exits 0 "$TUNE2FS" -O large_dir "$img"
check 'large_dir: shown' says large_dir dumpe2fs -h "$img"
check 'large_dir: stock e2fsck' stock_clean
check '^large_dir' exits 0 "$TUNE2FS" -O ^large_dir "$img"
check '^large_dir: gone' sh -c '! dumpe2fs -h "$1" 2>&1 | grep large_dir' - "$img"
check '^large_dir: stock e2fsck' stock_clean
"$TUNE2FS" -O large_dir "$img"
blk=$("$STOCK_DEBUGFS" -R 'bmap /big 0' "$img" 2>/dev/null)
printf '\002' | dd of="$img" bs=1 seek=$((blk * 1024 + 30)) conv=notrunc 2>/dev/null
refused '^large_dir with three levels' 'three index levels' -O ^large_dir

# ---- a full filesystem: what does not fit stays, and nothing says it is done
# Leaves a few blocks; stock e2fsck must not "repair" siphash here.
full()
{
	head -c "$(($(field 'Free blocks') - 8))k" /dev/urandom >"$T/fill"
	"$STOCK_DEBUGFS" -wR "write $T/fill fill" "$img" >/dev/null 2>&1
	rm -f "$T/fill"
	[ "$(field 'Free blocks')" -lt 20 ] || fail 'full: filling'
}
fresh
full
refused 'full: new seed' 'not enough free blocks' -E hash_seed=random
check 'full: ^dir_index' exits 1 "$TUNE2FS" -O ^dir_index "$img"
check 'full: dir_index stays' says dir_index dumpe2fs -h "$img"
check 'full: tea,rehash' exits 1 "$TUNE2FS" -E hash_alg=tea,rehash "$img"
check 'full: stock e2fsck' stock_clean
check 'full: names' same_names
fresh
"$TUNE2FS" -E hash_alg=siphash,rehash "$img" 2>/dev/null
full
check 'full: away from siphash' exits 1 "$TUNE2FS" -E hash_alg=tea "$img"
check 'full: the default stays siphash' says 'hash:   siphash' "$TUNE2FS" -l "$img"
check 'full: the index stays siphash' is "$(version_of /big)" 6

# ---- all at once
mke2fs -qFt ext4 -b 1024 -O ^dir_index,^metadata_csum -d "$T/tree" "$img" 12M
check 'all at once' exits 0 "$TUNE2FS" -l -L all -U $uuid -O dir_index,large_dir \
	-E hash_alg=tea,hash_seed=$seed,rehash "$img"
check 'all: label' is "$(field 'Filesystem volume name' 8193)" all
check 'all: UUID' is "$(field 'Filesystem UUID' 8193)" $uuid
check 'all: seed' is "$(field 'Directory Hash Seed' 8193)" $seed
check 'all: index' is "$(version_of /big)" 2
check 'all: stock e2fsck' stock_clean
finish
