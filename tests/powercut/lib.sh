# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
# For power-cut tests, after tests/lib.sh: builds the recorder, makes images.
CUT=$E2DX_SRC/tests/powercut/cut.py
REHASH=$E2DX_BUILD/tests/tools/rehash
LISTING=$E2DX_BUILD/tests/tools/listing
PYTHON=${PYTHON3:-python3}
# The recorder is preloaded before a sanitizer's own library.
ASAN_OPTIONS=verify_asan_link_order=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export ASAN_OPTIONS

have_recorder()
{
	command -v "$PYTHON" >/dev/null &&
		${CC:-cc} -shared -fPIC -O1 -o "$T/record.so" \
			"$E2DX_SRC/tests/powercut/record.c" -ldl
}

# A tree of two directories that get an index, and small ones.
make_tree()
{
	mkdir -p "$T/d/one" "$T/d/two" "$T/d/small/er" &&
	(cd "$T/d/one" && seq -f 'a-name-of-some-length-%04g' "$1" | xargs touch) &&
	(cd "$T/d/two" && seq -f 'b%g' "$1" | xargs touch) &&
	(cd "$T/d/small" && touch a b c er/d)
}

# cuts NAME PREFIX REORDER IMAGE COMMAND...: $CUT_FSCK repairs; stock if unset.
cuts()
{
	cuts_name=$1 cuts_prefix=$2 cuts_reorder=$3 cuts_image=$4
	shift 4
	check "$cuts_name" "$PYTHON" "$CUT" --record "$T/record.so" \
		--listing "$LISTING" --fsck "${CUT_FSCK:-$STOCK_E2FSCK}" \
		--torn --prefix "$cuts_prefix" \
		--reorder "$cuts_reorder" "$cuts_image" -- "$@"
}

# fill IMAGE BLOCKS-TO-LEAVE: one file takes the other free blocks (1 KiB).
fill()
{
	fill_free=$(dumpe2fs -h "$1" 2>/dev/null |
		sed -n 's/^Free blocks: *//p')
	head -c "$(((fill_free - $2) * 1024))" /dev/zero | tr '\0' x >"$T/filler"
	debugfs -w -R "write $T/filler filler" "$1" >/dev/null 2>&1
}
