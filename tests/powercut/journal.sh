# SPDX-License-Identifier: GPL-2.0-or-later
# The power fails at every write of a replay, and while orphans are released:
# what is left is replayed again, by stock and by ours, and no name is lost.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/powercut/lib.sh"
have_loop || { skip "journal, power cuts: needs root and loop mounts"; exit 77; }
have_recorder >/dev/null 2>&1 ||
	{ skip "no compiler or no python for the recorder"; exit 77; }
mnt=$T/mnt
mkdir "$mnt"

# An image copied while it was mounted, with orphans; one with all done.
make_busy()
{
	rm -f "$T/img"
	truncate -s 24M "$T/img"
	# shellcheck disable=SC2086
	mke2fs -qF -t ext4 -b 1024 $1 "$T/img" >/dev/null 2>&1
	mount -o loop "$T/img" "$mnt" || return
	mkdir "$mnt/d" && (cd "$mnt/d" && seq -f 'name_%.0f' 200 | xargs touch)
	head -c 400000 /dev/zero >"$mnt/big"
	sync -f "$mnt"
	(cd "$mnt/d" && seq -f 'name_%.0f' 50 90 | xargs rm)
	cp "$mnt/big" "$mnt/gone" && exec 8<"$mnt/gone" && rm "$mnt/gone"
	echo x >"$mnt/gone2" && exec 9<"$mnt/gone2" && rm "$mnt/gone2"
	(cd "$mnt/d" && seq -f 'more_%.0f' 40 | xargs touch)
	truncate -s 1000 "$mnt/big"
	sync -f "$mnt"
	cp --sparse=always "$T/img" "$T/busy"
	exec 8<&- 9<&-
	umount "$mnt"
}

make_fast()
{
	rm -f "$T/img"
	truncate -s 24M "$T/img"
	mke2fs -qF -t ext4 -b 1024 -O fast_commit "$T/img" >/dev/null 2>&1
	mount -o loop "$T/img" "$mnt" || return
	mkdir "$mnt/d" && echo base >"$mnt/base" &&
		(cd "$mnt/d" && seq -f 'name_%.0f' 300 | xargs touch)
	sync -f "$mnt"
	"$PYTHON" "$E2DX_SRC/tests/tools/fast-commits.py" "$mnt" "$1" \
		"$T/img" "$T/busy"
	umount "$mnt"
}

# all LABEL CUT-OPTIONS...
all()
{
	label=$1
	shift
	check "$label" "$PYTHON" "$CUT" --record "$T/record.so" \
		--listing "$LISTING" --torn --prefix 0 --reorder 40 \
		--names "$T/img" "$@" "$T/busy" -- "$E2FSCK" -p {}
	tail -1 "$T/check.out"
}

for options in "" "-O ^metadata_csum,^64bit,^extent" "-O orphan_file" "-J size=1"; do
	make_busy "$options" || { skip "$options: no mount"; continue; }
	all "stock after a cut ${options:-(default)}"
done
all "ours after a cut" --first "$E2FSCK"
for set in files names directories; do
	make_fast $set || { skip "fast commits: no mount"; continue; }
	all "ours after a cut: fast commits, $set" --first "$E2FSCK"
done
finish
