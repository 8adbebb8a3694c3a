# SPDX-License-Identifier: GPL-2.0-or-later
# Where it is in doubt who owns a block or whether an inode is in use, nothing
# is written, whatever else there were to do.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"

mkdir -p "$T/d/dir"
for i in $(seq 200); do : >"$T/d/dir/some_name_$i"; done
head -c 20000 /dev/urandom >"$T/d/file"
mke2fs -qFt ext4 -b1024 -O ^has_journal,^metadata_csum,^64bit,^extent -d "$T/d" \
	"$T/a" 4M >/dev/null 2>&1

# refused LABEL TEXT: $T/x is damaged; its directory needs a repair too.
refused()
{
	check "$1: -fn" leaves "$T/x" exits 4 "$E2FSCK" -fn "$T/x"
	for how in -fyD -fy -fp; do
		check "$1: $how writes nothing" \
			leaves "$T/x" exits 4 "$E2FSCK" $how "$T/x"
		check "$1: $how says why" says "$2" "$E2FSCK" $how "$T/x"
	done
}

block=$(block_at "$T/a" /file 3)
cp "$T/a" "$T/x"
sd "$T/x" "freeb $block"
cp "$T/x" "$T/y"
repairs "a block that the bitmap calls free" "$T/x" -fy "free in the block bitmap"
repairs "a block that the bitmap calls free" "$T/y" -fp "free in the block bitmap"

cp "$T/a" "$T/x"
sd "$T/x" "sif /file block[2] $(block_at "$T/a" /dir 1)"
refused "a block of a file and a directory" "claimed twice"

cp "$T/a" "$T/x"
sd "$T/x" "freei <$(inode_of "$T/a" /dir/some_name_7)>"
repairs "an inode that the bitmap calls free" "$T/x" -fp "free in the inode bitmap"

cp "$T/a" "$T/x"
sd "$T/x" "sif <2> mode 0100644"
refused "a root that is no directory" "root"

# Every name would go, because of one number.
cp "$T/a" "$T/x"
sd "$T/x" "ssv first_ino 100"
refused "a first inode that is too high" "first inode"

# An entry that names an inode which the descriptors exclude.
mke2fs -qFt ext4 -b1024 -g 1024 -N 512 -O ^has_journal,metadata_csum \
	-d "$T/d" "$T/b" 8M >/dev/null 2>&1
cp "$T/b" "$T/x"
if dumpe2fs "$T/b" 2>/dev/null | grep -q INODE_UNINIT; then
	sd "$T/x" "ln <500> /excluded"
	refused "an inode that the descriptors exclude" "exclude"
else
	skip "no group with an uninitialised inode table"
fi

# The descriptor of the root's group says that no inode there is in use: then
# nothing is known about the blocks of those that are.
cp "$T/b" "$T/x"
sd "$T/x" "set_bg 0 flags 7"
sd "$T/x" "set_bg 0 checksum calc"
refused "a root that the descriptors exclude" "root"
check "a root that the descriptors exclude: tune2fs" \
	leaves "$T/x" exits 1 "$TUNE2FS" -E hash_seed=random "$T/x"
finish
