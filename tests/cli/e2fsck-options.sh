# SPDX-License-Identifier: GPL-2.0-or-later
# e2fsck's command line, exit statuses, and what it leaves alone.
. "$E2DX_SRC/tests/lib.sh"
. "$E2DX_SRC/tests/e2fsck-lib.sh"

mkdir -p "$T/d/dir"
for i in $(seq 200); do : >"$T/d/dir/some_name_$i"; done
mke2fs -qFt ext4 -b 1024 -O ^has_journal -d "$T/d" "$T/a" 4M >/dev/null 2>&1
a=$T/a

for o in "-n -y" "-p -n" "-a -y" "-n -D" "-C x" "-B 1000" "-E foo=1" "-c" \
	"-q" "-b"; do
	# shellcheck disable=SC2086
	check "usage error: $o" leaves "$a" exits 16 "$E2FSCK" $o "$a"
done
# refused WHY ARGUMENTS: refused in one form, "program: option: why".
refused()
{
	text=$1
	shift
	check "refused: $*" leaves "$a" exits 16 "$E2FSCK" "$@" "$a"
	check "refused: $*: says why" says "e2fsck: $text" "$E2FSCK" "$@" "$a"
}
refused "-c: not supported yet: " -c
refused "-l: not supported yet: " -y -l /dev/null
refused "-L: not supported yet: " -L /dev/null
refused "-S: no such option" -S
refused "-B: a block size is a power of two" -B 1000
refused "-C: 'x' is not a usable number" -C x
refused "-p/-a, -n, -y: only one of them" -p -n
refused "-n, -D: they exclude each other" -n -D
refused "-n, -z: they exclude each other" -n -z "$T/u"
refused "-D, -E fixes_only: they exclude each other" -D -E fixes_only
refused "-E: clear_mmp: no such option" -E clear_mmp
refused "-E: readahead_kb: wrong value" -E readahead_kb=x
refused "-E: threads: wrong value" -E threads=0
refused "-E: ea_ver: wrong value" -E ea_ver=3
refused "-E: nodiscard: wrong value" -E nodiscard=1
for e in fragcheck discard bmap2extent check_encoding unshare_blocks; do
	refused "-E: $e: not supported yet" -E nodiscard,$e
done
for o in -d -k -r "-I 4" "-P 256" "-E nodiscard,readahead_kb=64,ea_ver=2" \
	"-E optimize_extents,no_optimize_extents" "-E fixes_only" "-C -3" \
	"-E inode_count_fullmap,no_inode_count_fullmap" "-B 1024"; do
	# shellcheck disable=SC2086
	check "accepted: $o" leaves "$a" exits 0 "$E2FSCK" -fn $o "$a"
done
check "-F needs a block device" exits 8 "$E2FSCK" -fnF "$a"

# The line of a clean filesystem is the one that scripts know.
clean_line()
{
	[ "$("$E2FSCK" "$1" "$2")" = "$("$STOCK_E2FSCK" "$1" "$2" 2>/dev/null)" ]
}
for n in "65535 0" "10 9" "10 8" "10 5" "10 4"; do
	cp "$a" "$T/c"
	sd "$T/c" "ssv max_mnt_count ${n% *}"
	sd "$T/c" "ssv mnt_count ${n#* }"
	check "clean, $n mounts: -p says what stock says" clean_line -p "$T/c"
	check "clean, $n mounts: -y too" clean_line -y "$T/c"
done
mke2fs -qFt ext4 -O bigalloc,^has_journal "$T/c" 64M >/dev/null 2>&1
check "clean, clusters: -p says what stock says" clean_line -p "$T/c"
one_read()
{
	strace -f -P "$a" -e trace=read,pread64 -o "$T/trace" \
		"$E2FSCK" -p "$a"
	cat "$T/trace"
	[ "$(grep -c pread64 "$T/trace")" -eq 1 ] &&
		grep -q 'pread64(.*, 1024, 1024) = 1024$' "$T/trace"
}
if command -v strace >/dev/null; then
	check "clean: the superblock alone is read" one_read
fi
# forced WHY REQUEST...: checked without -f, and the reason is printed.
forced()
{
	why=$1
	shift
	cp "$a" "$T/c"
	for request in "$@"; do sd "$T/c" "$request"; done
	check "$why" says "$why" "$E2FSCK" -n "$T/c"
}
forced "not unmounted cleanly, check forced" "ssv state 0"
forced "marked as having errors, check forced" "ssv state 3"
forced "mounted 12 times without being checked" "ssv max_mnt_count 10" \
	"ssv mnt_count 12"
forced "days without being checked" "ssv checkinterval 100" \
	"ssv lastcheck 20200101"
check "-t" says ": all: " "$E2FSCK" -fnt "$a"
check "-tt" says ": pass 1: " "$E2FSCK" -fntt "$a"

check "no device is a usage error" exits 16 "$E2FSCK"
check "two devices are a usage error" exits 16 "$E2FSCK" -n "$a" "$a"
check "an option of stock is refused by its name" \
	says "-c: not supported yet" "$E2FSCK" -c "$a"
check "-V" exits 0 "$E2FSCK" -V
check "--help" exits 0 "$E2FSCK" --help
check "a missing file is an operational error" exits 8 "$E2FSCK" -n "$T/none"
head -c 65536 /dev/zero >"$T/zero"
check "no filesystem is an operational error" exits 8 "$E2FSCK" -fn "$T/zero"
for o in -fn --help -V; do
	full() { exits 8 "$E2FSCK" $o "$a" >/dev/full; }
	check "$o: a full standard output is an operational error" full
done
# Escape sequences of a command line reach no terminal.
e=$(printf '\033')
quoted()
{
	check "${1##*/} $2: control characters are shown as text" says '\x1b[31m' "$@"
	check "${1##*/} $2: and never as they are" \
		sh -c '! grep -q "$1" "$2"' - "$e" "$T/says.out"
}
quoted "$E2FSCK" -fn "$e[31m"
quoted "$E2FSCK" -E "$e[31m" "$a"
quoted "$TUNE2FS" -l "$e[31m"
quoted "$TUNE2FS" -E "$e[31m" "$a"
quoted "$DEBUGFS" -R "$e[31m" "$a"
# Nobody writes to this FIFO; /dev/zero has no size.
mkfifo "$T/fifo"
for f in "$T/fifo" /dev/zero; do
	for p in "$E2FSCK -fn" "$E2FSCK -fy" "$TUNE2FS -l" "$DEBUGFS -R ls"; do
		# shellcheck disable=SC2086
		check "$f is no device: $p" says 'Block device required' \
			timeout 5 $p "$f"
	done
done
check "nor is a directory" exits 8 "$E2FSCK" -fn "$T"
head -c 3M "$a" >"$T/cut"
check "cut off, and marked clean: not skipped" \
	leaves "$T/cut" exits 4 "$E2FSCK" -p "$T/cut"
no_terminal() { exits 8 "$E2FSCK" -f "$a" </dev/null; }
check "questions need a terminal" leaves "$a" no_terminal

check "clean: -p does not check, and says so" \
	says ": clean, " "$E2FSCK" -p "$a"
check "clean: -p exits with 0" leaves "$a" exits 0 "$E2FSCK" -p "$a"
# All but the superblock stays.
marked()
{
	before=$(tail -c +2049 "$a" | cksum)
	"$@" && [ "$(tail -c +2049 "$a" | cksum)" = "$before" ]
}
check "-fp on a healthy image" marked exits 0 "$E2FSCK" -fp "$a"
check "-fy on a healthy image" marked exits 0 "$E2FSCK" -fy "$a"
check "-fa is -fp" marked exits 0 "$E2FSCK" -fa "$a"
check "the last line says what is in use" same_totals "$a"
check "-v: the figures are stock's" same_figures "$a"
check "-v: names" says "202 names" "$E2FSCK" -fnv "$a"
check "the threads do not matter" exits 0 "$E2FSCK" -fn -E threads=7 "$a"
check "a backup superblock" exits 0 "$E2FSCK" -fn -b 1 "$a"
progress() { "$E2FSCK" -fn -C 3 "$a" 3>"$T/progress" && grep -q '^2 ' "$T/progress"; }
check "-C FD reports progress" progress

# What must not be written.
cp "$a" "$T/j" && sd "$T/j" "feature +has_journal +needs_recovery"
check "a journal to replay that is not there: nothing is written" \
	leaves "$T/j" exits 12 "$E2FSCK" -fy "$T/j"
cp "$a" "$T/f" && poke "$T/f" 1123 '\100'	# incompat bit 30
check "an unknown feature: nothing is written" \
	leaves "$T/f" exits 8 "$E2FSCK" -fy "$T/f"

# What was checked and is whole is marked so, and nothing else is.
unclean()
{
	cp "$a" "$T/s" && sd "$T/s" "ssv state 2" && sd "$T/s" "ssv mnt_count 7" &&
		sd "$T/s" "ssv lastcheck 20200101" && sd "$T/s" "ssv error_count 3"
}
not() { ! "$@"; }
ask_says() { ask "$T/s" stats | grep -q "$1"; }
state() { ask_says "state: *$1\$"; }
as_before() { ask_says 'Last checked: *Wed Jan  1.*2020'; }
for o in -p -fp -fy -fyD; do
	unclean
	check "$o on one with errors" exits 1 "$E2FSCK" $o "$T/s"
	check "$o marks it clean" state clean
	check "$o sets the time of the check" not as_before
	check "$o counts mounts anew" ask_says 'Mount count: *0$'
	check "$o forgets the errors" not ask_says 'FS Error count'
	check "$o: stock sees it clean" exits 0 "$STOCK_E2FSCK" -p "$T/s"
done
unclean
check "-fn leaves the marks" leaves "$T/s" exits 0 "$E2FSCK" -fn "$T/s"
sd "$T/s" "sif <12> mode 0170644"
check "-fy with a fault that is left" leaves "$T/s" exits 4 "$E2FSCK" -fy "$T/s"

# Directories that are as -D wants them are not written again.
check "a second -fyD" unchanged "$T/s" exits 0 "$E2FSCK" -fyD "$T/s"
says_nothing() { ! says "WAS MODIFIED" "$E2FSCK" -fyD "$T/s"; }
check "a second -fyD does not claim otherwise" says_nothing

# The undo file brings back what was there.
cp "$a" "$T/u"
check "-z" exits 1 "$E2FSCK" -fyD -z "$T/undo" "$T/u"
e2undo "$T/undo" "$T/u" >/dev/null 2>&1
check "e2undo gives the old image" cmp "$a" "$T/u"
check "-z with a file that cannot be made" unchanged "$T/u" exits 8 \
	"$E2FSCK" -fyD -z "$T/no-such/undo" "$T/u"
check "-z with a directory" unchanged "$T/u" exits 8 \
	"$E2FSCK" -fyD -z "$T" "$T/u"
finish
