# SPDX-License-Identifier: GPL-2.0-or-later
# bench: what hashes cost and how well they scatter names (BENCH_HASH_RUNS, 10;
# BENCH_QUALITY, numbers of names, 1000000).
sed -n 's/^model name[^:]*: /CPU: /p' /proc/cpuinfo | head -1
echo "commit: $(git -C "$E2DX_SRC" describe --always --dirty 2>/dev/null || echo unknown)"
"$E2DX_BUILD/tests/bench/hash" "${BENCH_HASH_RUNS:-10}" || exit 1
"$E2DX_BUILD/tests/bench/quality" ${BENCH_QUALITY:-1000000}
