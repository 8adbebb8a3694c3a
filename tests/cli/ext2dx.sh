# SPDX-License-Identifier: GPL-2.0-or-later
# What a user of the library gets: headers that compile alone, pkg-config's
# flags that put libext2dx first, and just the symbols that are promised.
. "$E2DX_SRC/tests/lib.sh"
libdir=$E2DX_BUILD/lib/ext2fs/.libs
CC=${CC:-cc}
inc=$T/include
mkdir -p "$inc/e2dx"
[ -e "$libdir/libext2dx.so" ] ||
	{ skip "ext2dx: no shared library was built"; exit 77; }

# The headers as `make install` lays them out.
install_headers()
{
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$E2DX_BUILD" \
		includedir="$inc" DESTDIR= install-e2dxincludeHEADERS \
		install-nodist_e2dxincludeHEADERS \
		install-e2dxdirhashincludeHEADERS \
		install-e2dxhtreeincludeHEADERS
}
check "headers can be installed" install_headers

# pc OPTION: pkg-config on the built .pc file, as if installed here.
pc()
{
	PKG_CONFIG_PATH="$E2DX_BUILD/lib/ext2fs" pkg-config "$@" \
		--define-variable=libdir="$libdir" \
		--define-variable=includedir="$inc"
}

compiles_alone()
{
	echo "#include <e2dx/$1>" >"$T/alone.c"
	# shellcheck disable=SC2046
	"$CC" -std=gnu11 -Wall -Wextra -Werror -c -o "$T/alone.o" \
		$(pc --cflags ext2dx) "$T/alone.c"
}
for header in $(cd "$inc/e2dx" && find . -name '*.h' | sort); do
	check "${header#./} compiles alone" compiles_alone "${header#./}"
done

# links NAME FLAGS...: a program that resolves to our functions.
links()
{
	links_name=$1
	shift
	# shellcheck disable=SC2046
	"$CC" -std=gnu11 -o "$T/$links_name" $(pc --cflags ext2dx) \
		"$E2DX_SRC/tests/cli/ext2dx.c" "$@" &&
		LD_LIBRARY_PATH=$libdir "$T/$links_name"
}
# Old and new order of a user's libraries; the flags must decide, not luck.
sanitized() { ldd "$libdir/libext2dx.so" | grep -qE 'lib[atu]*san'; }
if sanitized; then
	skip "linking with pkg-config: built with a sanitizer"
else
	# shellcheck disable=SC2046
	check "pkg-config ext2dx" links one $(pc --libs ext2dx)
	# shellcheck disable=SC2046
	check "pkg-config ext2fs e2p ext2dx" \
		links two $(pc --libs ext2fs e2p ext2dx)
	# shellcheck disable=SC2046
	check "with --as-needed" links three -Wl,--as-needed \
		$(pc --libs ext2dx)
fi

# Exported: what ext2dx.sym says, and that it says what the headers declare.
nm -D --defined-only "$libdir/libext2dx.so" | sed 's/.* //; s/@.*//' |
	sort >"$T/exported"
sort "$E2DX_SRC/lib/ext2fs/ext2dx.sym" >"$T/promised"
check "exports what is promised" diff "$T/promised" "$T/exported"
# shellcheck disable=SC2046
declared()
{
	cat $(find "$inc/e2dx" -name '*.h') |
		grep -E '^[a-z].*[ *](htree|dirhash|dirhasher)_[a-z0-9_]+\(' |
		grep -v '^static' | sed -E 's/\(.*//; s/.*[ *]//' | sort -u
}
declared >"$T/declared"
grep -E '^(htree|dirhash|dirhasher)_' "$T/promised" |
	grep -v '^dirhash_default_seed$' >"$T/functions"
check "promises what the headers declare" diff "$T/declared" "$T/functions"
finish
