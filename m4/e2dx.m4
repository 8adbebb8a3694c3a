# SPDX-License-Identifier: GPL-2.0-or-later

# AX_E2DX_WARNINGS: WARN_CFLAGS for every compilation; --enable-werror makes
# warnings errors (the continuous build does).
AC_DEFUN([AX_E2DX_WARNINGS], [
AC_ARG_ENABLE([werror],
  [AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors])],
  [], [enable_werror=no])
WARN_CFLAGS="-Wall -Wextra -Wconversion -Wno-sign-conversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla"
AS_IF([test "x$enable_werror" = xyes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
AC_SUBST([WARN_CFLAGS])
])

# AX_E2DX_X86: whether files for single x86 extensions are built.  Which of
# them runs is decided when the program runs.
AC_DEFUN([AX_E2DX_X86], [
AC_CANONICAL_HOST
AS_CASE([$host_cpu], [x86_64], [e2dx_x86=yes], [e2dx_x86=no])
AM_CONDITIONAL([X86], [test "x$e2dx_x86" = xyes])
AM_CONDITIONAL([ARM64], [test "x$host_cpu" = xaarch64])
AS_IF([test "x$e2dx_x86" = xyes],
  [AC_DEFINE([E2DX_X86], [1], [Define on x86-64: variants for its extensions are built.])])
])
